#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# The file keeps its contract, whatever it is read with.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

bin=/proc/interrupts_bin
descs=262144 # blocks of 4096: where the descriptors start
dir=$(mktemp -d)

copied() {
	windows "$dir/counters" "$dir/descs"
}

cat_is_whole() {
	cat $bin >"$dir/counters" && windows "$dir/counters"
}

dd_is_whole() {
	dd if=$bin of="$dir/counters" bs="$1" 2>/dev/null &&
		dd if=$bin of="$dir/descs" bs=4096 skip=$descs 2>/dev/null && copied
}

head_is_magic() {
	[ "$(head -c 4 $bin | od -An -tx4 | tr -d ' ')" = 49525142 ]
}

windows
reads
opens
uring
check cat_is_whole cat_is_whole
for bs in 13 511 4096 65537; do
	check "dd_in_blocks_of_${bs}_is_whole" dd_is_whole $bs
done
check head_reads_the_magic head_is_magic
rm -r "$dir"
