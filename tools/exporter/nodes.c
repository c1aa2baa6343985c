/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A CPU that is on no node is looked for once, and again when others come. */
#include "nodes.h"

int nodes_init(struct nodes *nodes)
{
	*nodes = (struct nodes){ irqstat_topology_new(NULL), 0 };
	return nodes->topology ? 0 : -1;
}

void nodes_free(struct nodes *nodes)
{
	irqstat_topology_free(nodes->topology);
}

static bool has_stranger(const struct nodes *nodes,
			 const struct irqstat_snapshot *snap)
{
	uint32_t cpu;

	for (cpu = 0; cpu < snap->nr_cpu_ids; cpu++) {
		if (irqstat_snapshot_is_online(snap, cpu) &&
		    irqstat_topology_node(nodes->topology, cpu) ==
			    IRQSTAT_NODE_NONE)
			return true;
	}
	return false;
}

void nodes_follow(struct nodes *nodes, const struct irqstat_snapshot *snap)
{
	struct irqstat_topology *now;

	if (!nodes->topology || nodes->n_online == snap->n_online ||
	    !has_stranger(nodes, snap))
		return;
	nodes->n_online = snap->n_online;
	now = irqstat_topology_new(NULL);
	if (!now)
		return;
	irqstat_topology_free(nodes->topology);
	nodes->topology = now;
}
