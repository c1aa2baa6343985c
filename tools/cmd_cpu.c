/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat cpu: what CPUs count, as mpstat -I would show it. */
#include <errno.h>
#include <string.h>

#include "out_cpu.h"
#include "parse.h"

/* [INTERVAL [COUNT]]: none, or 0, is since boot. */
static int take_operands(struct options *o)
{
	if (!o->n_operands || (o->n_operands == 1 && !strcmp(o->operands[0], "0")))
		return EXIT_SUCCESS;
	if (parse_time(o->operands[0], &o->delay_ns))
		return misused(o->operands[0], "not a time");
	if (o->n_operands > 1 && parse_number(o->operands[1], 1, UINT64_MAX, &o->iterations))
		return misused(o->operands[1], "not a number above 0");
	return EXIT_SUCCESS;
}

static int read_both(struct cpu_report *report, bool *is_end)
{
	struct feed *feeds[] = { report->interrupts, report->softirqs };
	int code = EXIT_SUCCESS;
	size_t i;

	for (i = 0; i < 2 && !code; i++) {
		if (!feeds[i])
			continue;
		code = feed_read(feeds[i], is_end);
		if (*is_end)
			break;
	}
	return code;
}

static int check_lines(const struct cpu_report *report)
{
	const struct feed *feed = report->interrupts ? report->interrupts : report->softirqs;
	uint32_t cpu;

	if (!report->options->lines)
		return EXIT_SUCCESS;
	for (cpu = 0; cpu < feed->snap->nr_cpu_ids; cpu++) {
		if (irqstat_select_has_cpu(report->options->lines, cpu))
			return EXIT_SUCCESS;
	}
	return misused("--cpus", "has none of the machine's CPUs");
}

static int print_average(struct cpu_report *report)
{
	int code = EXIT_SUCCESS;

	if (report->interrupts)
		code = feed_sum_up(report->interrupts);
	if (report->softirqs && !code)
		code = feed_sum_up(report->softirqs);
	report->title = "Average";
	return code ? code : cpu_print(report);
}

static int loop(struct cpu_report *report)
{
	const struct options *o = report->options;
	struct feed *any = report->interrupts ? report->interrupts : report->softirqs;
	struct pace pace;
	bool is_end = false;
	uint64_t n = 0;
	int code = read_both(report, &is_end);

	if (!code)
		code = check_lines(report);
	if (code || is_end)
		return code;
	report->has_rates = o->delay_ns || feed_knows_uptime(any);
	if (!o->delay_ns && !feed_is_capture(any))
		return cpu_print(report);
	pace_start(&pace, o->delay_ns);
	while (!code && (!o->iterations || n < o->iterations)) {
		if (!feed_is_capture(any) && pace_wait(&pace, -1) == PACE_STOPPED)
			break;
		code = read_both(report, &is_end);
		if (is_end)
			break;
		if (!code && any->delta)
			code = cpu_print(report);
		n++;
	}
	/* A capture of one snapshot has no interval but that since boot. */
	if (is_end && !n && any->delta)
		return cpu_print(report);
	return code || n < 2 || o->format == FORMAT_JSON ? code : print_average(report);
}

static int open_feed(struct feed *feed, struct feed **opened, const struct options *o)
{
	int code;

	*opened = feed;
	code = feed_open(feed, o);
	feed->is_since_boot = !o->delay_ns;
	feed->keeps_first = true;
	return code;
}

/* --input is of either kind; what it holds is shown. */
static int open_feeds(struct cpu_report *report, struct feed feeds[2], struct options *softirqs)
{
	const struct options *o = report->options;
	unsigned int shows = o->shows;
	int code = EXIT_SUCCESS;

	*softirqs = *o;
	softirqs->is_softirq = true;
	softirqs->source = 0;
	if (shows & (SHOW_SUM | SHOW_INTERRUPTS) || o->input)
		code = open_feed(&feeds[0], &report->interrupts, o);
	if (!code && shows & SHOW_SOFTIRQS && !o->input)
		code = open_feed(&feeds[1], &report->softirqs, softirqs);
	return code;
}

static int open_nodes(struct cpu_report *report)
{
	if (!report->options->nodes)
		return EXIT_SUCCESS;
	report->topology = irqstat_topology_new(NULL);
	return report->topology ? EXIT_SUCCESS : complain_errno("NUMA nodes");
}

int cmd_cpu(struct options *o)
{
	struct cpu_report report = { .options = o, .adder = irqstat_adder_new() };
	struct options softirqs;
	struct feed feeds[2];
	int code = take_operands(o);

	if (!o->shows)
		o->shows = SHOW_SUM;
	if (!code && !report.adder)
		code = out_of_memory();
	if (!code)
		code = open_nodes(&report);
	if (!code)
		code = open_feeds(&report, feeds, &softirqs);
	if (!code)
		code = loop(&report);
	if (report.interrupts)
		code = feed_close(report.interrupts, code);
	if (report.softirqs)
		code = feed_close(report.softirqs, code);
	view_free(&report.views[0]);
	view_free(&report.views[1]);
	irqstat_topology_free(report.topology);
	irqstat_adder_free(report.adder);
	return code;
}
