#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat list, and what all commands share: test_irqstat_list.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

run -i "$dir/text"
expect list_is_what_lsirq_shows 0 "" <<EOF
IRQ      TOTAL NAME
 30 8000000008 PCI-MSI 524288-edge nvme0q1
LOC       2400 Local timer interrupts
  9        321 IO-APIC 9-fasteoi acpi
  0         45 IO-APIC 2-edge timer
 31          7 PCI-MSI 524289-edge nvme0q2
TLB          7 TLB shootdowns
ERR          2 
 24          0 PCI-MSI 65536-edge PCIe PME, aerdrv, pciehp
NMI          0 Non-maskable interrupts
MIS          0 
EOF
cp "$dir/out" "$dir/list"

run list --input "$dir/text"
expect list_is_the_command_without_one 0 "" <"$dir/list"

"$tool" -i - <"$dir/text" >"$dir/out" 2>"$dir/err"
status=$?
expect list_reads_a_file_as_stdin 0 "" <"$dir/list"

# shellcheck disable=SC2002
cat "$dir/text" | "$tool" -i - >"$dir/out" 2>"$dir/err"
status=$?
expect list_reads_a_pipe_as_stdin 0 "" <"$dir/list"

mkfifo "$dir/fifo"
cat "$dir/text" >"$dir/fifo" &
run -i "$dir/fifo"
expect list_reads_a_fifo 0 "" <"$dir/list"

"$tool" -i - <&- >"$dir/out" 2>"$dir/err"
status=$?
expect_error closed_stdin 1 "irqstat: standard input: Bad file descriptor"

run -i "$dir/text" -s irq -n -o IRQ,TOTAL
expect sort_by_irq_is_by_number_then_label 0 "" <<EOF
  0         45
  9        321
 24          0
 30 8000000008
 31          7
ERR          2
LOC       2400
MIS          0
NMI          0
TLB          7
EOF

run -i "$dir/text" -s NAME -n -o NAME -r 0-24
expect sort_by_name 0 "" <<EOF
IO-APIC 2-edge timer
IO-APIC 9-fasteoi acpi
PCI-MSI 65536-edge PCIe PME, aerdrv, pciehp
EOF

run -i "$dir/text" -n -o IRQ,TOTAL -C 0,2-3 -r 9,30,31,ERR
expect cpu_list_counts_these_only 0 "" <<EOF
 30 4000000007
  9        301
 31          7
ERR          0
EOF

run -i "$dir/text" -n -o IRQ,CPUS,COUNTS -r 9,24,31,LOC
expect columns_tell_which_cpus_counted 0 "" <<EOF
LOC 0-1, 3 900, 800, 700
  9 0-1, 3 1, 20, 300
 31 0, 3   2, 5
 24 -      -
EOF

run -i "$dir/text" -n -o IRQ,HWIRQ,CHIP,FLOW,TRIGGER,KIND,ACTIONS -r 24,LOC
expect columns_take_names_apart 0 "" <<EOF
LOC     - -       -    -       x86  -
 24 65536 PCI-MSI edge -       irq  PCIe PME, aerdrv, pciehp
EOF

run -i "$dir/text" -o +CHIP -r 9
expect columns_are_added 0 "" <<EOF
IRQ TOTAL NAME                   CHIP
  9   321 IO-APIC 9-fasteoi acpi IO-APIC
EOF

run -i "$dir/text" -n -o IRQ -t 2.4K
expect threshold_has_suffixes 0 "" <<EOF
 30
EOF

run -i "$dir/text" -n -o IRQ -t 2.4KB
expect threshold_has_decimal_suffixes 0 "" <<EOF
 30
LOC
EOF

run -i "$dir/text" -n -o IRQ -m '^nvme' -x 'q2$'
expect names_are_matched_and_excluded 0 "" <<EOF
 30
EOF

run -i "$dir/text" -P -o IRQ,TOTAL,NAME -r 31
expect pairs 0 "" <<EOF
IRQ="31" TOTAL="7" NAME="PCI-MSI 524289-edge nvme0q2"
EOF

