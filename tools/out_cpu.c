/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * People get a table with a column for each row of /proc/interrupts that counted,
 * programs get a list of what counted where. Where the time is not known, people
 * get counts, as there are no rates.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "out_cpu.h"

#define RIGHT  COLUMN_RIGHT
#define NUMBER (COLUMN_RIGHT | COLUMN_NUMBER)

static void add_time(struct text *text, const struct cpu_report *report, const struct feed *feed)
{
	time_t seconds = (time_t)(feed->snap->realtime_ns / NS_PER_S);
	struct tm tm;
	char s[16];

	if (report->title)
		text_printf(text, "%s", report->title);
	else if (localtime_r(&seconds, &tm) && strftime(s, sizeof(s), "%H:%M:%S", &tm))
		text_printf(text, "%s", s);
}

static void set_time(struct table *table, const struct cpu_report *report, const struct feed *feed)
{
	struct text text = { 0 };

	add_time(&text, report, feed);
	table_set(table, 0, &text);
	text_free(&text);
}

static void set_rate(struct table *table, size_t column, const struct cpu_report *report,
		     const struct feed *feed, uint64_t count)
{
	if (report->has_rates)
		table_printf(table, column, "%.*f", (int)report->options->decimals,
			     irqstat_delta_rate(feed->delta, count));
	else if (report->options->format == FORMAT_JSON)
		table_set(table, column, NULL);
	else
		table_printf(table, column, "%llu", (unsigned long long)count);
}

static const char *unit(const struct cpu_report *report)
{
	return report->has_rates ? "/s" : "";
}

static bool has_line(const struct cpu_report *report, uint32_t cpu)
{
	return cpu != IRQSTAT_CPU_NONE &&
	       (!report->options->lines || irqstat_select_has_cpu(report->options->lines, cpu));
}

/* One line of sums; as text: TIME CPU INTR/S. @name: NULL is not known */
static void add_sum(struct table *table, const struct cpu_report *report, const struct feed *feed,
		    const char *name, uint64_t count)
{
	size_t column = 0;

	table_add_row(table);
	if (report->options->format != FORMAT_JSON)
		set_time(table, report, feed), column++;
	if (name)
		table_printf(table, column++, "%s", name);
	else
		table_set(table, column++, NULL);
	if (report->options->format == FORMAT_JSON)
		table_printf(table, column++, "%llu", (unsigned long long)count);
	set_rate(table, column, report, feed, count);
}

static void add_sum_columns(struct table *table, const struct cpu_report *report, const char *of)
{
	if (report->options->format == FORMAT_JSON) {
		table_add_column(table, of, NUMBER);
		table_add_column(table, "DELTA", NUMBER);
		table_add_column(table, "RATE", NUMBER);
	} else {
		table_add_column(table, "TIME", 0);
		table_add_column(table, of, RIGHT);
		table_add_column(table, report->has_rates ? "INTR/s" : "INTR", RIGHT);
	}
}

/* The sum of all: for people the line "all", for programs no CPU of another type. */
static void add_all(struct table *table, const struct cpu_report *report, struct json *json,
		    const struct feed *feed, uint64_t count)
{
	if (!json) {
		add_sum(table, report, feed, "all", count);
		return;
	}
	json_value(json, "delta", "%llu", (unsigned long long)count);
	if (report->has_rates)
		json_value(json, "rate", "%.*f", (int)report->options->decimals,
			   irqstat_delta_rate(feed->delta, count));
	else
		json_value(json, "rate", "null");
}

static int fill_sums(struct table *table, const struct cpu_report *report, struct json *json,
		     const struct feed *feed)
{
	const struct irqstat_sums *sums = irqstat_sums_by_cpu(report->adder, feed->step);
	char name[16];
	size_t i;

	if (!sums)
		return out_of_memory();
	add_sum_columns(table, report, "CPU");
	add_all(table, report, json, feed, sums->total);
	for (i = 0; report->options->lines && i < sums->n_sums; i++) {
		if (!has_line(report, sums->sums[i].id))
			continue;
		snprintf(name, sizeof(name), "%u", sums->sums[i].id);
		add_sum(table, report, feed, name, sums->sums[i].count);
	}
	return EXIT_SUCCESS;
}

static int fill_nodes(struct table *table, const struct cpu_report *report, const struct feed *feed)
{
	const struct irqstat_sums *sums;
	char name[16];
	size_t i;

	sums = irqstat_sums_by_node(report->adder, feed->step, report->topology);
	if (!sums)
		return out_of_memory();
	add_sum_columns(table, report, "NODE");
	for (i = 0; i < sums->n_sums; i++) {
		uint32_t node = sums->sums[i].id;

		if (node != IRQSTAT_NODE_NONE &&
		    !irqstat_select_has_cpu(report->options->nodes, node))
			continue;
		snprintf(name, sizeof(name), "%u", node);
		add_sum(table, report, feed, node == IRQSTAT_NODE_NONE ? NULL : name,
			sums->sums[i].count);
	}
	return EXIT_SUCCESS;
}

static int compare_cpu(const void *key, const void *cpu)
{
	uint32_t a = *(const uint32_t *)key, b = *(const uint32_t *)cpu;

	return (a > b) - (a < b);
}

static uint64_t cell(const struct irqstat_snapshot *snap, const struct irqstat_row *row,
		     uint32_t cpu)
{
	const uint32_t *found, *first;

	if (!row)
		return 0;
	first = snap->cpu + row->first;
	found = bsearch(&cpu, first, row->n, sizeof(*first), compare_cpu);
	return found ? snap->count[found - snap->cpu] : 0;
}

