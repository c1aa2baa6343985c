#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --append intel_iommu=on --qemu "-device intel-iommu,intremap=on"
#
# irqstat-text where an IOMMU remaps interrupts: chips of more than 20 letters.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

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
disk_unbind
text-bracket text_is_equal_without_the_remapped_disk
# The widest chip that the text remembers is no longer there to be seen.
reload verify=1
text-bracket text_is_equal_with_module_loaded_later
disk_bind
text-bracket text_is_equal_with_the_remapped_disk_again
