#!/bin/bash
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Shows interrupts of a real kernel read through the module, next to the kernel's own text: what both say, and what
# both cost.

set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/demo.XXXXXX")
trap 'rm -rf "$dir"' EXIT
truncate -s 64M "$dir/disk"
"${CC:-cc}" -O2 -o "$dir/readers" "$top/tests/bench/readers.c"

# shellcheck disable=SC2016
"$top/tests/vm/run" --kernel 7.3 --smp 4 \
	--qemu "-drive if=none,id=disk,format=raw,file=$dir/disk -device nvme,drive=disk,serial=demo" \
	--with "$dir/readers" -- '
dd if=/dev/nvme0n1 of=/dev/null bs=64k count=512 2>/dev/null
echo "Linux $(uname -r), $(nproc) CPUs"
echo
irqstat-text | head -n 20 | cut -c -120
echo
# cost: the files of now, and how long a read of each takes
cost() {
	/readers 1 >/tmp/times
	for file in text:/proc/interrupts bin:/proc/interrupts_bin; do
		ns=$(sed -n "s/.* ${file%%:*}_read_by_1 \([0-9]*\) .*/\1/p" /tmp/times)
		printf "%-20s %6d bytes %8d us a read\n" "${file#*:}" "$(cat "${file#*:}" | wc -c)" $((ns / 1000))
	done
}
cost
echo
echo "Busiest, by irqstat:"
irqstat list -o IRQ,TOTAL,NAME | head -n 6
echo
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
[ "$code" = 0 ] || { echo "irqstat-text and cat, identical: no" && exit 1; }
echo "irqstat-text and cat, identical: yes"
echo

insmod irqload.ko
echo "With 560 interrupts more, made by a test module:"
cost
'
