/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Snapshots at a spacing: taken in time, given in order, called off at any moment. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "stream.h"
#include "suite.h"
#include "world.h"

#define MS   1000000U
#define HOUR 3600000000000U

static struct irqstat *is;
static struct irqstat_burst *burst;
static int file;

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

static void set_window(uint32_t n_irqs, uint32_t count)
{
	struct stream *s = stream_counters(4, 15);
	uint32_t i;

	for (i = 0; i < n_irqs; i++)
		stream_irq(s, i, CELLS({ 0, count }, { 3, count }));
	stream_end(s);
	file_set(file, s->words, stream_len(s));
}

static void set_text(unsigned int count)
{
	char text[200];
	int len = sprintf(text, "            CPU0       CPU1       \n"
				"   1: %10u %10u   IO-APIC    1-edge      i8042\n", count, count);

	file_set(file, text, (size_t)len);
}

static void setup(void)
{
	file = file_make("", 0);
	is = irqstat_fdopen(dup(file));
	ck_assert_ptr_nonnull(is);
	set_window(3, 1);
	burst = NULL;
}

static void teardown(void)
{
	irqstat_burst_free(burst);
	irqstat_close(is);
	close(file);
}

static void make(unsigned int n, uint64_t interval_ns)
{
	burst = irqstat_burst_new(is, n, interval_ns, 0);
	ck_assert_ptr_nonnull(burst);
}

static void start(void)
{
	ck_assert_int_eq(irqstat_burst_start(burst), 0);
}

static void make_and_start(unsigned int n, uint64_t interval_ns)
{
	make(n, interval_ns);
	start();
}

static bool is_uring(void)
{
	return irqstat_burst_info(burst)->way == IRQSTAT_URING_WAY_URING;
}

static void expect_next(uint32_t count)
{
	const struct irqstat_snapshot *snap;

	ck_assert_int_eq(irqstat_burst_next(burst), 0);
	snap = irqstat_snapshot_get(is);
	ck_assert_uint_eq(snap->count[0], count);
	ck_assert_uint_eq(snap->count[snap->n_entries - 1], count);
}

/* In each world */

static void enter_world(const struct world *w, unsigned int n, uint64_t interval_ns)
{
	world_begin(w);
	setup();
	burst = irqstat_burst_new(is, n, interval_ns, w->flags);
	ck_assert_ptr_nonnull(burst);
	world_go_on(w);
}

START_TEST(burst_takes_all_in_any_way)
{
	const struct world *w = &worlds[_i];
	uint64_t begin, end;
	int i;

	enter_world(w, 20, MS);
	begin = now(CLOCK_MONOTONIC);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 20), 20);
	end = now(CLOCK_MONOTONIC);
	ck_assert_uint_ge(end - begin, 19 * MS);
	for (i = 0; i < 20; i++)
		expect_next(1);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
	assert_way(w, irqstat_burst_info(burst));
	teardown();
}
END_TEST

/* What changes before its time is in it, what changes behind it is not. */
START_TEST(burst_takes_each_at_its_time_in_any_way)
{
	const struct world *w = &worlds[_i];
	uint64_t begin;
	uint32_t i, count;
	bool in_time;

	enter_world(w, 3, 200 * MS);
	begin = now(CLOCK_MONOTONIC);
	start();
	ck_assert_int_ge(irqstat_burst_wait(burst, 1), 1);
	expect_next(1);
	for (i = 1; i < 3; i++) {
		set_window(3, i + 1);
		/* This machine may be busy with other things. */
		in_time = now(CLOCK_MONOTONIC) < begin + i * 200 * MS;
		ck_assert_int_ge(irqstat_burst_wait(burst, i + 1), (int)i + 1);
		ck_assert_int_eq(irqstat_burst_next(burst), 0);
		count = (uint32_t)irqstat_snapshot_get(is)->count[0];
		ck_assert(in_time ? count == i + 1 : count <= i + 1);
	}
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
	teardown();
}
END_TEST

START_TEST(burst_is_called_off_in_any_way)
{
	const struct world *w = &worlds[_i];

	enter_world(w, 1000, HOUR);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 1), 1);
	ck_assert_int_eq(irqstat_burst_wait(burst, 0), 1);
	expect_next(1);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
	teardown();
}
END_TEST

