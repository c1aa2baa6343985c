#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat-exporter without HTTP: test_exporter_once.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"
tool=$build/irqstat-exporter

# expect_usage NAME FIRST_LINE_OF_STDERR
expect_usage()
{
	expect_error "$1" 2 "$2
Try 'irqstat-exporter --help'."
}

# expect_line NAME LINE: among the output of a run that succeeded
expect_line()
{
	why=
	[ "$status" -eq "${expected_status:-0}" ] || why="exit code $status"
	grep -qxF "$2" "$dir/out" || why="$why; no $2"
	report "$1" "$why"
}

# samples: the lines of counters, without those of the exporter itself
samples()
{
	grep -E '^(irqstat_([a-z]+_)?(interrupts|softirqs)|node_)' "$dir/out"
}

# expect_samples NAME: are those on standard input
expect_samples()
{
	why=
	cat >"$dir/expected"
	samples >"$dir/samples"
	[ "$status" -eq 0 ] || why="exit code $status"
	diff "$dir/expected" "$dir/samples" >"$dir/diff" ||
		why="$why; output: $(head -n 4 "$dir/diff" | tr '\n' ' ')"
	report "$1" "$why"
}

run --once --source "$dir/text"
expect_samples once_puts_totals_of_rows <<EOF
irqstat_interrupts_total{irq="LOC",name="Local timer interrupts"} 2400
irqstat_interrupts_total{irq="TLB",name="TLB shootdowns"} 7
irqstat_interrupts_total{irq="ERR"} 2
irqstat_interrupts_total{irq="0",name="timer",chip="IO-APIC"} 45
irqstat_interrupts_total{irq="9",name="acpi",chip="IO-APIC"} 321
irqstat_interrupts_total{irq="30",name="nvme0q1",chip="PCI-MSI"} 8000000008
irqstat_interrupts_total{irq="31",name="nvme0q2",chip="PCI-MSI"} 7
EOF
expect_line once_says_that_it_could_read 'irqstat_up{file="interrupts"} 1'
expect_line once_says_what_it_read 'irqstat_source_info{file="interrupts",source="text",reason=""} 1'
expect_line once_says_how_much_it_read "irqstat_read_bytes_total{file=\"interrupts\"} $(wc -c <"$dir/text")"
why=
grep -q '^process_' "$dir/out" && why="metrics of a process that is gone"
report once_has_no_metrics_of_the_process "$why"
why=
grep -q '^# EOF' "$dir/out" && why="the mark of OpenMetrics"
report once_is_classic_unless_asked "$why"

run --once --openmetrics --source "$dir/text"
why=
[ "$(tail -n 1 "$dir/out")" = "# EOF" ] || why="no # EOF"
grep -qx '# TYPE irqstat_interrupts counter' "$dir/out" || why="$why; no family"
report once_in_openmetrics "$why"

run --once --source "$dir/text" --rows 24-30,ERR --zeros
expect_samples rows_are_selected_by_list <<EOF
irqstat_interrupts_total{irq="ERR"} 2
irqstat_interrupts_total{irq="24",name="PCIe PME, aerdrv, pciehp",chip="PCI-MSI"} 0
irqstat_interrupts_total{irq="30",name="nvme0q1",chip="PCI-MSI"} 8000000008
EOF

run --once --source "$dir/text" --include '^nvme' --include acpi --exclude q1
expect_samples rows_are_selected_by_names <<EOF
irqstat_interrupts_total{irq="9",name="acpi",chip="IO-APIC"} 321
irqstat_interrupts_total{irq="31",name="nvme0q2",chip="PCI-MSI"} 7
EOF

run --once --source "$dir/text" --cpus 3 --series cpus,rows-by-cpu --rows 9,31,LOC
expect_samples cpus_are_selected <<EOF
irqstat_cpu_interrupts_total{cpu="3"} 1005
irqstat_interrupts_by_cpu_total{cpu="3",irq="LOC",name="Local timer interrupts"} 700
irqstat_interrupts_by_cpu_total{cpu="3",irq="9",name="acpi",chip="IO-APIC"} 300
irqstat_interrupts_by_cpu_total{cpu="3",irq="31",name="nvme0q2",chip="PCI-MSI"} 5
EOF

