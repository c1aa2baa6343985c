#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Everything comes and goes under the readers: the module, CPUs, drivers, interrupts.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

parameter=/sys/module/interrupts_bin/parameters/verify
disk=/dev/nvme0n1

probes=/sys/kernel/debug/kprobes/enabled
ftrace=/proc/sys/kernel/ftrace_enabled

# inexact: the flag IRQBIN_F_GENERATION_INEXACT
inexact() {
	echo $(($(od -An -tu4 -j12 -N4 /proc/interrupts_bin) & 2))
}

held "rmmod interrupts_bin" "insmod $module"

generation stays generation_stands_still_over_reads true
generation stays generation_stands_still_over_text_reads "cat /proc/interrupts /proc/stat >/dev/null"
generation stays generation_stands_still_over_interrupts \
	"dd if=$disk of=/dev/null bs=4096 count=500 2>/dev/null"
generation stays generation_stands_still_over_affinity "echo 2 >/proc/irq/4/smp_affinity"
generation stays generation_stands_still_over_names_of_virtual_links \
	"ip link set lo down && ip link set lo name l0 && ip link set l0 name lo"
generation moves generation_moves_when_requested "ip link set eth0 up"
generation moves generation_moves_when_requested_on_a_shared_line "ip link set eth1 up"
generation moves generation_moves_when_freed_on_a_shared_line "ip link set eth0 down"
generation moves generation_moves_when_freed "ip link set eth1 down"
generation moves generation_moves_when_renamed "ip link set eth0 name lan && ip link set lan name eth0"
generation moves generation_moves_when_allocated "sh /stir.sh disk 1"
generation renews instance_changes_when_allocated_again nvme0q "sh /stir.sh disk 1"
generation renews instance_changes_every_time nvme0q "sh /stir.sh disk 1"

# Probes that are off notice nothing.
for switch in $probes $ftrace; do
	off=probes_were_off_by_${switch##*/}
	if ! echo 0 >"$switch"; then
		echo "skip generation_is_inexact_while_$off: this kernel does not let go of its probes so"
		continue
	fi 2>/dev/null
	expect "generation_is_inexact_while_$off" 2 inexact
	generation renews "instance_changes_while_$off" nvme0q "sh /stir.sh disk 1"
	echo 1 >"$switch"
	expect "generation_is_exact_after_$off" 0 inexact
	generation renews "instance_has_changed_while_$off" nvme0q \
		"echo 0 >$switch && cat /proc/interrupts_bin >/dev/null && sh /stir.sh disk 1 && echo 1 >$switch"
done

echo 1 >$parameter
load $disk &
load=$!
readers readers_survive_cpu_hotplug sh /stir.sh cpus 3
check verified_over_cpu_hotplug is_verified
readers readers_survive_affinity_moves sh /stir.sh affinity 10
check verified_over_affinity_moves is_verified
# Whoever has the disk open keeps its name.
kill $load
load &
load=$!
readers readers_survive_driver_churn sh /stir.sh drivers 3
check verified_over_driver_churn is_verified
readers readers_survive_unload sh /stir.sh module 20
kill $load
[ -e $stats ] || insmod $module

echo 0 >$parameter
memory
limit
check module_unloads_after_all reload
