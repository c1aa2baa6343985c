/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A machine with one line, its row and one open: what most tests need. */
#ifndef ONE_H
#define ONE_H

#include "reader.h"

#define ONE_IRQ 33

struct one {
	struct line line;
	struct irqbin_row *row;
	struct reader reader;
	u64 now_s;
};

extern struct one one;

void one_start(unsigned int nr_cpus, enum flow flow);
void one_stop(void);

/* A new snapshot, a second after the last. */
void one_take(void);

/* The same for a reader of its own, that remembers nothing. */
void one_take_fresh(void);

/* Asserts that the last snapshot's record holds these counts and no more. */
void one_expect(const struct irqbin_count *counts, unsigned int num);

#define expect_counts(...)						\
	one_expect((const struct irqbin_count[]){ __VA_ARGS__ },	\
		   sizeof((const struct irqbin_count[]){ __VA_ARGS__ }) /	\
		   sizeof(struct irqbin_count))
#define expect_nothing() one_expect(NULL, 0)

/* Asserts what the last pass has cost. */
#define expect_cost(n_cells, n_scans, n_copies)				\
	do {								\
		ck_assert_uint_eq(one.reader.pass.cost.cells, n_cells);	\
		ck_assert_uint_eq(one.reader.pass.cost.scans, n_scans);	\
		ck_assert_uint_eq(one.reader.pass.cost.copies, n_copies);	\
	} while (0)

#endif /* ONE_H */
