#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Reads of which a copy to user memory fails in the middle.

faults=/sys/kernel/debug

# Copies alone: not what may wait for memory, too.
echo 0 >$faults/fail_usercopy/verbose
echo Y >$faults/failslab/ignore-gfp-wait
echo Y >$faults/fail_page_alloc/ignore-gfp-wait
usercopy
