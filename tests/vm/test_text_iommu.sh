#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --smp 4 --append intel_iommu=on --qemu "-device intel-iommu,intremap=on -drive driver=null-co,size=1G,if=none,id=d0 -device nvme,drive=d0,serial=1 -device e1000"
#
# irqstat-text where an IOMMU remaps interrupts: chips of more than 20 letters.

online() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

if grep -q 'IR-.*nvme' /proc/interrupts && grep -q DMAR /proc/interrupts; then
	echo "ok interrupts_are_remapped"
else
	echo "not ok interrupts_are_remapped: $(grep nvme /proc/interrupts | head -n 1)"
fi
text-bracket text_is_equal_with_remapping
windows
bracket remapped_counts_are_bracketed 1
online 1 0
text-bracket text_is_equal_with_remapping_and_a_cpu_offline
online 1 1
for dev in /sys/bus/pci/drivers/nvme/0000:*; do
	echo "${dev##*/}" >/sys/bus/pci/drivers/nvme/unbind
done
text-bracket text_is_equal_without_the_remapped_disk
# The widest chip that the text remembers is no longer there to be seen.
rmmod interrupts_bin
insmod /interrupts_bin.ko
text-bracket text_is_equal_with_module_loaded_later
echo "${dev##*/}" >/sys/bus/pci/drivers/nvme/bind
text-bracket text_is_equal_with_the_remapped_disk_again
