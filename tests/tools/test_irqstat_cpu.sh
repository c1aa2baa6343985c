#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat cpu: test_irqstat_cpu.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$dir/softirqs" <<EOF
                    CPU0       CPU1       
          HI:          1          0
      NET_RX:     122979     159432
EOF

"$tool" record -n 1 -i "$dir/text" "$dir/capture"
run cpu -i "$dir/capture" -A -J
python since_boot_is_all_there_is "$dir/out" <<EOF
import json, sys
[line] = open(sys.argv[1])
report = json.loads(line)
uptime = float(open("/proc/uptime").read().split()[0])
assert abs(report["interval"] - uptime) < 60, (report["interval"], uptime)
assert report["delta"] == 8000002790, report["delta"]
assert {row["cpu"]: row["delta"] for row in report["cpus"]} == {
	0: 4000000951, 1: 4000000821, 3: 1016}, report["cpus"]
cells = {(row["irq"], row["cpu"]): row["delta"] for row in report["interrupts"]}
assert cells == {("0", 0): 45, ("9", 0): 1, ("9", 1): 20, ("9", 3): 300, ("30", 0): 4000000000,
	("30", 1): 4000000001, ("30", 3): 7, ("31", 0): 2, ("31", 3): 5, ("LOC", 0): 900, ("LOC", 1): 800,
	("LOC", 3): 700, ("TLB", 0): 3, ("TLB", 3): 4}, cells
for row in report["interrupts"]:
    assert abs(row["rate"] - row["delta"] / report["interval"]) <= 0.0051 + row["rate"] * 1e-6, row
EOF

# Nothing tells for how long the machine of a saved text had been up.
run cpu -i "$dir/text" -I ALL -P 1 -J
python text_has_no_rates_since_boot "$dir/out" <<EOF
import json, sys
report = json.load(open(sys.argv[1]))
assert report["interval"] is None, report
rows = [report] + report["cpus"] + report["interrupts"]
assert len(rows) == 5 and all(row["rate"] is None for row in rows), rows
assert [row["delta"] for row in report["interrupts"]] == [20, 4000000001, 800], report
EOF

run cpu -i "$dir/text" -I SUM,CPU -P 3 -r 9,31
why=
sed 's/^[0-9:]* /N /' "$dir/out" >"$dir/tidy"
diff -b - "$dir/tidy" >"$dir/diff" <<EOF || why=$(cat "$dir/diff")

TIME     CPU INTR
N all 328
N 3 305

TIME     CPU 9 31
N 3 300 5
EOF
report text_has_counts_instead "$why"

cat >"$dir/uptime.py" <<EOF
import json, sys
report = json.load(open(sys.argv[1]))
assert abs(report["interval"] - float(open("/proc/uptime").read().split()[0])) < 60, report
EOF
run cpu -J
python this_machine_has_rates_since_boot "$dir/out" <"$dir/uptime.py"
run cpu -J -i /proc/interrupts
python file_of_this_machine_has_rates_since_boot "$dir/out" <"$dir/uptime.py"

# The file changes between looks: it is written over when the first report is there.
cat >"$dir/change.py" <<EOF
import subprocess, sys
tool, dir = sys.argv[1:3]
open(dir + "/changing", "wb").write(open(dir + "/text", "rb").read())
process = subprocess.Popen([tool, "cpu", "-i", dir + "/changing"] + sys.argv[3:], stdout=subprocess.PIPE, text=True)
def change():
    with open(dir + "/changing", "rb+") as file:
        file.write(open(dir + "/later", "rb").read())
EOF

{
	cat "$dir/change.py"
	cat <<EOF
import json
process.stdout.readline()
change()
while True:
    report = json.loads(process.stdout.readline())
    if report["delta"]:
        break
process.terminate()
assert process.wait() == 0, process.wait()
assert report["delta"] == 4112 and [(row["cpu"], row["delta"]) for row in report["cpus"]] == [(1, 1011)], report
assert abs(report["rate"] * report["interval"] - 4112) < 1, report
EOF
} >"$dir/script"
python interval_counts_what_is_new "$tool" "$dir" -J -P 1,2 50ms <"$dir/script"

{
	cat "$dir/change.py"
	cat <<EOF
while "INTR/s" not in process.stdout.readline():
    pass
process.stdout.readline()
change()
process.terminate()
rest = process.stdout.read()
assert process.wait() == 0, process.wait()
EOF
} >"$dir/script"
python signal_ends_it_well "$tool" "$dir" 50ms <"$dir/script"

