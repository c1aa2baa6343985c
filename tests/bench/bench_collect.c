/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What the collector costs on machines of 256 to 8192 CPUs: its own source over
 * the stand-in of the unit tests, with each CPU's memory as far from the others'
 * as the kernel has it. Prints a table, or with --json a list of objects.
 *
 * Of 560 lines, as on a server with many queues: 8 count on many CPUs, 312 on a
 * few, the others not at all. Three ways to grow the machine, with 2,745 non-zero
 * cells in the first two:
 *
 * held		the same entries on the same number of CPUs, the machine around
 *		them grows
 * scattered	the same number of entries, on CPUs all over the machine
 * grown	the 8 lines count on every CPU
 *
 * Each cost is measured near (what is read is in the caches) and far (it was
 * written to by other CPUs: all of it is flushed first).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "reader.h"

#define N_IRQS		560
#define N_SPREAD	8
#define N_COUNTING	320	/* the spread ones included */
#define N_NONZERO	2745
#define N_CPUS_USED	256
#define SMALLEST	256
#define STRIDE		(256 * 1024)
#define SECONDS		10
#define N_RUNS		41
#define N_FIRST_RUNS	5
#define HEADER_BYTES	sizeof(struct irqbin_header)
#define END_BYTES	16

enum growth { HELD, SCATTERED, GROWN, N_GROWTHS };

static const char *const growth_names[] = { "held", "scattered", "grown" };

struct bench {
	unsigned int nr_cpus;
	enum growth growth;
	struct line *lines;
	struct irqbin_row *rows[N_IRQS];
	struct reader reader;
	struct entry {
		struct line *line;
		unsigned int cpu;
	} *entries;		/* the cells that are not zero */
	unsigned int nonzero;
	u64 random;
};

/* Medians in ns, and cells read. */
struct cost {
	double ns;
	u64 cells;
};

struct result {
	struct cost unmoved, moved[2], fresh[2], first;	/* [0] near, [1] far */
	size_t bytes;
};

static u32 rnd(struct bench *bench, u32 below)
{
	bench->random = bench->random * 6364136223846793005 + 1442695040888963407;
	return ((bench->random >> 32) * below) >> 32;
}

/* One of the CPUs that take interrupts. */
static unsigned int cpu_used(struct bench *bench)
{
	if (bench->growth == HELD)
		return rnd(bench, N_CPUS_USED) * (bench->nr_cpus / N_CPUS_USED);
	return rnd(bench, bench->nr_cpus);
}

/* Adds entries until the line has @num. */
static void line_fill(struct bench *bench, struct line *line, unsigned int num)
{
	while (num) {
		unsigned int cpu = cpu_used(bench);

		if (line_cell_read(line, cpu))
			continue;
		line_seed(line, cpu, 1 + rnd(bench, 1000000));
		bench->entries[bench->nonzero++] = (struct entry){ line, cpu };
		num--;
	}
}

static void lines_fill(struct bench *bench)
{
	const unsigned int spread = bench->growth == GROWN ? bench->nr_cpus : N_CPUS_USED;
	const unsigned int few = N_NONZERO - N_SPREAD * N_CPUS_USED;
	const unsigned int lines = N_COUNTING - N_SPREAD;
	unsigned int i;

	for (i = 0; i < N_SPREAD; i++)
		line_fill(bench, &bench->lines[i * 70], spread);
	for (i = 0; i < lines; i++) {
		struct line *line = &bench->lines[1 + i * 7 / 4];

		line_fill(bench, line, few / lines + (i < few % lines));
	}
}

