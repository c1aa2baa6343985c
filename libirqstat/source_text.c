/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A text is read to its end, which only a read of 0 bytes shows. The kernel
 * makes it row by row as it is read, so one in which CPUs came or went must be
 * read anew.
 */
#include <errno.h>

#include "internal.h"

#define TEXT_MAX ((size_t)1 << 30)

static int is_complete(struct window *w)
{
	if (w->len == 0) {
		errno = ENODATA;
		return -1;
	}
	if ((w->n_last == 0 || w->len >= SOURCE_ENOUGH) &&
	    (w->len > TEXT_MAX || !text_begins(w->data, w->len))) {
		errno = EBADMSG;
		return -1;
	}
	if (w->n_last == 0)
		return 0;
	if (w->len == w->cap && window_extend(w, 2 * w->cap))
		return -1;
	return 1;
}

static int take(struct irqstat *is, struct snapshot *s)
{
	struct window *w = &is->window;
	int ret = is_complete(w);

	if (ret)
		return ret;
	if (text_parse(&is->text, w->data, w->len, s))
		return -1;
	is->raw = (struct span){ w->data, w->len };
	s->pub.time_ns = w->time_ns;
	s->pub.duration_ns = boottime_ns() - w->time_ns;
	return 0;
}

static int describe(struct irqstat *is, struct descs *d)
{
	if (!is->text.has_shape && handle_peek(is))
		return -1;
	if (text_descs(&is->text, d))
		return -1;
	d->pub.time_ns = boottime_ns();
	return 0;
}

const struct source source_text = {
	.id = IRQSTAT_SOURCE_TEXT,
	.path = IRQSTAT_TEXT_PATH,
	.begins = text_begins,
	.take = take,
	.describe = describe,
};
