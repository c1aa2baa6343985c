/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The map where there is no screen: in colours on a terminal, otherwise as bars or digits. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "heat.h"
#include "screen.h"

#define LABEL 9	/* columns before the map */
#define NAME  24

size_t heat_text_columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2 * (LABEL + NAME))
		return 64;
	return size.ws_col - LABEL - NAME;
}

/* The nearest of the 216 colours that terminals have had for long. */
static unsigned int color_256(double share)
{
	unsigned int rgb[3], n = 16, i;

	heat_color(share, rgb);
	for (i = 0; i < 3; i++) {
		unsigned int level = rgb[i] < 48 ? 0 : rgb[i] < 115 ? 1 : (rgb[i] - 35) / 40;

		n += level * (i == 0 ? 36 : i == 1 ? 6 : 1);
	}
	return n;
}

static void add_cell(struct text *text, double share, bool is_offline, bool has_color)
{
	if (has_color && share > 0)
		text_printf(text, "\033[48;5;%um \033[0m", color_256(share));
	else if (is_offline)
		text_add(text, "x", 1);
	else
		text_add_bar(text, has_color ? 0 : bar_level(share, 1));
}

static void print_ruler(const struct heat *heat)
{
	size_t i;

	printf("%-8s ", "CPU");
	for (i = 0; i < heat->n_columns; i += 8)
		printf("%-8u", (unsigned int)(i * heat->per_column));
	putchar('\n');
}

static void add_label(struct text *text, const struct item *item)
{
	if (item->kind == IRQSTAT_IRQ)
		text_printf(text, "%u", item->id);
	else if (item->desc)
		text_add_visible(text, item->desc->label.bytes, item->desc->label.len);
}

static void print_row(const struct heat *heat, size_t row, struct text *text, bool has_color)
{
	const struct column *handler = column_find("HANDLER");
	const double *cells = heat->cells + row * heat->n_columns;
	struct text name = { 0 };
	size_t i;

	text_clear(text);
	add_label(text, heat->rows[row]);
	printf("%8.*s ", (int)text->len, text->len ? text->bytes : "");
	text_clear(text);
	for (i = 0; i < heat->n_columns; i++)
		add_cell(text, heat_share(heat, cells[i], heat->row_most[row]), heat->offline[i],
			 has_color);
	text_add(text, "  ", 2);
	handler->put(&name, &heat->watch->view, heat->rows[row]);
	text_add_visible(text, name.bytes, name.len);
	text_free(&name);
	fwrite(text->bytes, 1, text->len, stdout);
	putchar('\n');
}

static void print_sums(const struct heat *heat, struct text *text, bool has_color)
{
	size_t i;

	text_clear(text);
	for (i = 0; i < heat->n_columns; i++) {
		double share = heat->most_sum > 0 ? heat->sums[i] / heat->most_sum : 0;

		add_cell(text, share, heat->offline[i], has_color);
	}
	printf("%8s ", "all");
	fwrite(text->bytes, 1, text->len, stdout);
	puts("  of all rows, linear");
}

int heat_print(const struct heat *heat)
{
	bool has_color = screen_is_rich();
	struct text text = { 0 };
	size_t i;

	printf("%s%s of %zu rows, %s scale, up to %.0f%s\n", "What CPUs counted",
	       heat->is_rate ? " a second" : "", heat->n_rows, heat_scale_name(heat->scale),
	       heat->most, heat->per_column > 1 ? ", the most of several CPUs a character" : "");
	print_ruler(heat);
	print_sums(heat, &text, has_color);
	for (i = 0; i < heat->n_rows; i++)
		print_row(heat, i, &text, has_color);
	text_free(&text);
	return output_end();
}
