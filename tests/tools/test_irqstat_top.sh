#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat top, in batch mode and in a terminal: test_irqstat_top.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

run top -i "$dir/text" -b -n 1 -d 10ms
sed '1s/ | [^|]* | [0-9T:+-]*$//; s/ *$//' "$dir/out" >"$dir/tidy"
cat >"$dir/expected" <<EOF
irqstat | total: 8000002790 delta: 0 rate: 0.0/s

IRQ      TOTAL DELTA RATE NAME
 30 8000000008     0  0.0 PCI-MSI 524288-edge nvme0q1
LOC       2400     0  0.0 Local timer interrupts
  9        321     0  0.0 IO-APIC 9-fasteoi acpi
  0         45     0  0.0 IO-APIC 2-edge timer
 31          7     0  0.0 PCI-MSI 524289-edge nvme0q2
TLB          7     0  0.0 TLB shootdowns
ERR          2     0  0.0
 24          0     0  0.0 PCI-MSI 65536-edge PCIe PME, aerdrv, pciehp
NMI          0     0  0.0 Non-maskable interrupts
MIS          0     0  0.0

EOF
why=$(diff "$dir/expected" "$dir/tidy" | head -n 4 | tr '\n' ' ')
report batch_is_what_irqtop_shows "$why"

# In zones to the east and to the west of Greenwich, as RFC 3339 has them.
for zone in 05:30 -03:00 00:00; do
	TZ=XYZ$zone run top -i "$dir/text" -J -n 1 -d 10ms
	sed 's/.*"time":"\([^"]*\)".*/\1/' "$dir/out"
done | sed 's/^[0-9]\{4\}-[0-9][0-9]-[0-9][0-9]T[0-9:]\{8\}//' >"$dir/zones"
why=$(tr '\n' ' ' <"$dir/zones")
[ "$why" != "-05:30 +03:00 +00:00 " ] || why=
report times_have_a_zone_with_a_colon "$why"

run top -i "$dir/text" -b -n 1 -d 10ms -c always -r LOC
why=
sed -n 3,6p "$dir/out" >"$dir/cpus"
diff - "$dir/cpus" >"$dir/diff" <<EOF || why=$(cat "$dir/diff")
CPU TOTAL DELTA RATE TOTAL_PCT DELTA_PCT
  0   900     0  0.0      37.5       0.0
  1   800     0  0.0      33.3       0.0
  3   700     0  0.0      29.2       0.0
EOF
report batch_shows_cpus_on_demand "$why"

run top -i "$dir/text" -n 2 -d 10ms
why=
[ "$(grep -c '^irqstat | ' "$dir/out")" = 2 ] || why="$(grep -c '^irqstat | ' "$dir/out") tables"
report batch_is_usual_without_a_terminal "$why"

# The file changes between the first look and the second: it is written over when the first document is there.
cat >"$dir/change.py" <<EOF
import json, os, subprocess, sys
tool, path, later = sys.argv[1:4]
process = subprocess.Popen([tool, "top", "-i", path, "-J", "-d", "50ms"] + sys.argv[4:], stdout=subprocess.PIPE)
documents = [json.loads(process.stdout.readline())]
with open(path, "rb+") as file:
    file.write(open(later, "rb").read())
while not documents[-1]["delta"]:
    documents.append(json.loads(process.stdout.readline()))
process.terminate()
assert process.wait() == 0, process.wait()
sample = documents[-1]
EOF

cp "$dir/text" "$dir/changing"
{
	cat "$dir/change.py"
	cat <<EOF
rows = {row["irq"]: row for row in sample["interrupts"]}
assert {irq: row["delta"] for irq, row in rows.items() if row["delta"]} == {
	"LOC": 3000, "31": 1000, "30": 100, "TLB": 10, "9": 2}, rows
assert [row["irq"] for row in sample["interrupts"]][:5] == ["LOC", "31", "30", "TLB", "9"], rows
assert rows["30"]["total"] == 8000000108 and sample["delta"] == 4112, sample
assert abs(rows["LOC"]["rate"] - 3000 / sample["interval"]) < 1, sample
assert {cpu["cpu"]: cpu["delta"] for cpu in sample["cpus"]} == {0: 1100, 1: 1011, 3: 2001}, sample["cpus"]
assert 0 < sample["interval"] < 20, sample
EOF
} >"$dir/script"
python json_has_what_counted "$tool" "$dir/changing" "$dir/later" <"$dir/script"

cp "$dir/text" "$dir/changing"
{
	cat "$dir/change.py"
	cat <<EOF
assert [row["irq"] for row in sample["interrupts"]] == ["31"], sample
assert sample["delta"] == sample["interrupts"][0]["delta"] == 1000, sample
assert [cpu["cpu"] for cpu in sample["cpus"] if cpu["delta"]] == [3], sample
EOF
} >"$dir/script"
python sums_are_of_what_is_selected "$tool" "$dir/changing" "$dir/later" -r 31 -C 1-3 <"$dir/script"

