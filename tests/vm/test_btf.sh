#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# The counters of machine checks, which some kernels tell the place of in their BTF, where that is true and where
# it is not.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

cpu_again() {
	online 1 0
	online 1 1
}

if ! grep -qs mce_poll_count /sys/kernel/btf/vmlinux; then
	echo "skip machine_checks_are_found_by_btf: this kernel's does not tell of them"
	cpu_again
	text-bracket text_is_equal_when_machine_checks_were_polled
	exit
fi

for label in MCE MCP; do
	expect ${label}_is_fresh fresh source-of $label
done
expect ERR_is_cached cached source-of ERR
cpu_again
text-bracket text_is_equal_when_machine_checks_were_polled

rmmod interrupts_bin
insmod /interrupts_bin_skewed.ko verify=1
for label in MCE MCP; do
	expect ${label}_is_cached_where_btf_is_wrong cached source-of $label
done
windows
text-bracket text_is_equal_where_btf_is_wrong
cpu_again
text-bracket text_is_equal_where_btf_is_wrong_when_machine_checks_were_polled
bracket counts_are_bracketed_where_btf_is_wrong 1
rmmod interrupts_bin
insmod $module
