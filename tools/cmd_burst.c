/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * irqstat burst: many snapshots in a short time, for interrupts that come in
 * storms. They are taken by the kernel on its own, from one submission, and
 * looked at when all is over.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <irqstat_uring.h>

#include "recording.h"

#define USUAL	   "IRQ,DELTA,RATE,PEAK,PEAK_AT,TREND,HANDLER"
#define USUAL_JSON "IRQ,DELTA,RATE,PEAK,PEAK_AT,RATES,NAME"

struct burst {
	struct options *options;
	struct watch watch;
	struct irqstat_burst *taking;
	struct recording recording;
	uint64_t shortest_ns;	/* interval between two */
	uint64_t longest_ns;
	uint64_t n;		/* snapshots */
};

static const char *way_of(const struct irqstat_uring_info *info)
{
	return info->way == IRQSTAT_URING_WAY_URING ? "io_uring" : "pread";
}

/* Of text it is not even tried. */
static const char *why_not_uring(const struct irqstat *is, int err)
{
	return err == EOPNOTSUPP && irqstat_source_get(is) == IRQSTAT_SOURCE_TEXT ?
		       "text does not tell when it was read" :
		       uring_reason(err);
}

/* Tells how far it is, about once a second. */
static int wait_for_all(const struct burst *b)
{
	unsigned int n = (unsigned int)b->options->iterations, step;
	int taken = 0;

	step = (unsigned int)(NS_PER_S / b->options->delay_ns);
	step = step ? step : 1;
	pace_catch();
	while ((unsigned int)taken < n && !pace_is_stopped()) {
		unsigned int next = (unsigned int)taken + step;
		int ret = irqstat_burst_wait(b->taking, next < n ? next : n);

		if (ret < 0 && errno == EINTR)
			continue;
		if (ret < 0)
			return complain_errno(b->watch.feed.name);
		taken = ret;
		if (isatty(STDERR_FILENO) && step < n)
			fprintf(stderr, "\r%d of %u snapshots\033[K", taken, n);
	}
	if (isatty(STDERR_FILENO) && step < n)
		fprintf(stderr, "\r\033[K");
	return EXIT_SUCCESS;
}

static void note_interval(struct burst *b, const struct irqstat_delta *delta)
{
	if (!delta)
		return;
	if (delta->interval_ns > b->longest_ns)
		b->longest_ns = delta->interval_ns;
	if (!b->shortest_ns || delta->interval_ns < b->shortest_ns)
		b->shortest_ns = delta->interval_ns;
}

static int look(struct burst *b)
{
	struct watch *watch = &b->watch;
	struct feed *feed = &watch->feed;
	bool is_end = false;
	int code;

	feed->burst = b->taking;
	while (true) {
		code = feed_read(feed, &is_end);
		if (code || is_end)
			break;
		b->n++;
		note_interval(b, feed->delta);
		if (feed->delta)
			code = history_add(watch->history, feed->delta, feed->step);
		if (!code && b->options->write)
			code = recording_add(&b->recording, feed->is);
		if (code)
			break;
	}
	feed->burst = NULL;
	return code;
}

/* Of the time from the first snapshot to the last; rows that did not count are no storm. */
static int sum_up(struct burst *b)
{
	struct view *view = &b->watch.view;
	int code;

	if (b->n < 2)
		return complain(b->watch.feed.name, "fewer than two snapshots were taken");
	view->history = b->watch.history;
	view->interval_ns = b->options->delay_ns;
	view->hides_idle = !b->options->is_all;
	code = feed_sum_up(&b->watch.feed);
	return code ? code : watch_fill(&b->watch);
}

