#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --smp 4 --qemu "-drive driver=null-co,size=1G,if=none,id=d0 -device nvme,drive=d0,serial=1 -netdev user,id=n0 -device e1000,netdev=n0,addr=5 -device e1000,addr=9 -device e1000,addr=0xd -netdev user,id=n1 -device e1000,netdev=n1,addr=0xf"
#
# Interrupts of all kinds, names and chips, made by irqload.ko.

load() {
	if ! insmod /irqload.ko rate=100 "$@"; then
		echo "not ok irqload_loads: $*"
	fi
}

# text_is_equal NAME PARAMETER...
text_is_equal() {
	name=$1
	shift
	load irqs=6 "$@"
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
	load irqs=20 chips=Short flow=$flow
	text-bracket "text_is_equal_with_${flow}_lines"
	bracket "counts_of_${flow}_lines_are_bracketed" 0.3
	case $flow in
	nested | untracked | chained) ;; # these don't count
	*) bracket --sysfs "counts_of_${flow}_lines_are_bracketed_on_all_cpus" 0.3 ;;
	esac
	rmmod irqload
done

# Many at once, with actions and lines coming and going, each snapshot checked.
echo 1 >/sys/module/interrupts_bin/parameters/verify
load irqs=200 chips=Short churn=50 actions=50 move=50
readers readers_survive_line_churn sleep 3
rmmod irqload
if grep -q '^mismatches 0$' /sys/kernel/debug/interrupts_bin/stats; then
	echo "ok verified_over_line_churn"
else
	echo "not ok verified_over_line_churn: $(grep mismatches /sys/kernel/debug/interrupts_bin/stats)"
fi
echo 0 >/sys/module/interrupts_bin/parameters/verify
text-bracket text_is_equal_after_line_churn
windows