# What a CPU that left has counted is not known: that is said, and no number made up.
python cpu_that_left_is_told "$tool" "$dir" <<EOF
import json, os, subprocess, sys
tool, dir = sys.argv[1:]
path = dir + "/cpus"
full = open(dir + "/text", "rb").read()
without = b"".join(line[:15] + line[26:] if b":" not in line or line[:3] not in (b"ERR", b"MIS") else line
	for line in full.splitlines(True))
open(path, "wb").write(full)
process = subprocess.Popen([tool, "top", "-i", path, "-J", "-d", "50ms"], stdout=subprocess.PIPE)
process.stdout.readline()
open(path, "wb").write(without)
while True:
    line = process.stdout.readline()
    if not line:
        break
    sample = json.loads(line)
    assert sample["delta"] < 1000, sample
    if sample["changes"]:
        break
process.terminate()
assert sample["changes"] == [{"cpu": 1, "change": "left"}], sample
EOF

# On a screen.
cat >"$dir/screen.py" <<EOF
import os, sys
from terminal import Terminal
tool, dir = sys.argv[1:3]
EOF

# screen NAME: the lines that come on standard input, after those that all have
screen()
{
	cp "$dir/text" "$dir/changing"
	cat "$dir/screen.py" - >"$dir/script"
	python "$1" "$tool" "$dir" <"$dir/script"
}

screen screen_shows_rows_busiest_first <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1s"])
terminal.wait_for("nvme0q1")
with open(dir + "/changing", "rb+") as file:
    file.write(open(dir + "/later", "rb").read())
def is_sorted(lines):
    head = next((i for i, line in enumerate(lines) if "DELTA" in line), len(lines))
    words = [line.split() for line in lines[head + 1:head + 6]]
    return words and "3000" in words[0] and [word[:1] for word in words] == [["LOC"], ["31"], ["30"], ["TLB"], ["9"]]
lines = terminal.wait(is_sorted)
assert "CPU" in lines[0] and lines[0].strip().startswith("irqstat"), lines[0]
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen keys_sort <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m"])
def first(irq):
    def is_first(lines):
        head = [i for i, line in enumerate(lines) if "DELTA" in line]
        return head and lines[head[0] + 1].split()[:1] == [irq]
    return is_first
for key, irq in ("t", "30"), ("i", "0"), ("d", "30"), ("r", "30"):
    terminal.wait_for("HANDLER")
    terminal.send(key)
    terminal.wait(first(irq))
terminal.send("Q")
assert terminal.end() == 0, terminal.status
EOF

screen names_are_sorted_by_what_is_shown_of_them <<'EOF'
for options, column, names in (
    ((), "HANDLER", ["Local timer interrupts", "Non-maskable interrupts", "PCIe PME, aerdrv, pciehp", "TLB shootdowns",
                     "acpi", "nvme0q1", "nvme0q2", "timer"]),
    (("-o", "IRQ,NAME,HANDLER", "-m", "timer|PCI"), "HANDLER", ["timer", "Local timer interrupts", "nvme0q1", "nvme0q2",
                                                                "PCIe PME, aerdrv, pciehp"])):
    terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m", *options])
    terminal.wait_for(column)
    terminal.send("n")
    def is_sorted(lines):
        [at] = [i for i, line in enumerate(lines) if column in line] or [0]
        column_at = lines[at].find(column)
        shown = [line[column_at:].strip() for line in lines[at + 1:-1]]
        return at and [name for name in shown if name] == names
    terminal.wait(is_sorted)
    terminal.send("q")
    assert terminal.end() == 0, terminal.status
EOF

screen keys_scroll_pause_and_help <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m"], lines=14)
terminal.wait_for("nvme0q1")
terminal.send("i")
terminal.wait_for("  timer")
terminal.send("\033[B")
terminal.wait(lambda lines: not any("  timer" in line for line in lines))
terminal.send("\033[4~")
terminal.wait_for("TLB")
terminal.send("\033[1~")
terminal.wait_for("  timer")
terminal.send("h")
terminal.wait_for("SPREAD is")
terminal.send("h")
terminal.wait_for("HANDLER")
terminal.send("p")
terminal.wait_for("PAUSED")
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

# Sorted by what is no count, rows that did not count stand among those that did.
screen idle_rows_are_hidden_wherever_they_stand <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "3s"])
terminal.wait_for("10 rows")
with open(dir + "/changing", "rb+") as file:
    file.write(open(dir + "/later", "rb").read())
terminal.wait_for("3000")
terminal.send("p")
terminal.wait_for("PAUSED")
def shows(*irqs):
    def is_shown(lines):
        head = [i for i, line in enumerate(lines) if "DELTA" in line]
        return head and [line.split()[0] for line in lines[head[0] + 1:-1] if line.strip()] == list(irqs)
    return is_shown
for key, irqs in ("zi", "9 30 31 LOC TLB"), ("t", "30 LOC 31 9 TLB"), ("d", "LOC 31 30 TLB 9"):
    terminal.send(key)
    terminal.wait(shows(*irqs.split()))
