/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Tables by libsmartcols. It escapes names as the format wants it, but lets marks
 * of direction through to the terminal and takes bytes for UTF-8 in JSON.
 */
#include <stdarg.h>

#include <libsmartcols/libsmartcols.h>

#include "cmd.h"

struct table {
	struct libscols_table *scols;
	struct libscols_line *line;
	struct text cell;
	enum format format;
	bool failed;
};

struct table *table_new(const char *name, const struct options *o)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->format = o->format;
	table->scols = scols_new_table();
	if (!table->scols) {
		free(table);
		return NULL;
	}
	scols_table_enable_json(table->scols, o->format == FORMAT_JSON);
	scols_table_enable_export(table->scols, o->format == FORMAT_PAIRS);
	scols_table_enable_noencoding(table->scols, o->format == FORMAT_TABLE);
	scols_table_enable_noheadings(table->scols, o->no_headings);
	if (scols_table_set_name(table->scols, name))
		table->failed = true;
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	text_free(&table->cell);
	free(table);
}

static int json_type(unsigned int flags, bool is_list)
{
	if (flags & COLUMN_BOOL)
		return SCOLS_JSON_BOOLEAN;
	if (flags & COLUMN_NUMBER)
		return is_list ? SCOLS_JSON_ARRAY_NUMBER : SCOLS_JSON_NUMBER;
	return is_list ? SCOLS_JSON_ARRAY_STRING : SCOLS_JSON_STRING;
}

void table_add_column(struct table *table, const char *name, unsigned int flags)
{
	bool is_list = flags & COLUMN_LIST && table->format == FORMAT_JSON;
	struct libscols_column *column;

	column = scols_table_new_column(table->scols, name, 0.1,
					(flags & COLUMN_RIGHT ? SCOLS_FL_RIGHT : 0) |
						(is_list ? SCOLS_FL_WRAP : 0));
	if (!column) {
		table->failed = true;
		return;
	}
	scols_column_set_json_type(column, json_type(flags, is_list));
	if (!is_list)
		return;
	scols_column_set_safechars(column, "\n");
	scols_column_set_wrapfunc(column, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
}

void table_add_row(struct table *table)
{
	table->line = scols_table_new_line(table->scols, NULL);
	if (!table->line)
		table->failed = true;
}

/* What separates the elements of a list is a newline, which no other cell has. */
static void encode(struct text *cell, enum format format, const char *bytes, size_t len)
{
	const char *end = bytes + len, *p;

	if (format == FORMAT_JSON) {
		text_add_utf8(cell, bytes, len);
		return;
	}
	for (; bytes < end; bytes = p) {
		for (p = bytes; p < end && *p != '\n'; p++)
			;
		if (format == FORMAT_TABLE)
			text_add_visible(cell, bytes, (size_t)(p - bytes));
		else
			text_add(cell, bytes, (size_t)(p - bytes));
		for (; p < end && *p == '\n'; p++)
			text_add(cell, ", ", 2);
	}
}

void table_set(struct table *table, size_t column, const struct text *text)
{
	struct text *cell = &table->cell;

	text_clear(cell);
	if (text)
		encode(cell, table->format, text->bytes, text->len);
	else if (table->format == FORMAT_TABLE)
		text_add(cell, "-", 1);
	else
		return;
	text_add(cell, "", 1);
	if (cell->failed || (text && text->failed) || !table->line ||
	    scols_line_set_data(table->line, column, cell->bytes))
		table->failed = true;
}

void table_printf(struct table *table, size_t column, const char *format, ...)
{
	struct text text = { 0 };
	char buf[64];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	text_add(&text, buf, n < 0 ? 0 : (size_t)n);
	table_set(table, column, &text);
	text_free(&text);
}

void table_add_view(struct table *table, const struct view *view, const struct columns *columns)
{
	struct text text = { 0 };
	size_t i, k;

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
	text_free(&text);
}

int table_print(struct table *table)
{
	char *s;

	if (table->format != FORMAT_JSON && !table->failed)
		return scols_print_table(table->scols) ? out_of_memory() : EXIT_SUCCESS;
	s = table_to_string(table);
	if (!s)
		return EXIT_FAILURE;
	json_print(s);
	free(s);
	return EXIT_SUCCESS;
}

char *table_to_string(struct table *table)
{
	char *s;

	if (!table->failed && !scols_print_table_to_string(table->scols, &s))
		return s;
	out_of_memory();
	return NULL;
}