static void start(struct bench *bench, unsigned int nr_cpus, enum growth growth)
{
	unsigned int i;

	*bench = (struct bench){ .nr_cpus = nr_cpus, .growth = growth, .random = 1 };
	machine_start(nr_cpus, STRIDE);
	bench->lines = aligned_alloc(128, N_IRQS * sizeof(*bench->lines));
	bench->entries = calloc(N_NONZERO + N_SPREAD * nr_cpus, sizeof(*bench->entries));
	if (!bench->lines || !bench->entries)
		abort();
	for (i = 0; i < N_IRQS; i++) {
		line_start(&bench->lines[i], LINE_LOCKED, i * sizeof(u32));
		bench->rows[i] = row_new(&bench->lines[i], i, INSTANCE_BASE);
	}
	lines_fill(bench);
	reader_init(&bench->reader, N_IRQS, false);
}

static void stop(struct bench *bench)
{
	unsigned int i;

	reader_free(&bench->reader);
	for (i = 0; i < N_IRQS; i++)
		free(bench->rows[i]);
	free(bench->entries);
	free(bench->lines);
	machine_stop();
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

static void flush(const void *p)
{
#ifdef __x86_64__
	__builtin_ia32_clflush(p);
#else
	(void)p;
#endif
}

/* As if every cell in use and every total had been written to by another CPU. */
static void drive_off(struct bench *bench)
{
	unsigned int i;

	for (i = 0; i < N_IRQS; i++)
		flush(&bench->lines[i]);
	for (i = 0; i < bench->nonzero; i++)
		flush(line_cell(bench->entries[i].line, bench->entries[i].cpu));
}

/* An interrupt on every CPU that has had one of that line. */
static void move_all(struct bench *bench)
{
	unsigned int i;

	for (i = 0; i < bench->nonzero; i++)
		line_interrupt(bench->entries[i].line, bench->entries[i].cpu);
}

static void forget_marks(struct bench *bench)
{
	bench->reader.n_marks = 0;
}

static void forget_rows(struct bench *bench)
{
	unsigned int i;

	forget_marks(bench);
	for (i = 0; i < N_IRQS; i++) {
		free(bench->rows[i]);
		bench->rows[i] = row_new(&bench->lines[i], i, INSTANCE_BASE);
	}
}

static int compare(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of @runs passes, each after @prepare. */
static struct cost measure(struct bench *bench, unsigned int runs,
			   void (*prepare)(struct bench *bench), bool far)
{
	u64 ns[N_RUNS] = { 0 };
	unsigned int i;

	for (i = 0; i < runs; i++) {
		if (prepare)
			prepare(bench);
		if (far)
			drive_off(bench);
		ns[i] = now_ns();
		reader_take(&bench->reader, bench->rows, N_IRQS, SECONDS);
		ns[i] = now_ns() - ns[i];
	}
	qsort(ns, runs, sizeof(ns[0]), compare);
	return (struct cost){ .ns = ns[runs / 2], .cells = bench->reader.pass.cost.cells };
}

static struct result measure_all(struct bench *bench)
{
	struct result result;
	unsigned int far;

	result.first = measure(bench, N_FIRST_RUNS, forget_rows, false);
	for (far = 0; far < 2; far++) {
		result.fresh[far] = measure(bench, N_RUNS, forget_marks, far);
		result.moved[far] = measure(bench, N_RUNS, move_all, far);
	}
	result.unmoved = measure(bench, N_RUNS, NULL, false);
	result.bytes = HEADER_BYTES + 8 + (bench->nr_cpus + 63) / 64 * 8 + END_BYTES +
		       bench->reader.pass.out->used * sizeof(u64);
	return result;
}

/* What does not depend on this computer must be so. */
static int check(const struct bench *bench, const struct result *result)
{
	const size_t most = 8 * (size_t)bench->nonzero + 8 * N_COUNTING + 256 +
			    bench->nr_cpus / 8;
	int failed = 0;

	failed |= result->unmoved.cells != 0;
	failed |= result->moved[0].cells > bench->nonzero;
	failed |= result->moved[1].cells > bench->nonzero;
	failed |= result->fresh[0].cells > bench->nonzero;
	failed |= result->first.cells != (u64)bench->nr_cpus * N_IRQS;
	failed |= result->bytes > most;
	failed |= bench->nr_cpus == 256 && bench->nonzero == N_NONZERO && result->bytes > 30 * 1024;
	if (failed)
		fprintf(stderr, "bench_collect: %u CPUs, %s: too many cells or bytes\n",
			bench->nr_cpus, growth_names[bench->growth]);
	return failed;
}

static void print_row(const struct bench *bench, const struct result *result)
{
	const double n = bench->nonzero;

	printf("%-9s %5u %7u %7zu | %6llu %8.1f | %6llu %8.1f %6.1f %6.1f | %8.1f %6.1f %6.1f | "
	       "%8llu %9.1f\n",
	       growth_names[bench->growth], bench->nr_cpus, bench->nonzero, result->bytes,
	       (unsigned long long)result->unmoved.cells, result->unmoved.ns / 1000,
	       (unsigned long long)result->moved[0].cells, result->moved[0].ns / 1000,
	       result->moved[0].ns / n, result->moved[1].ns / n,
	       result->fresh[0].ns / 1000, result->fresh[0].ns / n, result->fresh[1].ns / n,
	       (unsigned long long)result->first.cells, result->first.ns / 1000);
}

static void print_head(void)
{
	printf("%d lines, %d of them counting; us a snapshot, ns a non-zero entry\n", N_IRQS,
	       N_COUNTING);
	printf("%-9s %5s %7s %7s | %15s | %29s | %22s | %18s\n", "", "", "", "", "nothing moved",
	       "all moved", "fresh open", "first scan");
	printf("%-9s %5s %7s %7s | %6s %8s | %6s %8s %6s %6s | %8s %6s %6s | %8s %9s\n", "growth",
	       "CPUs", "nonzero", "bytes", "cells", "us", "cells", "us", "near", "far", "us",
	       "near", "far", "cells", "us");
}

static void print_json(const struct bench *bench, const struct result *result, bool first)
{
	printf("%s{\"name\":\"native_ns_per_nonzero\",\"kernel\":\"native\",\"smp\":%u,"
	       "\"irqs\":%d,\"nonzero\":%u,\"value\":%.2f,\"unit\":\"ns\"}",
	       first ? "[" : ",\n ", bench->nr_cpus, N_IRQS, bench->nonzero,
	       result->moved[1].ns / bench->nonzero);
}

/* From the smallest machine to the largest. */
static void print_growth(enum growth growth, const struct result *from, const struct result *to)
{
	const double doublings = log2((double)MACHINE_MAX_CPUS / SMALLEST);

	printf("%-9s twice the CPUs cost %.1f %% more near, %.1f %% far\n", growth_names[growth],
	       100 * (pow(to->moved[0].ns / from->moved[0].ns, 1 / doublings) - 1),
	       100 * (pow(to->moved[1].ns / from->moved[1].ns, 1 / doublings) - 1));
}

int main(int argc, char **argv)
{
	static const unsigned int sizes[] = { SMALLEST, 1024, 4096, MACHINE_MAX_CPUS };
	const bool json = argc == 2 && !strcmp(argv[1], "--json");
	int failed = 0;
	unsigned int i, growth;

	if (argc > 1 && !json) {
		fprintf(stderr, "usage: bench_collect [--json]\n");
		return 2;
	}
	if (!json)
		print_head();
	for (growth = 0; growth < (json ? 1 : N_GROWTHS); growth++) {
		struct result result = { 0 }, smallest = { 0 };

		for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct bench bench;

			start(&bench, sizes[i], growth);
			result = measure_all(&bench);
			failed |= check(&bench, &result);
			if (json)
				print_json(&bench, &result, i == 0);
			else
				print_row(&bench, &result);
			stop(&bench);
			if (i == 0)
				smallest = result;
		}
		if (!json)
			print_growth(growth, &smallest, &result);
	}
	if (json)
		printf("]\n");
	return failed;
}
