/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IRQBIN_COLLECT_H
#define IRQBIN_COLLECT_H

#ifdef __KERNEL__
#include "border.h"
#else
#include "border_user.h"
#endif

/*
 * Totals of 32 bits, and the sums that are compared with them, are told apart
 * only while fewer than 2^32 interrupts can have happened in between. No line
 * manages that in an hour.
 */
#define IRQBIN_PROOF_VALID_S	3600

/*
 * One interrupt instance, shared by all opens. @seen is the set of CPUs whose
 * cell was ever seen non-zero: first a level with one bit for each word that is
 * not empty, then the words. Bits are only ever added.
 */
struct irqbin_row {
	struct irqbin_line line;
	u64 instance;
	u64 proven_s;		/* when the unseen cells were last known zero; 0: never */
	u32 irq;
	bool mixed;		/* cells and total don't agree on this line */
	unsigned int refs;	/* table.c */
	unsigned long seen[];
};

/* What an open remembers of a row's record in its last snapshot. */
struct irqbin_mark {
	u64 instance;
	u64 total;
	u32 irq;
	u32 at;			/* of the record, in words from the window's start, even if none */
	u16 words;		/* header included; 0: no record */
	bool proven;		/* all that the total counts is in the record */
};

/* Where a snapshot is written. */
struct irqbin_out {
	u64 *word;
	size_t used;		/* words */
	size_t size;
	u32 n_records;
};

/* What a pass has cost. */
struct irqbin_cost {
	u64 cells;		/* read, of interrupts */
	u64 scans;		/* rows of which every cell was read */
	u64 copies;		/* records taken over from the last snapshot */
	u64 checked;		/* rows that were verified */
	u64 mismatches;
	u64 in_flight;		/* allowed: increments whose total was still to come */
};

/* One pass over the rows for one open. */
struct irqbin_pass {
	unsigned int nr_cpus;		/* nr_cpu_ids */
	u64 instance_base;
	u64 now_s;
	struct irqbin_out *out;
	struct irqbin_mark *marks;	/* where the next is written, old_marks or before them */
	const u64 *old;			/* the words of the last snapshot ... */
	const struct irqbin_mark *old_marks;	/* ... and its marks still of use */
	unsigned int n_old_marks;
	u32 *cells;			/* nr_cpus, to verify; NULL: don't */
	struct irqbin_cost cost;
};

size_t irqbin_row_size(unsigned int nr_cpus);
size_t irqbin_record_max(unsigned int nr_cpus);

void irqbin_record_begin(struct irqbin_out *out, u8 type, u32 id);
void irqbin_record_add(struct irqbin_out *out, u64 word);
u16 irqbin_record_end(struct irqbin_out *out, size_t at, u8 flags);

unsigned int irqbin_rows_collect(struct irqbin_pass *pass, struct irqbin_row *const *rows,
				 unsigned int num);

static inline u64 irqbin_count_word(u32 cpu, u32 count)
{
	const struct irqbin_count pair = { .cpu = cpu, .count = count };
	u64 word;

	memcpy(&word, &pair, sizeof(word));
	return word;
}

#endif /* IRQBIN_COLLECT_H */
