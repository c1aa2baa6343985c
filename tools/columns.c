/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What can be shown of a row: one table, a function for each. */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "cmd.h"

#define TREND_WIDTH  32
#define SPREAD_WIDTH 16
#define SPREAD_MAX   64

static bool is_unavailable(const struct irqstat_row *row)
{
	return row && (row->flags & IRQSTAT_ROW_UNAVAILABLE);
}

static uint64_t count_of(const struct irqstat_row *row)
{
	return row ? row->total : 0;
}

static bool put_irq(struct text *text, const struct view *view, const struct item *item)
{
	(void)view;
	if (item->kind == IRQSTAT_IRQ)
		text_printf(text, "%u", item->id);
	else if (item->desc && item->desc->label.bytes)
		text_add_string(text, item->desc->label);
	else
		return false;
	return true;
}

static const char *label_of(const struct item *item)
{
	return item->desc && item->desc->label.bytes ? item->desc->label.bytes : "";
}

static int compare_irq(const struct view *view, const struct item *a, const struct item *b)
{
	(void)view;
	if (a->kind == IRQSTAT_IRQ && b->kind == IRQSTAT_IRQ)
		return (a->id > b->id) - (a->id < b->id);
	if (a->kind == IRQSTAT_IRQ || b->kind == IRQSTAT_IRQ)
		return a->kind == IRQSTAT_IRQ ? -1 : 1;
	return strverscmp(label_of(a), label_of(b));
}

static bool put_total(struct text *text, const struct view *view, const struct item *item)
{
	(void)view;
	if (is_unavailable(item->total) ||
	    (item->desc && item->desc->flags & IRQSTAT_DESC_UNCOUNTED))
		return false;
	text_printf(text, "%llu", (unsigned long long)count_of(item->total));
	return true;
}

static int compare_total(const struct view *view, const struct item *a, const struct item *b)
{
	uint64_t x = count_of(a->total), y = count_of(b->total);

	(void)view;
	return (x < y) - (x > y);
}

static bool put_delta(struct text *text, const struct view *view, const struct item *item)
{
	if (!view->feed->delta || is_unavailable(item->step))
		return false;
	text_printf(text, "%llu", (unsigned long long)count_of(item->step));
	return true;
}

static int compare_delta(const struct view *view, const struct item *a, const struct item *b)
{
	uint64_t x = count_of(a->step), y = count_of(b->step);

	return x == y ? compare_total(view, a, b) : x < y ? 1 : -1;
}

static bool put_rate(struct text *text, const struct view *view, const struct item *item)
{
	const struct irqstat_delta *delta = view->feed->delta;

	if (!delta || is_unavailable(item->step))
		return false;
	text_printf(text, "%.1f", irqstat_delta_rate(delta, count_of(item->step)));
	return true;
}

static void add_blank(struct text *text)
{
	if (text->len)
		text_add(text, " ", 1);
}

static void add_actions(struct text *text, const struct irqstat_desc *desc, const char *between)
{
	size_t i;

	for (i = 0; i < desc->n_actions; i++) {
		if (i)
			text_add(text, between, strlen(between));
		if (desc->actions[i].bytes)
			text_add_string(text, desc->actions[i]);
		else
			text_add(text, "(null)", 6);
	}
}

/* The kernel has no words for its softirqs. */
static const char *softirq_text(const struct irqstat_desc *desc)
{
	static const char *const texts[][2] = {
		{ "HI", "Tasklets of high priority" },
		{ "TIMER", "Timers" },
		{ "NET_TX", "Network transmit" },
		{ "NET_RX", "Network receive" },
		{ "BLOCK", "Block device completions" },
		{ "IRQ_POLL", "Block device polling" },
		{ "TASKLET", "Tasklets" },
		{ "SCHED", "Scheduler load balancing" },
		{ "HRTIMER", "High resolution timers" },
		{ "RCU", "RCU callbacks" },
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (desc->label.bytes && !strcmp(desc->label.bytes, texts[i][0]))
			return texts[i][1];
	}
	return "";
}

static void add_trigger(struct text *text, const struct irqstat_desc *desc)
{
	if (desc->trigger & (IRQSTAT_TRIGGER_EDGE | IRQSTAT_TRIGGER_RISING |
			     IRQSTAT_TRIGGER_FALLING))
		text_add(text, "edge", 4);
	else if (desc->trigger)
		text_add(text, "level", 5);
}

