# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# shellcheck shell=dash
#
# sh /stir.sh WHAT ROUNDS: makes things come and go, for readers to read meanwhile.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

set -e

cpus() {
	for cpu in 1 2 3; do
		online $cpu 0
	done
	usleep 50000
	for cpu in 2 1 3; do
		online $cpu 1
	done
}

affinity() {
	for irq in /proc/irq/[0-9]*; do
		# Not every interrupt can be moved.
		echo $((1 << round % 4)) >"$irq/smp_affinity" || :
	done 2>/dev/null
	usleep 20000
}

drivers() {
	disk_unbind
	disk_bind
	for card in eth0 eth1 eth2; do
		ip link set $card up
	done
	for card in eth1 eth0 eth2; do
		ip link set $card down
	done
}

disk() {
	disk_unbind
	disk_bind
}

module() {
	rmmod interrupts_bin
	insmod $module verify=$((round % 2))
	usleep $((round % 5 * 10000))
}

for round in $(seq "$2"); do
	"$1"
done
