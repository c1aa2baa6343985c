/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"

static size_t roomy(size_t n, size_t cap)
{
	return n <= cap ? cap : n + n / 4 + 16;
}

int arrays_reserve(struct arrays *a, size_t n_rows, size_t n_entries,
		   uint32_t nr_cpu_ids)
{
	size_t n_words = arrays_words(nr_cpu_ids);
	size_t rows = roomy(n_rows, a->rows_cap);
	size_t entries = roomy(n_entries, a->entries_cap);
	size_t words = roomy(n_words, a->words_cap);
	uint64_t *block;

	if (rows == a->rows_cap && entries == a->entries_cap &&
	    words == a->words_cap)
		return 0;
	block = malloc(entries * (8 + 4 + 1) + words * 8 +
		       rows * sizeof(*a->rows));
	if (!block)
		return -1;
	free(a->count);
	a->count = block;
	a->online = a->count + entries;
	a->rows = (struct irqstat_row *)(a->online + words);
	a->cpu = (uint32_t *)(a->rows + rows);
	a->cell_flags = (uint8_t *)(a->cpu + entries);
	a->rows_cap = rows;
	a->entries_cap = entries;
	a->words_cap = words;
	return 0;
}

void arrays_free(struct arrays *a)
{
	free(a->count);
}

void arrays_publish(const struct arrays *a, struct irqstat_snapshot *pub,
		    const struct irqstat_snapshot *like, uint32_t nr_cpu_ids,
		    size_t n_rows, size_t n_entries)
{
	size_t words = arrays_words(nr_cpu_ids);
	size_t given = arrays_words(like->nr_cpu_ids);

	if (given)
		memcpy(a->online, like->online, given * 8);
	if (given < words)
		memset(a->online + given, 0, (words - given) * 8);
	*pub = *like;
	pub->nr_cpu_ids = nr_cpu_ids;
	pub->online = a->online;
	pub->n_rows = n_rows;
	pub->n_entries = n_entries;
	pub->rows = a->rows;
	pub->cpu = a->cpu;
	pub->count = a->count;
}

static void copy_entries(const struct arrays *a,
			 const struct irqstat_snapshot *snap)
{
	if (!snap->n_entries)
		return;
	memcpy(a->cpu, snap->cpu, snap->n_entries * sizeof(*a->cpu));
	memcpy(a->count, snap->count, snap->n_entries * sizeof(*a->count));
	if (snap->cell_flags)
		memcpy(a->cell_flags, snap->cell_flags, snap->n_entries);
}

struct copy {
	struct irqstat_snapshot pub;
	struct arrays arrays;
};

struct irqstat_snapshot *irqstat_snapshot_dup(const struct irqstat_snapshot *snap)
{
	struct copy *copy = calloc(1, sizeof(*copy));
	const struct arrays *a;

	if (!copy)
		return NULL;
	a = &copy->arrays;
	if (arrays_reserve(&copy->arrays, snap->n_rows, snap->n_entries,
			   snap->nr_cpu_ids)) {
		free(copy);
		return NULL;
	}
	if (snap->n_rows)
		memcpy(a->rows, snap->rows, snap->n_rows * sizeof(*a->rows));
	copy_entries(a, snap);
	arrays_publish(a, &copy->pub, snap, snap->nr_cpu_ids, snap->n_rows,
		       snap->n_entries);
	if (snap->cell_flags)
		copy->pub.cell_flags = a->cell_flags;
	return &copy->pub;
}

void irqstat_snapshot_free(struct irqstat_snapshot *copy)
{
	if (!copy)
		return;
	arrays_free(&((struct copy *)copy)->arrays);
	free(copy);
}
