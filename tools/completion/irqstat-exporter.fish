# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Completion of irqstat-exporter(1) in fish.

function __irqstat_exporter_series
    set -l before (string replace -rf '^(--series=)?(.*,)?[^,]*$' '$2' -- (commandline -ct))
    for series in rows cpus nodes rows-by-node rows-by-cpu node-exporter
        echo $before$series
    end
end

complete -c irqstat-exporter -f
complete -c irqstat-exporter -l listen -x -d 'Serve on this address'
complete -c irqstat-exporter -l once -d 'Write the metrics to standard output'
complete -c irqstat-exporter -l textfile -r -F -d 'Write the metrics to a file'
complete -c irqstat-exporter -l interval -x -d 'Write the file again and again'
complete -c irqstat-exporter -l openmetrics -d 'Write OpenMetrics'
complete -c irqstat-exporter -l series -x -a '(__irqstat_exporter_series)' -d 'Put these series'
complete -c irqstat-exporter -l softirqs -d 'Put those of softirqs, too'
complete -c irqstat-exporter -l zeros -d 'Put what has not counted, too'
complete -c irqstat-exporter -l rows -x -d 'Put these rows only'
complete -c irqstat-exporter -l include -x -d 'Put only rows with such names'
complete -c irqstat-exporter -l exclude -x -d 'Put no rows with such names'
complete -c irqstat-exporter -l cpus -x -d 'Put these CPUs only'
complete -c irqstat-exporter -l max-series -x -d 'Put no more series'
complete -c irqstat-exporter -l source -r -F -d 'Read this file'
complete -c irqstat-exporter -l softirqs-source -r -F -d 'Read softirqs from this file'
complete -c irqstat-exporter -s h -l help -d 'Show a summary of the options'
complete -c irqstat-exporter -s V -l version -d 'Show the version'
