/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * irqstat_read() is a loop over its two halves, so whoever reads in another way
 * gets the same. A handle keeps two snapshots: a new one is decoded into the spare and takes
 * the other's place only when it proved good.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

struct irqstat *irqstat_open(const char *path)
{
	int fd = open(path ? path : IRQSTAT_PATH, O_RDONLY | O_CLOEXEC);
	struct irqstat *is;

	if (fd < 0)
		return NULL;
	is = irqstat_fdopen(fd);
	if (!is) {
		int err = errno;

		close(fd);
		errno = err;
	}
	return is;
}

struct irqstat *irqstat_fdopen(int fd)
{
	int mode = fcntl(fd, F_GETFL);
	struct irqstat *is;

	if (mode < 0)
		return NULL;
	if ((mode & O_ACCMODE) == O_WRONLY) {
		errno = EBADF;
		return NULL;
	}
	is = calloc(1, sizeof(*is));
	if (!is)
		return NULL;
	is->fd = fd;
	is->desc_offset = DESC_OFFSET_DEFAULT;
	return is;
}

void irqstat_close(struct irqstat *is)
{
	int err = errno;

	if (!is)
		return;
	close(is->fd);
	window_free(&is->counters);
	window_free(&is->descriptors);
	snapshot_free(&is->snaps[0]);
	snapshot_free(&is->snaps[1]);
	descs_free(&is->descs);
	free(is);
	errno = err;
}

int irqstat_fileno(const struct irqstat *is)
{
	return is->fd;
}

int irqstat_read_prepare(struct irqstat *is, struct irqstat_io *io)
{
	if (!is->is_reading) {
		window_begin(&is->counters);
		is->n_tries = 1;
	}
	if (window_prepare(&is->counters, is->fd, 0, io))
		return -1;
	is->is_reading = true;
	return 0;
}

static int complete(struct irqstat *is, ssize_t res)
{
	struct window *w = &is->counters;
	uint8_t spare = is->cur ^ 1;
	int ret = window_complete(w, res);

	if (ret == 0)
		ret = decode_counters(w->data, w->len, &is->snaps[spare], &is->desc_offset);
	if (ret == 0) {
		is->cur = spare;
		is->has_snapshot = true;
		irqstat_rewind(is);
	} else if (ret < 0 && errno == EBADMSG && w->n_reads > 1 && is->n_tries < WINDOW_TRIES) {
		window_begin(w);
		is->n_tries++;
		ret = 1;
	}
	return ret;
}

int irqstat_read_complete(struct irqstat *is, ssize_t res, uint64_t time_ns)
{
	int ret;

	(void)time_ns;
	if (!is->is_reading) {
		errno = EINVAL;
		return -1;
	}
	ret = complete(is, res);
	is->is_reading = ret == 1;
	return ret;
}

int irqstat_read(struct irqstat *is)
{
	struct irqstat_io io;
	int ret;

	is->is_reading = false;
	do {
		if (irqstat_read_prepare(is, &io))
			return -1;
		ret = irqstat_read_complete(is, io_pread(&io), 0);
	} while (ret == 1);
	return ret;
}
