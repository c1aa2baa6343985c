#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# The library says the same of the module and of the text of the same kernel: as it boots, with many and odd
# interrupts, with a CPU offline. And without the module it goes on with the text.

control=/sys/kernel/debug/irqload/control

sources same sources_at_first 2
insmod /irqload.ko irqs=300 || echo "not ok irqload_loads: exit code $?"
sources same sources_with_many_lines 2
while read -r line; do
	echo "$line" >$control || echo "not ok line_is_made: $line"
done <<END
add name=a\\x20b\\x2cc:d chip=IR-PCI-MSIX-0000:86:00.0 hwirq=4294967296 seed=7@1
add name=9lives chip=4b10000.gpio hwirq=5 seed=1@0 seed=2@3
add name="quoted\\x22" chip=with\\x20blank seed=3@2
add name=\\xc0\\x1c\\xff\\x27 seed=5@1
add name=one name=two name=three seed=4294967295@0
add noname seed=8@3
add printed chip=own name=printed hwirq=12 seed=9@0
add dead name=gone seed=10@1
add name=flowless seed=11@2
add from=10500 name=far seed=12@3
add flow=percpu name=percpu seed=13@1
END
sources same sources_with_odd_lines 2
echo 0 >/sys/devices/system/cpu/cpu1/online
sources same sources_with_a_cpu_offline 2
echo 1 >/sys/devices/system/cpu/cpu1/online
sources same sources_after_online 2
rmmod irqload
sources lose source_that_is_unloaded
xargs insmod interrupts_bin.ko </vm/load || echo "not ok module_loads_again: exit code $?"
sources same sources_of_a_module_loaded_again 1
