/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The two formats differ in this: OpenMetrics names the family of a counter
 * without _total and that of an info without _info, knows units, and ends with
 * a mark.
 */
#include "exposition.h"

const char *metric_suffix(const struct metric *metric)
{
	static const char *const suffixes[] = {
		[METRIC_COUNTER] = "_total",
		[METRIC_GAUGE] = "",
		[METRIC_INFO] = "_info",
	};

	return suffixes[metric->type];
}

static const char *type_name(const struct exposition *e,
			     const struct metric *metric)
{
	switch (metric->type) {
	case METRIC_COUNTER:
		return "counter";
	case METRIC_INFO:
		return e->is_openmetrics ? "info" : "gauge";
	default:
		return "gauge";
	}
}

static void put_comment(struct exposition *e, const char *kind,
			const struct metric *metric, const char *text)
{
	page_puts(&e->page, kind);
	page_puts(&e->page, metric->name);
	if (!e->is_openmetrics)
		page_puts(&e->page, metric_suffix(metric));
	page_puts(&e->page, " ");
	page_puts(&e->page, text);
	page_puts(&e->page, "\n");
}

/* "seconds" if that is how the name ends. */
static const char *unit_of(const struct metric *metric)
{
	static const char *const units[] = { "seconds", "bytes" };
	const char *last = strrchr(metric->name, '_');
	size_t i;

	for (i = 0; last && i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(last + 1, units[i]))
			return units[i];
	}
	return NULL;
}

void exposition_begin(struct exposition *e, const struct metric *metric)
{
	const char *unit = unit_of(metric);

	put_comment(e, "# HELP ", metric, metric->help);
	put_comment(e, "# TYPE ", metric, type_name(e, metric));
	if (e->is_openmetrics && unit)
		put_comment(e, "# UNIT ", metric, unit);
}

static void begin_sample(struct exposition *e, const struct metric *metric,
			 const char *labels)
{
	page_puts(&e->page, metric->name);
	page_puts(&e->page, metric_suffix(metric));
	if (labels) {
		page_puts(&e->page, "{");
		page_puts(&e->page, labels);
		page_puts(&e->page, "}");
	}
	page_puts(&e->page, " ");
}

void exposition_number(struct exposition *e, const struct metric *metric,
		       const char *labels, uint64_t value)
{
	begin_sample(e, metric, labels);
	page_put_number(&e->page, value);
	page_puts(&e->page, "\n");
}

void exposition_seconds(struct exposition *e, const struct metric *metric,
			const char *labels, uint64_t ns)
{
	begin_sample(e, metric, labels);
	page_put_seconds(&e->page, ns);
	page_puts(&e->page, "\n");
}

void exposition_end(struct exposition *e)
{
	if (e->is_openmetrics)
		page_puts(&e->page, "# EOF\n");
}

const char *exposition_type(bool is_openmetrics)
{
	return is_openmetrics ?
	       "application/openmetrics-text; version=1.0.0; charset=utf-8" :
	       "text/plain; version=0.0.4; charset=utf-8";
}
