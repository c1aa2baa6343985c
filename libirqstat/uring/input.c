/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <unistd.h>

#include "internal.h"

void input_begin(struct input *s)
{
	s->is_pending = true;
	s->is_prepared = false;
	s->must_wait = false;
	if (!s->is)
		file_begin(&s->file);
}

static void end(struct input *s, int error)
{
	s->is_pending = false;
	s->error = error;
	s->len = 0;
	s->is_window = false;
}

bool input_prepare(struct input *s)
{
	int ret;

	if (s->is_prepared)
		return true;
	ret = s->is ? irqstat_read_prepare(s->is, &s->io) : file_prepare(&s->file, &s->io);
	if (ret)
		end(s, errno);
	s->is_prepared = !ret;
	return !ret;
}

void input_complete(struct input *s, ssize_t res)
{
	int ret = s->is ? irqstat_read_complete(s->is, res, 0) : file_complete(&s->file, res);

	s->is_prepared = false;
	if (ret == 1)
		return;
	/* The end of a capture is no snapshot. */
	end(s, ret < 0 ? errno : ret ? ENODATA : 0);
	if (ret)
		return;
	s->len = (size_t)s->io.offset + (size_t)res;
	s->is_window = res > 0;
}

void input_finish(struct input *s, uint64_t *n_calls)
{
	const struct irqstat_io *io = &s->io;
	ssize_t n;

	while (s->is_pending && input_prepare(s)) {
		n = pread(io->fd, io->data, io->size, (off_t)io->offset);
		input_complete(s, n < 0 ? -errno : n);
		++*n_calls;
	}
}
