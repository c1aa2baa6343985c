/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "families.h"
#include "listener.h"

#define PROGRAM "irqstat-exporter"
#define PORT	"10560"

enum mode { MODE_HTTP, MODE_ONCE, MODE_TEXTFILE };

struct options {
	enum mode mode;
	unsigned int series;		/* enum series */
	bool with_softirqs;
	bool with_zeros;
	bool is_openmetrics;
	uint64_t max_series;
	unsigned int interval_s;	/* of a text file, 0: write it once */
	const char *source;		/* NULL: chosen */
	const char *softirqs;
	const char *textfile;
	const char *listen[LISTENERS_MAX];
	size_t n_listen;
	struct irqstat_select *rows;	/* of interrupts */
	struct irqstat_select *cpus;	/* of softirqs */
};

enum { EXIT_USAGE = 2 };

/*
 * options_parse - take the command line apart
 *
 * Returns -1, or the code to exit with: it has then done, or said, all there was.
 */
int options_parse(struct options *options, int argc, char **argv);

/* complain - print "program: object: reason"; returns EXIT_FAILURE */
int complain(const char *object, const char *reason);

#endif /* OPTIONS_H */
