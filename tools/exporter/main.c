/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../reason.h"
#include "exporter.h"
#include "http.h"
#include "journal.h"
#include "options.h"
#include "textfile.h"

#define NODES "/sys/devices/system/node"

static int init_exporter(struct exporter *x, struct options *o)
{
	*x = (struct exporter){ .has_softirqs = o->with_softirqs,
				.selects = { o->rows, o->cpus } };
	if (feed_init(&x->feeds[SUBJECT_INTERRUPTS], o->source) ||
	    feed_init(&x->feeds[SUBJECT_SOFTIRQS], o->softirqs))
		return complain("memory", strerror(errno));
	if (families_init(&x->families, o->series))
		return complain(errno == ENOMEM ? "memory" : NODES,
				strerror(errno));
	x->families.with_zeros = o->with_zeros;
	x->families.max = o->max_series;
	return EXIT_SUCCESS;
}

static bool is_up(const struct exporter *x)
{
	return !x->feeds[SUBJECT_INTERRUPTS].error &&
	       !x->feeds[SUBJECT_SOFTIRQS].error;
}

/* A reader that has closed the pipe wants no message. */
static int put_out(const struct page *page)
{
	if (fwrite(page->bytes, 1, page->len, stdout) == page->len &&
	    fclose(stdout) != EOF)
		return EXIT_SUCCESS;
	return errno == EPIPE ? EXIT_FAILURE :
				complain("standard output", strerror(errno));
}

static int run_once(const struct options *o, struct exporter *x)
{
	struct exposition e = { .is_openmetrics = o->is_openmetrics };
	struct journal journal = { .exporter = x };
	int ret;

	if (exporter_put(x, &e)) {
		ret = complain("memory", strerror(errno));
	} else {
		journal_tell(&journal);
		ret = put_out(&e.page);
	}
	page_free(&e.page);
	return is_up(x) ? ret : EXIT_FAILURE;
}

static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGINT);
	sigprocmask(SIG_BLOCK, set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* 0, or an errno. */
static int write_textfile(const struct options *o, struct exporter *x,
			  struct exposition *e)
{
	page_clear(&e->page);
	if (exporter_put(x, e) ||
	    textfile_replace(o->textfile, e->page.bytes, e->page.len))
		return errno;
	return 0;
}

/* Changes, once. */
static void tell_textfile(const struct options *o, int err, int *told)
{
	if (err == *told)
		return;
	*told = err;
	complain(o->textfile, !err ? "can be written again" :
			      err == EINVAL ? "not a regular file" :
					      strerror(err));
}

/* Waits for a signal until the next multiple of the interval. */
static bool is_over(const struct options *o, const sigset_t *set)
{
	struct timespec now, wait = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	wait.tv_sec = o->interval_s - now.tv_sec % o->interval_s - 1;
	wait.tv_nsec = 1000000000 - now.tv_nsec - 1;
	while (sigtimedwait(set, NULL, &wait) < 0) {
		if (errno == EAGAIN)
			return false;
	}
	return true;
}

static int run_textfile(const struct options *o, struct exporter *x)
{
	struct journal journal = { .exporter = x, .tells_source = o->interval_s };
	struct exposition e = { 0 };
	sigset_t set;
	int told = 0;

	block_signals(&set);
	do {
		tell_textfile(o, write_textfile(o, x, &e), &told);
		journal_tell(&journal);
	} while (o->interval_s && !is_over(o, &set));
	page_free(&e.page);
	if (o->interval_s)
		return EXIT_SUCCESS;
	return is_up(x) && !told ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int listen_all(const struct options *o, struct listeners *l)
{
	const char *why = listeners_inherit(l);
	size_t i;

	if (why)
		return complain("LISTEN_FDS", why);
	for (i = 0; i < o->n_listen; i++) {
		why = listeners_add(l, o->listen[i]);
		if (why)
			return complain(o->listen[i], why);
	}
	if (l->n)
		return EXIT_SUCCESS;
	why = listeners_add(l, "localhost:" PORT);
	return why ? complain("localhost:" PORT, why) : EXIT_SUCCESS;
}

static void tell_listeners(const struct listeners *l)
{
	char name[256];
	size_t i;

	for (i = 0; i < l->n; i++) {
		listener_name(l->fds[i], name, sizeof(name));
		complain(name, "serving /metrics");
	}
}

static void tell(void *arg)
{
	journal_tell(arg);
}

static int run_http(const struct options *o, struct exporter *x)
{
	struct journal journal = { .exporter = x, .tells_source = true };
	struct listeners listeners = { .n = 0 };
	struct timespec now;
	sigset_t set;

	if (listen_all(o, &listeners)) {
		listeners_close(&listeners);
		return EXIT_FAILURE;
	}
	block_signals(&set);
	clock_gettime(CLOCK_REALTIME, &now);
	x->start_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	tell_listeners(&listeners);
	if (http_serve(x, &listeners, tell, &journal))
		return complain("HTTP server", strerror(errno));
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static int (*const run[])(const struct options *o, struct exporter *x) = {
		[MODE_HTTP] = run_http,
		[MODE_ONCE] = run_once,
		[MODE_TEXTFILE] = run_textfile,
	};
	struct options options;
	struct exporter exporter;
	int ret;

	/* A limit on the size of files ends as a full disk does. */
	signal(SIGXFSZ, SIG_IGN);
	ret = options_parse(&options, argc, argv);
	if (ret >= 0)
		return ret;
	ret = init_exporter(&exporter, &options);
	if (!ret)
		ret = run[options.mode](&options, &exporter);
	exporter_free(&exporter);
	return ret;
}
