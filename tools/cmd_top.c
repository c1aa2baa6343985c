/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat top: what is counting now, as irqtop(1) would show it. */
#include <unistd.h>

#include "cmd.h"

#define USUAL	     "IRQ,TOTAL,DELTA,RATE,NAME"
#define USUAL_SCREEN "IRQ,RATE,DELTA,TOTAL,TREND,SPREAD,HANDLER"

/* A capture has no present that would have to be waited for. */
static int run_batch(struct watch *watch)
{
	const struct options *o = watch->options;
	struct pace pace;
	uint64_t n;
	bool is_end;
	int code = watch_next(watch, &is_end);

	pace_start(&pace, o->delay_ns);
	for (n = 0; !code && !is_end && (!o->iterations || n < o->iterations); n++) {
		if (!feed_is_capture(&watch->feed) && pace_wait(&pace, -1) == PACE_STOPPED)
			break;
		code = watch_next(watch, &is_end);
		if (!code && !is_end)
			code = top_print(watch);
	}
	return code;
}

int cmd_top(struct options *o)
{
	bool is_batch = o->is_batch || o->format != FORMAT_TABLE || !isatty(STDOUT_FILENO);
	struct watch watch;
	int code;

	if (!o->delay_ns)
		o->delay_ns = 3 * NS_PER_S;
	code = watch_open(&watch, o, is_batch ? USUAL : USUAL_SCREEN, "DELTA");
	if (!code)
		code = is_batch ? run_batch(&watch) : top_screen(&watch);
	watch_close(&watch);
	return code;
}
