/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat heat: which rows count on which CPUs, as a map of colours. */
#include <unistd.h>

#include "heat.h"

static int show(const struct watch *watch, struct heat *heat)
{
	const struct options *o = watch->options;
	int code;

	/* A file has room for every CPU, a terminal only for some. */
	code = heat_fill(heat, watch, o->svg ? 0 : heat_text_columns());
	if (code)
		return code;
	return o->svg ? heat_write_svg(heat, o->svg) : heat_print(heat);
}

/* Once, of all that was counted; or, with --delay, of one interval after the other. */
static int run_batch(struct watch *watch)
{
	const struct options *o = watch->options;
	struct heat heat = { .scale = o->scale, .is_rate = o->delay_ns };
	uint64_t n, most = o->iterations ? o->iterations : o->svg ? 1 : UINT64_MAX;
	struct pace pace;
	bool is_end = false;
	int code = o->delay_ns ? watch_next(watch, &is_end) : watch_last(watch);

	if (!o->delay_ns && !code)
		code = show(watch, &heat);
	if (!o->delay_ns || code)
		goto free;
	pace_start(&pace, o->delay_ns);
	for (n = 0; !code && n < most; n++) {
		if (!feed_is_capture(&watch->feed) && pace_wait(&pace, -1) == PACE_STOPPED)
			break;
		code = watch_next(watch, &is_end);
		if (is_end)
			break;
		if (!code && watch->feed.delta)
			code = show(watch, &heat);
	}
free:
	heat_free(&heat);
	return code;
}

int cmd_heat(struct options *o)
{
	bool is_batch = o->is_batch || o->svg || !isatty(STDOUT_FILENO);
	struct watch watch;
	int code;

	if (!o->delay_ns && !is_batch)
		o->delay_ns = NS_PER_S;
	code = watch_open(&watch, o, "IRQ", is_batch && !o->delay_ns ? "TOTAL" : "DELTA",
			  HISTORY_LENGTH);
	if (!code)
		code = is_batch ? run_batch(&watch) : heat_screen(&watch, o->scale);
	return watch_close(&watch, code);
}
