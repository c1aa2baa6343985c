/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdio.h>

#include "../reason.h"
#include "journal.h"
#include "options.h"

static void tell_feed(struct journal *j, size_t i)
{
	const struct feed *feed = &j->exporter->feeds[i];

	if (feed->error == j->errors[i])
		return;
	j->errors[i] = feed->error;
	complain(feed->path ? feed->path : IRQSTAT_TEXT_PATH,
		 feed->error ? reason_of(feed->error) : "can be read again");
}

static void tell_source(struct journal *j)
{
	const struct feed *feed = &j->exporter->feeds[SUBJECT_INTERRUPTS];
	int err;

	if (feed->error)
		return;
	err = irqstat_source_errno(feed->is);
	if (err == j->source_errno)
		return;
	j->source_errno = err;
	if (err)
		fprintf(stderr, PROGRAM ": %s: %s: reading %s\n", IRQSTAT_PATH,
			reason_of(err), IRQSTAT_TEXT_PATH);
	else
		complain(IRQSTAT_PATH, "can be read again");
}

void journal_tell(struct journal *journal)
{
	size_t i;

	for (i = 0; i < N_SUBJECTS; i++)
		tell_feed(journal, i);
	if (journal->tells_source)
		tell_source(journal);
}
