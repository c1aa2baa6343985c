/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What is told on standard error of the feeds: changes, once. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "exporter.h"

struct journal {
	const struct exporter *exporter;
	bool tells_source;	/* also why the module is not read */
	int errors[N_SUBJECTS];	/* as last told */
	int source_errno;
};

/* journal_tell - what has changed since the last time */
void journal_tell(struct journal *journal);

#endif /* JOURNAL_H */
