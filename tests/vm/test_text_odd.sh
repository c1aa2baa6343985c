#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat-text and the counters with interrupts as drivers might make them: chips wider than their column, odd
# names, lines that are hidden or have no chip, action or flow name, numbers and counts at their ends.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

long=$(printf '%0300d' 7)

# equal NAME: the rows of interrupts are the same to the byte, while these don't count
equal() {
	for _ in 1 2 3 4 5 6 7 8; do
		sed '/^ *NMI:/,$d' /proc/interrupts >/tmp/text
		irqstat-text --verbose 2>/tmp/said | sed '/^ *NMI:/,$d' >/tmp/ours
		[ ! -s /tmp/said ] && cmp -s /tmp/text /tmp/ours && echo "ok $1" && return
	done
	echo "not ok $1: $(cat /tmp/said; diff /tmp/text /tmp/ours | tail -n 1)"
}

# row_is NAME REGEX: the text's row of the last line that was made
row_is() {
	row=$(grep "^ *$(last_line):" /proc/interrupts)
	if echo "$row" | grep -qE "$2"; then
		echo "ok $1"
	else
		echo "not ok $1: $row"
	fi
}

insmod /irqload.ko irqs=300 rate=50 || echo "not ok irqload_loads: exit code $?"
text-bracket text_is_equal_with_many_lines

# still: counts stand, from here on until moving
still() {
	echo 1 >/sys/module/irqload/parameters/frozen
}

moving() {
	echo 0 >/sys/module/irqload/parameters/frozen
}

lines <<END
add name=a\\x20b\\x2cc:d chip=IR-PCI-MSIX-0000:86:00.0 hwirq=4294967296 seed=7@1
add name=9lives chip=4b10000.gpio hwirq=5 seed=1@0 seed=2@3
add name="quoted\\x22" chip=with\\x20blank seed=3@2
add name=\\xc0\\x1c\\xff\\x27 seed=5@1
add name=$long seed=6@2
add name=one name=two name=three seed=4294967295@0
add noname seed=8@3
add noname name=after seed=8@3
add printed chip=own name=printed hwirq=12 seed=9@0
add nochip seed=1@2
add dead name=gone seed=10@1
add name=flowless seed=11@2
add name=flowed flowname=a-flow-of-its-own seed=12@2
add name=shared actions=30 seed=12@1
add hidden name=hidden seed=13@1
add flow=chained seed=14@0
add flow=nested name=nested seed=15@0
add flow=untracked name=untracked
add flow=percpu name=percpu seed=16@1
END
still
equal text_is_equal_with_odd_lines
moving
text-bracket text_is_equal_with_odd_lines_in_every_row
bracket odd_counts_are_bracketed 1
bracket --sysfs odd_counts_are_bracketed_on_all_cpus 1
windows
online 1 0
still
equal text_is_equal_with_odd_lines_and_a_cpu_offline
moving
online 1 1
bracket odd_counts_are_bracketed_after_online 1
still
line add 'name=two\nlines' seed=4@0
equal text_is_equal_with_a_name_of_two_lines
line free "$(last_line)"

# One line that changes in all ways.
line add name=changing chip=Short hwirq=7 room=40 seed=1@0
irq=$(last_line)
equal text_is_equal_with_a_new_line
for change in "chip $irq As-Wide-As-No-Chip-Before-0000:ff:1f.7" "chip $irq Short" "hide $irq" "show $irq" \
	"flow $irq level level" "flow $irq fasteoi" "type $irq 4" "request $irq second" "release $irq" \
	"release $irq" "request $irq again" "remap $irq Wider-Yet-When-It-Was-Mapped-0000:ff:1f.7"; do
	line "$change"
	equal "text_is_equal_after_$(echo "$change" | sed "s/ $irq.*//")"
done
line free "$irq"
equal text_is_equal_without_it

# A cell that wraps, a cell that is 0 by it, and cells whose sum is.
line add still name=wraps seed=4294967294@1
irq=$(last_line)
for count in 4294967295 0 1; do
	line fire "$irq" 1
	row_is "count_is_$count" "^ *$irq:( +[0-9]+){1} +$count "
	equal "text_is_equal_with_a_count_of_$count"
	moving
	bracket --sysfs "count_of_${count}_is_bracketed" 0.2
	still
done
line add still name=sums seed=4294967295@0 seed=1@1
row_is counts_sum_up_to_0 ' 4294967295 +1 '
equal text_is_equal_with_a_sum_of_0
moving
bracket --sysfs counts_with_a_sum_of_0_are_bracketed 0.2
still
line fire "$(last_line)" 0
equal text_is_equal_with_a_sum_of_1
check verified_with_odd_counts is_verified

# Rows that no description fits: the text is copied, until they are gone.
line add fickle chip=fickle name=fickle
sed '/^ *NMI:/,$d; s/fickle[0-9]*//' /proc/interrupts >/tmp/text
irqstat-text --verbose 2>/tmp/said | sed '/^ *NMI:/,$d; s/fickle[0-9]*//' >/tmp/ours
check text_is_copied_where_rows_are_fickle grep copying /tmp/said
check copy_is_equal cmp /tmp/text /tmp/ours
line free "$(last_line)"
# shellcheck disable=SC2016
check text_is_made_again_without_them sh -c \
	'for _ in $(seq 300); do irqstat-text --verbose 2>&1 >/dev/null | grep copying || exit 0; usleep 10000; done; exit 1'
equal text_is_equal_without_them

# Numbers of more digits: all rows get wider, for good.
for irq in 10500 100500; do
	line add irq=$irq name=far chip=Short hwirq=1 seed=12@3
	row_is "row_of_irq_$irq" far
	equal "text_is_equal_with_irq_$irq"
	text-bracket "text_is_equal_in_every_row_with_irq_$irq"
	line free $irq
	equal "text_is_equal_after_irq_$irq"
done
rmmod irqload
text-bracket text_is_equal_without_odd_lines
windows
