/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * One window of a stream, by one pread when the buffer is larger than it: a
 * buffer that proves too small grows, and the read starts again from 0. It
 * grows no faster than bytes come in, whatever length the header claims.
 */
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

#define FIRST_CAP ((size_t)64 * 1024)

static int grow(struct window *w, size_t cap)
{
	void *data = malloc(cap);

	if (!data)
		return -1;
	free(w->data);
	w->data = data;
	w->cap = cap;
	w->len = 0;
	return 0;
}

static size_t next_cap(const struct window *w, size_t need)
{
	size_t roomy = need + need / 8 + 4096;

	return roomy < 4 * w->cap ? roomy : 4 * w->cap;
}

static bool is_short(const struct window *w)
{
	size_t need;

	return w->len < w->cap && !decode_length(w->data, w->len, &need) &&
	       need > w->len;
}

static int fill(struct window *w, int fd, uint64_t offset)
{
	ssize_t n;

	w->len = 0;
	w->n_reads = 0;
	do {
		n = pread(fd, (char *)w->data + w->len, w->cap - w->len,
			  (off_t)(offset + w->len));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		w->n_reads++;
		w->len += (size_t)n;
	} while (n != 0 && is_short(w));
	return 0;
}

int window_read(struct window *w, int fd, uint64_t offset)
{
	size_t need;

	if (!w->data && grow(w, FIRST_CAP))
		return -1;
	for (;;) {
		if (fill(w, fd, offset))
			return -1;
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
		if (w->len < w->cap) {
			errno = EBADMSG;
			return -1;
		}
		if (grow(w, next_cap(w, need)))
			return -1;
	}
}

void window_free(struct window *w)
{
	free(w->data);
}
