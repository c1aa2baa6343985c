/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * One cell's step from one snapshot to a later one: irqstat.h has the rules, at
 * "Deltas".
 */
#ifndef IRQSTAT_STEP_H
#define IRQSTAT_STEP_H

#include "irqstat.h"

struct steps {
	uint64_t mask;
	uint64_t half;
	uint64_t wrap_max;	/* what goes further is no wrap */
	bool instances;		/* both tell restarts by them */
};

struct step {
	uint64_t count;
	unsigned int flags;	/* IRQSTAT_CELL_* */
};

#define STEP_RATE_MAX ((uint64_t)1 << 24)	/* of one cell, per second */

static inline void steps_init(struct steps *s, unsigned int count_bits,
			      bool instances, uint64_t interval_ns)
{
	uint64_t seconds = interval_ns / 1000000000 + 1;

	s->mask = count_bits < 64 ? ((uint64_t)1 << count_bits) - 1 : UINT64_MAX;
	s->half = s->mask / 2 + 1;
	s->wrap_max = s->half - 1;
	s->instances = instances;
	if (!instances && seconds < s->half / STEP_RATE_MAX)
		s->wrap_max = seconds * STEP_RATE_MAX;
}

static inline bool step_is_fall(const struct steps *s, uint64_t was,
				uint64_t now)
{
	return now < was && ((now - was) & s->mask) > s->wrap_max;
}

static inline struct step step_take(const struct steps *s, uint64_t was,
				    uint64_t now)
{
	uint64_t forward = (now - was) & s->mask;

	if (now >= was && forward < s->half)
		return (struct step){ forward, 0 };
	if (now < was && forward <= s->wrap_max)
		return (struct step){ forward, IRQSTAT_CELL_WRAPPED };
	if (now < was / 2 && !s->instances)
		return (struct step){ now, IRQSTAT_CELL_RESTARTED };
	return (struct step){ 0, IRQSTAT_CELL_BACKWARD };
}

/* What a row is to be marked with, of those whose cells have these flags. */
static inline unsigned int step_row_flags(unsigned int flags)
{
	return (flags & IRQSTAT_CELL_RESTARTED ? IRQSTAT_ROW_RESTARTED : 0) |
	       (flags & IRQSTAT_CELL_WRAPPED ? IRQSTAT_ROW_WRAPPED : 0) |
	       (flags & IRQSTAT_CELL_BACKWARD ? IRQSTAT_ROW_BACKWARD : 0);
}

#define STEP_ROW_FLAGS (IRQSTAT_ROW_RESTARTED | IRQSTAT_ROW_WRAPPED | \
			IRQSTAT_ROW_BACKWARD)

#endif /* IRQSTAT_STEP_H */
