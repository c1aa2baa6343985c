/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A source that failed, or whose path has another file by now, is opened again
 * by the next read; its handle goes when the new one has proved good. One that
 * had to be the text looks for the module again once in a while.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "feed.h"

#define COHERENT_TRIES	3
#define MODULE_RETRY_NS (60 * (uint64_t)1000000000)

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Of nothing yet. */
static int begin_totals(struct feed *feed)
{
	struct irqstat_totals *totals = irqstat_totals_new();

	if (!totals)
		return -1;
	irqstat_totals_keep_gone(totals);
	irqstat_totals_free(feed->totals);
	feed->totals = totals;
	return 0;
}

int feed_init(struct feed *feed, const char *path)
{
	*feed = (struct feed){ .path = path };
	return begin_totals(feed);
}

void feed_free(struct feed *feed)
{
	irqstat_close(feed->is);
	irqstat_totals_free(feed->totals);
}

/* As irqstat_read(), but the bytes are counted; the end of a capture is none. */
static int read_snapshot(struct feed *feed, struct irqstat *is)
{
	struct irqstat_io io;
	ssize_t n;
	int ret;

	do {
		if (irqstat_read_prepare(is, &io))
			return -1;
		n = pread(io.fd, io.data, io.size, (off_t)io.offset);
		feed->bytes += n > 0 ? (uint64_t)n : 0;
		ret = irqstat_read_complete(is, n < 0 ? -errno : n, 0);
	} while (ret == 1);
	return ret < 0 ? -1 : 0;
}

/*
 * A snapshot and the descriptors that belong to it: between their reads
 * interrupts may have come and gone.
 */
static const struct irqstat_descs *read_both(struct feed *feed,
					     struct irqstat *is)
{
	const struct irqstat_snapshot *snap;
	const struct irqstat_descs *descs;
	int tries = COHERENT_TRIES;

	do {
		if (read_snapshot(feed, is))
			return NULL;
		snap = irqstat_snapshot_get(is);
		descs = irqstat_descs_get(is);
	} while (descs && descs->generation != snap->generation && --tries);
	return descs;
}

static void count_restarts(struct feed *feed)
{
	const struct irqstat_snapshot *totals = feed_totals(feed);
	size_t i;

	for (i = 0; i < totals->n_rows; i++)
		feed->restarts += !!(totals->rows[i].flags & IRQSTAT_ROW_RESTARTED);
}

/* A file that nobody writes to has the same snapshot each time. */
static int add(struct feed *feed, struct irqstat *is)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);

	if (!irqstat_totals_add(feed->totals, snap)) {
		count_restarts(feed);
		return 0;
	}
	return errno == EINVAL && feed_totals(feed) ? 0 : -1;
}

static bool has_label(const struct irqstat_desc *desc,
		      const struct irqstat_string *label)
{
	return desc && desc->label.len == label->len &&
	       !memcmp(desc->label.bytes, label->bytes, label->len);
}

/*
 * Ids of named rows are each handle's own. Does this one give an id that has
 * counted to another row? The totals would go on with the wrong one's.
 */
static bool are_renamed(const struct feed *feed,
			const struct irqstat_descs *descs)
{
	const struct irqstat_snapshot *totals = feed_totals(feed);
	size_t i;

	for (i = 0; totals && i < totals->n_rows; i++) {
		const struct irqstat_row *row = &totals->rows[i];
		const struct irqstat_desc *now;

		if (row->kind != IRQSTAT_NAMED)
			continue;
		now = irqstat_descs_row(descs, row);
		if (now && !has_label(irqstat_descs_row(feed->descs, row),
				      &now->label))
			return true;
	}
	return false;
}

/* Takes @is for the source if it can be read. */
static int take(struct feed *feed, struct irqstat *is)
{
	const struct irqstat_descs *descs = read_both(feed, is);

	if (!descs)
		return -1;
	if (feed->is && feed->is != is && are_renamed(feed, descs) &&
	    begin_totals(feed))
		return -1;
	if (add(feed, is))
		return -1;
	if (feed->is != is)
		irqstat_close(feed->is);
	feed->is = is;
	feed->descs = descs;
	feed->error = 0;
	return 0;
}

static bool is_second_choice(const struct feed *feed)
{
	return !feed->path && feed->is && !feed->error &&
	       irqstat_source_get(feed->is) == IRQSTAT_SOURCE_TEXT;
}

static int take_module(struct feed *feed, uint64_t now)
{
	struct irqstat *is;

	if (!is_second_choice(feed) || now - feed->tried_ns < MODULE_RETRY_NS)
		return -1;
	feed->tried_ns = now;
	is = irqstat_open(NULL);
	if (!is)
		return -1;
	if (irqstat_source_get(is) == IRQSTAT_SOURCE_MODULE && !take(feed, is))
		return 0;
	irqstat_close(is);
	return -1;
}

/* Is there another file at the path than the one that is open? */
static bool is_replaced(const struct feed *feed)
{
	struct stat ours, named;

	return feed->path && !fstat(irqstat_fileno(feed->is), &ours) &&
	       (stat(feed->path, &named) || ours.st_dev != named.st_dev ||
		ours.st_ino != named.st_ino);
}

/* A pipe would wait for its writer, and can't be read at offsets anyway. */
static struct irqstat *open_source(const struct feed *feed)
{
	struct stat st;

	if (feed->path && !stat(feed->path, &st) && S_ISFIFO(st.st_mode)) {
		errno = ESPIPE;
		return NULL;
	}
	return irqstat_open(feed->path);
}

static int take_any(struct feed *feed, uint64_t now)
{
	struct irqstat *is = feed->is;

	if (!is || feed->error || is_replaced(feed)) {
		feed->tried_ns = now;
		is = open_source(feed);
	}
	if (is && !take(feed, is))
		return 0;
	feed->error = errno;
	if (is != feed->is)
		irqstat_close(is);
	return -1;
}

int feed_read(struct feed *feed)
{
	uint64_t begin = now_ns();
	int tries = 2;

	/* The second time it may be the text, if the module was unloaded. */
	if (take_module(feed, begin)) {
		while (take_any(feed, begin) && feed->error == EIO && --tries)
			;
	}
	feed->reads++;
	feed->read_ns += now_ns() - begin;
	feed->errors += feed->error != 0;
	return feed->error ? -1 : 0;
}

const struct irqstat_snapshot *feed_totals(const struct feed *feed)
{
	return irqstat_totals_get(feed->totals);
}