START_TEST(burst_outlives_its_handle_in_any_way)
{
	const struct world *w = &worlds[_i];

	enter_world(w, 10, MS);
	start();
	irqstat_close(is);
	is = NULL;
	ck_assert_int_eq(irqstat_burst_wait(burst, 10), 10);
	teardown();
}
END_TEST

START_TEST(burst_tells_each_error_in_any_way)
{
	const struct world *w = &worlds[_i];
	int n_read = 0, n_empty = 0;

	enter_world(w, 4, 1);
	set_window(3, 1);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 9), 4);
	file_set(file, "", 0);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 4), 4);
	for (; n_read + n_empty < 4; n_empty++)
		assert_errno(irqstat_burst_next(burst), -1, ENODATA);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->count[0], 1);
	set_window(3, 2);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 4), 4);
	expect_next(2);
	teardown();
}
END_TEST

static void nothing(int sig)
{
	(void)sig;
}

START_TEST(burst_wait_ends_with_a_signal_in_any_way)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	const struct sigaction action = { .sa_handler = nothing, .sa_flags = SA_RESTART };
	const struct world *w = &worlds[_i];

	enter_world(w, 2, HOUR);
	start();
	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
	assert_errno(irqstat_burst_wait(burst, 2), -1, EINTR);
	assert_errno(irqstat_burst_wait(burst, 2), -1, EINTR);
	ck_assert_int_eq(irqstat_burst_wait(burst, 1), 1);
	expect_next(1);
	teardown();
}
END_TEST

/* Only on io_uring, if this machine lets us */

/* Without another call into io_uring; what the thread does until then is its own affair. */
START_TEST(burst_takes_all_by_itself)
{
	const struct timespec ms = { .tv_nsec = MS };
	uint64_t n_calls;
	int i;

	make(30, MS);
	if (!is_uring())
		return;
	n_calls = irqstat_burst_info(burst)->n_calls;
	start();
	while (irqstat_burst_wait(burst, 0) < 30)
		nanosleep(&ms, NULL);
	ck_assert_uint_eq(irqstat_burst_info(burst)->n_calls - n_calls, 1);
	for (i = 0; i < 30; i++)
		expect_next(1);
}
END_TEST

static void *start_in_thread(void *unused)
{
	(void)unused;
	start();
	return NULL;
}

START_TEST(burst_of_a_thread_that_is_gone)
{
	pthread_t thread;

	make(3, 50 * MS);
	if (!is_uring())
		return;
	ck_assert_int_eq(pthread_create(&thread, NULL, start_in_thread, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(irqstat_burst_wait(burst, 3), 3);
	expect_next(1);
	assert_errno(irqstat_burst_next(burst), -1, ECANCELED);
	assert_errno(irqstat_burst_next(burst), -1, ECANCELED);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
}
END_TEST

START_TEST(burst_goes_on_when_enter_is_forbidden)
{
	int i;

	make_and_start(20, MS);
	forbid(SYS_io_uring_enter, EPERM);
	ck_assert_int_eq(irqstat_burst_wait(burst, 20), 20);
	for (i = 0; i < 20; i++)
		expect_next(1);
}
END_TEST

START_TEST(burst_ends_when_enter_is_forbidden)
{
	make_and_start(50, MS);
	forbid(SYS_io_uring_enter, EPERM);
	irqstat_burst_free(burst);
	burst = NULL;
}
END_TEST

/* In whatever way this machine has */

START_TEST(burst_of_text_says_when)
{
	uint64_t begin;
	uint32_t i;

	set_text(7);
	make(5, MS);
	ck_assert_int_eq(irqstat_burst_info(burst)->way, IRQSTAT_URING_WAY_PREAD);
	ck_assert_int_eq(irqstat_burst_info(burst)->error, EOPNOTSUPP);
	begin = now(CLOCK_BOOTTIME);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 5), 5);
	for (i = 0; i < 5; i++) {
		expect_next(7);
		ck_assert_uint_ge(irqstat_snapshot_get(is)->time_ns, begin + i * MS);
		ck_assert_uint_le(irqstat_snapshot_get(is)->time_ns, now(CLOCK_BOOTTIME));
	}
}
END_TEST