static bool put_name(struct text *text, const struct view *view, const struct item *item)
{
	const struct irqstat_desc *desc = item->desc;
	struct irqstat_string tail;

	(void)view;
	if (!desc)
		return false;
	text_add_string(text, desc->chip);
	if (desc->flags & IRQSTAT_DESC_HWIRQ) {
		add_blank(text);
		text_printf(text, "%llu", (unsigned long long)desc->hwirq);
	} else if (desc->flow.bytes) {
		add_blank(text);
	}
	if (desc->flow.bytes) {
		text_add(text, "-", 1);
		text_add_string(text, desc->flow);
	}
	if (desc->trigger & (IRQSTAT_TRIGGER_EDGE | IRQSTAT_TRIGGER_LEVEL)) {
		add_blank(text);
		text_printf(text, desc->trigger & IRQSTAT_TRIGGER_EDGE ? "Edge" : "Level");
	}
	if (desc->n_actions)
		add_blank(text);
	add_actions(text, desc, ", ");
	for (tail = desc->text; tail.len && *tail.bytes == ' '; tail.bytes++)
		tail.len--;
	if (tail.len)
		add_blank(text);
	text_add_string(text, tail);
	if (desc->kind == IRQSTAT_SOFTIRQ)
		text_printf(text, "%s", softirq_text(desc));
	return true;
}

/* Who wants to know who it is seldom wants to know the chip. */
static bool put_handler(struct text *text, const struct view *view, const struct item *item)
{
	if (!item->desc || !item->desc->n_actions)
		return put_name(text, view, item);
	add_actions(text, item->desc, ", ");
	return true;
}

/* As the locale has it. */
static int compare_text(const struct view *view, const struct item *a, const struct item *b,
			bool (*put)(struct text *, const struct view *, const struct item *))
{
	struct text x = { 0 }, y = { 0 };
	int order = 0;

	put(&x, view, a);
	put(&y, view, b);
	text_add(&x, "", 1);
	text_add(&y, "", 1);
	if (!x.failed && !y.failed)
		order = strcoll(x.bytes, y.bytes);
	text_free(&x);
	text_free(&y);
	return order;
}

static int compare_name(const struct view *view, const struct item *a, const struct item *b)
{
	return compare_text(view, a, b, put_name);
}

static int compare_handler(const struct view *view, const struct item *a, const struct item *b)
{
	return compare_text(view, a, b, put_handler);
}

static bool put_actions(struct text *text, const struct view *view, const struct item *item)
{
	(void)view;
	if (!item->desc || !item->desc->n_actions)
		return false;
	add_actions(text, item->desc, "\n");
	return true;
}

static bool put_chip(struct text *text, const struct view *view, const struct item *item)
{
	(void)view;
	if (!item->desc || !item->desc->chip.bytes)
		return false;
	text_add_string(text, item->desc->chip);
	return true;
}

static bool put_hwirq(struct text *text, const struct view *view, const struct item *item)
{
	(void)view;
	if (!item->desc || !(item->desc->flags & IRQSTAT_DESC_HWIRQ))
		return false;
	text_printf(text, "%llu", (unsigned long long)item->desc->hwirq);
	return true;
}

static bool put_flow(struct text *text, const struct view *view, const struct item *item)
{
	(void)view;
	if (!item->desc || !item->desc->flow.bytes)
		return false;
	text_add_string(text, item->desc->flow);
	return true;
}

static bool put_trigger(struct text *text, const struct view *view, const struct item *item)
{
	(void)view;
	if (!item->desc || !item->desc->trigger)
		return false;
	add_trigger(text, item->desc);
	return true;
}

static bool put_kind(struct text *text, const struct view *view, const struct item *item)
{
	static const char *const names[] = { "", "irq", "x86", "named", "softirq" };

	(void)view;
	if (item->kind >= sizeof(names) / sizeof(*names))
		return false;
	text_printf(text, "%s", names[item->kind]);
	return true;
}

static bool put_cpus(struct text *text, const struct view *view, const struct item *item)
{
	const struct irqstat_snapshot *snap = view->feed->total;
	const uint32_t *cpu, *end;

	if (!item->total || !item->total->n)
		return false;
	cpu = snap->cpu + item->total->first;
	end = cpu + item->total->n;
	while (cpu < end && *cpu != IRQSTAT_CPU_NONE) {
		const uint32_t *last = cpu;

		while (view->format != FORMAT_JSON && last + 1 < end && last[1] == *last + 1)
			last++;
		text_printf(text, last > cpu ? "%s%u-%u" : "%s%u", text->len ? "\n" : "", *cpu,
			    *last);
		cpu = last + 1;
	}
	return text->len;
}

static bool put_counts(struct text *text, const struct view *view, const struct item *item)
{
	const struct irqstat_snapshot *snap = view->feed->total;
	uint32_t i;

	if (!item->total || !item->total->n)
		return false;
	for (i = item->total->first; i < item->total->first + item->total->n; i++)
		text_printf(text, "%s%llu", text->len ? "\n" : "",
			    (unsigned long long)snap->count[i]);
	return true;
}

