/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Metrics as text: OpenMetrics 1.0.0 or the classic format 0.0.4. Names are
 * given without _total and _info, which what is put here adds.
 */
#ifndef EXPOSITION_H
#define EXPOSITION_H

#include "page.h"

struct exposition {
	struct page page;
	bool is_openmetrics;
};

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_INFO };

struct metric {
	const char *name;
	const char *help;	/* without backslashes, quotes and newlines */
	enum metric_type type;
};

/* metric_suffix - what the names of its samples end with */
const char *metric_suffix(const struct metric *metric);

/* The lines in front of the samples. */
void exposition_begin(struct exposition *e, const struct metric *metric);

/* Sample by sample; @labels as key="value", NULL if there are none. */
void exposition_number(struct exposition *e, const struct metric *metric,
		       const char *labels, uint64_t value);
void exposition_seconds(struct exposition *e, const struct metric *metric,
			const char *labels, uint64_t ns);

void exposition_end(struct exposition *e);

/* The Content-Type of a page. */
const char *exposition_type(bool is_openmetrics);

#endif /* EXPOSITION_H */