run -i "$dir/text" -J -o +ACTIONS,CPUS,COUNTS,HWIRQ
python json_is_whole_and_typed "$dir/out" <<EOF
import json, sys
rows = {row["irq"]: row for row in json.load(open(sys.argv[1]))["interrupts"]}
assert list(rows) == "30 LOC 9 0 31 TLB ERR 24 NMI MIS".split(), list(rows)
assert rows["30"] == {"irq": "30", "total": 8000000008, "name": "PCI-MSI 524288-edge nvme0q1", "actions": ["nvme0q1"],
	"cpus": [0, 1, 3], "counts": [4000000000, 4000000001, 7], "hwirq": 524288}, rows["30"]
assert rows["24"]["actions"] == ["PCIe PME", "aerdrv", "pciehp"], rows["24"]
assert rows["NMI"]["actions"] == rows["NMI"]["counts"] == [] and rows["NMI"]["hwirq"] is None, rows["NMI"]
EOF

# Names are bytes: a bell, a word in UTF-8, a byte that is not, quotes, and a mark that turns the text around.
# shellcheck disable=SC2016
printf '           CPU0       \n  5:          1   IO-APIC   5-edge      a\007b, caf\303\251 \377, "$x\\y", \342\200\256z\n' >"$dir/odd"

run -i "$dir/odd" -n -o ACTIONS
expect odd_names_are_harmless_on_terminals 0 "" <<'EOF'
a\x07b, café \xff, "$x\y", \xe2\x80\xaez
EOF

LC_ALL=C run -i "$dir/odd" -n -o ACTIONS
expect odd_names_are_escaped_as_the_locale_asks 0 "" <<'EOF'
a\x07b, caf\xc3\xa9 \xff, "$x\y", \xe2\x80\xaez
EOF

run -i "$dir/odd" -P -o ACTIONS
expect odd_names_are_escaped_in_pairs 0 "" <<'EOF'
ACTIONS="a\x07b, caf\xc3\xa9 \xff, \x22\x24x\x5cy\x22, \xe2\x80\xaez"
EOF

run -i "$dir/odd" -J -o ACTIONS
python odd_names_are_utf8_in_json "$dir/out" <<'EOF'
import json, sys
[row] = json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))["interrupts"]
assert row["actions"] == ["a\x07b", "caf\u00e9 \ufffd", '"$x\\y"', "\u202ez"], row
EOF

printf '           CPU0       CPU1       \nFIQ:              usb_fiq\nIPI0:1000000001 1000000002       Rescheduling\nErr:          3\n' >"$dir/arm"
run -i "$dir/arm" -n -o IRQ,TOTAL,NAME
expect other_architectures 0 "" <<EOF
IPI0 2000000003 Rescheduling
 Err          3 
 FIQ          - usb_fiq
EOF

cat >"$dir/softirqs" <<EOF
                    CPU0       CPU1       
          HI:          1          0
      NET_RX:     122979     159432
EOF
run -i "$dir/softirqs" -n
expect softirqs_have_names 0 "" <<EOF
NET_RX 282411 Network receive
    HI      1 Tasklets of high priority
EOF

run -S -i "$dir/text"
expect_error softirqs_of_interrupts 1 "irqstat: $dir/text: has no softirqs"

run -i "$dir/text" -d 10ms -n -r LOC
expect list_of_an_interval 0 "" <<EOF
LOC  2400     0  0.0 Local timer interrupts
EOF

run -i "$dir/text" -d .01 -n -r LOC
expect fraction_needs_no_zero 0 "" <<EOF
LOC  2400     0  0.0 Local timer interrupts
EOF

run -S -n -o IRQ
why=
[ "$status" = 0 ] || why="exit code $status: $(cat "$dir/err")"
grep -q TIMER "$dir/out" || why="$why; no TIMER"
report softirqs_of_this_machine "$why"

# Bad input: one line that says what and why.

