/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A handle keeps two snapshots: a new one is decoded into the spare and takes
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

static int read_counters(struct irqstat *is, struct snapshot *s)
{
	struct window *w = &is->counters;

	if (window_read(w, is->fd, 0))
		return -1;
	return decode_counters(w->data, w->len, s, &is->desc_offset);
}

int irqstat_read(struct irqstat *is)
{
	uint8_t spare = is->cur ^ 1;
	unsigned int tries = 0;

	while (read_counters(is, &is->snaps[spare])) {
		if (errno != EBADMSG || is->counters.n_reads == 1 ||
		    ++tries == WINDOW_TRIES)
			return -1;
	}
	is->cur = spare;
	is->has_snapshot = true;
	irqstat_rewind(is);
	return 0;
}