terminal.wait_for("5 rows")
terminal.send("zi")
terminal.wait(shows(*"0 9 24 30 31 ERR LOC MIS NMI TLB".split()))
terminal.wait_for("10 rows")
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen screen_follows_the_size_of_the_terminal <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m"], 100, 30)
terminal.wait(lambda lines: "quit" in lines[29])
terminal.resize(60, 12)
terminal.wait(lambda lines: "quit" in lines[11])
terminal.resize(10, 3)
terminal.wait_for("too small")
terminal.resize(120, 40)
terminal.wait(lambda lines: "quit" in lines[39] and any("HANDLER" in line for line in lines))
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen screen_has_colours <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m"])
terminal.wait_for("quit")
assert terminal.style(0, 1)[1] != "default", terminal.style(0, 1)
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen no_color_is_obeyed <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m"], environment={"NO_COLOR": "1"})
terminal.wait_for("quit")
styles = {terminal.style(line, column)[:2] for line in range(30) for column in range(100)}
assert styles == {("default", "default")}, styles
import re
codes = {code for codes in re.findall(rb"\033\[([0-9;]*)m", terminal.raw) for code in codes.split(b";")}
assert not any(code[:1] in b"349" and len(code) > 1 for code in codes), codes
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen other_locales_get_ascii <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "50ms"], environment={"LC_ALL": "C"})
terminal.wait_for("quit")
with open(dir + "/changing", "rb+") as file:
    file.write(open(dir + "/later", "rb").read())
import re
terminal.wait(lambda lines: [line for line in lines if " LOC " in line and re.search(r"( |\.\.)8\.* ", line)])
assert all(byte < 0x80 for byte in terminal.raw), terminal.raw
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

printf '           CPU0       \n  5:          1   IO-APIC   5-edge      a\007\033[2Jb\n' >"$dir/odd"
screen names_do_not_reach_the_terminal_as_they_are <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/odd", "-d", "1m"])
terminal.wait_for("a\\x07\\x1b[2Jb")
assert b"\007" not in terminal.raw, terminal.raw
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen terminal_too_small_fails <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing"], 30, 5)
assert terminal.end() == 1, terminal.status
assert "irqstat: terminal: too small: 30x5, needs 40x8" in terminal.raw.decode(), terminal.raw
EOF

screen unknown_terminal_fails <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing"], environment={"TERM": "bogus"})
assert terminal.end() == 1, terminal.status
assert terminal.screen.display[0].startswith("irqstat: terminal: of unknown type"), terminal.screen.display
EOF

screen source_that_fails_is_told_after_the_screen <<'EOF'
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "50ms"])
terminal.wait_for("quit")
os.truncate(dir + "/changing", 0)
assert terminal.end() == 1, terminal.status
assert b"irqstat: " + dir.encode() + b"/changing: empty" in terminal.raw.split(b"\033[?25h")[-1], terminal.raw[-300:]
EOF

screen signal_leaves_the_screen <<'EOF'
import signal
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m"])
terminal.wait_for("quit")
os.kill(terminal.pid, signal.SIGTERM)
assert terminal.end() == 0, terminal.status
assert b"\033[?25h" in terminal.raw, terminal.raw[-100:]
EOF

screen terminal_that_goes_away_ends_it <<'EOF'
import signal
terminal = Terminal([tool, "top", "-i", dir + "/changing", "-d", "1m"])
terminal.wait_for("quit")
signal.alarm(30)
signal.signal(signal.SIGALRM, lambda *_: os.kill(terminal.pid, signal.SIGKILL))
os.close(terminal.fd)
_, status = os.waitpid(terminal.pid, 0)
assert os.waitstatus_to_exitcode(status) == 0, status
EOF

for case in "-n 0|0: not a number above 0" "-n x|x: not a number above 0" "-d 0|0: not a time" \
	"-d 1x|1x: not a time" "-d -1|-1: not a time" "-c maybe|maybe: not auto, never or always" \
	"-s COUNTS|COUNTS: can't be sorted by" "-P|-P: unknown option"; do
	# shellcheck disable=SC2086
	run top ${case%%|*}
	expect_misuse "usage: top ${case%%|*}" "irqstat: ${case#*|}"
done

"$python" -c 'from machine import server; import sys; server([0, 1]).write_stream(sys.argv[1])' "$dir/stream"
run top -i "$dir/stream" -n 1 -d 10ms
expect_error stream_of_one_moment_has_no_intervals 1 \
	"irqstat: $dir/stream: of one moment: nothing counts in it"

"$tool" top -i "$dir/text" -n 1 -d 10ms >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect_error full_disk 1 "irqstat: standard output: No space left on device"

"$tool" top -i "$dir/text" -J -n 1 -d 10ms >/dev/full 2>"$dir/err"
status=$?
expect_error full_disk_json 1 "irqstat: standard output: No space left on device"

exit $failed
