#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat-text writes what cat /proc/interrupts would, whatever has happened to the
# machine's interrupts.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

text=/proc/interrupts
odd='x,y-(null)-15ab'
dir=$(mktemp -d)

# Before 6.2 an interface has to be down for it.
rename() {
	ip link set "$1" name "$2" 2>/dev/null && return
	ip link set "$1" down
	ip link set "$1" name "$2"
	ip link set "$2" up
}

names_are_shown() {
	for name; do
		grep -q "$name" $text || return
	done
}

# Without a source there is a copy, and only --verbose says so.
fallback() {
	cat $text >"$dir/before"
	irqstat-text >"$dir/ours" 2>"$dir/errors" || return
	cat $text >"$dir/after"
	text-bracket "$dir/before" "$dir/ours" "$dir/after" || return
	[ ! -s "$dir/errors" ] || { cat "$dir/errors" && return 1; }
	irqstat-text --verbose >"$dir/ours" 2>"$dir/errors" || return
	[ -s "$dir/errors" ] || { echo "--verbose said nothing" && return 1; }
}

# not_shown IRQ: it has no row
not_shown() {
	! grep "^ *$1:" $text
}

check msix_rows_are_there names_are_shown 'PCI-MSI.*nvme0q1' 'PCI-MSI.*virtio[0-9]-req'
text-bracket text_is_equal_at_first

# A line of its own that counts on CPU 1 only, and is then without actions: kernels
# before 6.10 show it, but not while that CPU is offline.
irq=$(cat /sys/class/net/eth3/device/irq)
echo 2 >/proc/irq/default_smp_affinity
[ ! -e "/proc/irq/$irq" ] || echo 2 >"/proc/irq/$irq/smp_affinity"
ip link set eth3 up
ip addr add 10.0.3.15/24 dev eth3
ping -c 2 -W 1 10.0.3.2 >/dev/null
text-bracket text_is_equal_with_an_interface
ip addr del 10.0.3.15/24 dev eth3
ip link set eth3 down
echo f >/proc/irq/default_smp_affinity
text-bracket text_is_equal_without_actions
online 1 0
check line_without_actions_and_cpu_is_not_shown not_shown "$irq"
text-bracket text_is_equal_without_actions_and_cpu
online 1 1
text-bracket text_is_equal_without_actions_and_cpu_again

ip link set eth0 up
ip link set eth1 up
ip link set eth2 up
check shared_line_is_there names_are_shown 'eth0, eth1, eth2'
text-bracket text_is_equal_with_a_shared_line

load /dev/nvme0n1 &
load=$!
for i in 1 2 3 4 5; do
	text-bracket "text_is_equal_under_load_$i"
done
kill $load

online 1 0
online 2 0
text-bracket text_is_equal_with_cpus_offline_in_the_middle
online 3 0
text-bracket text_is_equal_with_one_cpu
online 1 1
text-bracket text_is_equal_with_some_cpus_online_again
online 2 1
online 3 1
text-bracket text_is_equal_with_all_cpus_online_again

rename eth1 lan
check interface_is_renamed names_are_shown 'eth0.*lan'
text-bracket text_is_equal_with_a_renamed_interface
rename lan "$odd"
text-bracket text_is_equal_with_an_odd_interface
rename "$odd" eth1

modprobe -r vmxnet3
text-bracket text_is_equal_without_a_driver
modprobe vmxnet3
ip link set eth0 up
text-bracket text_is_equal_with_the_driver_again

disk_unbind
text-bracket text_is_equal_without_the_disk
rmmod interrupts_bin
check text_is_copied_without_module fallback
insmod $module
text-bracket text_is_equal_with_module_loaded_later
disk_bind
text-bracket text_is_equal_with_the_disk_again
ip link set eth0 down
rm -r "$dir"
