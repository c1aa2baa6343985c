#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat heat, as text, as a picture and on a screen: test_irqstat_heat.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

run heat -i "$dir/text" --scale row
expect map_has_a_cell_for_each_cpu 0 "" <<EOF
What CPUs counted of 7 rows, row scale, up to 4000000001
CPU      0       
     all ██x▁  of all rows, linear
      30 ██x▁  nvme0q1
     LOC █▇x▆  Local timer interrupts
       9 ▁▁x█  acpi
       0 █·x·  timer
      31 ▄·x█  nvme0q2
     TLB ▆·x█  TLB shootdowns
     ERR ··x·  
EOF

LC_ALL=C run heat -i "$dir/text" --scale linear -r 9,LOC -s irq
expect map_is_ascii_where_it_has_to_be 0 "" <<EOF
What CPUs counted of 2 rows, linear scale, up to 900
CPU      0       
     all 77x8  of all rows, linear
       9 11x3  acpi
     LOC 87x6  Local timer interrupts
EOF

# 512 CPUs are more than there are columns: a character is the busiest of its CPUs.
awk 'BEGIN {
	printf "           "
	for (i = 0; i < 512; i++)
		printf "CPU%-8d", i
	printf "\n 30:"
	for (i = 0; i < 512; i++)
		printf " %10d", i == 100 ? 1000 : i == 101 ? 10 : 0
	printf "   PCI-MSI 524288-edge      nvme0q1\n"
}' >"$dir/many"
run heat -i "$dir/many" --scale linear
expect map_of_many_cpus_shows_the_busiest_of_several 0 "" <<EOF
What CPUs counted of 1 rows, linear scale, up to 1000, the most of several CPUs a character
CPU      0       64      128     192     256     320     384     448     
     all ············█···················································  of all rows, linear
      30 ············█···················································  nvme0q1
EOF

run heat -i "$dir/text" --svg "$dir/map.svg"
python picture_tells_every_cell "$dir/map.svg" "$status" <<'EOF'
import sys, xml.etree.ElementTree as xml
assert sys.argv[2] == "0", sys.argv[2]
titles = [title.text for title in xml.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}title")]
for title in ("30 nvme0q1, CPU 1: 4000000001", "LOC Local timer interrupts, CPU 3: 700", "9 acpi, CPU 3: 300",
              "all rows, CPU 3: 1016", "CPU 2 is offline"):
    assert title in titles, (title, titles)
assert len([title for title in titles if ", CPU " in title]) == 17, titles
EOF

printf '           CPU0       \n  5:          1   IO-APIC   5-edge      a<b>&"\007\377\n' >"$dir/odd"
run heat -i "$dir/odd" -f "$dir/odd.svg"
python picture_is_well_formed_whatever_the_names "$dir/odd.svg" <<'EOF'
import sys, xml.etree.ElementTree as xml
titles = [title.text for title in xml.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}title")]
assert '5 a<b>&"\ufffd\ufffd, CPU 0: 1' in titles, titles
EOF

python picture_of_an_interval "$tool" "$dir" <<'EOF'
import os, subprocess, sys
tool, dir = sys.argv[1:]
path = dir + "/changing"
first, later = (open(dir + name, "rb").read() for name in ("/text", "/later"))
# Written over again and again until a picture has the difference, in one direction or as nothing.
for attempt in range(100):
    open(path, "wb").write(first)
    process = subprocess.Popen([tool, "heat", "-i", path, "-d", "300ms", "-f", dir + "/interval.svg"])
    fd = "/proc/%d/fd" % process.pid
    while not any(os.path.realpath(fd + "/" + name) == path for name in os.listdir(fd)):
        pass
    with open(path, "rb+") as file:
        file.write(later)
    assert process.wait() == 0, process.wait()
    picture = open(dir + "/interval.svg").read()
    if "LOC Local timer" in picture:
        break
assert "LOC Local timer interrupts, CPU 0: " in picture and "31 nvme0q2, CPU 3: " in picture, picture
assert "30 nvme0q1, CPU 3" not in picture and "/s</title>" in picture, picture
EOF

# A picture is replaced as a whole or not at all.

echo old >"$dir/old.svg"
run heat -i "$dir/absent" -f "$dir/old.svg"
why=
[ "$status" = 1 ] || why="exit code $status"
[ "$(cat "$dir/old.svg")" = old ] || why="$why; it was written to"
report picture_stays_when_there_is_nothing_to_draw "$why"

