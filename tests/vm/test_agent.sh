#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --smp 2
#
# The example agent says the same of the module and of the kernel's text.

control=/sys/kernel/debug/irqload/control
text=/proc/interrupts

# report NAME WANT FILE: is that what it holds?
report() {
	if [ "$2" = "$(cat "$3")" ]; then
		echo "ok $1"
	else
		echo "not ok $1: $(echo "$2" | diff - "$3" | head -n 5 | tr '\n' ';')"
	fi
}

# add NAME: an interrupt that counts when it is told to; says its number
add() {
	echo "add name=$1 chip=PCI-MSI still" >$control
	cat $control
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

if ! insmod /irqload.ko irqs=1; then
	echo "not ok irqload_loads: exit code $?"
	exit
fi
a=$(add agent-a)
b=$(add agent-b)
echo "count $a 4294967290@0" >$control
echo "count $a 7@1" >$control

# A row may count for the first time between the two.
for _ in 1 2 3 4 5; do
	agent -n 1 >/tmp/module
	agent -n 1 $text >/tmp/text
	names /tmp/text >/tmp/names
	[ "$(names /tmp/module)" != "$(cat /tmp/names)" ] || break
done
report agent_names_the_same_rows "$(names /tmp/module)" /tmp/names
sed 's/.* s, //;q' /tmp/module >/tmp/source
report agent_prefers_the_module module /tmp/source

# Between the first report of both and the last.
agent -i 0.1 >/tmp/module &
agents=$!
agent -i 0.1 $text >/tmp/text &
agents="$agents $!"
wait_for 1 /tmp/module /tmp/text
for count in "$a 16@0" "$a 5@1" "$b 300@1"; do
	echo "count $count" >$control
done
wait_for $(($(reports /tmp/module) + 2)) /tmp/module
wait_for $(($(reports /tmp/text) + 2)) /tmp/text
# shellcheck disable=SC2086
kill $agents
want=$(printf '%s\n' "$a: agent-a 21" "$b: agent-b 300" | sort)
sum /tmp/module >/tmp/sum
report agent_counts_what_the_module_counts "$want" /tmp/sum
sum /tmp/text >/tmp/sum
report agent_counts_the_same_of_the_text "$want" /tmp/sum
rmmod irqload
