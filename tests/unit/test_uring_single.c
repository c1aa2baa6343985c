/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Handles on a ring of the caller's; there is nothing to test where he can't have one. */
#define _GNU_SOURCE

#include <errno.h>
#include <liburing.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "stream.h"
#include "suite.h"
#include "world.h"

static struct io_uring ring;
static bool has_ring;
static struct irqstat *is;
static int file;

static void setup(void)
{
	has_ring = !io_uring_queue_init(8, &ring, 0);
	file = file_make("", 0);
	is = irqstat_fdopen(dup(file));
	ck_assert_ptr_nonnull(is);
}

static void teardown(void)
{
	irqstat_close(is);
	close(file);
	if (has_ring)
		io_uring_queue_exit(&ring);
}

static void set_window(uint32_t n_irqs)
{
	struct stream *s = stream_counters(4, 15);
	uint32_t i;

	for (i = 0; i < n_irqs; i++)
		stream_irq(s, i, CELLS({ 0, 5 }, { 3, 6 }));
	stream_end(s);
	file_set(file, s->words, stream_len(s));
}

static void prepare(uint64_t user_data)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

	sqe->user_data = user_data;
	ck_assert_int_eq(irqstat_uring_prepare(is, sqe), 0);
	ck_assert_uint_eq(sqe->user_data, user_data);
}

static int wait_for(uint64_t user_data)
{
	struct io_uring_cqe *cqe;
	int res;

	ck_assert_int_eq(io_uring_wait_cqe(&ring, &cqe), 0);
	ck_assert_uint_eq(cqe->user_data, user_data);
	res = cqe->res;
	io_uring_cqe_seen(&ring, cqe);
	return res;
}

/* Until it says that it is done; returns the number of reads. */
static int read_to_the_end(void)
{
	int ret, n = 0;

	do {
		prepare(77);
		ck_assert_int_eq(io_uring_submit(&ring), 1);
		ret = irqstat_uring_complete(is, wait_for(77));
		n++;
	} while (ret == 1);
	ck_assert_int_eq(ret, 0);
	return n;
}

START_TEST(window_is_one_read)
{
	if (!has_ring)
		return;
	set_window(3);
	ck_assert_int_eq(read_to_the_end(), 1);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 3);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->count[5], 6);
}
END_TEST

START_TEST(window_larger_than_the_buffer_is_read_anew)
{
	if (!has_ring)
		return;
	set_window(4000);
	ck_assert_int_eq(read_to_the_end(), 2);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 4000);
	ck_assert_int_eq(read_to_the_end(), 1);
}
END_TEST

START_TEST(text_is_read_until_there_is_no_more)
{
	static const char text[] = "            CPU0       CPU1       \n"
				   "   1:         10         11   IO-APIC    1-edge      i8042\n";

	if (!has_ring)
		return;
	file_set(file, text, strlen(text));
	ck_assert_int_eq(read_to_the_end(), 2);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 1);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->count[1], 11);
}
END_TEST

START_TEST(other_requests_are_left_alone)
{
	struct io_uring_cqe *cqe;
	int i, ret = -1, n_others = 0;

	if (!has_ring)
		return;
	set_window(3);
	for (i = 0; i < 3; i++) {
		if (i == 1)
			prepare(1);
		else
			io_uring_prep_nop(io_uring_get_sqe(&ring));
	}
	ck_assert_int_eq(io_uring_submit(&ring), 3);
	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(io_uring_wait_cqe(&ring, &cqe), 0);
		if (cqe->user_data == 1)
			ret = irqstat_uring_complete(is, cqe->res);
		else
			n_others += cqe->res == 0;
		io_uring_cqe_seen(&ring, cqe);
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_int_eq(n_others, 2);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 3);
}
END_TEST

START_TEST(cancelled_read_leaves_the_last_snapshot)
{
	const struct irqstat_snapshot *snap;

	if (!has_ring)
		return;
	set_window(3);
	read_to_the_end();
	snap = irqstat_snapshot_get(is);
	prepare(5);
	ck_assert_int_eq(io_uring_submit(&ring), 1);
	wait_for(5);
	assert_errno(irqstat_uring_complete(is, -ECANCELED), -1, ECANCELED);
	ck_assert_ptr_eq(irqstat_snapshot_get(is), snap);
	read_to_the_end();
}
END_TEST

START_TEST(error_of_the_read_is_passed_on)
{
	if (!has_ring)
		return;
	prepare(5);
	ck_assert_int_eq(io_uring_submit(&ring), 1);
	assert_errno(irqstat_uring_complete(is, wait_for(5)), -1, ENODATA);
}
END_TEST

START_TEST(prepare_that_fails_leaves_the_sqe)
{
	struct io_uring_sqe sqe, old;
	int ret, error;

	memset(&sqe, 0x55, sizeof(sqe));
	old = sqe;
	alloc.fail_at = alloc.n_calls + 1;
	ret = irqstat_uring_prepare(is, &sqe);
	error = errno;
	alloc.fail_at = 0;
	ck_assert_int_eq(ret, -1);
	ck_assert_int_eq(error, ENOMEM);
	ck_assert_int_eq(memcmp(&sqe, &old, sizeof(sqe)), 0);
}
END_TEST

START_TEST(complete_without_prepare)
{
	assert_errno(irqstat_uring_complete(is, 100), -1, EINVAL);
}
END_TEST

static Suite *single_suite(void)
{
	const TTest *const tests[] = {
		window_is_one_read,
		window_larger_than_the_buffer_is_read_anew,
		text_is_read_until_there_is_no_more,
		other_requests_are_left_alone,
		cancelled_read_leaves_the_last_snapshot,
		error_of_the_read_is_passed_on,
		prepare_that_fails_leaves_the_sqe,
		complete_without_prepare,
		NULL
	};
	Suite *suite = suite_create("uring_single");

	suite_add_with(suite, "single", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(single_suite);
