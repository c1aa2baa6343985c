/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The arrays of something that has the shape of a snapshot, in one block. */
#ifndef IRQSTAT_ARRAYS_H
#define IRQSTAT_ARRAYS_H

#include "irqstat.h"

struct arrays {
	uint64_t *count;	/* where the block begins */
	uint64_t *online;
	struct irqstat_row *rows;
	uint32_t *cpu;
	uint8_t *cell_flags;
	size_t rows_cap;
	size_t entries_cap;
	size_t words_cap;
};

/* Contents are lost if it has to grow; on failure (ENOMEM) all is as before. */
int arrays_reserve(struct arrays *a, size_t n_rows, size_t n_entries,
		   uint32_t nr_cpu_ids);
void arrays_free(struct arrays *a);

/*
 * Makes *pub as @like, but with the rows and entries of @a, and of at least as
 * many possible CPUs: the cpu[] of these is below @nr_cpu_ids.
 */
void arrays_publish(const struct arrays *a, struct irqstat_snapshot *pub,
		    const struct irqstat_snapshot *like, uint32_t nr_cpu_ids,
		    size_t n_rows, size_t n_entries);

static inline size_t arrays_words(uint32_t nr_cpu_ids)
{
	return ((size_t)nr_cpu_ids + 63) / 64;
}

static inline uint64_t row_key(const struct irqstat_row *row)
{
	return (uint64_t)row->kind << 32 | row->id;
}

/* Was the machine started between the two? Not, as far as is known. */
static inline bool is_other_boot(uint64_t boot,
				 const struct irqstat_snapshot *snap)
{
	return boot && snap->boot && boot != snap->boot;
}

#endif /* IRQSTAT_ARRAYS_H */
