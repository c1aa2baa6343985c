/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <math.h>
#include <string.h>

#include "heat.h"

void heat_free(struct heat *heat)
{
	free(heat->rows);
	free(heat->cells);
	free(heat->sums);
	free(heat->row_most);
	free(heat->offline);
	heat->rows = NULL;
	heat->cells = heat->sums = heat->row_most = NULL;
	heat->offline = NULL;
}

static const struct irqstat_row *counted(const struct heat *heat, const struct item *item)
{
	return heat->is_rate ? item->step : item->total;
}

static int allocate(struct heat *heat, size_t n_rows)
{
	heat->rows = calloc(n_rows + 1, sizeof(*heat->rows));
	heat->row_most = calloc(n_rows + 1, sizeof(*heat->row_most));
	heat->cells = calloc(n_rows * heat->n_columns + 1, sizeof(*heat->cells));
	heat->sums = calloc(heat->n_columns + 1, sizeof(*heat->sums));
	heat->offline = calloc(heat->n_columns + 1, sizeof(*heat->offline));
	if (!heat->rows || !heat->row_most || !heat->cells || !heat->sums || !heat->offline)
		return out_of_memory();
	return EXIT_SUCCESS;
}

static double value_of(const struct heat *heat, uint64_t count)
{
	const struct irqstat_delta *delta = heat->watch->feed.delta;

	return heat->is_rate ? irqstat_delta_rate(delta, count) : (double)count;
}

static void add_row(struct heat *heat, const struct irqstat_snapshot *snap,
		    const struct irqstat_row *row)
{
	double *cells = heat->cells + heat->n_rows * heat->n_columns;
	double *most = &heat->row_most[heat->n_rows];
	uint32_t i;

	for (i = row->first; i < row->first + row->n; i++) {
		double value = value_of(heat, snap->count[i]);
		double *cell = &cells[snap->cpu[i] / heat->per_column];

		if (snap->cpu[i] >= snap->nr_cpu_ids)
			continue;
		if (value > *cell)
			*cell = value;
		if (value > *most)
			*most = value;
	}
	if (*most > heat->most)
		heat->most = *most;
}

static void add_sums(struct heat *heat, const struct irqstat_sums *sums, uint32_t nr_cpu_ids)
{
	size_t i;

	for (i = 0; i < heat->n_columns; i++)
		heat->offline[i] = true;
	for (i = 0; i < sums->n_sums && sums->sums[i].id < nr_cpu_ids; i++) {
		size_t column = sums->sums[i].id / heat->per_column;
		double value = value_of(heat, sums->sums[i].count);

		heat->offline[column] = false;
		if (value > heat->sums[column])
			heat->sums[column] = value;
		if (value > heat->most_sum)
			heat->most_sum = value;
	}
}

int heat_fill(struct heat *heat, const struct watch *watch, size_t columns)
{
	const struct feed *feed = &watch->feed;
	const struct irqstat_snapshot *snap = heat->is_rate ? feed->step : feed->total;
	size_t i, n_cpus = snap->nr_cpu_ids;

	heat_free(heat);
	heat->watch = watch;
	heat->per_column = columns ? (unsigned int)((n_cpus + columns - 1) / columns) : 1;
	heat->n_columns = (n_cpus + heat->per_column - 1) / heat->per_column;
	heat->n_rows = 0;
	heat->most = heat->most_sum = 0;
	if (allocate(heat, watch->view.n_items))
		return EXIT_FAILURE;
	for (i = 0; i < watch->view.n_items; i++) {
		const struct item *item = &watch->view.items[i];
		const struct irqstat_row *row = counted(heat, item);

		if (!watch->options->is_all && (!row || !row->total))
			continue;
		heat->rows[heat->n_rows] = item;
		if (row)
			add_row(heat, snap, row);
		heat->n_rows++;
	}
	add_sums(heat, heat->is_rate ? watch->step : watch->total, snap->nr_cpu_ids);
	return EXIT_SUCCESS;
}

double heat_share(const struct heat *heat, double value, double most)
{
	double whole = heat->scale == HEAT_BY_ROW ? most : heat->most;

	if (!(value > 0) || !(whole > 0))
		return 0;
	if (value >= whole)
		return 1;
	return heat->scale == HEAT_LOG ? log1p(value) / log1p(whole) : value / whole;
}

const char *heat_scale_name(enum heat_scale scale)
{
	static const char *const names[] = { "log", "linear", "row" };

	return names[scale];
}

/* From dark to bright through one hue after the other, so that it also reads in grey. */
void heat_color(double share, unsigned int rgb[3])
{
	static const unsigned char stops[][3] = {
		{ 38, 26, 84 },	  { 84, 39, 126 },  { 140, 48, 120 }, { 197, 64, 88 },
		{ 236, 104, 52 }, { 250, 164, 40 }, { 252, 230, 120 },
	};
	const size_t n = sizeof(stops) / sizeof(*stops) - 1;
	double at = share * (double)n;
	size_t i = at >= (double)n ? n - 1 : (size_t)at;
	int k;

	for (k = 0; k < 3; k++)
		rgb[k] = (unsigned int)(stops[i][k] + (at - (double)i) * (stops[i + 1][k] - stops[i][k]));
}
