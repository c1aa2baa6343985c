#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Each call of the module into the kernel that may fail does so once; where the kernel has fault injection, so does
# each allocation and copy that is made for it.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

faults=/sys/kernel/debug

rmmod interrupts_bin
insmod /irqload.ko irqs=20
insmod /failnth.ko
failing call /sys/module/failnth/parameters/nth $module
rmmod failnth
if [ -e $faults/failslab ]; then
	of_modules $faults/failslab $faults/fail_page_alloc $faults/fail_usercopy
	# Not when it is loaded: that has hundreds, most of them for other parts of the kernel.
	failing allocation_or_copy /proc/thread-self/fail-nth $module reads
else
	echo "skip reads_survive_each_allocation_or_copy_failing: this kernel has no fault injection"
fi
rmmod irqload
insmod $module
