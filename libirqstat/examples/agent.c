/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * agent: prints what each interrupt counted, and how often a second.
 *
 *	cc agent.c $(pkg-config --cflags --libs libirqstat)
 *	./agent [-i SECONDS] [-n SAMPLES] [FILE]
 *
 * An example of what an agent does with libirqstat: it runs with the module and
 * without, and goes on when the module is unloaded or loaded meanwhile. FILE is
 * anything the library reads; of a capture, nothing is waited for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <irqstat.h>

/* Names are bytes of the drivers' choosing: no terminal is to obey them. */
static void print_string(struct irqstat_string s)
{
	size_t i;

	for (i = s.bytes ? strspn(s.bytes, " ") : 0; i < s.len; i++)
		putchar(s.bytes[i] < ' ' || s.bytes[i] > '~' ? '?' : s.bytes[i]);
}

static void print_names(const struct irqstat_desc *desc)
{
	size_t i;

	print_string(desc->text);
	for (i = 0; i < desc->n_actions; i++) {
		fputs(i ? ", " : "", stdout);
		print_string(desc->actions[i]);
	}
}

static void print_row(const struct irqstat_delta *delta, const struct irqstat_row *row,
		      const struct irqstat_desc *desc)
{
	if (desc && desc->label.bytes)
		printf("%6s:", desc->label.bytes);
	else
		printf("%6" PRIu32 ":", row->id);
	printf(" %10" PRIu64 " %12.2f/s ", row->total, irqstat_delta_rate(delta, row->total));
	if (desc)
		print_names(desc);
	puts(row->flags & IRQSTAT_ROW_NEW ? " (new)" :
	     row->flags & IRQSTAT_ROW_GONE ? " (gone)" :
	     row->flags & IRQSTAT_ROW_RESTARTED ? " (restarted)" : "");
}

static void print_delta(const struct irqstat_delta *delta, const struct irqstat_descs *descs)
{
	const struct irqstat_snapshot *counts = delta->counts;
	size_t i;

	printf("%.3f s, %s%s\n", (double)delta->interval_ns / 1e9, delta->rebooted ? "rebooted, " : "",
	       counts->source == IRQSTAT_SOURCE_MODULE ? "module" : "text");
	for (i = 0; i < delta->n_changes; i++)
		printf("   CPU %" PRIu32 " %s\n", delta->changes[i].cpu,
		       delta->changes[i].change == IRQSTAT_CPU_JOINED ? "joined" :
		       delta->changes[i].change == IRQSTAT_CPU_LEFT ? "left" : "restarted");
	for (i = 0; i < counts->n_rows; i++)
		print_row(delta, &counts->rows[i], irqstat_descs_row(descs, &counts->rows[i]));
}

/*
 * One sample. The descriptors are read only when they have changed. Returns 0,
 * 1 at the end of a capture, -1 with errno.
 */
static int sample(struct irqstat *is, struct irqstat_differ *differ)
{
	const struct irqstat_descs *descs;
	const struct irqstat_delta *delta;
	int ret = irqstat_read(is);

	if (ret)
		return ret;
	descs = irqstat_descs_get(is);
	if (!descs)
		return -1;
	delta = irqstat_delta_make(differ, irqstat_snapshot_previous(is),
				   irqstat_snapshot_get(is));
	if (!delta)
		return -1;
	print_delta(delta, descs);
	return fflush(stdout) ? -1 : 0;
}

/* Some errors are gone the next time, and some never go. */
static int is_lasting(int error)
{
	return error != EIO && error != ENOMEM && error != EAGAIN;
}

static int run(struct irqstat *is, struct irqstat_differ *differ, double interval, long n)
{
	const struct timespec pause = { (time_t)interval,
					(long)((interval - (double)(time_t)interval) * 1e9) };
	int ret;

	while (n-- > 0) {
		ret = sample(is, differ);
		if (ret > 0)
			return 0;
		if (ret < 0) {
			fprintf(stderr, "agent: %s\n", strerror(errno));
			if (is_lasting(errno) || ferror(stdout))
				return 1;
		}
		if (n > 0 && irqstat_source_get(is) != IRQSTAT_SOURCE_CAPTURE)
			nanosleep(&pause, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct irqstat_differ *differ;
	double interval = 1;
	long n = 2147483647;
	struct irqstat *is;
	int opt, ret;

	while ((opt = getopt(argc, argv, "i:n:")) != -1) {
		if (opt == 'i')
			interval = atof(optarg);
		else if (opt == 'n')
			n = atol(optarg);
		else
			return 2;
	}
	is = irqstat_open(argv[optind]);
	differ = irqstat_differ_new();
	if (is && differ) {
		ret = run(is, differ, interval, n);
	} else {
		fprintf(stderr, "agent: %s: %s\n", argv[optind] ? argv[optind] : "interrupts",
			strerror(errno));
		ret = 1;
	}
	irqstat_differ_free(differ);
	irqstat_close(is);
	return ret;
}