run heat -i "$dir/text" -f "$dir/old.svg"
why=
[ "$status" = 0 ] || why="exit code $status"
grep -q '</svg>' "$dir/old.svg" || why="$why; it was not replaced"
[ "$(stat -c %a "$dir/old.svg")" = "$(stat -c %a "$dir/text")" ] || why="$why; mode $(stat -c %a "$dir/old.svg")"
[ "$(find "$dir" -name 'old.svg*' | wc -l)" = 1 ] || why="$why; something is left beside it"
report picture_is_replaced "$why"

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	mkdir "$dir/small"
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs -o size=8k none "$1/small" && echo old >"$1/small/map.svg" || exit 99
		"$2" heat -i "$1/text" -a -f "$1/small/map.svg" 2>"$1/err"
		echo $? && cat "$1/small/map.svg" && ls "$1/small"' sh "$dir" "$tool" >"$dir/out"
	status=0
	expect picture_stays_on_a_full_disk 0 "irqstat: $dir/small/map.svg: No space left on device" <<EOF
1
old
map.svg
EOF
fi

run heat -i "$dir/text" -f /dev/full
expect_error picture_to_a_full_device_fails 1 "irqstat: /dev/full: No space left on device"

run heat -i "$dir/text" -f "$dir/absent/map.svg"
expect_error picture_in_no_directory_fails 1 "irqstat: $dir/absent/map.svg: No such file or directory"

"$tool" heat -i "$dir/text" >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect_error full_disk 1 "irqstat: standard output: No space left on device"

run heat --scale x
expect_misuse "usage: heat --scale x" "irqstat: x: not log, linear or row"

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

screen screen_shows_what_counts_where <<'EOF'
terminal = Terminal([tool, "heat", "-i", dir + "/changing", "-d", "3s"])
terminal.wait_for("7 rows")
with open(dir + "/changing", "rb+") as file:
    file.write(open(dir + "/later", "rb").read())
# A frame is drawn piece by piece: looked at until it is whole.
def is_drawn(lines):
    rows = [i for i, line in enumerate(lines) if line.strip().startswith("31 ")]
    cells = [terminal.style(rows[0], 8 + 8 * cpu)[1] != "default" for cpu in range(4)] if rows else []
    return "5 rows" in lines[0] and cells == [False, False, False, True] and lines[rows[0]][8 + 8 * 2] == "x"
terminal.wait(is_drawn)
terminal.send("t")
terminal.wait_for("so far ")
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen keys_sort_and_scale <<'EOF'
terminal = Terminal([tool, "heat", "-i", dir + "/changing", "-d", "1m"])
def first(irq):
    return lambda lines: lines[6].split()[:1] == [irq]
terminal.wait(first("30"))
terminal.send("i")
terminal.wait(first("0"))
terminal.send("d")
terminal.wait(first("30"))
for scale in "linear scale", "row scale", "log scale":
    terminal.send("s")
    terminal.wait_for(scale)
terminal.send("p")
terminal.wait_for("PAUSED")
terminal.resize(50, 10)
# The last lines of the larger screen have the keys, too.
terminal.wait(lambda lines: "quit" in lines[9] and first("30")(lines))
terminal.send("\033[B")
terminal.wait(first("LOC"))
terminal.resize(20, 5)
terminal.wait_for("too small")
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen keys_have_help <<'EOF'
terminal = Terminal([tool, "heat", "-i", dir + "/changing", "-d", "1m"])
for key in "h", "?":
    terminal.wait_for("nvme0q1")
    terminal.send(key)
    lines = terminal.wait_for("this, and back")
    assert not any("nvme0q1" in line for line in lines), lines
    terminal.send(key)
terminal.wait_for("nvme0q1")
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen screen_without_colours_has_levels <<'EOF'
terminal = Terminal([tool, "heat", "-i", dir + "/changing", "-d", "1m"], environment={"NO_COLOR": "1"})
lines = terminal.wait_for("nvme0q1")
[line] = [line for line in lines if line.strip().startswith("30 ")]
assert line.split()[1:5] == ["c", "c", "x", "2"], line
terminal.send("q")
assert terminal.end() == 0, terminal.status
EOF

screen terminal_of_256_colours_gets_them_in_batch_mode <<'EOF'
terminal = Terminal([tool, "heat", "-i", dir + "/changing", "-b"], environment={"TERM": "xterm-256color"})
assert terminal.end() == 0, terminal.status
assert b"\033[48;5;" in terminal.raw, terminal.raw
terminal = Terminal([tool, "heat", "-i", dir + "/changing", "-b"], environment={"TERM": "xterm-256color", "NO_COLOR": "1"})
assert terminal.end() == 0, terminal.status
assert b"\033" not in terminal.raw, terminal.raw
EOF

exit $failed
