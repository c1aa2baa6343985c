#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# The examples of the library, with its shared object: test_examples.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

export LD_LIBRARY_PATH="$build"
examples=$(dirname "$0")/../../libirqstat/examples

# agent ARGUMENT...: leaves $status, $dir/out and $dir/err
agent()
{
	"$build/examples/agent" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

# script ARGUMENT...: the same for the one in Python
script()
{
	"$python" "$examples/irqstat.py" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

# Rates depend on when the capture was made.
tidy()
{
	sed -i 's/ *[0-9.]*\/s /  /; s/^[0-9.]* s,/N s,/' "$dir/out"
}

"$tool" record -n 1 -i "$dir/text" "$dir/capture" 2>"$dir/err" || cat "$dir/err"
"$tool" record -a -n 1 -i "$dir/later" "$dir/capture"
{
	sed 's/CPU3 /CPU4 /; / 24:/d; / 31:/d' "$dir/later"
	echo "NEW:          5          6          7   Unheard of"
} >"$dir/last"
"$tool" record -a -n 1 -i "$dir/last" "$dir/capture"

agent "$dir/capture"
tidy
expect agent_prints_what_a_capture_holds 0 "" <<END
N s, text
     0:         45  timer
     9:        321  acpi
    30: 8000000008  nvme0q1
    31:          7  nvme0q2
   LOC:       2400  Local timer interrupts
   TLB:          7  TLB shootdowns
   ERR:          2  
N s, text
     9:          2  acpi
    30:        100  nvme0q1
    31:       1000  nvme0q2
   LOC:       3000  Local timer interrupts
   TLB:         10  TLB shootdowns
N s, text
   CPU 3 left
   CPU 4 joined
    31:          0   (gone)
   NEW:          0  Unheard of (new)
END

agent -n 1 "$dir/text"
why=
head -n 1 "$dir/out" >"$dir/first"
grep -q '^[0-9]*\.[0-9]* s, text$' "$dir/first" && [ "$status" = 0 ] || why=$(cat "$dir/out" "$dir/err")
report agent_reads_a_file "$why"

# Nothing moves in a file: two samples have one report with rows.
agent -n 2 -i 0.01 "$dir/text"
why=
[ "$(grep -c ', text$' "$dir/out")" = 2 ] && [ "$(grep -vc ', text$' "$dir/out")" = 7 ] || why=$(cat "$dir/out")
report agent_prints_what_moved "$why"

agent -n 1 "$dir/none"
expect_error agent_names_an_absent_file 1 "agent: $dir/none: No such file or directory"
agent -n 1 "$dir/empty"
expect_error agent_tells_a_masked_file 1 "agent: No data available"
"$build/examples/agent" -n 1 "$dir/text" 2>"$dir/err" >/dev/full
status=$?
: >"$dir/out"
expect_error agent_tells_a_full_disk 1 "agent: No space left on device"

script 0 "$dir/capture"
tidy
expect script_adds_up_by_name 0 "" <<END
      3000  LOC
      1000  nvme0q2
       100  nvme0q1
        10  TLB
         2  acpi
      4112 in all
END
script 0 "$dir/none"
expect_error script_names_an_absent_file 1 "irqstat.py: open: No such file or directory"
script 0 "$dir/empty"
expect_error script_tells_a_masked_file 1 "irqstat.py: read: No data available"

# This machine, if it shows its interrupts: whatever came, the timer did.
if [ "$(head -c 1 /proc/interrupts)" ] || [ -e /proc/interrupts_bin ]; then
	agent -n 2 -i 0.1
	why=
	[ "$(grep -c ' s, \(text\|module\)$' "$dir/out")" = 2 ] && grep -q 'LOC:' "$dir/out" && [ "$status" = 0 ] ||
		why=$(cat "$dir/err" "$dir/out" | head -n 5)
	report agent_reads_this_machine "$why"
	script 0.1
	why=
	grep -q ' in all$' "$dir/out" && [ "$status" = 0 ] || why=$(cat "$dir/err" "$dir/out" | head -n 5)
	report script_reads_this_machine "$why"
fi
exit $failed
