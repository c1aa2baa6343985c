/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "render.h"

static char out[1 << 20];
static size_t out_len;

__attribute__((format(printf, 1, 2)))
static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	out_len += (size_t)vsnprintf(out + out_len, sizeof(out) - out_len,
				     format, args);
	va_end(args);
	if (out_len >= sizeof(out))
		abort();
}

static void put_irq(const struct irqstat_desc *d)
{
	size_t i;

	put("%u", d->id);
	if (d->chip.bytes)
		put(" %s", d->chip.bytes);
	if (d->flags & IRQSTAT_DESC_HWIRQ)
		put(" #%" PRIu64, d->hwirq);
	if (d->trigger & IRQSTAT_TRIGGER_EDGE)
		put(" Edge");
	if (d->trigger & IRQSTAT_TRIGGER_LEVEL)
		put(" Level");
	if (d->flow.bytes)
		put(" -%s", d->flow.bytes);
	for (i = 0; i < d->n_actions; i++)
		put("%s{%s}", i ? "" : " ", d->actions[i].bytes ? d->actions[i].bytes : "?");
}

static void put_other(const struct irqstat_desc *d)
{
	const char *text = d->text.bytes;

	while (*text == ' ')
		text++;
	put("%s \"%s\"", d->label.bytes, text);
}

static void put_counts(const struct irqstat_snapshot *snap, const struct irqstat_row *row)
{
	size_t i;

	for (i = row->first; i < row->first + row->n; i++) {
		if (snap->cpu[i] == IRQSTAT_CPU_NONE)
			put(" *:%" PRIu64, snap->count[i]);
		else
			put(" %u:%" PRIu64, snap->cpu[i], snap->count[i]);
	}
}

const char *render(const struct irqstat_snapshot *snap, const struct irqstat_descs *descs)
{
	size_t i;

	out_len = 0;
	out[0] = '\0';
	for (i = 0; i < descs->n_descs; i++) {
		const struct irqstat_desc *d = &descs->descs[i];
		const struct irqstat_row *row = irqstat_snapshot_find(snap, d->kind, d->id);

		if (d->kind == IRQSTAT_IRQ)
			put_irq(d);
		else
			put_other(d);
		if (d->flags & IRQSTAT_DESC_UNCOUNTED)
			put(" none");
		if (d->flags & IRQSTAT_DESC_AGGREGATE)
			put(" sum");
		if (row)
			put_counts(snap, row);
		put("\n");
	}
	return out;
}
