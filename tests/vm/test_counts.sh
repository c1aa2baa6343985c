#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Every count lies between what the kernel's own files say before and after.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

gateway=10.0.2.2

for card in eth0 eth1 eth2; do
	ip link set $card up
done
ip addr add 10.0.2.15/24 dev eth0 2>/dev/null
load /dev/nvme0n1 $gateway &
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
disk_unbind
bracket counts_are_bracketed_without_the_disk 1
disk_bind
load /dev/nvme0n1 $gateway &
load=$!
bracket counts_are_bracketed_with_a_new_disk 1
bracket --sysfs counts_of_new_irqs_are_bracketed 1
kill $load
wait
for card in eth0 eth1 eth2; do
	ip link set $card down
done
