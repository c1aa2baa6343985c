#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --smp 4 --qemu "-drive driver=null-co,size=1G,if=none,id=d0 -device nvme,drive=d0,serial=1 -netdev user,id=n0 -device e1000,netdev=n0,addr=5 -device e1000,addr=9 -device e1000,addr=0xd -netdev user,id=n1 -device e1000,netdev=n1,addr=0xf"
#
# Every count lies between what the kernel's own files say before and after.

disk=/dev/nvme0n1
gateway=10.0.2.2

online() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

for card in eth0 eth1 eth2; do
	ip link set $card up
done
ip addr add 10.0.2.15/24 dev eth0 2>/dev/null
load $disk $gateway &
load=$!

bracket counts_are_bracketed_under_load 4
bracket --sysfs counts_of_all_irqs_are_bracketed_under_load 3
online 2 0
bracket counts_are_bracketed_with_a_cpu_offline 2
bracket --sysfs counts_of_an_offline_cpu_are_kept 2
online 2 1
bracket --sysfs counts_go_on_after_online 1

# Freed and used again: numbers with other instances.
kill $load
for dev in /sys/bus/pci/drivers/nvme/0000:*; do
	echo "${dev##*/}" >/sys/bus/pci/drivers/nvme/unbind
	bracket counts_are_bracketed_without_the_disk 1
	echo "${dev##*/}" >/sys/bus/pci/drivers/nvme/bind
done
for _ in $(seq 500); do
	[ ! -b $disk ] || break
	usleep 10000
done
load $disk $gateway &
load=$!
bracket counts_are_bracketed_with_a_new_disk 1
bracket --sysfs counts_of_new_irqs_are_bracketed 1
kill $load
wait
for card in eth0 eth1 eth2; do
	ip link set $card down
done