START_TEST(burst_of_one)
{
	make_and_start(1, HOUR);
	ck_assert_int_eq(irqstat_burst_wait(burst, 1), 1);
	expect_next(1);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
}
END_TEST

START_TEST(burst_of_as_many_as_there_can_be)
{
	int i;

	burst = irqstat_burst_new(is, IRQSTAT_BURST_MAX, 1, IRQSTAT_URING_NEVER);
	ck_assert_ptr_nonnull(burst);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, IRQSTAT_BURST_MAX), IRQSTAT_BURST_MAX);
	for (i = 0; i < IRQSTAT_BURST_MAX; i++)
		ck_assert_int_eq(irqstat_burst_next(burst), 0);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
}
END_TEST

START_TEST(longest_burst_is_called_off)
{
	make_and_start(IRQSTAT_BURST_MAX, HOUR);
	ck_assert_int_eq(irqstat_burst_wait(burst, 1), 1);
	expect_next(1);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
}
END_TEST

START_TEST(burst_again_without_allocation)
{
	unsigned int n_allocs, n_failed = 0;
	int i;

	make(10, 1);
	for (i = 0; i < 3; i++) {
		start();
		ck_assert_int_eq(irqstat_burst_wait(burst, 10), 10);
		ck_assert_int_eq(irqstat_burst_next(burst), 0);
	}
	n_allocs = alloc.n_calls;
	for (i = 0; i < 10; i++) {
		n_failed += irqstat_burst_start(burst) != 0;
		n_failed += irqstat_burst_wait(burst, 10) != 10;
		while (irqstat_burst_next(burst) == 0)
			;
	}
	ck_assert_uint_eq(alloc.n_calls, n_allocs);
	ck_assert_uint_eq(n_failed, 0);
}
END_TEST

START_TEST(snapshot_that_has_outgrown_its_room)
{
	make(2, 1);
	set_window(900, 2);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 2), 2);
	assert_errno(irqstat_burst_next(burst), -1, ENOBUFS);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->count[0], 1);
}
END_TEST

START_TEST(text_that_is_cut_behind_a_row)
{
	char text[256 * 64 + 1];
	int i, len;

	set_text(7);
	make(2, 1);
	len = sprintf(text, "            CPU0       CPU1%36s\n", "");
	for (i = 1; i < 256; i++)
		len += sprintf(text + len, "%4d: %10d %10d   IO-APIC %4d-edge %15s\n", i, 7, 7, i, "x");
	ck_assert_int_eq(len, 256 * 64);
	file_set(file, text, (size_t)len);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 2), 2);
	assert_errno(irqstat_burst_next(burst), -1, ENOBUFS);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 1);
}
END_TEST

START_TEST(malformed_snapshot_is_told)
{
	make(2, 1);
	file_set(file, "malformed", 9);
	start();
	ck_assert_int_eq(irqstat_burst_wait(burst, 2), 2);
	assert_errno(irqstat_burst_next(burst), -1, EBADMSG);
}
END_TEST

/* More than the handle's buffer takes at once. */
START_TEST(large_snapshot_is_given_whole)
{
	set_window(20000 / 6, 1);
	make_and_start(2, 1);
	ck_assert_int_eq(irqstat_burst_wait(burst, 2), 2);
	expect_next(1);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 20000 / 6);
}
END_TEST

START_TEST(new_out_of_range)
{
	assert_errno(irqstat_burst_new(is, 0, 1, 0), NULL, EINVAL);
	assert_errno(irqstat_burst_new(is, IRQSTAT_BURST_MAX + 1, 1, 0), NULL, EINVAL);
	assert_errno(irqstat_burst_new(is, 2, 0, 0), NULL, EINVAL);
	assert_errno(irqstat_burst_new(is, 3, UINT64_MAX / 2, 0), NULL, EINVAL);
	assert_errno(irqstat_burst_new(is, 2, 1, 2), NULL, EINVAL);
	ck_assert_ptr_null(irqstat_snapshot_get(is));
}
END_TEST

