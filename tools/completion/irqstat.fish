# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Completion of irqstat(1) in fish.

function __irqstat_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l typed $words[2..-1]
    # --name=value is one word here.
    set -l before ''
    if string match -qr '^--[^=]+=' -- $typed[-1]
        set before (string replace -r '=.*' '=' -- $typed[-1])
        set typed $typed[1..-2] (string replace -r '=.*' '' -- $typed[-1]) (string replace -r '^[^=]*=' '' -- $typed[-1])
    end
    for line in ($words[1] __complete $typed 2>/dev/null)
        if test "$line" = FILE
            __fish_complete_path (string replace -r '^--[^=]+=' '' -- (commandline -ct))
        else
            echo -- $before$line
        end
    end
end

complete -c irqstat -f -a '(__irqstat_complete)'