cat >"$dir/softirqs" <<EOF
                    CPU0       CPU1       CPU3
          HI:          1          0          2
       TIMER:          0          0          0
EOF
run --once --source "$dir/text" --rows 0 --softirqs --softirqs-source "$dir/softirqs"
expect_samples softirqs_are_put_too <<EOF
irqstat_interrupts_total{irq="0",name="timer",chip="IO-APIC"} 45
irqstat_softirqs_total{softirq="HI"} 3
EOF
expect_line softirqs_are_up 'irqstat_up{file="softirqs"} 1'

run --once --source "$dir/text" --max-series 3
expect_line limit_tells_what_it_left_out "irqstat_exporter_series_omitted 4"
expect_line limit_tells_what_there_is "irqstat_exporter_series 3"

run --once --source "$dir/text" --max-series 0
expect_line no_limit_is_0 "irqstat_exporter_series_limit 0"

# A source that can't be read is told, in the metrics as well.
expected_status=1
run --once --source "$dir/absent"
expect_line absent_source_is_down 'irqstat_up{file="interrupts"} 0'
expect_line absent_source_is_an_error 'irqstat_read_errors_total{file="interrupts"} 1'
expect_line absent_source_is_named \
	'irqstat_source_info{file="interrupts",source="none",reason="No such file or directory"} 1'
why=
[ "$(cat "$dir/err")" = "irqstat-exporter: $dir/absent: No such file or directory" ] || why=$(cat "$dir/err")
report absent_source_is_told "$why"
why=
[ -z "$(samples)" ] || why=$(samples | head -n 1)
report absent_source_has_no_counters "$why"

run --once --source "$dir/empty"
expect_line masked_source_is_down \
	'irqstat_source_info{file="interrupts",source="none",reason="empty: masked or not available"} 1'

printf 'IRQB' >"$dir/malformed"
run --once --source "$dir/malformed"
expect_line malformed_source_is_down \
	'irqstat_source_info{file="interrupts",source="none",reason="malformed"} 1'

mkfifo "$dir/pipe"
timeout 60 "$tool" --once --source "$dir/pipe" >"$dir/out" 2>"$dir/err"
status=$?
expect_line pipe_is_not_waited_for 'irqstat_source_info{file="interrupts",source="none",reason="Illegal seek"} 1'

run --once --source "$dir/text" --softirqs --softirqs-source "$dir/absent"
expect_line absent_softirqs_leave_interrupts 'irqstat_interrupts_total{irq="ERR"} 2'
unset expected_status

"$tool" --once --source "$dir/text" >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect_error full_disk_fails 1 "irqstat-exporter: standard output: No space left on device"

"$tool" --once --source "$dir/text" >&- 2>"$dir/err"
status=$?
expect_error closed_output_fails 1 "irqstat-exporter: standard output: Bad file descriptor"

run --textfile "$dir/irq.prom" --source "$dir/text"
why=
[ "$status" -eq 0 ] || why="exit code $status"
[ "$(stat -c %a "$dir/irq.prom")" = 644 ] || why="$why; mode $(stat -c %a "$dir/irq.prom")"
cp "$dir/irq.prom" "$dir/out"
report textfile_is_for_all_to_read "$why"
expect_line textfile_holds_the_counters 'irqstat_interrupts_total{irq="ERR"} 2'

# Whoever had it open has the old one, whole: it was not written into.
exec 3<"$dir/irq.prom"
run --textfile "$dir/irq.prom" --source "$dir/later"
why=
cmp -s /dev/fd/3 "$dir/out" && why="no message"
cat <&3 >"$dir/old"
exec 3<&-
grep -qxF 'irqstat_interrupts_total{irq="LOC",name="Local timer interrupts"} 2400' "$dir/old" || why="not the old one"
grep -qxF 'irqstat_interrupts_total{irq="LOC",name="Local timer interrupts"} 5400' "$dir/irq.prom" ||
	why="$why; not the new one"