static int print_json(struct burst *b, struct table *table)
{
	struct feed *feed = &b->watch.feed;
	const struct irqstat_uring_info *info = irqstat_burst_info(b->taking);
	struct text time = { 0 };
	struct json json;
	int code;

	text_add_time(&time, feed->snap->realtime_ns);
	json_begin(&json);
	json_string(&json, "time", time.bytes, time.len);
	json_string(&json, "host", feed_host(feed), strlen(feed_host(feed)));
	json_string(&json, "way", way_of(info), strlen(way_of(info)));
	json_value(&json, "snapshots", "%llu", (unsigned long long)b->n);
	json_value(&json, "lost", "%llu", (unsigned long long)feed->n_lost);
	json_value(&json, "interval", "%.9f", (double)b->options->delay_ns / NS_PER_S);
	json_value(&json, "shortest", "%.9f", (double)b->shortest_ns / NS_PER_S);
	json_value(&json, "longest", "%.9f", (double)b->longest_ns / NS_PER_S);
	json_value(&json, "seconds", "%.9f", (double)feed->delta->interval_ns / NS_PER_S);
	code = json_table(&json, table);
	json_end(&json);
	text_free(&time);
	return code;
}

static int print_table(const struct burst *b, struct table *table)
{
	const struct irqstat_uring_info *info = irqstat_burst_info(b->taking);
	const struct feed *feed = &b->watch.feed;

	printf("%llu snapshots in %.3f s, %.3f to %.3f ms apart, by %s\n", (unsigned long long)b->n,
	       (double)feed->delta->interval_ns / NS_PER_S, (double)b->shortest_ns / 1e6,
	       (double)b->longest_ns / 1e6, way_of(info));
	if (info->error)
		printf("not by io_uring: %s\n", why_not_uring(feed->is, info->error));
	if (feed->n_lost)
		printf("%llu more could not be taken: %s\n", (unsigned long long)feed->n_lost,
		       reason_of(feed->lost_errno));
	putchar('\n');
	return table_print(table);
}

static int print(struct burst *b)
{
	struct table *table = table_new(feed_rows(&b->watch.feed), b->options);
	int code;

	if (!table)
		return out_of_memory();
	table_add_view(table, &b->watch.view, &b->watch.columns);
	code = b->options->format == FORMAT_JSON ? print_json(b, table) : print_table(b, table);
	table_free(table);
	return code ? code : output_end();
}

static int take(struct burst *b)
{
	const struct options *o = b->options;
	int code;

	b->watch.feed.keeps_first = true;
	b->taking = irqstat_burst_new(b->watch.feed.is, (unsigned int)o->iterations, o->delay_ns,
				      o->no_uring ? IRQSTAT_URING_NEVER : 0);
	if (!b->taking && errno == EOPNOTSUPP)
		return complain(b->watch.feed.name, "a capture, in which nothing happens any more");
	if (!b->taking || irqstat_burst_start(b->taking))
		return complain_errno(b->watch.feed.name);
	code = wait_for_all(b);
	if (!code)
		code = look(b);
	if (!code)
		code = sum_up(b);
	return code ? code : print(b);
}

int cmd_burst(struct options *o)
{
	struct burst b = { .options = o, .recording.fd = -1 };
	int code;

	if (!o->delay_ns)
		o->delay_ns = NS_PER_S / 100;
	if (!o->iterations)
		o->iterations = 100;
	if (o->iterations < 2 || o->iterations > IRQSTAT_BURST_MAX)
		return misused("--iter", "not between 2 and 16384");
	if (o->delay_ns > INT64_MAX / 2 / o->iterations)
		return misused("--delay", "too long for so many snapshots");
	code = watch_open(&b.watch, o, o->format == FORMAT_JSON ? USUAL_JSON : USUAL, "DELTA",
			  o->iterations);
	if (!code && o->write)
		code = recording_open(&b.recording, o->write,
				      o->is_forced ? RECORDING_REPLACE : RECORDING_KEEP);
	if (!code)
		code = take(&b);
	irqstat_burst_free(b.taking);
	if (o->write)
		code = recording_close(&b.recording, code);
	return watch_close(&b.watch, code);
}
