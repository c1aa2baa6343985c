/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef IRQSTAT_TOPOLOGY_H
#define IRQSTAT_TOPOLOGY_H

#include "irqstat.h"

struct irqstat_topology {
	uint32_t *nodes;	/* rising */
	size_t n_nodes;
	uint32_t *node_of;	/* by CPU number */
	size_t n_cpus;
};

#endif /* IRQSTAT_TOPOLOGY_H */