/*
 * The oldest on the left, as high as it was compared to the most of them. Where
 * there are more intervals than characters, each is the most of several; where
 * there are fewer, blanks are what nobody looked at.
 */
static bool put_trend(struct text *text, const struct view *view, const struct item *item)
{
	size_t width = view->trend_width ? view->trend_width : TREND_WIDTH, i, n;
	double rates[TREND_WIDTH] = { 0 }, most;

	if (!view->history)
		return false;
	if (width > TREND_WIDTH)
		width = TREND_WIDTH;
	n = history_length(view->history);
	most = history_peak(view->history, item->kind, item->id, &i);
	for (i = 0; most > 0 && i < n; i++) {
		double rate = history_rate(view->history, item->kind, item->id, i);
		size_t at = n > width ? i * width / n : i;

		if (rate > rates[width - 1 - at])
			rates[width - 1 - at] = rate;
	}
	for (i = 0; i < width; i++) {
		if (i + n < width)
			text_add(text, " ", 1);
		else
			text_add_bar(text, bar_level(rates[i], most));
	}
	return n;
}

static bool put_peak(struct text *text, const struct view *view, const struct item *item)
{
	size_t ago;

	if (!view->history || !history_length(view->history))
		return false;
	text_printf(text, "%.1f", history_peak(view->history, item->kind, item->id, &ago));
	return true;
}

static int compare_peak(const struct view *view, const struct item *a, const struct item *b)
{
	size_t ago;
	double x, y;

	if (!view->history)
		return 0;
	x = history_peak(view->history, a->kind, a->id, &ago);
	y = history_peak(view->history, b->kind, b->id, &ago);
	return (x < y) - (x > y);
}

static bool put_peak_at(struct text *text, const struct view *view, const struct item *item)
{
	size_t ago;

	if (!view->history || !view->interval_ns ||
	    !(history_peak(view->history, item->kind, item->id, &ago) > 0))
		return false;
	ago = history_length(view->history) - 1 - ago;
	text_printf(text, "%.3f", (double)ago * (double)view->interval_ns / 1e6);
	return true;
}

static bool put_rates(struct text *text, const struct view *view, const struct item *item)
{
	size_t i;

	if (!view->history)
		return false;
	for (i = history_length(view->history); i; i--)
		text_printf(text, text->len ? "\n%.1f" : "%.1f",
			    history_rate(view->history, item->kind, item->id, i - 1));
	return text->len;
}

/* CPUs from left to right, some to a character if there are more of them. */
static bool put_spread(struct text *text, const struct view *view, const struct item *item)
{
	const struct irqstat_snapshot *step = view->feed->step;
	unsigned int n = view->spread_width ? view->spread_width : SPREAD_WIDTH, per, i;
	double sums[SPREAD_MAX] = { 0 }, most = 0;

	if (!step)
		return false;
	if (n > SPREAD_MAX)
		n = SPREAD_MAX;
	per = (step->nr_cpu_ids + n - 1) / n;
	n = (step->nr_cpu_ids + per - 1) / per;
	for (i = 0; item->step && i < item->step->n; i++) {
		uint32_t k = item->step->first + i;

		if (step->cpu[k] < step->nr_cpu_ids)
			sums[step->cpu[k] / per] += (double)step->count[k];
	}
	for (i = 0; i < n; i++)
		most = sums[i] > most ? sums[i] : most;
	for (i = 0; i < n; i++)
		text_add_bar(text, bar_level(sums[i], most));
	return true;
}

static bool put_state(struct text *text, const struct view *view, const struct item *item)
{
	static const struct {
		unsigned int flag;
		const char *name;
	} states[] = {
		{ IRQSTAT_ROW_NEW, "new" },		{ IRQSTAT_ROW_RESTARTED, "restarted" },
		{ IRQSTAT_ROW_WRAPPED, "wrapped" },	{ IRQSTAT_ROW_BACKWARD, "backward" },
		{ IRQSTAT_ROW_CACHED, "cached" },	{ IRQSTAT_ROW_UNAVAILABLE, "unavailable" },
		{ IRQSTAT_ROW_AGGREGATE, "aggregate" },
	};
	unsigned int flags = (item->total ? item->total->flags : 0U) |
			     (item->step ? item->step->flags : 0U);
	size_t i;

	(void)view;
	for (i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (flags & states[i].flag)
			text_printf(text, text->len ? "\n%s" : "%s", states[i].name);
	}
	return text->len;
}