{
	cat "$dir/change.py"
	cat <<EOF
process.stdout.readline()
change()
for line in process.stdout:
    if line.split()[1:] and line.split()[1] == "all" and float(line.split()[2]):
        break
process.terminate()
average = [line.split() for line in process.stdout if line.startswith("Average")]
assert process.wait() == 0, process.wait()
assert [line[1] for line in average] == ["all", "0", "1", "3"], average
rates = [float(line[2]) for line in average]
for rate, count in zip(rates, (4112, 1100, 1011, 2001)):
    assert abs(rate / rates[0] - count / 4112) < 0.001, average
EOF
} >"$dir/script"
python average_is_over_all_of_the_time "$tool" "$dir" -P ALL 50ms <"$dir/script"

run cpu -i "$dir/capture" -I CPU,SUM -P 3 -r 9,31,NMI --dec 0
why=
awk '/^[0-9]/ { for (i = 1; i <= NF; i++) $i = "N" } { print }' "$dir/out" >"$dir/tidy"
diff -b - "$dir/tidy" >"$dir/diff" <<EOF || why=$(cat "$dir/diff")

TIME     CPU INTR/s
N N N
N N N

TIME     CPU 9/s 31/s
N N N N
EOF
report table_has_a_column_for_each_row_that_counted "$why"

run cpu -i "$dir/capture" -a -I CPU -P 3 -r 9,NMI
why=
grep -q 'NMI/s' "$dir/out" || why=$(cat "$dir/out")
report table_has_all_rows_on_demand "$why"

# Where each but the first word of a line ends.
printf '%s\n' "                    CPU0       CPU1" "          HI:          0    8000000" \
	"BLOCK_IOPOLL:          1          2" >"$dir/iopoll"
run cpu -i "$dir/iopoll" -I SCPU -P ALL
why=$(awk 'NF {
	ends = ""
	for (at = length($1) + 1; match(substr($0, at), /[^ ]+/); ) {
		at += RSTART + RLENGTH - 1
		ends = ends " " at - 1
	}
	if (first == "")
		first = ends
	if (ends != first || !/IOPOLL/ && NR <= 2)
		print
	lines++
} END { if (lines < 3) print "no lines" }' "$dir/out")
report columns_are_as_wide_as_their_names "$why"

run cpu -i "$dir/softirqs" -I SCPU -o JSON
python softirqs_of_a_file "$dir/out" <<EOF
import json, sys
report = json.load(open(sys.argv[1]))
assert [(row["cpu"], row["irq"], row["delta"]) for row in report["softirqs"]] == [
	(0, "HI", 1), (0, "NET_RX", 122979), (1, "NET_RX", 159432)], report
EOF

run cpu -I SCPU -J
python softirqs_of_this_machine "$dir/out" <<EOF
import json, sys
report = json.load(open(sys.argv[1]))
assert list(report) == ["time", "interval", "softirqs"] and report["softirqs"], report
EOF

if [ "$(id -u)" = 0 ] && [ -d /sys/devices/system/node ] && unshare -m true 2>/dev/null; then
	mkdir -p "$dir/nodes/node0" "$dir/nodes/node1"
	echo 0-1 >"$dir/nodes/node0/cpulist"
	echo 2-3 >"$dir/nodes/node1/cpulist"
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount --bind "$1/nodes" /sys/devices/system/node && shift && exec "$@"' sh \
		"$dir" "$tool" cpu -i "$dir/text" -N ALL -r 9 -J >"$dir/out" 2>"$dir/err"
	python nodes_have_sums_of_their_own "$dir/out" <<EOF
import json, sys
report = json.load(open(sys.argv[1]))
assert [(row["node"], row["delta"]) for row in report["nodes"]] == [(0, 21), (1, 300)], report
EOF
fi

for case in "-I BOGUS|BOGUS: not SUM, CPU, SCPU or ALL" "-I SUM,|SUM,: not SUM, CPU, SCPU or ALL" \
	"-P x|x: not a list of CPUs" "-P 99999|--cpus: has none of the machine's CPUs" \
	"-N x|x: not a list of nodes" "--dec 3|3: not 0, 1 or 2" "-o XML|XML: not JSON" \
	"x|x: not a time" "-1|-1: unknown option" "1 0|0: not a number above 0" "1 2 3|3: unexpected argument"; do
	# shellcheck disable=SC2086
	run cpu ${case%%|*}
	expect_misuse "usage: cpu ${case%%|*}" "irqstat: ${case#*|}"
done

"$tool" cpu -i "$dir/text" >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect_error full_disk 1 "irqstat: standard output: No space left on device"

exit $failed
