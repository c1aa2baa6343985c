#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# libirqstat_uring on the module: the same as by pread, by fewer calls, whatever is done to it meanwhile.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

disabled=/proc/sys/kernel/io_uring_disabled

# lines_come_and_go: interrupts by the hundred, under readers whose buffers must grow
if [ "${1-}" = lines_come_and_go ]; then
	set -e
	for i in 1 2 3 4 5 6 7 8 9 10; do
		insmod /irqload.ko irqs=$((i * 40))
		rmmod irqload
	done
	exit
fi

# killed: what a killed process had under way is gone, and holds nothing
killed() {
	burst --hang >/tmp/hang &
	for _ in $(seq 1000); do
		! grep -q started /tmp/hang || break
		usleep 10000
	done
	kill -KILL $! || return
	wait $! 2>/dev/null
	reload verify=1
}

together
burst
burst --unload "rmmod interrupts_bin" "insmod $module verify=1"
check burst_of_a_killed_process_is_gone killed
together --while batch_is_right_over_new_lines sh "$0" lines_come_and_go
together --while batch_is_right_over_cpu_hotplug sh /stir.sh cpus 3
together --while batch_is_right_over_driver_churn sh /stir.sh drivers 3
together --while batch_is_right_over_unload sh /stir.sh module 10

# Linux 6.6 can forbid it. 1 is EPERM.
if [ -e $disabled ]; then
	echo 2 >$disabled
	together --forbidden 1
	burst --forbidden 1
else
	echo "skip batch_without_io_uring: this kernel can't forbid it"
fi
