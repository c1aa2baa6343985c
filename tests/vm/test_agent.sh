#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# The example agent says the same of the module and of the kernel's text.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

text=/proc/interrupts

# add NAME: an interrupt that counts when it is told to; says its number
add() {
	line "add name=$1 chip=PCI-MSI still"
	last_line
}

reports() {
	grep -c 's, [a-z]*$' "$1"
}

# wait_for REPORTS FILE...
wait_for() {
	n=$1
	shift
	for file in "$@"; do
		for _ in $(seq 6000); do
			[ "$(reports "$file")" -lt "$n" ] || break
			usleep 10000
		done
	done
}

# What irqload's interrupts counted in all reports but the first.
sum() {
	awk '/s, [a-z]*$/ { reports++; next } reports > 1 && $4 ~ /^agent-/ { n[$1 " " $4] += $2 }
		END { for (i in n) print i, n[i] }' "$1" | sort
}

# Names and numbers of all rows of a report.
names() {
	sed '1d; s/: .*\/s /: /' "$1"
}

insmod /irqload.ko irqs=1 || echo "not ok irqload_loads: exit code $?"
a=$(add agent-a)
b=$(add agent-b)
line "count $a 4294967290@0"
line "count $a 7@1"

# A row may count for the first time between the two.
for _ in 1 2 3 4 5; do
	agent -n 1 >/tmp/module
	agent -n 1 $text >/tmp/text
	[ "$(names /tmp/module)" != "$(names /tmp/text)" ] || break
done
expect agent_names_the_same_rows "$(names /tmp/module)" names /tmp/text
expect agent_prefers_the_module module sed 's/.* s, //;q' /tmp/module

# Between the first report of both and the last.
agent -i 0.1 >/tmp/module &
agents=$!
agent -i 0.1 $text >/tmp/text &
agents="$agents $!"
wait_for 1 /tmp/module /tmp/text
lines <<END
count $a 16@0
count $a 5@1
count $b 300@1
END
wait_for $(($(reports /tmp/module) + 2)) /tmp/module
wait_for $(($(reports /tmp/text) + 2)) /tmp/text
# shellcheck disable=SC2086
kill $agents
want=$(printf '%s\n' "$a: agent-a 21" "$b: agent-b 300" | sort)
expect agent_counts_what_the_module_counts "$want" sum /tmp/module
expect agent_counts_the_same_of_the_text "$want" sum /tmp/text
rmmod irqload
