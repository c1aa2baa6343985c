/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Counters that are read at each scrape, from a source that may come and go.
 * What was counted is kept: counters never fall, whatever the source does, but
 * when a file whose rows have other names takes the place of another.
 */
#ifndef FEED_H
#define FEED_H

#include <irqstat.h>

struct feed {
	const char *path;	/* NULL: the module, or else the text */
	struct irqstat *is;
	struct irqstat_totals *totals;
	const struct irqstat_descs *descs;	/* of the totals */
	int error;		/* errno of the last read, 0: it succeeded */

	uint64_t tried_ns;	/* when the module was last looked for */
	uint64_t reads;
	uint64_t errors;
	uint64_t restarts;	/* rows that counted from 0 again */
	uint64_t bytes;
	uint64_t read_ns;
};

/* feed_init - 0, or -1 with ENOMEM; opens nothing yet */
int feed_init(struct feed *feed, const char *path);
void feed_free(struct feed *feed);

/*
 * feed_read - count on
 *
 * Returns 0; or -1, and why in feed->error: totals and descs are then not those
 * of now. Opens what is not open.
 */
int feed_read(struct feed *feed);

/* feed_totals - what was counted, NULL if nothing ever was */
const struct irqstat_snapshot *feed_totals(const struct feed *feed);

#endif /* FEED_H */
