/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Snapshots of the library, held against each other. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include <irqstat.h>

#include "report.h"

/* A self-contained copy; ends the program if there is no memory. */
static inline struct irqstat_snapshot *copy_of(struct irqstat *is)
{
	const struct irqstat_snapshot *last = irqstat_snapshot_get(is);
	struct irqstat_snapshot *copy = last ? irqstat_snapshot_dup(last) : NULL;

	if (!copy)
		abort();
	return copy;
}

static inline uint32_t cell_of(const struct irqstat_snapshot *snap, const struct irqstat_row *row,
			       uint32_t cpu)
{
	const struct irqstat_row *other = irqstat_snapshot_find(snap, row->kind, row->id);
	uint32_t i;

	for (i = 0; other && i < other->n; i++)
		if (snap->cpu[other->first + i] == cpu)
			return (uint32_t)snap->count[other->first + i];
	return 0;
}

/* NULL, or the first cell of @ours that is not between those of two others, modulo 2^32. */
static inline const char *lies_between(const struct irqstat_snapshot *before,
				       const struct irqstat_snapshot *ours,
				       const struct irqstat_snapshot *after)
{
	size_t i, j;

	for (i = 0; i < after->n_rows; i++) {
		const struct irqstat_row *row = &after->rows[i];

		for (j = row->first; j < (size_t)row->first + row->n; j++) {
			const uint32_t cpu = after->cpu[j], to = (uint32_t)after->count[j];
			const uint32_t from = cell_of(before, row, cpu);
			const uint32_t count = cell_of(ours, row, cpu);

			if (count - from > to - from)
				return why("kind %u id %u CPU %u: %u, not between %u and %u",
					   row->kind, row->id, cpu, count, from, to);
		}
	}
	return NULL;
}

#endif
