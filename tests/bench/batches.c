/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * batches PHASE [ROUNDS]: runs in the guest of tests/bench/run. Reads 1, 8 and 64
 * sources together, through io_uring and by pread(2) in turn: handles of the
 * module's file, which make arrays of it, and small files of /proc as they are.
 *
 *	PHASE uring_module_N|uring_raw_N|pread_module_N|pread_raw_N MEDIAN LOWEST ns
 *	PHASE ..._calls N N calls	system calls a sample
 *	PHASE ..._punts N N punts	reads that the kernel gave to a worker, in all samples
 */
#define _GNU_SOURCE
#include <err.h>
#include <inttypes.h>

#include <irqstat_uring.h>

#include "events.h"
#include "times.h"

#define SOURCES_MAX 64
#define ROUNDS_MAX  1000
#define WARM_UP	    5

/* What reads in one way. */
struct reader {
	const char *name;
	unsigned int flags;
	struct irqstat_batch *batch;
	struct irqstat *handles[SOURCES_MAX];
	uint64_t ns[ROUNDS_MAX], n_calls, n_punts;
};

static struct reader readers[] = {
	{ .name = "uring" },
	{ .name = "pread", .flags = IRQSTAT_URING_NEVER },
};

static const char *phase;
static unsigned int rounds = 101;
static int punts;

static void add_module(struct reader *r, unsigned int i)
{
	r->handles[i] = irqstat_open_source(IRQSTAT_SOURCE_MODULE, NULL);
	if (!r->handles[i] || irqstat_batch_add(r->batch, r->handles[i]) < 0)
		err(1, "%s", IRQSTAT_PATH);
}

/* Of a length that seldom changes. */
static void add_raw(struct reader *r, unsigned int i)
{
	static const char *const paths[] = {
		"/proc/softirqs", "/proc/loadavg", "/proc/filesystems", "/proc/buddyinfo",
	};

	if (irqstat_batch_add_file(r->batch, paths[i % 4]) < 0)
		err(1, "%s", paths[i % 4]);
}

static uint64_t sample_ns(struct reader *r)
{
	const uint64_t begin = now_ns();

	if (irqstat_batch_read(r->batch))
		errx(1, "%s: a source could not be read", r->name);
	return now_ns() - begin;
}

static void reader_open(struct reader *r, void (*add)(struct reader *, unsigned int),
			unsigned int n)
{
	unsigned int i;

	r->batch = irqstat_batch_new(r->flags);
	if (!r->batch)
		err(1, "irqstat_batch_new");
	for (i = 0; i < n; i++)
		add(r, i);
	for (i = 0; i < WARM_UP; i++)
		sample_ns(r);
	r->n_calls = irqstat_batch_info(r->batch)->n_calls;
	r->n_punts = 0;
}

static void reader_close(struct reader *r)
{
	unsigned int i;

	irqstat_batch_free(r->batch);
	for (i = 0; i < SOURCES_MAX; i++) {
		irqstat_close(r->handles[i]);
		r->handles[i] = NULL;
	}
}

static void reader_print(struct reader *r, const char *kind, unsigned int n)
{
	const struct irqstat_uring_info *info = irqstat_batch_info(r->batch);
	const uint64_t calls = (info->n_calls - r->n_calls) / rounds;

	if (!r->flags && info->way != IRQSTAT_URING_WAY_URING)
		warnx("without io_uring: %s", strerror(info->error));
	qsort(r->ns, rounds, sizeof(r->ns[0]), by_value);
	printf("%s %s_%s_%u %" PRIu64 " %" PRIu64 " ns\n", phase, r->name, kind, n,
	       r->ns[rounds / 2], r->ns[0]);
	printf("%s %s_%s_%u_calls %" PRIu64 " %" PRIu64 " calls\n", phase, r->name, kind, n,
	       calls, calls);
	printf("%s %s_%s_%u_punts %" PRIu64 " %" PRIu64 " punts\n", phase, r->name, kind, n,
	       r->n_punts, r->n_punts);
}

static void measure(const char *kind, void (*add)(struct reader *, unsigned int), unsigned int n)
{
	unsigned int i, j;

	for (j = 0; j < 2; j++)
		reader_open(&readers[j], add, n);
	for (i = 0; i < rounds; i++) {
		for (j = 0; j < 2; j++) {
			const uint64_t before = event_count(punts);

			readers[j].ns[i] = sample_ns(&readers[j]);
			readers[j].n_punts += event_count(punts) - before;
		}
	}
	for (j = 0; j < 2; j++) {
		reader_print(&readers[j], kind, n);
		reader_close(&readers[j]);
	}
}

int main(int argc, char **argv)
{
	static const unsigned int sizes[] = { 1, 8, SOURCES_MAX };
	unsigned int i;

	rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : rounds;
	if (argc < 2 || argc > 3 || !rounds || rounds > ROUNDS_MAX)
		errx(2, "usage: batches PHASE [ROUNDS]");
	phase = argv[1];
	punts = event_open("io_uring/io_uring_queue_async_work");
	if (punts < 0)
		err(1, "the kernel's count of punts");
	for (i = 0; i < 3; i++) {
		measure("module", add_module, sizes[i]);
		measure("raw", add_raw, sizes[i]);
	}
	return 0;
}