START_TEST(new_passes_on_the_errors_of_read)
{
	file_set(file, "", 0);
	assert_errno(irqstat_burst_new(is, 2, 1, 0), NULL, ENODATA);
	file_set(file, "malformed", 9);
	assert_errno(irqstat_burst_new(is, 2, 1, 0), NULL, EBADMSG);
}
END_TEST

START_TEST(new_of_a_capture)
{
	struct irqstat_capture *capture;
	struct irqstat *captured;
	int fd = file_make("", 0);

	ck_assert_int_eq(irqstat_read(is), 0);
	capture = irqstat_capture_new(fd);
	ck_assert_ptr_nonnull(capture);
	ck_assert_int_eq(irqstat_capture_add(capture, is), 0);
	irqstat_capture_free(capture);
	captured = irqstat_fdopen(fd);
	assert_errno(irqstat_burst_new(captured, 2, 1, 0), NULL, EOPNOTSUPP);
	irqstat_close(captured);
}
END_TEST

START_TEST(new_without_memory)
{
	unsigned int i, start_calls;
	int error;

	for (i = 1; !burst; i++) {
		start_calls = alloc.n_calls;
		alloc.fail_at = start_calls + i;
		errno = 0;
		burst = irqstat_burst_new(is, 2, 1, 0);
		error = errno;
		alloc.fail_at = 0;
		ck_assert(burst || error == ENOMEM);
	}
	/* Three of its own, and those of the handle. */
	ck_assert_uint_gt(i, 3 + 2);
}
END_TEST

START_TEST(start_while_under_way)
{
	make_and_start(2, HOUR);
	assert_errno(irqstat_burst_start(burst), -1, EBUSY);
}
END_TEST

START_TEST(wait_before_start)
{
	make(2, HOUR);
	assert_errno(irqstat_burst_wait(burst, 1), -1, EINVAL);
	ck_assert_int_eq(irqstat_burst_next(burst), 1);
}
END_TEST

START_TEST(free_keeps_errno)
{
	make_and_start(2, HOUR);
	errno = ENOTTY;
	irqstat_burst_free(burst);
	ck_assert_int_eq(errno, ENOTTY);
	irqstat_burst_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
	burst = NULL;
}
END_TEST

START_TEST(free_closes_what_was_opened)
{
	int before = open("/dev/null", O_RDONLY), after;

	close(before);
	make_and_start(2, HOUR);
	irqstat_burst_free(burst);
	burst = NULL;
	after = open("/dev/null", O_RDONLY);
	ck_assert_int_eq(after, before);
	close(after);
}
END_TEST

static Suite *burst_suite(void)
{
	const TTest *const ways[] = {
		burst_takes_all_in_any_way,
		burst_takes_each_at_its_time_in_any_way,
		burst_is_called_off_in_any_way,
		burst_outlives_its_handle_in_any_way,
		burst_tells_each_error_in_any_way,
		burst_wait_ends_with_a_signal_in_any_way,
	};
	const TTest *const tests[] = {
		burst_takes_all_by_itself,
		burst_of_a_thread_that_is_gone,
		burst_goes_on_when_enter_is_forbidden,
		burst_ends_when_enter_is_forbidden,
		burst_of_text_says_when,
		burst_of_one,
		burst_of_as_many_as_there_can_be,
		longest_burst_is_called_off,
		burst_again_without_allocation,
		snapshot_that_has_outgrown_its_room,
		text_that_is_cut_behind_a_row,
		malformed_snapshot_is_told,
		large_snapshot_is_given_whole,
		new_out_of_range,
		new_passes_on_the_errors_of_read,
		new_of_a_capture,
		new_without_memory,
		start_while_under_way,
		wait_before_start,
		free_keeps_errno,
		free_closes_what_was_opened,
		NULL
	};
	Suite *suite = suite_create("uring_burst");
	TCase *any_way = tcase_create("ways");
	size_t i;

	tcase_set_timeout(any_way, 60);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		tcase_add_loop_test(any_way, ways[i], 0, n_worlds);
	suite_add_tcase(suite, any_way);
	suite_add_with(suite, "burst", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(burst_suite);