const struct column columns_all[] = {
	{ "IRQ", "number or label", COLUMN_RIGHT, put_irq, compare_irq },
	{ "TOTAL", "count", COLUMN_RIGHT | COLUMN_NUMBER, put_total, compare_total },
	{ "DELTA", "counted in the interval", COLUMN_RIGHT | COLUMN_NUMBER, put_delta,
	  compare_delta },
	{ "RATE", "DELTA per second", COLUMN_RIGHT | COLUMN_NUMBER, put_rate, compare_delta },
	{ "NAME", "chip, hwirq, flow and actions, or what the label means", 0, put_name,
	  compare_name },
	{ "HANDLER", "actions, or what the label means", 0, put_handler,
	  compare_handler },
	{ "ACTIONS", "who handles it", COLUMN_LIST, put_actions, NULL },
	{ "CHIP", "interrupt controller", 0, put_chip, NULL },
	{ "HWIRQ", "its number there", COLUMN_RIGHT | COLUMN_NUMBER, put_hwirq, NULL },
	{ "FLOW", "how the kernel handles it", 0, put_flow, NULL },
	{ "TRIGGER", "edge or level", 0, put_trigger, NULL },
	{ "KIND", "irq, x86, named or softirq", 0, put_kind, NULL },
	{ "CPUS", "CPUs that have counted", COLUMN_LIST | COLUMN_NUMBER, put_cpus, NULL },
	{ "PEAK", "the highest RATE of the last intervals", COLUMN_RIGHT | COLUMN_NUMBER, put_peak,
	  compare_peak },
	{ "PEAK_AT", "in a burst: when, in milliseconds", COLUMN_RIGHT | COLUMN_NUMBER, put_peak_at,
	  NULL },
	{ "RATES", "RATE of each of the last intervals", COLUMN_LIST | COLUMN_NUMBER, put_rates,
	  NULL },
	{ "TREND", "RATE of the last intervals", COLUMN_BARS, put_trend, NULL },
	{ "SPREAD", "DELTA of each CPU", COLUMN_BARS, put_spread, NULL },
	{ "STATE", "new, restarted, wrapped, backward, cached, ...", COLUMN_LIST, put_state, NULL },
	{ "COUNTS", "the count of each of CPUS", COLUMN_LIST | COLUMN_NUMBER, put_counts, NULL },
};

const size_t n_columns_all = sizeof(columns_all) / sizeof(*columns_all);

static const struct column *find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < n_columns_all; i++) {
		if (strlen(columns_all[i].name) == len && !strncasecmp(columns_all[i].name, name, len))
			return &columns_all[i];
	}
	return NULL;
}

const struct column *column_find(const char *name)
{
	return find(name, strlen(name));
}

static int unknown(const char *name, size_t len)
{
	struct text text = { 0 };

	if (!len)
		return misused("--output", "a name is missing");
	text_printf(&text, "%.*s", (int)len, name);
	misused(text.failed ? name : text.bytes, "no such column");
	text_free(&text);
	return EXIT_USAGE;
}

static int add_names(struct columns *columns, const char *names)
{
	while (true) {
		size_t len = strcspn(names, ",");
		const struct column *column = find(names, len);

		if (!column)
			return unknown(names, len);
		if (columns->n == COLUMNS_MAX)
			return misused(names, "too many columns");
		columns->list[columns->n++] = column;
		if (!names[len])
			return EXIT_SUCCESS;
		names += len + 1;
	}
}

int columns_parse(struct columns *columns, const char *names, const char *usual)
{
	columns->n = 0;
	if (!names)
		return add_names(columns, usual);
	if (*names != '+')
		return add_names(columns, names);
	if (add_names(columns, usual))
		return EXIT_FAILURE;
	return add_names(columns, names + 1);
}

struct order {
	const struct view *view;
	const struct column *column;
};

static int compare(const void *a, const void *b, void *context)
{
	const struct order *order = context;
	const struct item *x = a, *y = b;
	int ret = order->column->compare(order->view, x, y);

	return ret ? ret : (x->order > y->order) - (x->order < y->order);
}

int columns_check_sort(const char *name)
{
	const struct column *column = column_find(name);

	if (!column)
		return misused(name, "no such column");
	return column->compare ? EXIT_SUCCESS : misused(name, "can't be sorted by");
}

void columns_sort(struct view *view, const char *name)
{
	struct order order = { view, column_find(name) };

	qsort_r(view->items, view->n_items, sizeof(*view->items), compare, &order);
}

void columns_help(void)
{
	size_t i;

	puts("\nColumns:");
	for (i = 0; i < n_columns_all; i++)
		printf("  %-8s %s\n", columns_all[i].name, columns_all[i].help);
}
