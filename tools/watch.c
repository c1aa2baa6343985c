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

void watch_pace(const struct watch *watch, struct pace *pace)
{
	const struct irqstat_delta *delta = watch->feed.delta;
	uint64_t speed = watch->options->speed ? watch->options->speed : 1000;

	if (feed_is_capture(&watch->feed) && delta)
		pace_set(pace, delta->interval_ns / speed * 1000);
}
