#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Each call of the module into the kernel that may fail does so once; where the kernel has fault injection, so does
# each allocation that is made for it.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

faults=/sys/kernel/debug

rmmod interrupts_bin
insmod /irqload.ko irqs=20
insmod /failnth.ko
failing call /sys/module/failnth/parameters/nth $module
rmmod failnth
if [ -e $faults/failslab ]; then
	for dir in $faults/failslab $faults/fail_page_alloc; do
		# What is not there has no such fault.
		echo N >"$dir/ignore-gfp-wait"
		echo 0 >"$dir/min-order"
		echo 0 >"$dir/verbose"
	done 2>/dev/null
	failing allocation /proc/thread-self/fail-nth $module
else
	echo "skip reads_survive_each_allocation_failing: this kernel has no fault injection"
fi
rmmod irqload
insmod $module
