/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>

#include "exporter.h"
#include "self.h"

void exporter_free(struct exporter *exporter)
{
	size_t i;

	for (i = 0; i < N_SUBJECTS; i++) {
		feed_free(&exporter->feeds[i]);
		irqstat_select_free(exporter->selects[i]);
		view_free(&exporter->views[i]);
	}
	families_free(&exporter->families);
}

static int put_subject(struct exporter *x, struct exposition *e,
		       enum subject subject)
{
	struct feed *feed = &x->feeds[subject];
	struct view *view = &x->views[subject];

	if (feed_read(feed))
		return feed->error == ENOMEM ? -1 : 0;
	if (view_make(view, feed_totals(feed), feed->descs, x->selects[subject]))
		return -1;
	return families_put(&x->families, e, subject, view);
}

int exporter_put(struct exporter *exporter, struct exposition *e)
{
	struct exporter *x = exporter;
	size_t i, n = x->has_softirqs ? N_SUBJECTS : 1;

	families_begin(&x->families);
	for (i = 0; i < n; i++) {
		if (put_subject(x, e, (enum subject)i))
			return -1;
	}
	self_put(x, e);
	exposition_end(e);
	if (e->page.failed) {
		errno = ENOMEM;
		return -1;
	}
	return 0;
}
