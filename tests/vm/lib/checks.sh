# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# shellcheck shell=dash disable=SC2034
#
# What the tests in the guest share.

module=/interrupts_bin.ko
stats=/sys/kernel/debug/interrupts_bin/stats

# check NAME COMMAND...: whether it succeeds; the last line that it says is why it did not
check() {
	name=$1
	shift
	if reason=$("$@" 2>&1); then
		echo "ok $name"
	else
		echo "not ok $name: $(echo "$reason" | tail -n 1)"
	fi
}

# expect NAME RESULT COMMAND...: whether it prints RESULT
expect() {
	name=$1
	want=$2
	shift 2
	got=$("$@" 2>&1) || got="$got (exit code $?)"
	if [ "$got" = "$want" ]; then
		echo "ok $name"
	else
		echo "not ok $name: $got instead of $want"
	fi
}

# stat_of KEY: a value of the module's statistics
stat_of() {
	sed -n "s/^$1 //p" $stats
}

# is_verified: many records were checked since the module was loaded, and none was wrong
is_verified() {
	echo "$(stat_of mismatches) mismatches in $(stat_of verified)"
	[ "$(stat_of mismatches)" = 0 ] && [ "$(stat_of verified)" -gt 1000 ]
}

# reload PARAMETER...: the module anew
reload() {
	rmmod interrupts_bin && insmod $module "$@"
}

# online CPU 0|1
online() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

# of_modules FAULT...: such a fault comes only to what a module's function has called, to any of it
of_modules() {
	for fault; do
		# What is not there this fault has not.
		echo N >"$fault/ignore-gfp-wait"
		echo 0 >"$fault/min-order"
		echo 0 >"$fault/verbose"
		echo 0xffffffffa0000000 >"$fault/require-start"
		echo 0xffffffffff000000 >"$fault/require-end"
	done 2>/dev/null
}

# disk_unbind, disk_bind: from and to its driver
disk_unbind() {
	for disk in /sys/bus/pci/drivers/nvme/0000:*; do
		disk=${disk##*/}
		echo "$disk" >/sys/bus/pci/drivers/nvme/unbind
	done
}

# All its queues have their interrupts when it can be read.
disk_bind() {
	echo "$disk" >/sys/bus/pci/drivers/nvme/bind
	for _ in $(seq 500); do
		[ ! -b /dev/nvme0n1 ] || break
		usleep 10000
	done
	dd if=/dev/nvme0n1 of=/dev/null bs=4096 count=1 2>/dev/null
}

# line COMMAND: to irqload, see tests/kernel/irqload_control.c
line() {
	echo "$*" >/sys/kernel/debug/irqload/control
}

# lines: as many commands as there are lines of input
lines() {
	while read -r command; do
		line "$command" || echo "not ok line_is_made: $command"
	done
}

# last_line: the number of the interrupt that was added last
last_line() {
	cat /sys/kernel/debug/irqload/control
}
