/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat top and replay: what is, or was, counting now, as irqtop(1) would show it. */
#include <unistd.h>

#include "cmd.h"

#define USUAL	     "IRQ,TOTAL,DELTA,RATE,NAME"
#define USUAL_SCREEN "IRQ,RATE,DELTA,TOTAL,TREND,SPREAD,HANDLER"

/* A capture has no present that would have to be waited for. */
static int run_batch(struct watch *watch)
{
	const struct options *o = watch->options;
	bool is_capture = feed_is_capture(&watch->feed), is_end;
	uint64_t n = 0;
	struct pace pace;
	int code;

	pace_start(&pace, o->delay_ns);
	while (!o->iterations || n < o->iterations) {
		if (!is_capture && pace_wait(&pace, -1) == PACE_STOPPED)
			break;
		code = watch_next(watch, &is_end);
		if (!code && !is_end && watch->feed.delta) {
			code = top_print(watch);
			n++;
		}
		if (code || is_end)
			return code;
	}
	return EXIT_SUCCESS;
}

static int run(struct options *o, bool is_replay)
{
	bool is_batch = o->is_batch || o->format != FORMAT_TABLE || !isatty(STDOUT_FILENO);
	struct watch watch;
	bool is_end = false;
	int code;

	if (!o->delay_ns)
		o->delay_ns = 3 * NS_PER_S;
	code = watch_open(&watch, o, is_batch ? USUAL : USUAL_SCREEN, "DELTA",
			  HISTORY_LENGTH);
	if (!code)
		code = watch_next(&watch, &is_end);
	if (!code && is_replay && !feed_is_capture(&watch.feed))
		code = complain(watch.feed.name, "not a capture");
	else if (!code && is_end)
		code = complain(watch.feed.name, "has no snapshot");
	if (!code)
		code = is_batch ? run_batch(&watch) : top_screen(&watch);
	return watch_close(&watch, code);
}

int cmd_top(struct options *o)
{
	return run(o, false);
}

int cmd_replay(struct options *o)
{
	if (!o->n_operands)
		return misused("FILE", "is missing");
	o->input = o->operands[0];
	return run(o, true);
}
