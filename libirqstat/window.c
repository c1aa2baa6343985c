/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define FIRST_CAP ((size_t)64 * 1024)

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

uint64_t boottime_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

uint64_t realtime_of(uint64_t time_ns)
{
	return time_ns + (clock_ns(CLOCK_REALTIME) - boottime_ns());
}

ssize_t io_pread(const struct irqstat_io *io)
{
	ssize_t n = pread(io->fd, io->data, io->size, (off_t)io->offset);

	return n < 0 ? -errno : n;
}

void window_begin(struct window *w, uint64_t offset)
{
	w->len = 0;
	w->n_reads = 0;
	w->offset = offset;
}

static int resize(struct window *w, void *data, size_t cap)
{
	if (!data)
		return -1;
	w->data = data;
	w->cap = cap;
	w->n_changes++;
	return 0;
}

int window_grow(struct window *w, size_t cap)
{
	void *old = w->data;

	if (resize(w, malloc(cap), cap))
		return -1;
	free(old);
	window_begin(w, w->offset);
	return 0;
}

int window_extend(struct window *w, size_t cap)
{
	return resize(w, realloc(w->data, cap), cap);
}

int window_prepare(struct window *w, int fd, struct irqstat_io *io)
{
	if (!w->data && window_grow(w, FIRST_CAP))
		return -1;
	if (!w->n_reads)
		w->time_ns = boottime_ns();
	io->fd = fd;
	io->serial = w->n_changes;
	io->data = (char *)w->data + w->len;
	io->size = w->cap - w->len;
	io->offset = w->offset + w->len;
	return 0;
}

int window_add(struct window *w, ssize_t res, uint64_t time_ns)
{
	if (res == -EINTR)
		return 1;
	if (res < 0 || (size_t)res > w->cap - w->len) {
		errno = res < 0 ? (int)-res : EINVAL;
		return -1;
	}
	if (!w->n_reads++ && time_ns)
		w->time_ns = time_ns;
	w->n_last = (size_t)res;
	w->len += (size_t)res;
	return 0;
}

void window_free(struct window *w)
{
	free(w->data);
}
