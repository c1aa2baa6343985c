/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A handle that is read by other means than its own: irqstat_read_prepare() and _complete(). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "fake.h"
#include "suite.h"

static struct irqstat *is;
static struct irqstat_io io;

static void setup(void)
{
	is = irqstat_fdopen(fake_open());
	ck_assert_ptr_nonnull(is);
}

static void teardown(void)
{
	irqstat_close(is);
}

static void prepare(void)
{
	ck_assert_int_eq(irqstat_read_prepare(is, &io), 0);
}

/* As many bytes of @s as were asked for, or @max. */
static int give(const struct stream *s, size_t max)
{
	size_t n = stream_len(s) - io.offset;

	n = n > io.size ? io.size : n;
	n = n > max ? max : n;
	memcpy(io.data, (const char *)s->words + io.offset, n);
	return irqstat_read_complete(is, (ssize_t)n, 0);
}

static struct stream *larger_than_first_buffer(void)
{
	struct stream *s = stream_counters(64, ~0ULL);
	struct irqbin_count cells[64];
	uint32_t i;

	for (i = 0; i < 64; i++)
		cells[i] = (struct irqbin_count){ i, 1 };
	for (i = 0; i < 200; i++)
		stream_irq(s, i, cells, 64);
	stream_end(s);
	return s;
}

START_TEST(prepare_asks_for_the_start_of_the_file)
{
	prepare();
	ck_assert_int_eq(io.fd, irqstat_fileno(is));
	ck_assert_uint_eq(io.offset, 0);
	ck_assert_uint_ge(io.size, 65536);
	ck_assert_uint_eq(fake.n_calls, 0);
}
END_TEST

START_TEST(prepare_again_is_the_same_read)
{
	struct irqstat_io first;

	prepare();
	ck_assert_int_eq(give(stream_rich_counters(), 16), 1);
	prepare();
	first = io;
	prepare();
	ck_assert_int_eq(memcmp(&first, &io, sizeof(io)), 0);
}
END_TEST

START_TEST(complete_makes_the_snapshot)
{
	struct irqstat_entry e;

	prepare();
	ck_assert_int_eq(give(stream_rich_counters(), SIZE_MAX), 0);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 7);
	ck_assert_int_eq(irqstat_next(is, &e), 1);
	ck_assert_uint_eq(e.count, 9);
	ck_assert_uint_eq(fake.n_calls, 0);
}
END_TEST

START_TEST(complete_of_part_asks_for_the_rest)
{
	struct stream *s = stream_rich_counters();
	const char *data;

	prepare();
	data = io.data;
	ck_assert_int_eq(give(s, 100), 1);
	ck_assert_ptr_null(irqstat_snapshot_get(is));
	prepare();
	ck_assert_uint_eq(io.offset, 100);
	ck_assert_ptr_eq(io.data, data + 100);
	ck_assert_int_eq(give(s, SIZE_MAX), 0);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 7);
}
END_TEST

START_TEST(complete_of_interrupted_read_asks_again)
{
	struct irqstat_io first;

	prepare();
	first = io;
	ck_assert_int_eq(irqstat_read_complete(is, -EINTR, 0), 1);
	prepare();
	ck_assert_int_eq(memcmp(&first, &io, sizeof(io)), 0);
}
END_TEST

START_TEST(serial_stays_with_the_memory)
{
	uint32_t serial;
	void *data;

	prepare();
	serial = io.serial;
	data = io.data;
	ck_assert_int_eq(give(stream_rich_counters(), SIZE_MAX), 0);
	prepare();
	ck_assert_uint_eq(io.serial, serial);
	ck_assert_ptr_eq(io.data, data);
}
END_TEST

