#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat record and replay: test_irqstat_record.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

# size FILE
size()
{
	stat -c %s "$1"
}

# one FILE TEXT: a recording of one snapshot
one()
{
	"$tool" record -f -n 1 -i "$2" "$1" 2>"$dir/err" || cat "$dir/err"
}

# Three looks at a machine, of which the third is that of the second again.
one "$dir/capture" "$dir/text"
"$tool" record -a -n 1 -i "$dir/later" "$dir/capture"
"$tool" record -a -n 1 -i "$dir/later" "$dir/capture"

run replay "$dir/capture" -J
python replay_tells_what_was_counted_between "$dir/out" <<EOF
import json, sys
looks = [json.loads(line) for line in open(sys.argv[1])]
deltas = [{row["irq"]: row["delta"] for row in look["interrupts"] if row["delta"]} for look in looks]
assert deltas == [{"LOC": 3000, "31": 1000, "30": 100, "TLB": 10, "9": 2}, {}], deltas
assert [look["total"] for look in looks] == [8000006902, 8000006902], looks
assert all(look["interval"] > 0 for look in looks), looks
EOF
cp "$dir/out" "$dir/replayed"

run top -J -i "$dir/capture"
expect top_shows_a_capture_as_replay_does 0 "" <"$dir/replayed"

run replay "$dir/capture" -n 1 -r 31 -o IRQ,DELTA
why=$(sed -n 3,4p "$dir/out" | tr -s '\n ' ' ')
[ "$why" != "IRQ DELTA 31 1000 " ] || why=
report replay_has_the_options_of_top "$why"

run list -i "$dir/capture"
cp "$dir/out" "$dir/listed"
run list -i "$dir/later"
expect list_is_of_the_last_snapshot 0 "" <"$dir/listed"

run heat -i "$dir/capture"
cp "$dir/out" "$dir/mapped"
run heat -i "$dir/later"
expect map_is_of_the_last_snapshot 0 "" <"$dir/mapped"

run cpu -i "$dir/capture" -J
python cpu_shows_each_interval "$dir/out" <<EOF
import json, sys
looks = [json.loads(line) for line in open(sys.argv[1])]
assert [look["delta"] for look in looks] == [4112, 0], looks
EOF

run info -i "$dir/capture" -J
python info_tells_what_a_capture_has "$dir/out" "$(hostname)" <<EOF
import json, sys
[info] = json.load(open(sys.argv[1]))["info"]
assert info["source"] == "capture" and info["snapshots"] == 3 and info["host"] == sys.argv[2], info
assert info["cut_short"] is False and info["from"] <= info["until"], info
EOF

run record -n 3 -d 20ms "$dir/live"
why=
[ "$status" = 0 ] || why="exit code $status: $(cat "$dir/err")"
[ "$("$tool" replay "$dir/live" -J | wc -l)" = 2 ] || why="$why; not 2 intervals"
report record_is_of_this_machine "$why"

"$tool" record -n 2 -d 10ms -S - >"$dir/softirqs"
run replay "$dir/softirqs" -J
why=
grep -q '"softirqs":\[.*"TIMER"' "$dir/out" || why=$(head -c 100 "$dir/out")
report softirqs_are_recorded_to_standard_output "$why"

# shellcheck disable=SC2002
cat "$dir/capture" | "$tool" replay - -J >"$dir/out" 2>"$dir/err"
status=$?
expect replay_reads_a_pipe 0 "" <"$dir/replayed"

