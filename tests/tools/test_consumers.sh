#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# What others read out of irqstat-text, and irqstat beside them: test_consumers.sh BUILD_DIR
#
# A machine that does not exist is there twice: as the kernel's text, and as the stream of which irqstat-text
# makes the same. Programs that know only /proc/interrupts get either, mounted over it, and must not see a
# difference; what they say must be what the machine counted.

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$dir/make.py" <<EOF
import sys
from machine import server
online = []
for part in open("/sys/devices/system/cpu/online").read().strip().split(","):
    first, _, last = part.partition("-")
    online += range(int(first), int(last or first) + 1)
machine = server(online)
open(sys.argv[1] + "/kernel", "w").write(machine.text())
machine.write_stream(sys.argv[1] + "/stream")
EOF
"$python" "$dir/make.py" "$dir" || exit 1

"$build/irqstat-text" --source "$dir/stream" --text /dev/null >"$dir/ours" 2>"$dir/err"
status=$?
cp "$dir/ours" "$dir/out"
expect text_is_the_kernels 0 "" <"$dir/kernel"

run -i "$dir/stream" -J -o IRQ,TOTAL,NAME,CPUS,COUNTS
cp "$dir/out" "$dir/of-stream"
run -i "$dir/kernel" -J -o IRQ,TOTAL,NAME,CPUS,COUNTS
expect list_is_the_same_of_stream_and_text 0 "" <"$dir/of-stream"

[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || exit $failed

# over FILE COMMAND...: with FILE as /proc/interrupts
over()
{
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount --bind "$1" /proc/interrupts && shift && exec "$@"' sh "$@" 2>&1 </dev/null
}

# same NAME COMMAND...: it says the same of both, and not nothing
same()
{
	name=$1
	shift
	over "$dir/kernel" "$@" >"$dir/of-kernel"
	over "$dir/ours" "$@" >"$dir/of-ours"
	why=$(diff "$dir/of-kernel" "$dir/of-ours" | head -n 4)
	[ -s "$dir/of-ours" ] || why="it says nothing"
	report "$name" "$why"
}

same lsirq_sees_no_difference lsirq
run -i "$dir/stream"
expect lsirq_says_what_irqstat_says 0 "" <"$dir/of-ours"

same lsirq_json_sees_no_difference lsirq -J -s IRQ
run -i "$dir/stream" -J -s IRQ
python lsirq_json_says_what_irqstat_says "$dir/of-ours" "$dir/out" <<EOF
import json, sys
theirs, ours = (json.load(open(path))["interrupts"] for path in sys.argv[1:])
names = [{row["irq"]: (row["total"], row["name"] or "") for row in rows} for rows in (theirs, ours)]
assert names[0] == names[1], names
assert [row["irq"] for row in theirs if row["irq"].isdigit()] == [row["irq"] for row in ours if row["irq"].isdigit()]
EOF

same lsirq_pairs_see_no_difference lsirq -P
run -i "$dir/stream" -P
expect lsirq_pairs_are_those_of_irqstat 0 "" <"$dir/of-ours"

if command -v irqtop >/dev/null; then
	same irqtop_sees_no_difference sh -c 'irqtop -b -n 1 | tail -n +2'
fi

# Since boot: rates whose numbers are small enough to differ by nothing while the uptime goes on.
over "$dir/kernel" env LC_ALL=C S_TIME_FORMAT=ISO mpstat -I CPU >"$dir/of-kernel"
over "$dir/ours" env LC_ALL=C S_TIME_FORMAT=ISO mpstat -I CPU >"$dir/of-ours"
over "$dir/kernel" "$tool" cpu -I CPU -a >"$dir/of-irqstat"
cat >"$dir/mpstat.py" <<EOF
import sys
def table(path):
    rows = [line.split() for line in open(path) if "/s" in line or line[:1].isdigit()]
    [head] = [i for i, row in enumerate(rows) if any("/s" in word for word in row)]
    names = [word[:-2] for word in rows[head] if word.endswith("/s")]
    return {(row[-len(names) - 1], name): float(rate) for row in rows[head + 1:] for name, rate in zip(names, row[-len(names):])}
theirs, others = table(sys.argv[1]), table(sys.argv[2])
assert len(theirs) > 20 and theirs.keys() == others.keys(), (theirs, others)
for key in theirs:
    assert abs(theirs[key] - others[key]) <= 0.011 + theirs[key] * 0.001, (key, theirs[key], others[key])
assert sum(rate > 0.1 for rate in theirs.values()) > 3, theirs
EOF
python mpstat_sees_no_difference "$dir/of-kernel" "$dir/of-ours" <"$dir/mpstat.py"
python mpstat_says_what_irqstat_says "$dir/of-kernel" "$dir/of-irqstat" <"$dir/mpstat.py"

# What it knows of interrupts: those of the text, whichever there are in /sys. It is to move none, hence the empty
# directory.
balance()
{
	mkdir -p "$dir/irq"
	# shellcheck disable=SC2016
	over "$1" sh -c 'mount --bind "$1" /proc/irq && exec timeout 60 irqbalance --debug --oneshot --foreground' \
		sh "$dir/irq" | grep -E '^Adding IRQ|is removed|^ *Interrupt' | sort
}
balance "$dir/kernel" >"$dir/of-kernel"
balance "$dir/ours" >"$dir/of-ours"
why=$(diff "$dir/of-kernel" "$dir/of-ours" | head -n 4)
for irq in 0 1 9 16 24 25; do
	grep -q "Interrupt $irq node_num" "$dir/of-ours" || why="$why; interrupt $irq was not found"
done
report irqbalance_sees_no_difference "$why"

exit $failed
