/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static size_t roomy(size_t n)
{
	return n + n / 4 + 16;
}

static int reserve_rows(struct snapshot *s, size_t n)
{
	if (n <= s->rows_cap)
		return 0;
	free(s->rows);
	s->rows_cap = 0;
	s->rows = malloc(roomy(n) * sizeof(*s->rows));
	if (!s->rows)
		return -1;
	s->rows_cap = roomy(n);
	return 0;
}

static int reserve_entries(struct snapshot *s, size_t n)
{
	if (n <= s->entries_cap)
		return 0;
	free(s->cpu);
	free(s->count);
	s->entries_cap = 0;
	s->cpu = malloc(roomy(n) * sizeof(*s->cpu));
	s->count = malloc(roomy(n) * sizeof(*s->count));
	if (!s->cpu || !s->count)
		return -1;
	s->entries_cap = roomy(n);
	return 0;
}

static int reserve_online(struct snapshot *s, size_t n)
{
	if (n <= s->online_cap)
		return 0;
	free(s->online);
	s->online_cap = 0;
	s->online = malloc(n * sizeof(*s->online));
	if (!s->online)
		return -1;
	s->online_cap = n;
	return 0;
}

int snapshot_reserve(struct snapshot *s, size_t n_rows, size_t n_entries,
		     size_t n_online_words)
{
	if (reserve_rows(s, n_rows) || reserve_entries(s, n_entries) ||
	    reserve_online(s, n_online_words))
		return -1;
	return 0;
}

static int extend(void *array, size_t size, size_t cap)
{
	void **p = array;
	void *larger = realloc(*p, cap * size);

	if (!larger)
		return -1;
	*p = larger;
	return 0;
}

int snapshot_extend(struct snapshot *s, size_t n, size_t n_more)
{
	size_t cap = roomy(n + n_more);

	if (n + n_more <= s->entries_cap)
		return 0;
	if (extend(&s->cpu, sizeof(*s->cpu), cap) ||
	    extend(&s->count, sizeof(*s->count), cap))
		return -1;
	s->entries_cap = cap;
	return 0;
}

void snapshot_free(struct snapshot *s)
{
	free(s->rows);
	free(s->cpu);
	free(s->count);
	free(s->online);
}

const struct irqstat_snapshot *irqstat_snapshot_get(const struct irqstat *is)
{
	return is->has_snapshot ? &is->snaps[is->cur].pub : NULL;
}

const struct irqstat_snapshot *
irqstat_snapshot_previous(const struct irqstat *is)
{
	return is->has_previous ? &is->snaps[is->cur ^ 1].pub : NULL;
}

const struct irqstat_row *
irqstat_snapshot_find(const struct irqstat_snapshot *snap, unsigned int kind,
		      uint32_t id)
{
	size_t lo = 0, hi = snap->n_rows;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct irqstat_row *row = &snap->rows[mid];

		if (row->kind == kind && row->id == id)
			return row;
		if (row->kind < kind || (row->kind == kind && row->id < id))
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

bool irqstat_snapshot_is_online(const struct irqstat_snapshot *snap,
				uint32_t cpu)
{
	return cpu < snap->nr_cpu_ids &&
	       (snap->online[cpu / 64] >> (cpu % 64) & 1);
}

int irqstat_next(struct irqstat *is, struct irqstat_entry *entry)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);
	const struct irqstat_row *row;

	if (!snap) {
		errno = EINVAL;
		return -1;
	}
	if (is->entry == snap->n_entries)
		return 0;
	row = &snap->rows[is->row];
	while (is->entry == (size_t)row->first + row->n) {
		row++;
		is->row++;
	}
	entry->kind = row->kind;
	entry->id = row->id;
	entry->cpu = snap->cpu[is->entry];
	entry->row = (uint32_t)is->row;
	entry->count = snap->count[is->entry];
	is->entry++;
	return 1;
}

void irqstat_rewind(struct irqstat *is)
{
	is->row = 0;
	is->entry = 0;
}
