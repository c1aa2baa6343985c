#!/bin/bash
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Shows interrupts of a real kernel read through the module, next to the kernel's own text.

set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
disk=$(mktemp)
trap 'rm -f "$disk"' EXIT
truncate -s 64M "$disk"

# shellcheck disable=SC2016
"$top/tests/vm/run" --kernel 7.3 --smp 4 \
	--qemu "-drive if=none,id=disk,format=raw,file=$disk -device nvme,drive=disk,serial=demo" -- '
dd if=/dev/nvme0n1 of=/dev/null bs=64k count=512 2>/dev/null
echo "Linux $(uname -r), $(nproc) CPUs"
echo
irqstat-text | head -n 20 | cut -c -100
echo
echo "/proc/interrupts      $(cat /proc/interrupts | wc -c) bytes"
echo "/proc/interrupts_bin  $(cat /proc/interrupts_bin | wc -c) bytes"

# Counters move between two reads, so ours must fit between two of the text file: each count no less than
# before and no more than after, every other byte the same.
for try in 1 2 3 4 5; do
	cat /proc/interrupts >/tmp/before
	irqstat-text >/tmp/ours
	cat /proc/interrupts >/tmp/after
	code=0
	text-bracket /tmp/before /tmp/ours /tmp/after || code=$?
	[ "$code" = 2 ] || break
done
[ "$code" = 0 ] && echo "identical: yes" && exit
echo "identical: no"
exit 1
'
