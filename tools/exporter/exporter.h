/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Feeds made into pages of metrics: what HTTP, files and standard output share. */
#ifndef EXPORTER_H
#define EXPORTER_H

#include "families.h"
#include "feed.h"

#define N_SUBJECTS 2

struct exporter {
	struct feed feeds[N_SUBJECTS];	/* by enum subject */
	struct irqstat_select *selects[N_SUBJECTS];
	struct view views[N_SUBJECTS];
	bool has_softirqs;
	uint64_t start_ns;	/* of this process, since 1970; 0: don't tell of it */
	struct families families;
};

void exporter_free(struct exporter *exporter);

/*
 * exporter_put - read the feeds and make a page of them
 *
 * Sources that can't be read are no failure, but a metric that says so: look at
 * feeds[].error. Returns 0, or -1 with ENOMEM.
 */
int exporter_put(struct exporter *exporter, struct exposition *e);

#endif /* EXPORTER_H */
