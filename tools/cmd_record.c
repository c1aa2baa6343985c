/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat record: snapshots into a file, for as long as it takes. */
#include <time.h>
#include <unistd.h>

#include "recording.h"

struct progress {
	bool is_shown;
	uint64_t most;	/* snapshots; 0: without end */
	time_t start;
};

static void show(const struct progress *p, const struct recording *r)
{
	off_t bytes = lseek(r->fd, 0, SEEK_CUR);
	long seconds = (long)(time(NULL) - p->start);

	if (!p->is_shown)
		return;
	fprintf(stderr, "\r%llu", (unsigned long long)r->n);
	if (p->most)
		fprintf(stderr, " of %llu", (unsigned long long)p->most);
	fprintf(stderr, " snapshots, %ld:%02ld:%02ld", seconds / 3600, seconds / 60 % 60,
		seconds % 60);
	if (bytes > 0)
		fprintf(stderr, ", %.1f MB", (double)bytes / 1e6);
	fprintf(stderr, "\033[K\r");
}

static void clear(void)
{
	fputs("\r\033[K", stderr);
}

static int loop(const struct options *o, struct recording *r, struct feed *feed)
{
	struct progress progress = { isatty(STDERR_FILENO), o->iterations, time(NULL) };
	bool is_end = false;
	struct pace pace;
	int code;

	if (progress.is_shown)
		complain_after(clear);
	pace_start(&pace, o->delay_ns);
	while (true) {
		code = feed_read(feed, &is_end);
		if (code || is_end)
			break;
		code = recording_add(r, feed->is);
		if (code)
			break;
		show(&progress, r);
		if (r->n == o->iterations)
			break;
		if (!feed_is_capture(feed) && pace_wait(&pace, -1) == PACE_STOPPED)
			break;
	}
	if (progress.is_shown && r->n && !code)
		fputc('\n', stderr);
	return code;
}

int cmd_record(struct options *o)
{
	struct recording recording = { .fd = -1 };
	struct feed feed;
	int code;

	if (!o->n_operands)
		return misused("FILE", "is missing");
	if (o->is_append && o->is_forced)
		return misused("--append", "can't be used with --force");
	if (!o->delay_ns)
		o->delay_ns = NS_PER_S;
	code = feed_open(&feed, o);
	if (!code)
		code = recording_open(&recording, o->operands[0],
				      o->is_append ? RECORDING_APPEND :
				      o->is_forced ? RECORDING_REPLACE :
						     RECORDING_KEEP);
	if (!code)
		code = loop(o, &recording, &feed);
	code = recording_close(&recording, code);
	return feed_close(&feed, code);
}
