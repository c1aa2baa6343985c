/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../reason.h"
#include "self.h"

#ifndef IRQSTAT_VERSION
#define IRQSTAT_VERSION "unknown"
#endif

static const char *const files[] = {
	[SUBJECT_INTERRUPTS] = "file=\"interrupts\"",
	[SUBJECT_SOFTIRQS] = "file=\"softirqs\"",
};

static uint64_t is_up(const struct exporter *x, size_t i)
{
	return !x->feeds[i].error;
}

static uint64_t reads(const struct exporter *x, size_t i)
{
	return x->feeds[i].reads;
}

static uint64_t errors(const struct exporter *x, size_t i)
{
	return x->feeds[i].errors;
}

static uint64_t bytes(const struct exporter *x, size_t i)
{
	return x->feeds[i].bytes;
}

static uint64_t restarts(const struct exporter *x, size_t i)
{
	return x->feeds[i].restarts;
}

static uint64_t missing(const struct exporter *x, size_t i)
{
	return x->views[i].unavailable + x->views[i].undescribed;
}

static uint64_t generation(const struct exporter *x, size_t i)
{
	const struct irqstat_snapshot *totals = feed_totals(&x->feeds[i]);

	return totals ? totals->generation : 0;
}

static const struct {
	struct metric metric;
	uint64_t (*value)(const struct exporter *x, size_t i);
} by_file[] = {
	{ { "irqstat_up", "Whether the file could be read.", METRIC_GAUGE },
	  is_up },
	{ { "irqstat_reads", "Reads of the file.", METRIC_COUNTER }, reads },
	{ { "irqstat_read_errors", "Reads that failed.", METRIC_COUNTER },
	  errors },
	{ { "irqstat_read_bytes", "Bytes read.", METRIC_COUNTER }, bytes },
	{ { "irqstat_restarts", "Rows that counted from 0 again.",
	    METRIC_COUNTER }, restarts },
	{ { "irqstat_rows_missing",
	    "Rows left out because they or their names could not be read.",
	    METRIC_GAUGE }, missing },
	{ { "irqstat_generation",
	    "Changes when rows come, go or change their names.",
	    METRIC_GAUGE }, generation },
};

static size_t n_files(const struct exporter *x)
{
	return x->has_softirqs ? N_SUBJECTS : 1;
}

static void put_files(const struct exporter *x, struct exposition *e)
{
	size_t i, j;

	for (i = 0; i < sizeof(by_file) / sizeof(by_file[0]); i++) {
		const struct metric *metric = &by_file[i].metric;

		exposition_begin(e, metric);
		for (j = 0; j < n_files(x); j++)
			exposition_number(e, metric, files[j],
					  by_file[i].value(x, j));
	}
}

static void put_read_seconds(const struct exporter *x, struct exposition *e)
{
	static const struct metric metric = {
		"irqstat_read_seconds", "Time that reads took.", METRIC_COUNTER
	};
	size_t i;

	exposition_begin(e, &metric);
	for (i = 0; i < n_files(x); i++)
		exposition_seconds(e, &metric, files[i], x->feeds[i].read_ns);
}

static const char *source_name(enum irqstat_source source)
{
	switch (source) {
	case IRQSTAT_SOURCE_MODULE:
		return "module";
	case IRQSTAT_SOURCE_TEXT:
		return "text";
	case IRQSTAT_SOURCE_CAPTURE:
		return "capture";
	default:
		return "unknown";
	}
}

/* The source, and why it is not the module; or why there is none. */
static void put_source(const struct exporter *x, struct exposition *e)
{
	static const struct metric metric = {
		"irqstat_source", "What is read, or why it can't be.",
		METRIC_INFO
	};
	size_t i;

	exposition_begin(e, &metric);
	for (i = 0; i < n_files(x); i++) {
		const struct feed *feed = &x->feeds[i];
		int err = feed->error;
		char labels[256];

		if (!err)
			err = irqstat_source_errno(feed->is);
		snprintf(labels, sizeof(labels), "%s,source=\"%s\",reason=\"%s\"",
			 files[i], feed->error ? "none" :
			 source_name(irqstat_source_get(feed->is)),
			 err ? reason_of(err) : "");
		exposition_number(e, &metric, labels, 1);
	}
}

static void put_gauge(struct exposition *e, const char *name, const char *help,
		      uint64_t value)
{
	const struct metric metric = { name, help, METRIC_GAUGE };

	exposition_begin(e, &metric);
	exposition_number(e, &metric, NULL, value);
}

static void put_series(const struct exporter *x, struct exposition *e)
{
	static const struct metric build = {
		"irqstat_exporter_build", "Version of irqstat-exporter.",
		METRIC_INFO
	};
	const struct families *f = &x->families;

	put_gauge(e, "irqstat_exporter_series", "Series of counters put.",
		  f->put);
	put_gauge(e, "irqstat_exporter_series_omitted",
		  "Series of counters left out because they are too many.",
		  f->omitted);
	put_gauge(e, "irqstat_exporter_series_limit",
		  "How many series of counters may be put, 0: any number.",
		  f->max == UINT64_MAX ? 0 : f->max);
	exposition_begin(e, &build);
	exposition_number(e, &build, "version=\"" IRQSTAT_VERSION "\"", 1);
}

static uint64_t timeval_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

static uint64_t resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (file && fscanf(file, "%*u %lu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Named as every exporter names them. */
static void put_process(const struct exporter *x, struct exposition *e)
{
	static const struct metric cpu = {
		"process_cpu_seconds", "User and system CPU time.",
		METRIC_COUNTER
	};
	static const struct metric start = {
		"process_start_time_seconds",
		"Start of the process, since 1970.", METRIC_GAUGE
	};
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	exposition_begin(e, &cpu);
	exposition_seconds(e, &cpu, NULL, timeval_ns(&usage.ru_utime) +
					  timeval_ns(&usage.ru_stime));
	exposition_begin(e, &start);
	exposition_seconds(e, &start, NULL, x->start_ns);
	put_gauge(e, "process_resident_memory_bytes", "Resident memory.",
		  resident_bytes());
}

void self_put(const struct exporter *exporter, struct exposition *e)
{
	put_files(exporter, e);
	put_read_seconds(exporter, e);
	put_source(exporter, e);
	put_series(exporter, e);
	if (exporter->start_ns)
		put_process(exporter, e);
}
