/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Threads that count, threads that read with verification, and one that frees
 * lines and uses their numbers again. Meant for TSan and ASan, and for the real
 * order of real memory.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "reader.h"
#include "suite.h"

#define N_CPUS		96
#define QUIET		6	/* the line that no writer counts on; the others are before it */
#define N_LINES		7
#define N_WRITERS	3
#define N_READERS	2
#define N_PASSES	600
#define N_AGAIN		100

static struct line lines[N_LINES];
static struct irqbin_row *rows[N_LINES];
static pthread_rwlock_t table_lock;	/* rows and lines come and go under it */
static bool done;
static u64 instance = INSTANCE_BASE;

static struct {
	u64 checked, mismatches, backwards, copies;
} found[N_READERS];

static u32 rnd(u64 *random, u32 below)
{
	*random = *random * 6364136223846793005 + 1442695040888963407;
	return ((*random >> 32) * below) >> 32;
}

static void line_again(unsigned int i)
{
	line_start(&lines[i], i == 5 ? LINE_PER_CPU : LINE_LOCKED, i * sizeof(u32));
	if (i == QUIET)
		line_interrupt(&lines[i], 0);
	free(rows[i]);
	rows[i] = row_new(&lines[i], i, instance++);
}

/*
 * The CPUs of a writer are those that leave its number when divided by that of
 * the writers; the first few are online at a time.
 */
static void *count(void *arg)
{
	const unsigned int writer = (uintptr_t)arg;
	u64 random = writer;
	unsigned int i, online = 1;

	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		pthread_rwlock_rdlock(&table_lock);
		for (i = rnd(&random, 200); i; i--) {
			unsigned int cpu = rnd(&random, online) * N_WRITERS + writer;

			line_interrupt(&lines[rnd(&random, rnd(&random, QUIET) + 1)], cpu);
		}
		pthread_rwlock_unlock(&table_lock);
		online = 1 + rnd(&random, N_CPUS / N_WRITERS);
		if (!rnd(&random, 4))
			sched_yield();
	}
	return NULL;
}

/* Counts of an instance never fall. */
static u64 backwards(const struct reader *reader, u32 *last, u64 *last_instance)
{
	u64 n = 0;
	unsigned int i, cpu;

	for (i = 0; i < N_LINES; i++) {
		for (cpu = 0; cpu < N_CPUS; cpu++) {
			u32 now = reader_count(reader, i, cpu);

			n += last_instance[i] == rows[i]->instance && now < last[i * N_CPUS + cpu];
			last[i * N_CPUS + cpu] = now;
		}
		last_instance[i] = rows[i]->instance;
	}
	return n;
}

static void *collect(void *arg)
{
	const uintptr_t number = (uintptr_t)arg;
	u32 *last = calloc(N_LINES * N_CPUS, sizeof(*last));
	u64 last_instance[N_LINES] = { 0 };
	struct reader reader;
	unsigned int pass;

	reader_init(&reader, N_LINES, true);
	for (pass = 0; last && pass < N_PASSES; pass++) {
		pthread_rwlock_rdlock(&table_lock);
		reader_take(&reader, rows, N_LINES, 100 + pass / 10);
		found[number].backwards += backwards(&reader, last, last_instance);
		pthread_rwlock_unlock(&table_lock);
		found[number].checked += reader.pass.cost.checked;
		found[number].mismatches += reader.pass.cost.mismatches;
		found[number].copies += reader.pass.cost.copies;
	}
	reader_free(&reader);
	free(last);
	return NULL;
}

static void threads_start(pthread_t *threads, unsigned int num, void *(*run)(void *))
{
	uintptr_t i;

	for (i = 0; i < num; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run, (void *)i), 0);
}

static void threads_join(pthread_t *threads, unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

static void start(void)
{
	pthread_rwlockattr_t attr;
	unsigned int i;

	machine_start(N_CPUS, 64);
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&table_lock, &attr);
	pthread_rwlockattr_destroy(&attr);
	for (i = 0; i < N_LINES; i++)
		line_again(i);
}

static void stop(void)
{
	unsigned int i;

	for (i = 0; i < N_LINES; i++)
		free(rows[i]);
	pthread_rwlock_destroy(&table_lock);
	machine_stop();
}

/* When all is quiet again, the snapshot is what the cells and the totals say. */
static void expect_exact(void)
{
	struct reader reader;
	unsigned int i, cpu;

	reader_init(&reader, N_LINES, false);
	reader_take(&reader, rows, N_LINES, 100);
	for (i = 0; i < N_LINES; i++) {
		u64 sum = 0;

		for (cpu = 0; cpu < N_CPUS; cpu++) {
			sum += reader_count(&reader, i, cpu);
			ck_assert_uint_eq(reader_count(&reader, i, cpu),
					  line_cell_read(&lines[i], cpu));
		}
		if (lines[i].flow == LINE_LOCKED)
			ck_assert_uint_eq(sum, line_total_read(&lines[i]));
	}
	reader_free(&reader);
}

START_TEST(threads_that_count_and_read)
{
	pthread_t writers[N_WRITERS], readers[N_READERS];
	unsigned int i;

	threads_start(writers, N_WRITERS, count);
	threads_start(readers, N_READERS, collect);
	for (i = 0; i < N_AGAIN; i++) {
		pthread_rwlock_wrlock(&table_lock);
		line_again(i % N_LINES);
		pthread_rwlock_unlock(&table_lock);
		sched_yield();
	}
	threads_join(readers, N_READERS);
	__atomic_store_n(&done, true, __ATOMIC_RELAXED);
	threads_join(writers, N_WRITERS);

	for (i = 0; i < N_READERS; i++) {
		ck_assert_uint_eq(found[i].checked, N_PASSES * N_LINES);
		ck_assert_uint_eq(found[i].mismatches, 0);
		ck_assert_uint_eq(found[i].backwards, 0);
		ck_assert_uint_gt(found[i].copies, 0);
	}
	expect_exact();
}
END_TEST

static Suite *collect_threads_suite(void)
{
	const TTest *const threads[] = {
		threads_that_count_and_read,
		NULL
	};
	Suite *suite = suite_create("collect: threads");

	suite_add_with(suite, "threads", threads, start, stop);
	return suite;
}

UNIT_SUITE(collect_threads_suite);
