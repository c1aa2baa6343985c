/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reason.h"
#include "options.h"

#ifndef IRQSTAT_VERSION
#define IRQSTAT_VERSION "unknown"
#endif

#define SHORTS	    ":hV"
#define MAX_SERIES  20000
#define INTERVAL_MAX 86400

static const char help[] =
	"Usage: " PROGRAM " [OPTION]...\n"
	"Serve interrupt counters to Prometheus on http://localhost:" PORT "/metrics.\n"
	"\n"
	"      --listen [HOST:]PORT  serve there; may be repeated\n"
	"      --once                write the metrics to standard output and exit\n"
	"      --textfile FILE       write them to FILE and exit\n"
	"      --interval SECONDS    write FILE again and again\n"
	"      --openmetrics         in this format; for --once\n"
	"\n"
	"      --series LIST         rows (default), cpus, nodes, rows-by-node,\n"
	"                            rows-by-cpu, node-exporter\n"
	"      --softirqs            those of softirqs, too\n"
	"      --zeros               what has not counted, too\n"
	"      --rows LIST           these rows only, as 24,30-35,LOC\n"
	"      --include REGEX       only rows with such names; may be repeated\n"
	"      --exclude REGEX       no rows with such names; may be repeated\n"
	"      --cpus LIST           these CPUs only, as 0-3,8\n"
	"      --max-series N        leave out what is more (default: 20000; 0: nothing)\n"
	"\n"
	"      --source FILE         read FILE (default: " IRQSTAT_PATH ",\n"
	"                            or else " IRQSTAT_TEXT_PATH ")\n"
	"      --softirqs-source FILE  (default: /proc/softirqs)\n"
	"  -h, --help                show this help\n"
	"  -V, --version             show the version\n";

int complain(const char *object, const char *reason)
{
	fprintf(stderr, PROGRAM ": %s: %s\n", object, reason);
	return EXIT_FAILURE;
}

static int misused(const char *object, const char *reason)
{
	complain(object, reason);
	fputs("Try '" PROGRAM " --help'.\n", stderr);
	return EXIT_USAGE;
}

static int misused_option(const char *last)
{
	char letter[] = { '-', (char)optopt, '\0' };

	if (!optopt)
		return misused(last, "unknown option");
	if (optopt == 'h' || optopt == 'V' || optopt > 255)
		return misused(last, "takes no value");
	return misused(letter, "unknown option");
}

static int show(const char *text)
{
	if (fputs(text, stdout) == EOF || fclose(stdout) == EOF)
		return complain("standard output", strerror(errno));
	return EXIT_SUCCESS;
}

static bool parse_number(const char *text, uint64_t max, uint64_t *number)
{
	unsigned long long n;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || n > max)
		return false;
	*number = n;
	return true;
}

static unsigned int series_of(const char *word, size_t len)
{
	static const struct {
		const char *name;
		enum series series;
	} names[] = {
		{ "rows", SERIES_ROWS },
		{ "cpus", SERIES_CPUS },
		{ "nodes", SERIES_NODES },
		{ "rows-by-node", SERIES_ROWS_BY_NODE },
		{ "rows-by-cpu", SERIES_ROWS_BY_CPU },
		{ "node-exporter", SERIES_NODE_EXPORTER },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) == len &&
		    !memcmp(names[i].name, word, len))
			return names[i].series;
	}
	return 0;
}

static bool parse_series(const char *list, unsigned int *series)
{
	unsigned int all = 0, one;
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		one = series_of(list, len);
		if (!one)
			return false;
		all |= one;
		if (!list[len])
			break;
	}
	*series = all;
	return true;
}

/* Options without a letter. */
enum {
	LISTEN = 256, ONCE, TEXTFILE, INTERVAL, OPENMETRICS, SERIES, SOFTIRQS,
	ZEROS, ROWS, INCLUDE, EXCLUDE, CPUS, MAX, SOURCE, SOFTIRQS_SOURCE,
};

static const struct option longs[] = {
	{ "listen", required_argument, NULL, LISTEN },
	{ "once", no_argument, NULL, ONCE },
	{ "textfile", required_argument, NULL, TEXTFILE },
	{ "interval", required_argument, NULL, INTERVAL },
	{ "openmetrics", no_argument, NULL, OPENMETRICS },
	{ "series", required_argument, NULL, SERIES },
	{ "softirqs", no_argument, NULL, SOFTIRQS },
	{ "zeros", no_argument, NULL, ZEROS },
	{ "rows", required_argument, NULL, ROWS },
	{ "include", required_argument, NULL, INCLUDE },
	{ "exclude", required_argument, NULL, EXCLUDE },
	{ "cpus", required_argument, NULL, CPUS },
	{ "max-series", required_argument, NULL, MAX },
	{ "source", required_argument, NULL, SOURCE },
	{ "softirqs-source", required_argument, NULL, SOFTIRQS_SOURCE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ 0 },
};

