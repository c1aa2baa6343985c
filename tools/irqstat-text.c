/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The text of /proc/interrupts made of its binary form, or else a copy of it.
 * Nothing is written before it is certain which of the two it will be.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <irqstat.h>

#include "output.h"
#include "reason.h"
#include "text_layout.h"

#ifndef IRQSTAT_VERSION
#define IRQSTAT_VERSION "unknown"
#endif

#define PROGRAM "irqstat-text"
#define SHORTS ":hVv"
#define TRIES 5

enum { EXIT_USAGE = 2 };

struct options {
	const char *source;
	const char *text;	/* NULL: copy none */
	bool verbose;
};

static const char help[] =
	"Usage: " PROGRAM " [OPTION]...\n"
	"Write the text of /proc/interrupts, made of its binary form.\n"
	"\n"
	"      --source FILE  binary form (default: " IRQSTAT_PATH ")\n"
	"      --text FILE    text to copy when it can't be made\n"
	"                     (default: /proc/interrupts; with --source, none)\n"
	"  -v, --verbose      say on standard error why the text was copied\n"
	"  -h, --help         show this help\n"
	"  -V, --version      show the version\n";

static int complain(const char *object, const char *reason)
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

/* What getopt_long() stopped at when it returned '?'. */
static int misused_option(const char *last)
{
	char letter[] = { '-', (char)optopt, '\0' };

	if (!optopt)
		return misused(last, "unknown option");
	if (strchr(SHORTS, optopt))
		return misused(last, "takes no value");
	return misused(letter, "unknown option");
}

/* A reader that has closed the pipe wants no message. */
static int output_failed(void)
{
	if (errno == EPIPE)
		return EXIT_FAILURE;
	return complain("standard output", strerror(errno));
}

static int finish(struct output *out)
{
	if (output_flush(out) || close(out->fd))
		return output_failed();
	return EXIT_SUCCESS;
}

/* NULL, or why there is nothing that text could be made of. */
static const char *read_source(struct irqstat *is,
			       const struct irqstat_descs **descs,
			       const struct irqstat_snapshot **snap)
{
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		int err;

		*descs = irqstat_descs_read(is);
		err = errno;
		if (irqstat_read(is))
			return reason_of(errno);
		if (!*descs)
			return reason_of(err);
		*snap = irqstat_snapshot_get(is);
		if (text_is_coherent(*descs, *snap))
			return text_why_not(*descs, *snap);
	}
	return "the interrupts keep changing";
}

static int read_more(int fd, struct output *out, ssize_t *n)
{
	if (output_reserve(out, BUFSIZ))
		return -1;
	do
		*n = read(fd, out->buf + out->len, out->cap - out->len);
	while (*n < 0 && errno == EINTR);
	if (*n > 0)
		out->len += (size_t)*n;
	return 0;
}

static int neither(const struct options *o, const char *why, int err)
{
	fprintf(stderr, PROGRAM ": %s: %s; %s: %s\n", o->source, why, o->text,
		reason_of(err));
	return EXIT_FAILURE;
}

static int copy_text(const struct options *o, const char *why,
		     struct output *out)
{
	ssize_t n;
	int fd;

	if (!o->text)
		return complain(o->source, why);
	fd = open(o->text, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read_more(fd, out, &n) || n < 0)
		return neither(o, why, errno);
	if (n == 0)
		return neither(o, why, ENODATA);
	if (o->verbose)
		fprintf(stderr, PROGRAM ": %s: %s: copying %s\n", o->source,
			why, o->text);
	while (n > 0) {
		if (read_more(fd, out, &n))
			return output_failed();
	}
	if (n < 0)
		return complain(o->text, strerror(errno));
	close(fd);
	return finish(out);
}

static int run(const struct options *o)
{
	struct irqstat *is = irqstat_open_source(IRQSTAT_SOURCE_MODULE,
						 o->source);
	const struct irqstat_descs *descs = NULL;
	const struct irqstat_snapshot *snap = NULL;
	const char *why = reason_of(errno);
	struct output out;
	int ret;

	if (output_init(&out, STDOUT_FILENO)) {
		ret = complain("memory", strerror(errno));
		goto close;
	}
	if (is)
		why = read_source(is, &descs, &snap);
	if (why)
		ret = copy_text(o, why, &out);
	else if (text_write(descs, snap, &out))
		ret = output_failed();
	else
		ret = finish(&out);
	output_free(&out);
close:
	irqstat_close(is);
	return ret;
}

static int show(const char *text)
{
	if (fputs(text, stdout) == EOF || fclose(stdout) == EOF)
		return output_failed();
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "source", required_argument, NULL, 's' },
		{ "text", required_argument, NULL, 't' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ 0 },
	};
	struct options o = { NULL, NULL, false };
	int opt;

	while ((opt = getopt_long(argc, argv, SHORTS, longs, NULL)) != -1) {
		switch (opt) {
		case 's':
			o.source = optarg;
			break;
		case 't':
			o.text = optarg;
			break;
		case 'v':
			o.verbose = true;
			break;
		case 'h':
			return show(help);
		case 'V':
			return show(PROGRAM " " IRQSTAT_VERSION "\n");
		case ':':
			return misused(argv[optind - 1], "needs a value");
		default:
			return misused_option(argv[optind - 1]);
		}
	}
	if (optind < argc)
		return misused(argv[optind], "unexpected argument");
	/* Who names the file of another machine must not get the text of this one. */
	if (!o.source && !o.text)
		o.text = "/proc/interrupts";
	if (!o.source)
		o.source = IRQSTAT_PATH;
	return run(&o);
}
