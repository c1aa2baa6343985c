/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What /proc/interrupts would show, and what it has shown: a row stays when the
 * CPUs that it counted on have gone offline. Rows that are sums of others are
 * left out, as node_exporter does, which misses a text behind their counts.
 */
#include <stdlib.h>

#include "view.h"

#define SHOWN_IF_COUNTED (IRQSTAT_DESC_SHOWN | IRQSTAT_DESC_SHOWN_ONLINE | \
			  IRQSTAT_DESC_SHOWN_COUNTED)

void view_free(struct view *view)
{
	free(view->rows);
}

static int reserve(struct view *view, size_t n)
{
	if (n <= view->cap)
		return 0;
	free(view->rows);
	view->cap = 0;
	view->rows = malloc(n * sizeof(*view->rows));
	if (!view->rows)
		return -1;
	view->cap = n;
	return 0;
}

/* Of an interrupt that is gone, another may have the number now. */
static bool is_described(const struct irqstat_row *row,
			 const struct irqstat_desc *desc)
{
	return desc->kind != IRQSTAT_IRQ || row->instance == desc->instance ||
	       (row->flags & IRQSTAT_ROW_GONE);
}

static const struct irqstat_row *find_row(const struct view *view,
					  const struct irqstat_desc *desc,
					  size_t *next)
{
	const struct irqstat_snapshot *snap = view->snap;
	const struct irqstat_row *row;

	if (desc->kind != IRQSTAT_IRQ) {
		row = irqstat_snapshot_find(snap, desc->kind, desc->id);
	} else {
		while (*next < snap->n_rows &&
		       snap->rows[*next].kind == IRQSTAT_IRQ &&
		       snap->rows[*next].id < desc->id)
			++*next;
		row = &snap->rows[*next];
		if (*next == snap->n_rows || row->kind != IRQSTAT_IRQ ||
		    row->id != desc->id)
			return NULL;
	}
	return row && is_described(row, desc) ? row : NULL;
}

static void match_rows(struct view *view)
{
	size_t i, next = 0, described = 0;

	view->unavailable = 0;
	for (i = 0; i < view->descs->n_descs; i++) {
		const struct irqstat_row *row;

		row = find_row(view, &view->descs->descs[i], &next);
		view->rows[i] = row;
		if (!row || (row->flags & IRQSTAT_ROW_GONE))
			continue;
		described++;
		view->unavailable += !!(row->flags & IRQSTAT_ROW_UNAVAILABLE);
	}
	view->undescribed = 0;
	for (i = 0; i < view->snap->n_rows; i++)
		view->undescribed += !(view->snap->rows[i].flags & IRQSTAT_ROW_GONE);
	view->undescribed -= described;
}

int view_make(struct view *view, const struct irqstat_snapshot *totals,
	      const struct irqstat_descs *descs, struct irqstat_select *select)
{
	if (reserve(view, descs->n_descs) ||
	    irqstat_select_resolve(select, descs))
		return -1;
	view->snap = irqstat_select_filter(select, totals);
	if (!view->snap)
		return -1;
	view->descs = descs;
	view->select = select;
	match_rows(view);
	return 0;
}

bool view_is_shown(const struct view *view, size_t i, bool with_zeros)
{
	const struct irqstat_desc *desc = &view->descs->descs[i];

	if (desc->flags & (IRQSTAT_DESC_AGGREGATE | IRQSTAT_DESC_UNCOUNTED))
		return false;
	if (view->rows[i] && view->rows[i]->n)
		return desc->flags & SHOWN_IF_COUNTED;
	return with_zeros && (desc->flags & IRQSTAT_DESC_SHOWN) &&
	       irqstat_select_has_desc(view->select, desc);
}

void view_cells_begin(struct view_cells *cells, const struct view *view,
		      size_t i, bool with_zeros)
{
	const struct irqstat_row *row = view->rows[i];
	bool is_single = view->descs->descs[i].flags & IRQSTAT_DESC_SINGLE;

	*cells = (struct view_cells){ .view = view };
	if (row) {
		cells->entry = row->first;
		cells->end = row->first + row->n;
	}
	if (with_zeros && !is_single)
		cells->n_cpus = view->snap->nr_cpu_ids;
}

/* The next CPU that is online, and selected. */
static uint32_t find_cpu(const struct view_cells *cells)
{
	const struct view *view = cells->view;
	uint32_t cpu = cells->cpu;

	while (cpu < cells->n_cpus &&
	       (!irqstat_snapshot_is_online(view->snap, cpu) ||
		!irqstat_select_has_cpu(view->select, cpu)))
		cpu++;
	return cpu < cells->n_cpus ? cpu : IRQSTAT_CPU_NONE;
}

bool view_cells_next(struct view_cells *cells, struct view_cell *cell)
{
	const struct irqstat_snapshot *snap = cells->view->snap;
	bool has_entry = cells->entry < cells->end;
	uint32_t cpu = find_cpu(cells);

	if (has_entry && snap->cpu[cells->entry] <= cpu) {
		cell->cpu = snap->cpu[cells->entry];
		cell->count = snap->count[cells->entry];
		cells->entry++;
	} else if (cpu != IRQSTAT_CPU_NONE) {
		*cell = (struct view_cell){ cpu, 0 };
	} else {
		return false;
	}
	cells->cpu = cell->cpu == IRQSTAT_CPU_NONE ? cells->n_cpus : cell->cpu + 1;
	return true;
}
