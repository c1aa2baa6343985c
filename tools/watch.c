/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "cmd.h"

int watch_open(struct watch *watch, const struct options *o, const char *columns, const char *sort,
	       size_t history)
{
	int code;

	*watch = (struct watch){
		.options = o,
		.sort = o->sort ? o->sort : sort,
		.history = history_new(history),
		.speed = o->speed ? o->speed : 1000,
		.adders = { irqstat_adder_new(), irqstat_adder_new() },
	};
	code = columns_parse(&watch->columns, o->output, columns);
	if (!code)
		code = columns_check_sort(watch->sort);
	if (code)
		return code;
	if (!watch->history || !watch->adders[0] || !watch->adders[1])
		return out_of_memory();
	return feed_open(&watch->feed, o);
}

int watch_close(struct watch *watch, int code)
{
	irqstat_close(watch->ahead);
	view_free(&watch->view);
	history_free(watch->history);
	irqstat_adder_free(watch->adders[0]);
	irqstat_adder_free(watch->adders[1]);
	return feed_close(&watch->feed, code);
}

static int sum(struct watch *watch)
{
	const struct feed *feed = &watch->feed;

	watch->total = irqstat_sums_by_cpu(watch->adders[0], feed->total);
	watch->step = feed->step ? irqstat_sums_by_cpu(watch->adders[1], feed->step) : NULL;
	if (!watch->total || (feed->step && !watch->step))
		return out_of_memory();
	return EXIT_SUCCESS;
}

int watch_fill(struct watch *watch)
{
	int code = view_fill(&watch->view, &watch->feed);

	if (!code)
		columns_sort(&watch->view, watch->sort);
	return code;
}

int watch_next(struct watch *watch, bool *is_end)
{
	struct feed *feed = &watch->feed;
	int code = feed_read(feed, is_end);

	if (code || *is_end)
		return code;
	if (feed->delta) {
		code = history_add(watch->history, feed->delta, feed->step);
		if (code)
			return code;
	}
	code = sum(watch);
	if (code)
		return code;
	watch->view.history = watch->history;
	return watch_fill(watch);
}

int watch_last(struct watch *watch)
{
	bool is_end;
	int code;

	do
		code = watch_next(watch, &is_end);
	while (!code && !is_end && feed_is_capture(&watch->feed));
	if (!code && !watch->feed.snap)
		code = complain(watch->feed.name, "has no snapshot");
	return code;
}

/* How long after the last snapshot the next one was taken; 0: not known, or there is none. */
static uint64_t next_interval(struct watch *watch)
{
	const struct irqstat_snapshot *snap = watch->feed.snap, *next;

	if (!watch->ahead) {
		watch->ahead = feed_open_again(&watch->feed);
		if (!watch->ahead || irqstat_read(watch->ahead))
			return 0;
	}
	if (irqstat_read(watch->ahead))
		return 0;
	next = irqstat_snapshot_get(watch->ahead);
	return next->boot == snap->boot && next->time_ns > snap->time_ns ?
		       next->time_ns - snap->time_ns :
		       0;
}

void watch_pace(struct watch *watch, struct pace *pace)
{
	uint64_t most = 1000 * 24 * 3600 * NS_PER_S;
	unsigned __int128 ns;

	if (!feed_is_capture(&watch->feed))
		return;
	ns = (unsigned __int128)next_interval(watch) * 1000 / watch->speed;
	pace_follow(pace, ns < most ? (uint64_t)ns : most);
}

void watch_change_pace(struct watch *watch, struct pace *pace, bool is_slower)
{
	uint64_t speed = is_slower ? watch->speed / 2 : watch->speed * 2;

	if (!feed_is_capture(&watch->feed)) {
		pace_change(pace, is_slower);
	} else if (speed && speed <= UINT32_MAX) {
		watch->speed = speed;
		pace_follow(pace, is_slower ? pace->interval_ns * 2 : pace->interval_ns / 2);
	}
}

void watch_tell_pace(const struct watch *watch, const struct pace *pace, struct text *text)
{
	const struct irqstat_delta *delta = watch->feed.delta;

	if (!feed_is_capture(&watch->feed)) {
		text_printf(text, "   every %.3g s", (double)pace->interval_ns / NS_PER_S);
		return;
	}
	if (delta)
		text_printf(text, "   after %.3g s", (double)delta->interval_ns / NS_PER_S);
	if (watch->speed != 1000)
		text_printf(text, "   %.4g x as fast", (double)watch->speed / 1000);
}
