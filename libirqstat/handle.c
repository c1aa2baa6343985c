/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * irqstat_read() is a loop over its two halves, so whoever reads in another way
 * gets the same. A handle keeps two snapshots: a new one is made in the spare
 * and takes the other's place only when it proved good.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

void irqstat_close(struct irqstat *is)
{
	int err = errno;

	if (!is)
		return;
	if (is->fd >= 0)
		close(is->fd);
	window_free(&is->window);
	window_free(&is->descriptors);
	snapshot_free(&is->snaps[0]);
	snapshot_free(&is->snaps[1]);
	descs_free(&is->descs);
	text_free(&is->text);
	free(is);
	errno = err;
}

int irqstat_fileno(const struct irqstat *is)
{
	return is->fd;
}

static void begin(struct irqstat *is)
{
	is->raw.at = NULL;
	is->capture.now = is->capture.next;
	window_begin(&is->window, is->capture.now.next);
	is->is_reading = true;
}

static int prepare(struct irqstat *is, struct irqstat_io *io)
{
	if (source_ready(is))
		return -1;
	if (!is->is_reading) {
		is->has_previous = false;
		begin(is);
		is->n_tries = 1;
	}
	return window_prepare(&is->window, is->fd, io);
}

static struct snapshot *spare(struct irqstat *is)
{
	return &is->snaps[is->cur ^ 1];
}

/* Is there another way to get this snapshot? Then it begins again. */
static bool try_again(struct irqstat *is, bool is_torn)
{
	if (is_torn && is->n_tries++ < READ_TRIES) {
		begin(is);
		return true;
	}
	if (is_torn)
		errno = EBADMSG;
	if (!source_change(is))
		return false;
	begin(is);
	return true;
}

static int complete(struct irqstat *is, ssize_t res, uint64_t time_ns)
{
	int ret = window_add(&is->window, res, time_ns);
	bool is_torn = false;

	if (ret == 0) {
		if (!is->source)
			ret = source_find(is);
		if (ret == 0)
			ret = is->source->take(is, spare(is));
		is_torn = ret < 0 && errno == EAGAIN;
	}
	if (ret < 0 && try_again(is, is_torn))
		return 1;
	is->is_reading = ret == 1;
	return ret;
}

static int read_all(struct irqstat *is)
{
	struct irqstat_io io;
	int ret;

	is->is_reading = false;
	do {
		if (prepare(is, &io))
			return -1;
		ret = complete(is, io_pread(&io), 0);
	} while (ret == 1);
	return ret;
}

static void publish(struct irqstat *is)
{
	struct irqstat_snapshot *pub = &spare(is)->pub;

	if (is->source == &source_capture)
		is->capture.next = is->capture.last = is->capture.now;
	else
		pub->realtime_ns = realtime_of(pub->time_ns);
	is->cur ^= 1;
	is->is_proven = true;
	is->has_previous = is->has_snapshot;
	is->has_snapshot = true;
	irqstat_rewind(is);
}

int handle_peek(struct irqstat *is)
{
	int ret = read_all(is);

	is->raw.at = NULL;
	if (ret == 2)
		errno = ENODATA;
	return ret ? -1 : 0;
}

int irqstat_read_prepare(struct irqstat *is, struct irqstat_io *io)
{
	return prepare(is, io);
}

int irqstat_read_complete(struct irqstat *is, ssize_t res, uint64_t time_ns)
{
	int ret;

	if (!is->is_reading) {
		errno = EINVAL;
		return -1;
	}
	ret = complete(is, res, time_ns);
	if (ret == 0)
		publish(is);
	return ret;
}

int irqstat_read(struct irqstat *is)
{
	int ret = read_all(is);

	if (ret == 0)
		publish(is);
	return ret == 2 ? 1 : ret;
}