START_TEST(serial_moves_with_the_memory)
{
	struct stream *s = larger_than_first_buffer();
	uint32_t serial;
	size_t size;

	prepare();
	serial = io.serial;
	size = io.size;
	ck_assert_int_eq(give(s, SIZE_MAX), 1);
	prepare();
	ck_assert_uint_ne(io.serial, serial);
	ck_assert_uint_gt(io.size, size);
	ck_assert_uint_eq(io.offset, 0);
	ck_assert_int_eq(give(s, SIZE_MAX), 0);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 200);
}
END_TEST

START_TEST(complete_of_nothing_prepared)
{
	assert_errno(irqstat_read_complete(is, 100, 0), -1, EINVAL);
	prepare();
	ck_assert_int_eq(give(stream_rich_counters(), SIZE_MAX), 0);
	assert_errno(irqstat_read_complete(is, 100, 0), -1, EINVAL);
}
END_TEST

START_TEST(complete_of_more_than_was_asked)
{
	prepare();
	assert_errno(irqstat_read_complete(is, (ssize_t)io.size + 1, 0), -1, EINVAL);
	ck_assert_ptr_null(irqstat_snapshot_get(is));
}
END_TEST

START_TEST(complete_of_nothing_read)
{
	prepare();
	assert_errno(irqstat_read_complete(is, 0, 0), -1, ENODATA);
}
END_TEST

START_TEST(complete_of_malformed_bytes)
{
	struct stream *s = stream_rich_counters();

	stream_head(s)->sequence++;
	prepare();
	errno = 0;
	ck_assert_int_eq(give(s, SIZE_MAX), -1);
	ck_assert_int_eq(errno, EBADMSG);
}
END_TEST

START_TEST(failed_read_is_given_up)
{
	static const int errors[] = { ECANCELED, EIO, EFAULT, ENOMEM, EAGAIN };
	const struct irqstat_snapshot *snap;
	struct stream *s = stream_rich_counters();
	size_t i;

	prepare();
	ck_assert_int_eq(give(s, SIZE_MAX), 0);
	snap = irqstat_snapshot_get(is);
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		prepare();
		ck_assert_int_eq(give(s, 100), 1);
		assert_errno(irqstat_read_complete(is, -errors[i], 0), -1, errors[i]);
		ck_assert_ptr_eq(irqstat_snapshot_get(is), snap);
		prepare();
		ck_assert_uint_eq(io.offset, 0);
	}
}
END_TEST

START_TEST(torn_read_is_prepared_anew)
{
	struct stream *a = stream_rich_counters(), *b = stream_rich_counters();

	stream_head(b)->sequence++;
	++*(uint64_t *)(stream_record(b, b->n_records - 1) + 1);
	prepare();
	ck_assert_int_eq(give(a, 200), 1);
	prepare();
	ck_assert_int_eq(give(b, SIZE_MAX), 1);
	prepare();
	ck_assert_uint_eq(io.offset, 0);
	ck_assert_int_eq(give(b, SIZE_MAX), 0);
}
END_TEST

START_TEST(read_begins_anew_after_a_part)
{
	fake_add(stream_rich_counters());
	prepare();
	ck_assert_int_eq(give(stream_rich_counters(), 100), 1);
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_uint_eq(fake.n_calls, 1);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->n_rows, 7);
	assert_errno(irqstat_read_complete(is, 8, 0), -1, EINVAL);
}
END_TEST

static Suite *io_suite(void)
{
	const TTest *const tests[] = {
		prepare_asks_for_the_start_of_the_file,
		prepare_again_is_the_same_read,
		complete_makes_the_snapshot,
		complete_of_part_asks_for_the_rest,
		complete_of_interrupted_read_asks_again,
		serial_stays_with_the_memory,
		serial_moves_with_the_memory,
		complete_of_nothing_prepared,
		complete_of_more_than_was_asked,
		complete_of_nothing_read,
		complete_of_malformed_bytes,
		failed_read_is_given_up,
		torn_read_is_prepared_anew,
		read_begins_anew_after_a_part,
		NULL
	};
	Suite *suite = suite_create("io");

	suite_add_with(suite, "io", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(io_suite);
