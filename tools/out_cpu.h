/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Rates of CPUs and nodes, as tables or as one document. */
#ifndef OUT_CPU_H
#define OUT_CPU_H

#include "cmd.h"

struct cpu_report {
	const struct options *options;
	struct feed *interrupts;	/* NULL: not wanted */
	struct feed *softirqs;		/* NULL: not wanted */
	struct view views[2];
	struct irqstat_adder *adder;
	struct irqstat_topology *topology;	/* NULL: no nodes are wanted */
	const char *title;	/* instead of the time; NULL: the time */
	bool has_rates;		/* the time in which it was counted is known */
};

int cpu_print(struct cpu_report *report);

#endif /* OUT_CPU_H */
