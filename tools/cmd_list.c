/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat list: what has counted, as lsirq(1) would show it. */
#include "cmd.h"

#define USUAL "IRQ,TOTAL,NAME"

static int print(const struct options *o, const struct view *view, const struct columns *columns)
{
	struct table *table = table_new(o->is_softirq ? "softirqs" : "interrupts", o);
	struct text text = { 0 };
	size_t i, k;
	int code;

	if (!table)
		return out_of_memory();
	for (k = 0; k < columns->n; k++)
		table_add_column(table, columns->list[k]->name, columns->list[k]->flags);
	for (i = 0; i < view->n_items; i++) {
		table_add_row(table);
		for (k = 0; k < columns->n; k++) {
			bool is_known;

			text_clear(&text);
			is_known = columns->list[k]->put(&text, view, &view->items[i]);
			table_set(table, k, is_known ? &text : NULL);
		}
	}
	code = table_print(table);
	text_free(&text);
	table_free(table);
	return code ? code : output_end();
}

int cmd_list(struct options *o)
{
	struct columns columns;
	struct view view = { 0 };
	struct feed feed;
	bool is_end;
	int code;

	code = columns_parse(&columns, o->output, USUAL);
	if (code)
		return code;
	code = feed_open(&feed, o);
	if (!code)
		code = feed_read(&feed, &is_end);
	if (!code)
		code = view_fill(&view, &feed);
	if (!code)
		code = columns_sort(&view, o->sort, "TOTAL");
	if (!code)
		code = print(o, &view, &columns);
	view_free(&view);
	feed_close(&feed);
	return code;
}