for case in \
	"--bogus|--bogus: unknown option" \
	"-Y|-Y: unknown option" \
	"--json=1|--json=1: takes no value" \
	"-o|-o: needs a value" \
	"-o BOGUS|BOGUS: no such column" \
	"-o IRQ,BOGUS,NAME|BOGUS: no such column" \
	"-o IRQ,,NAME|--output: a name is missing" \
	"-o +|--output: a name is missing" \
	"-s BOGUS|BOGUS: no such column" \
	"-s COUNTS|COUNTS: can't be sorted by" \
	"-t 1.5|1.5: not a count" \
	"-t -1|-1: not a count" \
	"-d .|.: not a time" \
	"-d .s|.s: not a time" \
	"-t 99999999999999999999|99999999999999999999: not a count" \
	"-C 3-1|3-1: not a list of CPUs" \
	"-C x|x: not a list of CPUs" \
	"-C 99999|--cpu-list: has none of the machine's CPUs" \
	"-m (|(: not a regular expression" \
	"-J -P|--json: can't be used with --pairs" \
	"--source bogus|bogus: no such source" \
	"--source module -S|--softirq: the module has no softirqs" \
	"bogus|bogus: no such command" \
	"list bogus|bogus: unexpected argument"; do
	arguments=${case%%|*}
	set -f
	# shellcheck disable=SC2086
	run $arguments
	set +f
	expect_misuse "usage: $arguments" "irqstat: ${case#*|}"
done

run -i "$dir/text" --source text
expect_misuse usage_input_and_source "irqstat: --source: can't be used with --input"

run -i "$dir/absent"
expect_error absent_file 1 "irqstat: $dir/absent: No such file or directory"

run -i "$dir/empty"
expect_error masked_file 1 "irqstat: $dir/empty: empty: masked or not available"

run -i "$dir"
expect_error directory 1 "irqstat: $dir: Is a directory"

echo garbage >"$dir/garbage"
run -i "$dir/garbage"
expect_error malformed_file 1 "irqstat: $dir/garbage: malformed"

head -c 150 "$dir/text" >"$dir/cut"
run -i "$dir/cut"
expect_error cut_file 1 "irqstat: $dir/cut: malformed"

printf 'IRQB\000\001\000\000' >"$dir/swapped"
run -i "$dir/swapped"
expect_error stream_of_other_byte_order 1 "irqstat: $dir/swapped: of another version or byte order"

run -i "$(printf 'no\nsuch\033[1m')"
expect_error message_is_one_line 1 'irqstat: no\x0asuch\x1b[1m: No such file or directory'

"$tool" -i "$dir/text" >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect_error full_disk 1 "irqstat: standard output: No space left on device"

"$tool" -i "$dir/text" -J >/dev/full 2>"$dir/err"
status=$?
expect_error full_disk_json 1 "irqstat: standard output: No space left on device"

"$tool" --help >/dev/full 2>"$dir/err"
status=$?
expect_error full_disk_help 1 "irqstat: standard output: No space left on device"

"$tool" -i "$dir/text" >&- 2>"$dir/err"
status=$?
expect_error closed_output 1 "irqstat: standard output: Bad file descriptor"

{
	trap '' PIPE
	"$tool" -i "$dir/text" 2>"$dir/err"
	echo $? >"$dir/status"
} | :
status=$(cat "$dir/status")
why=
[ ! -s "$dir/err" ] || why="message: $(cat "$dir/err")"
report closed_pipe_is_quiet "$why"

run --version
why=
grep -Eq '^irqstat [0-9]+\.[0-9]+\.[0-9]+$' "$dir/out" || why=$(cat "$dir/out")
report version "$why"

run --help
why=
[ "$status" = 0 ] || why="exit code $status"
for command in list top cpu heat burst record replay info; do
	grep -q "^  $command " "$dir/out" || why="$why; no $command"
	"$tool" $command --help | grep -q "^Usage: irqstat $command " || why="$why; no usage of $command"
done
report help "$why"

"$tool" --help >"$dir/help"
run help
expect help_is_a_word_too 0 "" <"$dir/help"
"$tool" top --help >"$dir/help"
run help top
expect help_is_of_a_command 0 "" <"$dir/help"
run help bogus
expect_misuse help_of_no_command "irqstat: bogus: no such command"

exit $failed
