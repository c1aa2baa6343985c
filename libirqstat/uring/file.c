/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The end of a file is where a read gives nothing: files in /proc have no size. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define FIRST_CAP ((size_t)16 * 1024)
#define MAX_CAP	  ((size_t)64 * 1024 * 1024)

int file_open(struct file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	memset(f, 0, sizeof(*f));
	f->fd = fd;
	return 0;
}

void file_close(struct file *f)
{
	close(f->fd);
	free(f->data);
}

void file_begin(struct file *f)
{
	f->len = 0;
}

static int grow(struct file *f)
{
	size_t cap = f->cap ? 2 * f->cap : FIRST_CAP;
	char *data;

	if (cap > MAX_CAP) {
		errno = EFBIG;
		return -1;
	}
	data = realloc(f->data, cap);
	if (!data)
		return -1;
	f->data = data;
	f->cap = cap;
	f->n_grown++;
	return 0;
}

int file_prepare(struct file *f, struct irqstat_io *io)
{
	/* One byte for the 0 behind, one to see that there is no more. */
	if (f->len + 2 > f->cap && grow(f))
		return -1;
	io->fd = f->fd;
	io->serial = f->n_grown;
	io->data = f->data + f->len;
	io->size = f->cap - f->len - 1;
	io->offset = f->len;
	return 0;
}

int file_complete(struct file *f, ssize_t res)
{
	if (res == -EINTR)
		return 1;
	if (res < 0) {
		errno = (int)-res;
		return -1;
	}
	f->len += (size_t)res;
	if (res > 0)
		return 1;
	f->data[f->len] = 0;
	return 0;
}
