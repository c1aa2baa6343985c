#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Many interrupts of all kinds, names and chips, made by irqload.ko.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

make_lines() {
	insmod /irqload.ko rate=100 "$@" || echo "not ok irqload_loads: $*"
}

# text_is_equal NAME PARAMETER...
text_is_equal() {
	name=$1
	shift
	make_lines irqs=6 "$@"
	text-bracket "text_is_equal_with_$name"
	rmmod irqload
}

text_is_equal chips_of_5_letters chips=Short
text_is_equal chips_of_8_letters chips=Exactly8
text_is_equal chips_of_9_letters chips=Nine-Char
text_is_equal chips_of_24_letters chips=IR-PCI-MSIX-0000:3b:00.0
text_is_equal chips_of_any_length chips=A,Short,Exactly8,IR-PCI-MSIX-0000:3b:00.0
text_is_equal names_of_one_byte chips=Short names=a
text_is_equal odd_names chips=Short \
	'names=with\x20blank,a:b,1digit,\x22quoted\x22,caf\xc3\xa9\xff,x\x2cy'
text_is_equal names_like_rows chips=Short 'names=NMI:,\x20\x20LOC:\x20\x20\x201,23:'
text_is_equal names_of_500_bytes chips=Short "names=$(printf '%0500d' 0)"

for flow in edge level fasteoi simple bad nested untracked percpu unmarked chained; do
	make_lines irqs=20 chips=Short flow=$flow
	text-bracket "text_is_equal_with_${flow}_lines"
	bracket "counts_of_${flow}_lines_are_bracketed" 0.3
	case $flow in
	nested | untracked | chained) ;; # these don't count
	*) bracket --sysfs "counts_of_${flow}_lines_are_bracketed_on_all_cpus" 0.3 ;;
	esac
	rmmod irqload
done

# Many at once, with actions and lines coming and going, each snapshot checked.
make_lines irqs=200 chips=Short churn=50 actions=50 move=50
readers readers_survive_line_churn sleep 3
rmmod irqload
check verified_over_line_churn is_verified
text-bracket text_is_equal_after_line_churn
windows