# Forty looks at something that counts 1, 2, 3 ... more: the last 32 rates are kept, in their order.
python rates_are_those_of_the_last_intervals "$tool" "$dir" <<EOF
import json, subprocess, sys
tool, dir = sys.argv[1:]
for i in range(41):
    with open(dir + "/rising", "w") as file:
        file.write("           CPU0       \n  5: %10d   IO-APIC   5-edge      x\n" % (i * (i + 1) // 2))
    subprocess.check_call([tool, "record", "-a", "-n", "1", "-i", dir + "/rising", dir + "/rises"])
looks = [json.loads(line) for line in subprocess.check_output(
    [tool, "replay", dir + "/rises", "-J", "-o", "DELTA,RATE,RATES,PEAK"]).splitlines()]
assert [look["delta"] for look in looks] == list(range(1, 41)), looks
for i, look in enumerate(looks):
    [row] = look["interrupts"]
    rates = [earlier["interrupts"][0]["rate"] for earlier in looks[max(0, i - 31):i + 1]]
    assert len(row["rates"]) == len(rates), (i, row)
    assert all(abs(a - b) <= 0.11 + a / 1e6 for a, b in zip(row["rates"], rates)), (i, row, rates)
    assert row["peak"] == max(row["rates"]), (i, row)
EOF

# Whatever happens to a recording, what is there can be read.

head -c $(($(size "$dir/capture") - 10)) "$dir/capture" >"$dir/cut"
run replay "$dir/cut" -J
head -n 1 "$dir/replayed" >"$dir/first"
expect cut_capture_is_read_up_to_there 1 "irqstat: $dir/cut: cut short" <"$dir/first"

run record -a -n 1 -i "$dir/later" "$dir/cut"
expect_error nothing_is_appended_to_a_cut_capture 1 \
	"irqstat: $dir/cut: cut short: 'record --input' makes a whole one of it"

"$tool" record -d 60 "$dir/busy" &
recorder=$!
until [ -s "$dir/busy" ] && "$tool" list -i "$dir/busy" >"$dir/out" 2>&1; do
	:
done
run record -a -n 1 "$dir/busy"
kill "$recorder"
wait "$recorder"
expect_error nothing_is_appended_to_what_is_being_recorded 1 \
	"irqstat: $dir/busy: being recorded into by another"

run record -i "$dir/cut" "$dir/mended"
expect_error mending_tells_that_something_was_lost 1 "irqstat: $dir/cut: cut short"
run replay "$dir/mended" -J
expect cut_capture_is_mended 0 "" <"$dir/first"

"$tool" record -d 10ms "$dir/killed" &
recorder=$!
while [ ! -e "$dir/killed" ] || [ "$(size "$dir/killed")" -lt 10000 ]; do
	:
done
kill -KILL $recorder
wait $recorder 2>/dev/null
run replay "$dir/killed" -J
why=
[ "$(wc -l <"$dir/out")" -ge 1 ] || why="no interval"
[ "$status" = 0 ] || grep -q "cut short" "$dir/err" || why="$why; exit code $status: $(cat "$dir/err")"
report recording_survives_being_killed "$why"

"$tool" record -d 10ms "$dir/stopped" &
recorder=$!
while [ ! -e "$dir/stopped" ] || [ "$(size "$dir/stopped")" -lt 10000 ]; do
	:
done
kill -TERM $recorder
wait $recorder
status=$?
"$tool" replay "$dir/stopped" -J >"$dir/out" 2>"$dir/err" || status=$?
why=
[ "$status" = 0 ] || why="exit code $status: $(cat "$dir/err")"
report signal_ends_a_recording_well "$why"

cp "$dir/capture" "$dir/kept"
run record -n 1 -i "$dir/text" "$dir/kept"
expect_error file_that_is_there_is_kept 1 "irqstat: $dir/kept: File exists"
cmp -s "$dir/capture" "$dir/kept"
report file_that_is_there_is_not_touched "$(cmp "$dir/capture" "$dir/kept" 2>&1)"

run record -f -n 1 -i "$dir/garbage" "$dir/kept"
report file_is_not_replaced_by_nothing "$(cmp "$dir/capture" "$dir/kept" 2>&1)"

: >"$dir/masked"
run record -f -n 1 -i "$dir/masked" "$dir/kept"
why=$(cmp "$dir/capture" "$dir/kept" 2>&1)
[ "$(find "$dir" -name 'kept*' | wc -l)" = 1 ] || why="$why; something is left beside it"
[ "$status" = 1 ] || why="$why; exit code $status"
report file_is_kept_when_the_source_fails "$why"

run record -n 1 -i "$dir/masked" "$dir/new"
why=
[ ! -e "$dir/new" ] || why="it is there"
report no_file_is_left_when_the_source_fails "$why"

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	mkdir "$dir/small"
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs -o size=16k none "$1/small" || exit 99
		timeout 60 "$2" record -d 1ms "$1/small/capture" 2>"$1/err"
		echo $? && "$2" replay "$1/small/capture" -J | wc -l' sh "$dir" "$tool" >"$dir/out"
	why=
	[ "$(head -n 1 "$dir/out")" = 1 ] || why="exit code $(head -n 1 "$dir/out")"
	[ "$(tail -n 1 "$dir/out")" -ge 1 ] || why="$why; nothing can be replayed"
	[ "$(cat "$dir/err")" = "irqstat: $dir/small/capture: No space left on device" ] || why="$why; $(cat "$dir/err")"
	report full_disk_ends_a_recording_that_can_be_read "$why"
fi

(
	ulimit -f 8
	"$tool" record -d 1ms "$dir/limited" 2>"$dir/err"
	echo $? >"$dir/out"
)
status=$?
echo 1 >"$dir/one"
expect limit_of_file_size_is_as_a_full_disk 0 "irqstat: $dir/limited: File too large" <"$dir/one"

# Bad input.

run record -n 1 /dev/full
expect_error full_device 1 "irqstat: /dev/full: No space left on device"

run record -n 1 "$dir/absent/capture"
expect_error no_directory 1 "irqstat: $dir/absent/capture: No such file or directory"

run replay "$dir/absent"
expect_error absent_capture 1 "irqstat: $dir/absent: No such file or directory"

run replay "$dir/text"
expect_error text_is_no_capture 1 "irqstat: $dir/text: not a capture"

run record -a -n 1 "$dir/text"
expect_error text_is_not_appended_to 1 "irqstat: $dir/text: not a capture"

run record
expect_misuse "usage: record" "irqstat: FILE: is missing"
run replay
expect_misuse "usage: replay" "irqstat: FILE: is missing"
run record -a -f "$dir/x"
expect_misuse "usage: record -a -f" "irqstat: --append: can't be used with --force"
run replay --speed 0 "$dir/x"
expect_misuse "usage: replay --speed 0" "irqstat: 0: not a number above 0"
run replay a b
expect_misuse "usage: replay a b" "irqstat: b: unexpected argument"

# A capture is a stranger's: its host can be any bytes.
"$python" - "$dir/capture" "$dir/hostile" <<'EOF'
import os, sys
host = os.uname().nodename.encode()
with open(sys.argv[1], "rb") as capture, open(sys.argv[2], "wb") as hostile:
    hostile.write(capture.read().replace(host, (b"\x1b" * len(host))))
EOF
run replay -b "$dir/hostile"
why=
[ "$status" = 0 ] || why="exit code $status: $(cat "$dir/err")"
grep -qF '| \x1b' "$dir/out" || why="$why; $(head -n 1 "$dir/out" | cat -v)"
report host_of_a_capture_moves_no_cursor "$why"

# In a terminal.

python progress_is_shown_in_a_terminal "$tool" "$dir" <<'EOF'
import sys
from terminal import Terminal
tool, dir = sys.argv[1:]
terminal = Terminal([tool, "record", "-n", "3", "-d", "20ms", dir + "/shown"])
assert terminal.end() == 0, terminal.status
assert terminal.screen.display[0].startswith("3 of 3 snapshots, 0:00:0"), terminal.screen.display
EOF

# The first change came after 40 seconds, the second after a millisecond: ten times as fast, 4 seconds must go by.
python replay_waits_as_long_as_the_recording_did "$tool" "$dir" <<'EOF'
import struct, subprocess, sys, time
from machine import server
from terminal import Terminal
tool, dir = sys.argv[1:]
for time_ns in 10**9, 41 * 10**9, 41 * 10**9 + 10**6:
    server([0, 1]).write_stream(dir + "/moment")
    with open(dir + "/moment", "rb+") as stream:
        stream.seek(40)
        stream.write(struct.pack("=Q", time_ns))
    subprocess.check_call([tool, "record", "-a", "-n", "1", "-i", dir + "/moment", dir + "/moments"])
start = time.monotonic()
terminal = Terminal([tool, "replay", "--speed", "10", dir + "/moments"])
terminal.wait_for("10 x as fast")
lines = terminal.wait_for("after 0.001 s")
assert time.monotonic() - start >= 4, time.monotonic() - start
terminal.wait(lambda lines: "END" in lines[0] and "after 0.001 s   10 x as fast" in lines[1])
assert not any("every" in line for line in lines), lines
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

python replay_keys_change_its_speed "$tool" "$dir" <<'EOF'
import sys
from terminal import Terminal
tool, dir = sys.argv[1:]
terminal = Terminal([tool, "replay", "--speed", "0.001", dir + "/moments"])
terminal.wait_for("0.001 x as fast")
terminal.send("-")
terminal.wait_for("0.002 x as fast")
terminal.send("+")
terminal.wait_for("0.001 x as fast")
terminal.send("-" * 30)
terminal.wait(lambda lines: "END" in lines[0])
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

python replay_goes_at_the_pace_of_the_recording "$tool" "$dir" <<'EOF'
import sys
from terminal import Terminal
tool, dir = sys.argv[1:]
terminal = Terminal([tool, "replay", "--speed", "100", dir + "/capture"])
terminal.wait(lambda lines: "END" in lines[0] and any("nvme0q1" in line for line in lines))
terminal.send("q")
assert terminal.end() == 0, terminal.status
terminal = Terminal([tool, "replay", "--speed", "0.001", dir + "/capture"])
terminal.wait_for("nvme0q1")
terminal.send("p")
terminal.wait_for("PAUSED")
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

exit $failed
