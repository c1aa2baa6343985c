#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat burst: test_irqstat_burst.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

# The file changes while it is looked at; again, if the burst was over too soon or not yet begun.
cat >"$dir/change.py" <<EOF
import json, os, subprocess, sys
tool, dir = sys.argv[1:3]
path = os.path.realpath(dir) + "/changing"
first, later = (open(dir + name, "rb").read() for name in ("/text", "/later"))
def has_opened(process):
    fds = "/proc/%d/fd/" % process.pid
    try:
        return any(os.readlink(fds + name) == path for name in os.listdir(fds))
    except OSError: # it closed one meanwhile, or is gone
        return False
def burst(*options):
    for attempt in range(100):
        open(path, "wb").write(first)
        process = subprocess.Popen([tool, "burst", "-i", path, "-J", "-n", "30", "-d", "10ms", *options],
                                   stdout=subprocess.PIPE)
        while process.poll() is None and not has_opened(process):
            pass
        with open(path, "rb+") as file:
            file.write(later)
        document = json.loads(process.stdout.read())
        assert process.wait() == 0, process.wait()
        if document["interrupts"]:
            return document
    sys.exit("nothing was ever counted")
EOF

{
	cat "$dir/change.py"
	cat <<EOF
document = burst()
assert document["snapshots"] == 30 and document["lost"] == 0 and document["way"] == "pread", document
assert 0.28 < document["seconds"] < 60 and document["shortest"] <= document["longest"], document
rows = {row["irq"]: row for row in document["interrupts"]}
assert [row["irq"] for row in document["interrupts"]] == ["LOC", "31", "30", "TLB", "9"], document
assert rows["LOC"]["delta"] == 3000 and rows["31"]["delta"] == 1000, rows
for row in rows.values():
    assert len(row["rates"]) == 29 and max(row["rates"]) == row["peak"] > 0, row
    assert sum(rate > 0 for rate in row["rates"]) <= 2, row
    assert abs(row["peak_at"] - 10 * row["rates"].index(row["peak"])) < 0.001, row
    assert abs(row["rate"] - row["delta"] / document["seconds"]) < 0.06 + row["rate"] * 1e-6, row
EOF
} >"$dir/script"
python burst_tells_when_it_counted "$tool" "$dir" <"$dir/script"

{
	cat "$dir/change.py"
	cat <<EOF
document = burst("-w", dir + "/capture", "-f", "--no-uring", "-r", "LOC", "-C", "0")
assert [(row["irq"], row["delta"]) for row in document["interrupts"]] == [("LOC", 1000)], document
looks = [json.loads(line) for line in subprocess.check_output([tool, "replay", "-J", dir + "/capture"]).splitlines()]
assert len(looks) == 29 and sum(look["delta"] for look in looks) == 4112, looks
EOF
} >"$dir/script"
python burst_is_recorded_whole_whatever_is_selected "$tool" "$dir" <"$dir/script"

run burst -i "$dir/text" -n 3 -d 1ms -a -r 9,NMI
why=
sed 1q "$dir/out" | grep -Eq '^3 snapshots in [0-9.]+ s, [0-9.]+ to [0-9.]+ ms apart, by pread$' || why=$(sed 1q "$dir/out")
tail -n +4 "$dir/out" | sed 's/  */ /g; s/^ //' >"$dir/tidy"
diff - "$dir/tidy" >"$dir/diff" <<EOF || why="$why; $(cat "$dir/diff")"
IRQ DELTA RATE PEAK PEAK_AT TREND HANDLER
9 0 0.0 0.0 - ·· acpi
NMI 0 0.0 0.0 - ·· Non-maskable interrupts
EOF
report burst_as_a_table "$why"

why=$(sed -n 2p "$dir/out")
[ "$why" != "not by io_uring: text does not tell when it was read" ] || why=
report burst_says_why_it_is_not_by_io_uring "$why"

# Two intervals were looked at, the others of the picture were not.
run burst -i "$dir/text" -n 3 -d 1ms -a -r 9 -o TREND
tail -n 1 "$dir/out" >"$dir/trend"
why=
[ "$(cat "$dir/trend")" = "$(printf '%30s··' '')" ] || why="'$(cat "$dir/trend")'"
report trend_is_blank_where_nothing_was_looked_at "$why"

run burst -n 20 -d 1ms
why=
[ "$status" = 0 ] || why="exit code $status: $(cat "$dir/err")"
grep -q '^20 snapshots in ' "$dir/out" || why="$why; $(head -n 1 "$dir/out")"
report burst_of_this_machine "$why"

echo kept >"$dir/kept"
run burst -i "$dir/text" -n 3 -d 1ms -w "$dir/kept"
expect_error file_that_is_there_is_kept 1 "irqstat: $dir/kept: File exists"

run record -n 2 -d 1ms "$dir/a-capture"
run burst -i "$dir/a-capture"
expect_error capture_has_no_bursts 1 "irqstat: $dir/a-capture: a capture, in which nothing happens any more"

for n in 1 16385; do
	run burst -n $n
	expect_misuse "usage: burst -n $n" "irqstat: --iter: not between 2 and 16384"
done

run burst -n 16384 -d 999999
expect_misuse "usage: burst -n 16384 -d 999999" "irqstat: --delay: too long for so many snapshots"

"$tool" burst -i "$dir/text" -n 3 -d 1ms -w "$dir/alone" <&- >&- 2>"$dir/err"
status=$?
: >"$dir/out"
expect_error closed_stdout_is_no_recording 1 "irqstat: standard output: Bad file descriptor"
run replay -b "$dir/alone"
why=
[ "$status" = 0 ] || why="exit code $status: $(cat "$dir/err")"
report recording_without_stdout_is_whole "$why"

python signal_shows_what_there_is "$tool" "$dir" <<'EOF'
import os, signal, sys
from terminal import Terminal
tool, dir = sys.argv[1:]
terminal = Terminal([tool, "burst", "-i", dir + "/text", "-n", "16000", "-d", "10ms"])
terminal.wait_for(" of 16000 snapshots")
os.kill(terminal.pid, signal.SIGTERM)
terminal.wait(lambda lines: any(" snapshots in " in line for line in lines))
assert terminal.end() == 0, terminal.status
EOF

"$tool" burst -i "$dir/text" -n 3 -d 1ms >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect_error full_disk 1 "irqstat: standard output: No space left on device"

exit $failed
