/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The module's file. One pread gets a window when the buffer is larger than it:
 * a buffer that proves too small grows, and the read starts again from 0. It
 * grows no faster than bytes come in, whatever length the header claims.
 */
#include <errno.h>

#include "internal.h"

static size_t next_cap(const struct window *w, size_t need)
{
	size_t roomy = need + need / 8 + 4096;

	return roomy < 4 * w->cap ? roomy : 4 * w->cap;
}

/* Is it all there? Returns 1 when not. */
static int is_complete(struct window *w)
{
	size_t need;

	if (w->len == 0) {
		errno = ENODATA;
		return -1;
	}
	if (decode_length(w->data, w->len, &need))
		return -1;
	if (need <= w->len) {
		w->len = need;
		return 0;
	}
	if (w->len == w->cap)
		return window_grow(w, next_cap(w, need)) ? -1 : 1;
	if (w->n_last != 0)
		return 1;
	errno = EBADMSG;
	return -1;
}

/* A window of several reads may be torn, if others read the same open file. */
static int failed(const struct window *w)
{
	if (errno == EBADMSG && w->n_reads > 1)
		errno = EAGAIN;
	return -1;
}

static int take(struct irqstat *is, struct snapshot *s)
{
	struct window *w = &is->window;
	int ret = is_complete(w);

	if (!ret)
		ret = decode_counters(w->data, w->len, s, &is->desc_offset);
	if (!ret)
		is->raw = (struct span){ w->data, w->len };
	return ret < 0 ? failed(w) : ret;
}

static int read_window(struct window *w, int fd)
{
	struct irqstat_io io;
	int ret;

	do {
		if (window_prepare(w, fd, &io))
			return -1;
		ret = window_add(w, io_pread(&io), 0);
		if (!ret)
			ret = is_complete(w);
	} while (ret == 1);
	return ret;
}

static int describe(struct irqstat *is, struct descs *d)
{
	struct window *w = &is->descriptors;
	unsigned int n_tries = 0;

	is->raw_descs.at = NULL;
	do {
		window_begin(w, is->desc_offset);
		if (!read_window(w, is->fd) &&
		    !decode_descs(w->data, w->len, d)) {
			is->raw_descs = (struct span){ w->data, w->len };
			return 0;
		}
		failed(w);
	} while (errno == EAGAIN && ++n_tries < READ_TRIES);
	if (errno == EAGAIN)
		errno = EBADMSG;
	return -1;
}

const struct source source_bin = {
	.id = IRQSTAT_SOURCE_MODULE,
	.path = IRQSTAT_PATH,
	.begins = decode_is_stream,
	.take = take,
	.describe = describe,
};
