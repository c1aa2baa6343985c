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

void window_begin(struct window *w)
{
	w->len = 0;
	w->n_reads = 0;
}

static int grow(struct window *w, size_t cap)
{
	void *data = malloc(cap);

	if (!data)
		return -1;
	free(w->data);
	w->data = data;
	w->cap = cap;
	w->n_grown++;
	window_begin(w);
	return 0;
}

static size_t next_cap(const struct window *w, size_t need)
{
	size_t roomy = need + need / 8 + 4096;

	return roomy < 4 * w->cap ? roomy : 4 * w->cap;
}

ssize_t io_pread(const struct irqstat_io *io)
{
	ssize_t n = pread(io->fd, io->data, io->size, (off_t)io->offset);

	return n < 0 ? -errno : n;
}

int window_prepare(struct window *w, int fd, uint64_t offset, struct irqstat_io *io)
{
	if (!w->data && grow(w, FIRST_CAP))
		return -1;
	io->fd = fd;
	io->serial = w->n_grown;
	io->data = (char *)w->data + w->len;
	io->size = w->cap - w->len;
	io->offset = offset + w->len;
	return 0;
}

int window_complete(struct window *w, ssize_t res)
{
	size_t need;

	if (res == -EINTR)
		return 1;
	if (res < 0 || (size_t)res > w->cap - w->len) {
		errno = res < 0 ? (int)-res : EINVAL;
		return -1;
	}
	w->n_reads++;
	w->len += (size_t)res;
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
		return grow(w, next_cap(w, need)) ? -1 : 1;
	if (res == 0) {
		errno = EBADMSG;
		return -1;
	}
	return 1;
}

int window_read(struct window *w, int fd, uint64_t offset)
{
	int ret;

	window_begin(w);
	do {
		struct irqstat_io io;

		if (window_prepare(w, fd, offset, &io))
			return -1;
		ret = window_complete(w, io_pread(&io));
	} while (ret == 1);
	return ret;
}

void window_free(struct window *w)
{
	free(w->data);
}
