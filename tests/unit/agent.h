/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* All that an agent may do with a sample, in one call. */
#ifndef AGENT_H
#define AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include <irqstat.h>

struct agent {
	struct irqstat *is;
	struct irqstat_differ *differ;
	struct irqstat_totals *totals;
	struct irqstat_select *sel;
	struct irqstat_adder *adder;
	struct irqstat_topology *topology;
};

/* The handle is the agent's from then on; @nodes as for irqstat_topology_new(). */
bool agent_open(struct agent *a, struct irqstat *is, const char *nodes);
void agent_close(struct agent *a);

/* What counted, of rows 1 to 40 and LOC but usb's; 0 the first time, UINT64_MAX: failed. */
uint64_t agent_sample(const struct agent *a);

#endif /* AGENT_H */