static bool is_wanted(const struct cpu_report *report, const struct item *item)
{
	return report->options->is_all || (item->step && item->step->total);
}

static bool add_label(struct text *text, const struct item *item)
{
	text_clear(text);
	if (item->kind == IRQSTAT_IRQ)
		text_printf(text, "%u", item->id);
	else if (item->desc)
		text_add_string(text, item->desc->label);
	return text->len;
}

static void fill_wide(struct table *table, const struct cpu_report *report, const struct feed *feed,
		      const struct view *view)
{
	const struct irqstat_snapshot *step = feed->step;
	struct text text = { 0 };
	size_t i, column = 2;
	uint32_t cpu;

	table_add_column(table, "TIME", 0);
	table_add_column(table, "CPU", RIGHT);
	for (i = 0; i < view->n_items; i++) {
		if (!is_wanted(report, &view->items[i]) || !add_label(&text, &view->items[i]))
			continue;
		text_add(&text, unit(report), strlen(unit(report)) + 1);
		table_add_column(table, text.failed ? "?" : text.bytes, RIGHT);
	}
	for (cpu = 0; cpu < step->nr_cpu_ids; cpu++) {
		if (!irqstat_snapshot_is_online(feed->snap, cpu) || !has_line(report, cpu))
			continue;
		table_add_row(table);
		set_time(table, report, feed);
		table_printf(table, 1, "%u", cpu);
		for (i = 0, column = 2; i < view->n_items; i++) {
			if (is_wanted(report, &view->items[i]) && add_label(&text, &view->items[i]))
				set_rate(table, column++, report, feed,
					 cell(step, view->items[i].step, cpu));
		}
	}
	text_free(&text);
}

static void fill_long(struct table *table, const struct cpu_report *report, const struct feed *feed,
		      const struct view *view)
{
	const struct irqstat_snapshot *step = feed->step;
	struct text text = { 0 };
	size_t i;
	uint32_t k;

	table_add_column(table, "CPU", NUMBER);
	table_add_column(table, "IRQ", 0);
	table_add_column(table, "DELTA", NUMBER);
	table_add_column(table, "RATE", NUMBER);
	for (i = 0; i < view->n_items; i++) {
		const struct irqstat_row *row = view->items[i].step;

		add_label(&text, &view->items[i]);
		for (k = row ? row->first : 0; row && k < row->first + row->n; k++) {
			if (!has_line(report, step->cpu[k]) || !step->count[k])
				continue;
			table_add_row(table);
			table_printf(table, 0, "%u", step->cpu[k]);
			table_set(table, 1, &text);
			table_printf(table, 2, "%llu", (unsigned long long)step->count[k]);
			set_rate(table, 3, report, feed, step->count[k]);
		}
	}
	text_free(&text);
}

static int finish(struct table *table, struct json *json)
{
	if (json)
		return json_table(json, table);
	putchar('\n');
	return table_print(table);
}

static int print_sums(const struct cpu_report *report, struct json *json, bool is_nodes)
{
	struct table *table = table_new(is_nodes ? "nodes" : "cpus", report->options);
	int code;

	if (!table)
		return out_of_memory();
	code = is_nodes ? fill_nodes(table, report, report->interrupts) :
			  fill_sums(table, report, json, report->interrupts);
	if (!code && (is_nodes || !json || report->options->lines))
		code = finish(table, json);
	table_free(table);
	return code;
}

static int print_rows(struct cpu_report *report, struct json *json, const struct feed *feed)
{
	struct view *view = &report->views[feed == report->softirqs];
	struct table *table;
	int code = view_fill(view, feed);

	if (code)
		return code;
	table = table_new(feed_rows(feed), report->options);
	if (!table)
		return out_of_memory();
	if (json)
		fill_long(table, report, feed, view);
	else
		fill_wide(table, report, feed, view);
	code = finish(table, json);
	table_free(table);
	return code;
}

static int print_all(struct cpu_report *report, struct json *json)
{
	unsigned int shows = report->options->shows;
	int code = EXIT_SUCCESS;

	if (shows & SHOW_SUM)
		code = print_sums(report, json, false);
	if (!code && report->topology && report->interrupts)
		code = print_sums(report, json, true);
	if (!code && report->interrupts && shows & (SHOW_INTERRUPTS | SHOW_SOFTIRQS) &&
	    (shows & SHOW_INTERRUPTS || report->options->input))
		code = print_rows(report, json, report->interrupts);
	if (!code && report->softirqs)
		code = print_rows(report, json, report->softirqs);
	return code;
}

int cpu_print(struct cpu_report *report)
{
	const struct feed *feed = report->interrupts ? report->interrupts : report->softirqs;
	struct text time = { 0 };
	struct json json;
	int code;

	if (report->options->format != FORMAT_JSON) {
		code = print_all(report, NULL);
		return code ? code : output_end();
	}
	text_add_time(&time, feed->snap->realtime_ns);
	json_begin(&json);
	json_string(&json, "time", time.bytes, time.len);
	if (report->has_rates)
		json_value(&json, "interval", "%.9f",
			   (double)feed->delta->interval_ns / NS_PER_S);
	else
		json_value(&json, "interval", "null");
	code = print_all(report, &json);
	json_end(&json);
	text_free(&time);
	return code ? code : output_end();
}