report textfile_is_replaced_at_once "$why"

cp "$dir/irq.prom" "$dir/before"
message=$(
	ulimit -f 0
	exec "$tool" --textfile "$dir/irq.prom" --source "$dir/text" 2>&1
)
status=$?
echo "$message" >"$dir/err"
: >"$dir/out"
expect_error textfile_that_cannot_be_written 1 "irqstat-exporter: $dir/irq.prom: File too large"
why=
cmp -s "$dir/before" "$dir/irq.prom" || why="it is another"
[ "$(find "$dir" -name '.irq*')" = "" ] || why="$why; left: $(find "$dir" -name '.irq*')"
report textfile_stays_if_it_cannot_be_written "$why"

run --textfile "$dir/absent/irq.prom" --source "$dir/text"
expect_error textfile_in_no_directory 1 "irqstat-exporter: $dir/absent/irq.prom: No such file or directory"

run --textfile /dev/null --source "$dir/text"
expect_error textfile_is_no_device 1 "irqstat-exporter: /dev/null: not a regular file"

run --textfile "$dir" --source "$dir/text"
expect_error textfile_is_no_directory 1 "irqstat-exporter: $dir: not a regular file"

run --textfile "$dir/down.prom" --source "$dir/absent"
why=
[ "$status" -eq 1 ] || why="exit code $status"
grep -qxF 'irqstat_up{file="interrupts"} 0' "$dir/down.prom" || why="$why; not in the file"
report textfile_tells_that_the_source_is_down "$why"

run --bogus
expect_usage unknown_long_option "irqstat-exporter: --bogus: unknown option"
run -x
expect_usage unknown_short_option "irqstat-exporter: -x: unknown option"
run --source
expect_usage option_without_value "irqstat-exporter: --source: needs a value"
run --once=no
expect_usage value_not_wanted "irqstat-exporter: --once=no: takes no value"
run file
expect_usage operand "irqstat-exporter: file: unexpected argument"
run --series rows,bogus
expect_usage unknown_series "irqstat-exporter: rows,bogus: no such series"
run --series ''
expect_usage empty_series "irqstat-exporter: : no such series"
run --once --cpus 3-1
expect_usage impossible_cpus "irqstat-exporter: 3-1: malformed"
run --once --rows 5-3
expect_usage impossible_rows "irqstat-exporter: 5-3: malformed"
run --once --include "["
expect_usage impossible_pattern "irqstat-exporter: [: malformed"
run --max-series -1
expect_usage impossible_limit "irqstat-exporter: -1: not such a number"
run --textfile "$dir/x" --interval 0
expect_usage impossible_interval "irqstat-exporter: 0: not such a number"
run --interval 5
expect_usage interval_without_textfile "irqstat-exporter: --interval: only with --textfile"
run --once --textfile "$dir/x"
expect_usage two_ways_of_output "irqstat-exporter: --once: not with --textfile"
run --once --listen 9999
expect_usage listen_without_http "irqstat-exporter: --listen: not with --once or --textfile"
run --openmetrics
expect_usage format_that_is_negotiated "irqstat-exporter: --openmetrics: only with --once"

run --help
why=
[ "$status" -eq 0 ] || why="exit code $status"
grep -q '^Usage: irqstat-exporter ' "$dir/out" || why="$why; no usage"
awk 'length > 80' "$dir/out" | grep -q . && why="$why; lines of more than 80 columns"
report help "$why"

run --version
why=
grep -Eq '^irqstat-exporter [0-9]+\.[0-9]+\.[0-9]+$' "$dir/out" || why=$(cat "$dir/out")
report version "$why"

exit "$failed"
