#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# vm: --smp 4 --mem 1024 --qemu "-smp 4,sockets=2,cores=2,threads=1 -object memory-backend-ram,id=m0,size=512M -object memory-backend-ram,id=m1,size=384M -object memory-backend-ram,id=m2,size=128M -numa node,nodeid=0,cpus=0-1,memdev=m0 -numa node,nodeid=1,cpus=2-3,memdev=m1 -numa node,nodeid=2,memdev=m2"
#
# Sums of NUMA nodes, of which one has memory alone, and one loses a CPU.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

# NODE:COUNT of the one interrupt, since boot
sums() {
	irqstat cpu -m '^nodes-test$' -N ALL -J 2>&1 | grep -o '"node":[^,]*,"delta":[0-9]*' |
		sed 's/"node"://; s/,"delta"//' | xargs
}

insmod /irqload.ko irqs=1 || echo "not ok irqload_loads: exit code $?"
line add name=nodes-test chip=PCI-MSI still seed=1@0 seed=2@1 seed=30@2 seed=40@3
expect sums_are_those_of_nodes "0:3 1:70 2:0" sums
online 3 0
expect cpu_that_is_offline_counts_for_its_node "0:3 1:70 2:0" sums
rmmod irqload
