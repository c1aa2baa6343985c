/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The NUMA nodes of the machine, which may get CPUs that it did not have. */
#ifndef NODES_H
#define NODES_H

#include <irqstat.h>

struct nodes {
	struct irqstat_topology *topology;	/* NULL: nobody asked for it */
	uint32_t n_online;			/* when it was last read anew */
};

/* nodes_init - 0, or -1 with the errno of irqstat_topology_new() */
int nodes_init(struct nodes *nodes);
void nodes_free(struct nodes *nodes);

/* nodes_follow - read anew where CPUs are, if there is one that was not known */
void nodes_follow(struct nodes *nodes, const struct irqstat_snapshot *snap);

#endif /* NODES_H */
