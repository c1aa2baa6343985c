/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "cmd.h"

static bool has_online_count(const struct irqstat_snapshot *snap, const struct irqstat_row *row)
{
	uint32_t i;

	for (i = row->first; i < row->first + row->n; i++) {
		if (irqstat_snapshot_is_online(snap, snap->cpu[i]))
			return true;
	}
	return false;
}

/* Does /proc/interrupts show it? */
static bool is_shown(const struct feed *feed, const struct irqstat_desc *desc)
{
	const struct irqstat_row *row;

	if (desc->flags & IRQSTAT_DESC_SHOWN)
		return true;
	row = irqstat_snapshot_find(feed->snap, desc->kind, desc->id);
	if (!row)
		return false;
	if (desc->flags & IRQSTAT_DESC_SHOWN_COUNTED)
		return row->n;
	return (desc->flags & IRQSTAT_DESC_SHOWN_ONLINE) && has_online_count(feed->snap, row);
}

static bool is_hidden(const struct view *view, const struct item *item)
{
	if (view->hides_idle && view->feed->step && (!item->step || !item->step->total))
		return true;
	return (item->total ? item->total->total : 0) < view->feed->options->threshold;
}

static void add(struct view *view, unsigned int kind, uint32_t id, const struct irqstat_desc *desc)
{
	const struct feed *feed = view->feed;
	struct item *item = &view->items[view->n_items];

	*item = (struct item){
		.desc = desc,
		.total = irqstat_snapshot_find(feed->total, kind, id),
		.step = feed->step ? irqstat_snapshot_find(feed->step, kind, id) : NULL,
		.kind = kind,
		.id = id,
		.order = view->n_items,
	};
	if (!is_hidden(view, item))
		view->n_items++;
}

static int reserve(struct view *view, size_t n)
{
	struct item *items;

	if (n <= view->cap)
		return EXIT_SUCCESS;
	items = realloc(view->items, n * sizeof(*items));
	if (!items)
		return out_of_memory();
	view->items = items;
	view->cap = n;
	return EXIT_SUCCESS;
}

int view_fill(struct view *view, const struct feed *feed)
{
	const struct irqstat_descs *descs = feed->descs;
	const struct irqstat_select *select = feed->options->select[0];
	const struct irqstat_row *row;
	size_t i;

	view->feed = feed;
	view->format = feed->options->format;
	view->n_items = 0;
	if (reserve(view, descs->n_descs + feed->total->n_rows))
		return EXIT_FAILURE;
	for (i = 0; i < descs->n_descs; i++) {
		const struct irqstat_desc *desc = &descs->descs[i];

		row = irqstat_snapshot_find(feed->snap, desc->kind, desc->id);
		if (row && irqstat_descs_row(descs, row) != desc)
			continue;
		if ((feed->options->is_all || is_shown(feed, desc)) &&
		    irqstat_select_has_desc(select, desc))
			add(view, desc->kind, desc->id, desc);
	}
	/* What was set up between the reads of counters and descriptors has no name yet. */
	for (row = feed->total->rows; row < feed->total->rows + feed->total->n_rows; row++) {
		if (!irqstat_descs_row(descs, row))
			add(view, row->kind, row->id, NULL);
	}
	return EXIT_SUCCESS;
}

void view_free(struct view *view)
{
	free(view->items);
}
