#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --smp 4 --qemu "-drive driver=null-co,size=1G,if=none,id=d0 -device nvme,drive=d0,serial=1 -netdev user,id=n0 -device e1000,netdev=n0,addr=5 -device e1000,addr=9 -device e1000,addr=0xd -netdev user,id=n1 -device e1000,netdev=n1,addr=0xf"
#
# Everything comes and goes under the readers: the module, CPUs, drivers, interrupts.

stats=/sys/kernel/debug/interrupts_bin/stats
parameter=/sys/module/interrupts_bin/parameters/verify
module=/interrupts_bin.ko
nvme=/sys/bus/pci/drivers/nvme
disk=/dev/nvme0n1

online() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

# The disk's interrupts are freed and allocated again.
disk_again() {
	for dev in "$nvme"/0000:*; do
		dev=${dev##*/}
	done
	echo "$dev" >$nvme/unbind
	echo "$dev" >$nvme/bind
	for _ in $(seq 500); do
		[ ! -b $disk ] || break
		usleep 10000
	done
	# All its queues have their interrupts when it can be read.
	dd if=$disk of=/dev/null bs=4096 count=1 2>/dev/null
}

# What happens while readers read; each is run as a command of its own.
case ${1-} in
module)
	set -e
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		rmmod interrupts_bin
		insmod $module verify=$((i % 2))
		usleep $((i % 5 * 10000))
	done
	exit
	;;
cpus)
	set -e
	for i in 1 2 3; do
		for cpu in 1 2 3; do
			online $cpu 0
		done
		usleep 50000
		for cpu in 2 1 3; do
			online $cpu 1
		done
	done
	exit
	;;
drivers)
	set -e
	for i in 1 2 3; do
		disk_again
		for card in eth0 eth1 eth2; do
			ip link set $card up
		done
		for card in eth1 eth0 eth2; do
			ip link set $card down
		done
	done
	exit
	;;
affinity)
	for i in 1 2 3 4 5 6 7 8 9 10; do
		for irq in /proc/irq/[0-9]*; do
			echo $((1 << i % 4)) >"$irq/smp_affinity"
		done 2>/dev/null
		usleep 20000
	done
	exit
	;;
disk_again)
	disk_again
	exit
	;;
esac

value() {
	sed -n "s/^$1 //p" $stats
}

# verified NAME: checked since it was turned on, and never wrong
verified() {
	if [ "$(value mismatches)" = 0 ] && [ "$(value verified)" -gt 1000 ]; then
		echo "ok $1"
	else
		echo "not ok $1: $(value mismatches) mismatches in $(value verified)"
	fi
}

held "rmmod interrupts_bin" "insmod $module"

generation stays generation_stands_still_over_reads true
generation stays generation_stands_still_over_text_reads "cat /proc/interrupts /proc/stat >/dev/null"
generation stays generation_stands_still_over_interrupts \
	"dd if=$disk of=/dev/null bs=4096 count=500 2>/dev/null"
generation stays generation_stands_still_over_affinity "echo 2 >/proc/irq/4/smp_affinity"
generation moves generation_moves_when_requested "ip link set eth0 up"
generation moves generation_moves_when_requested_on_a_shared_line "ip link set eth1 up"
generation moves generation_moves_when_freed_on_a_shared_line "ip link set eth0 down"
generation moves generation_moves_when_freed "ip link set eth1 down"
generation moves generation_moves_when_renamed "ip link set eth0 name lan && ip link set lan name eth0"
generation moves generation_moves_when_allocated "sh $0 disk_again"
generation renews instance_changes_when_allocated_again nvme0q "sh $0 disk_again"
generation renews instance_changes_every_time nvme0q "sh $0 disk_again"

echo 1 >$parameter
load $disk &
load=$!
readers readers_survive_cpu_hotplug sh "$0" cpus
verified verified_over_cpu_hotplug
readers readers_survive_affinity_moves sh "$0" affinity
verified verified_over_affinity_moves
# Whoever has the disk open keeps its name.
kill $load
load &
load=$!
readers readers_survive_driver_churn sh "$0" drivers
verified verified_over_driver_churn
readers readers_survive_unload sh "$0" module
kill $load
[ -e $stats ] || insmod $module

echo 0 >$parameter
memory
if rmmod interrupts_bin && insmod $module; then
	echo "ok module_unloads_after_all"
else
	echo "not ok module_unloads_after_all: it does not"
fi
