/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stddef.h>

#include "agent.h"

bool agent_open(struct agent *a, struct irqstat *is, const char *nodes)
{
	a->is = is;
	a->differ = irqstat_differ_new();
	a->totals = irqstat_totals_new();
	a->sel = irqstat_select_new();
	a->adder = irqstat_adder_new();
	a->topology = irqstat_topology_new(nodes);
	return is && a->differ && a->totals && a->sel && a->adder && a->topology &&
	       !irqstat_select_rows(a->sel, "1-40,LOC") &&
	       !irqstat_select_exclude(a->sel, "^usb");
}

void agent_close(struct agent *a)
{
	irqstat_close(a->is);
	irqstat_differ_free(a->differ);
	irqstat_totals_free(a->totals);
	irqstat_select_free(a->sel);
	irqstat_adder_free(a->adder);
	irqstat_topology_free(a->topology);
}

uint64_t agent_sample(const struct agent *a)
{
	const struct irqstat_snapshot *counts;
	const struct irqstat_delta *delta;
	const struct irqstat_descs *descs;

	if (irqstat_read(a->is))
		return UINT64_MAX;
	descs = irqstat_descs_get(a->is);
	if (irqstat_totals_add(a->totals, irqstat_snapshot_get(a->is)) ||
	    irqstat_select_resolve(a->sel, descs))
		return UINT64_MAX;
	irqstat_sums_by_action(a->adder, irqstat_totals_get(a->totals), descs);
	irqstat_sums_by_label(a->adder, irqstat_totals_get(a->totals), descs);
	if (!irqstat_snapshot_previous(a->is))
		return 0;
	delta = irqstat_delta_make(a->differ, irqstat_snapshot_previous(a->is),
				   irqstat_snapshot_get(a->is));
	if (!delta)
		return UINT64_MAX;
	counts = irqstat_select_filter(a->sel, delta->counts);
	irqstat_sums_by_node(a->adder, counts, a->topology);
	return irqstat_sums_by_cpu(a->adder, counts)->total;
}
