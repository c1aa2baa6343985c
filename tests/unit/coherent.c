/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "coherent.h"

#define MUST(condition)						\
	do {							\
		if (!(condition))				\
			return "not so: " #condition;		\
	} while (0)

static const char *row_fault(const struct irqstat_snapshot *snap, size_t i)
{
	const struct irqstat_row *row = &snap->rows[i];
	uint64_t total = 0;
	size_t at;

	if (i) {
		const struct irqstat_row *last = row - 1;

		MUST(last->kind < row->kind || (last->kind == row->kind && last->id < row->id));
	}
	MUST(row->n || row->flags & (IRQSTAT_ROW_CACHED | IRQSTAT_ROW_UNAVAILABLE));
	for (at = row->first; at < (size_t)row->first + row->n; at++) {
		MUST(snap->count[at] != 0);
		MUST(snap->count_bits == 64 || snap->count[at] <= UINT32_MAX);
		total += snap->count[at];
		if (row->n == 1 && snap->cpu[at] == IRQSTAT_CPU_NONE)
			continue;
		MUST(snap->cpu[at] < snap->nr_cpu_ids);
		MUST(snap->source != IRQSTAT_SOURCE_TEXT ||
		     irqstat_snapshot_is_online(snap, snap->cpu[at]));
		MUST(at == row->first || snap->cpu[at - 1] < snap->cpu[at]);
	}
	MUST(row->total == total);
	MUST(irqstat_snapshot_find(snap, row->kind, row->id) == row);
	return NULL;
}

const char *snapshot_fault(const struct irqstat_snapshot *snap)
{
	size_t i, n_entries = 0, n_online = 0;
	uint32_t cpu;

	for (i = 0; i < snap->n_rows; i++) {
		const char *fault;

		MUST(snap->rows[i].first == n_entries);
		n_entries += snap->rows[i].n;
		MUST(n_entries <= snap->n_entries);
		fault = row_fault(snap, i);
		if (fault)
			return fault;
	}
	MUST(n_entries == snap->n_entries);
	for (cpu = 0; cpu < snap->nr_cpu_ids; cpu++)
		n_online += irqstat_snapshot_is_online(snap, cpu);
	MUST(n_online == snap->n_online);
	return NULL;
}

/* Reads all of it, for those who watch what is read. */
static const char *string_fault(const struct irqstat_string *s)
{
	volatile unsigned char byte;
	size_t i;

	for (i = 0; i < s->len; i++)
		byte = (unsigned char)s->bytes[i];
	(void)byte;
	MUST(s->bytes ? s->bytes[s->len] == '\0' : !s->len);
	return NULL;
}

static const char *desc_fault(const struct irqstat_desc *d)
{
	const struct irqstat_string *strings[] = { &d->label, &d->text, &d->chip, &d->flow };
	const char *fault = NULL;
	size_t i;

	for (i = 0; i < 4 && !fault; i++)
		fault = string_fault(strings[i]);
	for (i = 0; i < d->n_actions && !fault; i++)
		fault = string_fault(&d->actions[i]);
	return fault;
}

const char *descs_fault(const struct irqstat_descs *descs)
{
	size_t i;

	for (i = 0; i < descs->n_descs; i++) {
		const struct irqstat_desc *d = &descs->descs[i];
		const char *fault = desc_fault(d);

		if (fault)
			return fault;
		MUST((d->kind == IRQSTAT_IRQ) == (i < descs->n_irqs));
		MUST(irqstat_descs_find(descs, d->kind, d->id) == d);
	}
	return NULL;
}
