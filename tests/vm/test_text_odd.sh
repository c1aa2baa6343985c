#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --smp 4
#
# irqstat-text and the counters with interrupts as drivers might make them: chips wider than
# their column, odd names, lines without a chip, an action or a flow name, counters at their end.

control=/sys/kernel/debug/irqload/control
long=$(printf '%0300d' 7)

# The rows of interrupts are the same to the byte, while these don't count.
equal() {
	for _ in 1 2 3 4 5 6 7 8; do
		sed '/^ *NMI:/,$d' /proc/interrupts >/tmp/text
		irqstat-text --verbose 2>/tmp/said | sed '/^ *NMI:/,$d' >/tmp/ours
		[ ! -s /tmp/said ] && cmp -s /tmp/text /tmp/ours && echo "ok $1" && return
	done
	echo "not ok $1: $(cat /tmp/said; diff /tmp/text /tmp/ours | tail -n 1)"
}

make_lines() {
	while read -r line; do
		echo "$line" >$control || echo "not ok line_is_made: $line"
	done
}

insmod /irqload.ko irqs=300 || echo "not ok irqload_loads: exit code $?"
text-bracket text_is_equal_with_many_lines

make_lines <<END
add name=a\\x20b\\x2cc:d chip=IR-PCI-MSIX-0000:86:00.0 hwirq=4294967296 seed=7@1
add name=9lives chip=4b10000.gpio hwirq=5 seed=1@0 seed=2@3
add name="quoted\\x22" chip=with\\x20blank seed=3@2
add name=\\xc0\\x1c\\xff\\x27 seed=5@1
add name=$long seed=6@2
add name=one name=two name=three seed=4294967295@0
add noname seed=8@3
add printed chip=own name=printed hwirq=12 seed=9@0
add dead name=gone seed=10@1
add name=flowless seed=11@2
add from=10500 name=far seed=12@3
add flow=percpu name=percpu seed=13@1
END
equal text_is_equal_with_odd_lines
text-bracket text_is_equal_with_odd_lines_in_every_row
bracket odd_counts_are_bracketed 1
echo 0 >/sys/devices/system/cpu/cpu1/online
equal text_is_equal_with_odd_lines_and_a_cpu_offline
echo 1 >/sys/devices/system/cpu/cpu1/online
bracket odd_counts_are_bracketed_after_online 1
make_lines <<END
add name=two\\nlines seed=4@0
END
equal text_is_equal_with_a_name_of_two_lines
rmmod irqload
text-bracket text_is_equal_without_odd_lines
