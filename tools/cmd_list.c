/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat list: what has counted, as lsirq(1) would show it. */
#include "cmd.h"

#define USUAL	      "IRQ,TOTAL,NAME"
#define USUAL_INTERVAL "IRQ,TOTAL,DELTA,RATE,NAME"

static int print(const struct options *o, const struct watch *watch)
{
	struct table *table = table_new(feed_rows(&watch->feed), o);
	int code;

	if (!table)
		return out_of_memory();
	table_add_view(table, &watch->view, &watch->columns);
	code = table_print(table);
	table_free(table);
	return code ? code : output_end();
}

/* A capture's last interval is there already. */
static int look_again(struct watch *watch)
{
	struct pace pace;
	bool is_end;

	if (feed_is_capture(&watch->feed))
		return EXIT_SUCCESS;
	pace_start(&pace, watch->options->delay_ns);
	pace_wait(&pace, -1);
	return watch_next(watch, &is_end);
}

int cmd_list(struct options *o)
{
	struct watch watch;
	int code = watch_open(&watch, o, o->delay_ns ? USUAL_INTERVAL : USUAL, "TOTAL",
			      HISTORY_LENGTH);

	if (!code)
		code = watch_last(&watch);
	if (!code && o->delay_ns)
		code = look_again(&watch);
	if (!code)
		code = print(o, &watch);
	return watch_close(&watch, code);
}