/* The library's answer to what it was given to parse. */
static const char *why_not(int ret)
{
	if (!ret)
		return NULL;
	return errno == EINVAL ? "malformed" : reason_of(errno);
}

/* NULL, or why the value can't be. */
static const char *take_selection(struct options *o, int opt, const char *value)
{
	switch (opt) {
	case ROWS:
		return why_not(irqstat_select_rows(o->rows, value));
	case INCLUDE:
		return why_not(irqstat_select_include(o->rows, value));
	case EXCLUDE:
		return why_not(irqstat_select_exclude(o->rows, value));
	default:
		return why_not(irqstat_select_cpus(o->rows, value) ||
			       irqstat_select_cpus(o->cpus, value));
	}
}

static const char *take_number(struct options *o, int opt, const char *value)
{
	uint64_t n;

	if (!parse_number(value, opt == INTERVAL ? INTERVAL_MAX : UINT64_MAX, &n))
		return "not such a number";
	if (opt == MAX) {
		o->max_series = n ? n : UINT64_MAX;
		return NULL;
	}
	if (!n)
		return "not such a number";
	o->interval_s = (unsigned int)n;
	return NULL;
}

static const char *take_value(struct options *o, int opt, const char *value)
{
	switch (opt) {
	case LISTEN:
		if (o->n_listen == LISTENERS_MAX)
			return "too many addresses";
		o->listen[o->n_listen++] = value;
		return NULL;
	case SERIES:
		return parse_series(value, &o->series) ? NULL : "no such series";
	case INTERVAL:
	case MAX:
		return take_number(o, opt, value);
	case TEXTFILE:
		o->textfile = value;
		return NULL;
	case SOURCE:
		o->source = value;
		return NULL;
	case SOFTIRQS_SOURCE:
		o->softirqs = value;
		return NULL;
	default:
		return take_selection(o, opt, value);
	}
}

static bool take_flag(struct options *o, int opt)
{
	switch (opt) {
	case ONCE:
		o->mode = MODE_ONCE;
		return true;
	case OPENMETRICS:
		o->is_openmetrics = true;
		return true;
	case SOFTIRQS:
		o->with_softirqs = true;
		return true;
	case ZEROS:
		o->with_zeros = true;
		return true;
	default:
		return false;
	}
}

/* What does not go together. */
static int check(struct options *o)
{
	if (o->mode == MODE_ONCE && o->textfile)
		return misused("--once", "not with --textfile");
	if (o->textfile)
		o->mode = MODE_TEXTFILE;
	if (o->n_listen && o->mode != MODE_HTTP)
		return misused("--listen", "not with --once or --textfile");
	if (o->interval_s && o->mode != MODE_TEXTFILE)
		return misused("--interval", "only with --textfile");
	if (o->is_openmetrics && o->mode != MODE_ONCE)
		return misused("--openmetrics", "only with --once");
	return -1;
}

int options_parse(struct options *options, int argc, char **argv)
{
	struct options *o = options;
	const char *why;
	int opt;

	*o = (struct options){ .series = SERIES_ROWS, .max_series = MAX_SERIES,
			       .softirqs = "/proc/softirqs",
			       .rows = irqstat_select_new(),
			       .cpus = irqstat_select_new() };
	if (!o->rows || !o->cpus)
		return complain("memory", strerror(errno));
	while ((opt = getopt_long(argc, argv, SHORTS, longs, NULL)) != -1) {
		if (opt == 'h')
			return show(help);
		if (opt == 'V')
			return show(PROGRAM " " IRQSTAT_VERSION "\n");
		if (opt == ':')
			return misused(argv[optind - 1], "needs a value");
		if (opt == '?')
			return misused_option(argv[optind - 1]);
		if (take_flag(o, opt))
			continue;
		why = take_value(o, opt, optarg);
		if (why)
			return misused(optarg, why);
	}
	if (optind < argc)
		return misused(argv[optind], "unexpected argument");
	return check(o);
}
