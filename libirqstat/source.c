/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Which source a handle has. One that chooses takes the module as soon as its
 * file opens, and the text as soon as the module's first read fails.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

static const struct source *const sources[] = {
	&source_bin,
	&source_text,
	&source_capture,
};

#define N_SOURCES (sizeof(sources) / sizeof(*sources))

static struct irqstat *new_handle(const struct source *source)
{
	struct irqstat *is = calloc(1, sizeof(*is));

	if (!is)
		return NULL;
	is->fd = -1;
	is->source = source;
	is->desc_offset = DESC_OFFSET_DEFAULT;
	return is;
}

static int open_file(struct irqstat *is, const char *path)
{
	is->fd = open(path, O_RDONLY | O_CLOEXEC);
	is->window.n_changes++;
	return is->fd < 0 ? -1 : 0;
}

static void close_file(struct irqstat *is)
{
	close(is->fd);
	is->fd = -1;
	is->is_proven = false;
	is->has_descs = false;
	is->raw_descs.at = NULL;
}

static int choose_text(struct irqstat *is, int why)
{
	is->source = &source_text;
	is->source_errno = why;
	return open_file(is, IRQSTAT_TEXT_PATH);
}

static int choose(struct irqstat *is)
{
	is->source = &source_bin;
	is->source_errno = 0;
	return open_file(is, IRQSTAT_PATH) ? choose_text(is, errno) : 0;
}

static struct irqstat *open_handle(const struct source *source,
				   const char *path)
{
	struct irqstat *is = new_handle(source);

	if (!is)
		return NULL;
	is->chooses = !path;
	if (path ? open_file(is, path) : choose(is)) {
		irqstat_close(is);
		return NULL;
	}
	return is;
}

struct irqstat *irqstat_open(const char *path)
{
	return open_handle(NULL, path);
}

struct irqstat *irqstat_open_source(enum irqstat_source id, const char *path)
{
	size_t i;

	for (i = 0; i < N_SOURCES; i++) {
		if (sources[i]->id != id)
			continue;
		if (!path)
			path = sources[i]->path;
		if (path)
			return open_handle(sources[i], path);
	}
	errno = EINVAL;
	return NULL;
}

struct irqstat *irqstat_fdopen(int fd)
{
	int mode = fcntl(fd, F_GETFL);
	struct irqstat *is;

	if (mode < 0)
		return NULL;
	if ((mode & O_ACCMODE) == O_WRONLY || (mode & O_PATH)) {
		errno = EBADF;
		return NULL;
	}
	is = new_handle(NULL);
	if (is)
		is->fd = fd;
	return is;
}

enum irqstat_source irqstat_source_get(const struct irqstat *is)
{
	return is->source ? is->source->id : 0;
}

int irqstat_source_errno(const struct irqstat *is)
{
	return is->source_errno;
}

int source_ready(struct irqstat *is)
{
	return is->fd < 0 ? choose(is) : 0;
}

int source_find(struct irqstat *is)
{
	const struct window *w = &is->window;
	size_t i;

	for (i = 0; i < N_SOURCES; i++) {
		if (sources[i]->begins(w->data, w->len)) {
			is->source = sources[i];
			return 0;
		}
	}
	if (w->len < SOURCE_ENOUGH && w->n_last != 0)
		return 1;
	errno = w->len ? EBADMSG : ENODATA;
	return -1;
}

bool source_change(struct irqstat *is)
{
	int why = errno;

	if (!is->chooses || is->fd < 0 || is->source != &source_bin)
		return false;
	if (is->is_proven && why != EIO)
		return false;
	if (is->is_proven) {
		close_file(is);
		errno = why;
		return false;
	}
	close_file(is);
	return !choose_text(is, why);
}
