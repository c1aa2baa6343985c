/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The metrics of interrupts and softirqs: which there are, and their samples. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include <irqstat.h>

#include "exposition.h"
#include "labels.h"
#include "nodes.h"
#include "view.h"

/* What counts are added up to; several at once are possible. */
enum series {
	SERIES_ROWS = 0x1,		/* by row */
	SERIES_CPUS = 0x2,		/* by CPU */
	SERIES_NODES = 0x4,		/* by NUMA node */
	SERIES_ROWS_BY_NODE = 0x8,
	SERIES_ROWS_BY_CPU = 0x10,
	SERIES_NODE_EXPORTER = 0x20,	/* by row and CPU, as it calls them */
};

/* What counts. */
enum subject { SUBJECT_INTERRUPTS, SUBJECT_SOFTIRQS };

struct families {
	unsigned int series;		/* enum series */
	bool with_zeros;
	uint64_t max;			/* of series, UINT64_MAX: none */
	struct nodes nodes;		/* if there are series by them */
	struct irqstat_adder *adder;
	struct labels rows[2];		/* by enum subject */
	struct labels node_exporter[2];

	uint64_t put;			/* series put since the page began */
	uint64_t omitted;		/* and those that were too many */
};

/* families_init - 0, or -1 with the errno of irqstat_topology_new() */
int families_init(struct families *families, unsigned int series);
void families_free(struct families *families);

void families_begin(struct families *families);

/* families_put - all of one subject: 0, or -1 with ENOMEM */
int families_put(struct families *families, struct exposition *e,
		 enum subject subject, const struct view *view);

#endif /* FAMILIES_H */
