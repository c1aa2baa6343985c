/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What top shows where there is no screen: a line, tables, and for programs a document a line. */
#include <string.h>

#include "cmd.h"

static double rate_of(const struct watch *watch)
{
	return irqstat_delta_rate(watch->feed.delta, watch->step->total);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The sums of @sums are of CPUs, some of which are not in the other ones. */
static uint64_t sum_of(const struct irqstat_sums *sums, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < sums->n_sums && sums->sums[i].id < cpu; i++)
		;
	return i < sums->n_sums && sums->sums[i].id == cpu ? sums->sums[i].count : 0;
}

static void fill_cpus(struct table *table, const struct watch *watch)
{
	const struct irqstat_sums *total = watch->total;
	size_t i;

	table_add_column(table, "CPU", COLUMN_RIGHT | COLUMN_NUMBER);
	table_add_column(table, "TOTAL", COLUMN_RIGHT | COLUMN_NUMBER);
	table_add_column(table, "DELTA", COLUMN_RIGHT | COLUMN_NUMBER);
	table_add_column(table, "RATE", COLUMN_RIGHT | COLUMN_NUMBER);
	table_add_column(table, "TOTAL_PCT", COLUMN_RIGHT | COLUMN_NUMBER);
	table_add_column(table, "DELTA_PCT", COLUMN_RIGHT | COLUMN_NUMBER);
	for (i = 0; i < total->n_sums && total->sums[i].id != IRQSTAT_CPU_NONE; i++) {
		uint64_t delta = sum_of(watch->step, total->sums[i].id);

		table_add_row(table);
		table_printf(table, 0, "%u", total->sums[i].id);
		table_printf(table, 1, "%llu", (unsigned long long)total->sums[i].count);
		table_printf(table, 2, "%llu", (unsigned long long)delta);
		table_printf(table, 3, "%.1f", irqstat_delta_rate(watch->feed.delta, delta));
		table_printf(table, 4, "%.1f", percent(total->sums[i].count, total->total));
		table_printf(table, 5, "%.1f", percent(delta, watch->step->total));
	}
}

static void fill_changes(struct table *table, const struct irqstat_delta *delta)
{
	static const char *const names[] = { "", "left", "joined", "restarted" };
	size_t i;

	table_add_column(table, "CPU", COLUMN_RIGHT | COLUMN_NUMBER);
	table_add_column(table, "CHANGE", 0);
	for (i = 0; i < delta->n_changes; i++) {
		table_add_row(table);
		table_printf(table, 0, "%u", delta->changes[i].cpu);
		table_printf(table, 1, "%s", names[delta->changes[i].change & 3]);
	}
}

static struct table *new_interrupts(const struct watch *watch)
{
	struct table *table = table_new(feed_rows(&watch->feed), watch->options);

	if (table)
		table_add_view(table, &watch->view, &watch->columns);
	return table;
}

static int print_tables(struct watch *watch, struct table *interrupts, struct table *cpus)
{
	struct feed *feed = &watch->feed;
	struct text names = { 0 };
	size_t i;
	int code;

	text_add_visible(&names, feed_host(feed), strlen(feed_host(feed)));
	text_printf(&names, " | ");
	text_add_time(&names, feed->snap->realtime_ns);
	printf(PROGRAM " | total: %llu delta: %llu rate: %.1f/s | %.*s\n",
	       (unsigned long long)watch->total->total, (unsigned long long)watch->step->total,
	       rate_of(watch), (int)names.len, names.len ? names.bytes : "");
	text_free(&names);
	for (i = 0; i < feed->delta->n_changes; i++) {
		const struct irqstat_cpu_change *change = &feed->delta->changes[i];

		printf("CPU %u %s\n", change->cpu,
		       change->change == IRQSTAT_CPU_LEFT   ? "left" :
		       change->change == IRQSTAT_CPU_JOINED ? "joined" :
							      "restarted");
	}
	putchar('\n');
	code = cpus ? table_print(cpus) : EXIT_SUCCESS;
	if (cpus && !code)
		putchar('\n');
	if (!code)
		code = table_print(interrupts);
	putchar('\n');
	return code;
}

static int print_json(struct watch *watch, struct table *interrupts, struct table *cpus)
{
	struct feed *feed = &watch->feed;
	struct table *changes = table_new("changes", watch->options);
	struct text time = { 0 };
	struct json json;
	int code;

	if (!changes)
		return out_of_memory();
	fill_changes(changes, feed->delta);
	text_add_time(&time, feed->snap->realtime_ns);
	json_begin(&json);
	json_string(&json, "time", time.bytes, time.len);
	json_string(&json, "host", feed_host(feed), strlen(feed_host(feed)));
	json_value(&json, "interval", "%.9f", (double)feed->delta->interval_ns / NS_PER_S);
	json_value(&json, "total", "%llu", (unsigned long long)watch->total->total);
	json_value(&json, "delta", "%llu", (unsigned long long)watch->step->total);
	json_value(&json, "rate", "%.1f", rate_of(watch));
	code = json_table(&json, changes);
	if (!code && cpus)
		code = json_table(&json, cpus);
	if (!code)
		code = json_table(&json, interrupts);
	json_end(&json);
	text_free(&time);
	table_free(changes);
	return code;
}

int top_print(struct watch *watch)
{
	const struct options *o = watch->options;
	struct table *interrupts = new_interrupts(watch), *cpus = NULL;
	bool has_cpus = o->format == FORMAT_JSON ? o->cpu_stat != WHEN_NEVER :
						   o->cpu_stat == WHEN_ALWAYS;
	int code = EXIT_FAILURE;

	if (has_cpus)
		cpus = table_new("cpus", o);
	if (!interrupts || (has_cpus && !cpus)) {
		out_of_memory();
		goto free;
	}
	if (cpus)
		fill_cpus(cpus, watch);
	code = o->format == FORMAT_JSON ? print_json(watch, interrupts, cpus) :
					  print_tables(watch, interrupts, cpus);
	if (!code)
		code = output_end();
free:
	table_free(interrupts);
	table_free(cpus);
	return code;
}
