/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef IRQSTAT_SUMS_H
#define IRQSTAT_SUMS_H

#include "irqstat.h"

/* sums.c */

struct by_number {
	struct irqstat_sums pub;
	struct irqstat_sum *sums;
	size_t cap;
};

/* sums_by_name.c */

struct by_name {
	struct irqstat_sums pub;
	struct irqstat_descs descs;	/* what follows is of these */
	struct irqstat_sum *sums;
	struct member *members;
	size_t n_members;
	char *bytes;
};

void by_name_free(struct by_name *by);

struct irqstat_adder {
	struct by_number cpus;
	struct by_number nodes;
	struct by_name actions;
	struct by_name labels;
	uint64_t *counts;	/* by CPU, the last of none */
	size_t counts_cap;
};

#endif /* IRQSTAT_SUMS_H */
