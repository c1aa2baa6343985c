/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The map as a picture that stands by itself: every cell tells what it is when pointed at. */
#include <string.h>

#include "heat.h"

#define TOP	54
#define LEFT	70
#define ROW	14
#define NAME	340
#define LEGEND	160

struct svg {
	FILE *file;
	const struct heat *heat;
	double width;	/* of a cell */
	struct text text;
};

/* XML has no characters for what it takes as markup, and none at all for most controls. */
static void put_escaped(struct svg *svg, const struct text *text)
{
	struct text utf8 = { 0 };
	size_t i;

	text_add_utf8(&utf8, text->bytes, text->len);
	for (i = 0; i < utf8.len; i++) {
		unsigned char c = (unsigned char)utf8.bytes[i];

		if (c == '<' || c == '>' || c == '&' || c == '"')
			fprintf(svg->file, "&#%d;", c);
		else if (c < ' ' || c == 0x7f)
			fputs("\xef\xbf\xbd", svg->file);
		else
			putc(c, svg->file);
	}
	text_free(&utf8);
}

static void put_column(struct svg *svg, const struct item *item, const char *name)
{
	text_clear(&svg->text);
	column_find(name)->put(&svg->text, &svg->heat->watch->view, item);
	put_escaped(svg, &svg->text);
}

static void put_cell(struct svg *svg, double x, double y, double share)
{
	unsigned int rgb[3];

	heat_color(share, rgb);
	fprintf(svg->file, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" "
			   "fill=\"#%02x%02x%02x\"><title>",
		x, y, svg->width, ROW - 1, rgb[0], rgb[1], rgb[2]);
}

static void put_row(struct svg *svg, size_t row, double y)
{
	const struct heat *heat = svg->heat;
	const struct item *item = heat->rows[row];
	const double *cells = heat->cells + row * heat->n_columns;
	size_t i;

	fprintf(svg->file, "<text x=\"%d\" y=\"%.0f\" class=\"r\">", LEFT - 6, y + 10.5);
	put_column(svg, item, "IRQ");
	fprintf(svg->file, "</text>");
	for (i = 0; i < heat->n_columns; i++) {
		double share = heat_share(heat, cells[i], heat->row_most[row]);

		if (!(share > 0))
			continue;
		put_cell(svg, LEFT + (double)i * svg->width, y, share);
		put_column(svg, item, "IRQ");
		fprintf(svg->file, " ");
		put_column(svg, item, "HANDLER");
		fprintf(svg->file, ", CPU %zu: %.*f%s</title></rect>\n", i, heat->is_rate ? 1 : 0,
			cells[i], heat->is_rate ? "/s" : "");
	}
	fprintf(svg->file, "<text x=\"%.0f\" y=\"%.0f\">",
		LEFT + (double)heat->n_columns * svg->width + 8, y + 10.5);
	put_column(svg, item, "HANDLER");
	fprintf(svg->file, "</text>\n");
}

static void put_sums(struct svg *svg, double y)
{
	const struct heat *heat = svg->heat;
	size_t i;

	fprintf(svg->file, "<text x=\"%d\" y=\"%.0f\" class=\"r\">all</text>", LEFT - 6, y + 10.5);
	for (i = 0; i < heat->n_columns; i++) {
		if (!(heat->sums[i] > 0))
			continue;
		put_cell(svg, LEFT + (double)i * svg->width, y, heat->sums[i] / heat->most_sum);
		fprintf(svg->file, "all rows, CPU %zu: %.*f%s</title></rect>\n", i,
			heat->is_rate ? 1 : 0, heat->sums[i], heat->is_rate ? "/s" : "");
	}
	fprintf(svg->file, "<text x=\"%.0f\" y=\"%.0f\">all rows together, linear scale</text>\n",
		LEFT + (double)heat->n_columns * svg->width + 8, y + 10.5);
}

static void put_ruler(struct svg *svg, double height)
{
	const struct heat *heat = svg->heat;
	size_t i, step = heat->n_columns > 128 ? 32 : heat->n_columns > 16 ? 8 : 1;

	for (i = 0; i < heat->n_columns; i += step)
		fprintf(svg->file,
			"<text x=\"%.2f\" y=\"%d\">%zu</text>"
			"<path d=\"M%.2f %dV%.0f\" class=\"g\"/>\n",
			LEFT + (double)i * svg->width, TOP - 4, i, LEFT + (double)i * svg->width,
			TOP, height);
	for (i = 0; i < heat->n_columns; i++) {
		if (heat->offline[i])
			fprintf(svg->file,
				"<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%.0f\" "
				"class=\"o\"><title>CPU %zu is offline</title></rect>\n",
				LEFT + (double)i * svg->width, TOP, svg->width, height - TOP, i);
	}
}

static void put_legend(struct svg *svg)
{
	const struct heat *heat = svg->heat;
	unsigned int rgb[3], i;

	fprintf(svg->file, "<text x=\"%d\" y=\"30\">0</text>\n", LEFT);
	for (i = 0; i < LEGEND; i += 4) {
		heat_color((double)i / LEGEND, rgb);
		fprintf(svg->file,
			"<rect x=\"%u\" y=\"21\" width=\"4\" height=\"11\" "
			"fill=\"#%02x%02x%02x\"/>\n",
			LEFT + 12 + i, rgb[0], rgb[1], rgb[2]);
	}
	fprintf(svg->file, "<text x=\"%d\" y=\"30\">%.0f%s, %s scale</text>\n", LEFT + LEGEND + 18,
		heat->most, heat->is_rate ? " a second" : "", heat_scale_name(heat->scale));
}

static void put_title(struct svg *svg, double width, double height)
{
	const struct feed *feed = &svg->heat->watch->feed;
	struct text time = { 0 };

	fprintf(svg->file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
		"<style>text{fill:#333}.r{text-anchor:end}.g{stroke:#e4e4e4}.o{fill:#ececec}"
		"</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		width, height, width, height);
	text_add_time(&time, feed->snap->realtime_ns);
	fprintf(svg->file, "<text x=\"%d\" y=\"14\" font-weight=\"bold\">Interrupts of %u CPUs, ",
		LEFT, feed->snap->n_online);
	put_escaped(svg, &time);
	if (svg->heat->is_rate)
		fprintf(svg->file, ", %.3g s</text>\n", (double)feed->delta->interval_ns / NS_PER_S);
	else
		fprintf(svg->file, ", since boot</text>\n");
	text_free(&time);
}

int heat_write_svg(const struct heat *heat, const char *path)
{
	struct svg svg = { .heat = heat };
	struct replacement r;
	double width, height;
	size_t i;

	if (replace_begin(&r, path))
		return EXIT_FAILURE;
	svg.file = r.file;
	svg.width = heat->n_columns <= 16 ? 24 : heat->n_columns <= 128 ? 10 : 5;
	width = LEFT + (double)heat->n_columns * svg.width + NAME;
	height = TOP + (double)(heat->n_rows + 1) * ROW + 22;
	put_title(&svg, width, height);
	put_legend(&svg);
	put_ruler(&svg, height - 8);
	put_sums(&svg, TOP + 2);
	for (i = 0; i < heat->n_rows; i++)
		put_row(&svg, i, TOP + 2 + (double)(i + 1) * ROW + 6);
	fprintf(svg.file, "</svg>\n");
	text_free(&svg.text);
	return replace_end(&r);
}
