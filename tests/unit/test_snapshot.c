/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Snapshots that outlive the next read. */
#include <errno.h>

#include "fake.h"
#include "snap.h"
#include "suite.h"

static struct irqstat *is;

static void setup(void)
{
	is = irqstat_fdopen(fake_open());
	ck_assert_ptr_nonnull(is);
}

static void teardown(void)
{
	irqstat_close(is);
}

static struct stream *stream_of(uint32_t count)
{
	struct stream *s = stream_counters(4, 0xf);

	stream_irq(s, 5, CELLS({ 1, count }));
	stream_end(s);
	return s;
}

static uint64_t count_of(const struct irqstat_snapshot *snap)
{
	return snap_count(snap, IRQSTAT_IRQ, 5, 1);
}

START_TEST(previous_is_the_snapshot_before)
{
	fake_add(stream_of(10));
	fake_add(stream_of(11));
	fake_add(stream_of(12));
	ck_assert_ptr_null(irqstat_snapshot_previous(is));
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_ptr_null(irqstat_snapshot_previous(is));
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_uint_eq(count_of(irqstat_snapshot_previous(is)), 10);
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_uint_eq(count_of(irqstat_snapshot_previous(is)), 11);
	ck_assert_uint_eq(count_of(irqstat_snapshot_get(is)), 12);
}
END_TEST

START_TEST(previous_is_back_after_a_failure)
{
	struct stream *bad = stream_of(12);

	fake_add(stream_of(10));
	fake_add(stream_of(11));
	stream_head(bad)->n_records++;
	fake_add(bad);
	fake_add(stream_of(13));
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_int_eq(irqstat_read(is), 0);
	assert_errno(irqstat_read(is), -1, EBADMSG);
	ck_assert_ptr_null(irqstat_snapshot_previous(is));
	ck_assert_uint_eq(count_of(irqstat_snapshot_get(is)), 11);
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_uint_eq(count_of(irqstat_snapshot_previous(is)), 11);
	ck_assert_uint_eq(count_of(irqstat_snapshot_get(is)), 13);
}
END_TEST

START_TEST(dup_outlives_the_handle)
{
	struct irqstat_snapshot *copy;

	fake_add(stream_rich_counters());
	ck_assert_int_eq(irqstat_read(is), 0);
	copy = irqstat_snapshot_dup(irqstat_snapshot_get(is));
	ck_assert_ptr_nonnull(copy);
	irqstat_close(is);
	is = NULL;
	ck_assert_uint_eq(copy->time_ns, 1000000007);
	ck_assert_uint_eq(copy->source, IRQSTAT_SOURCE_MODULE);
	ck_assert_uint_eq(copy->n_rows, 7);
	ck_assert_uint_eq(copy->n_entries, 9);
	ck_assert_uint_eq(snap_count(copy, IRQSTAT_IRQ, 24, 69), 2);
	ck_assert_uint_eq(copy->rows[2].instance, 555);
	ck_assert(irqstat_snapshot_is_online(copy, 63));
	ck_assert(!irqstat_snapshot_is_online(copy, 64));
	ck_assert_ptr_null(copy->cell_flags);
	irqstat_snapshot_free(copy);
}
END_TEST

START_TEST(dup_of_counts_has_their_flags)
{
	struct irqstat_differ *differ = irqstat_differ_new();
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);
	struct irqstat_snapshot *copy;

	snap_irq(a, 5, SNAP_CELLS({ 0, 4294967295 }));
	snap_irq(b, 5, SNAP_CELLS({ 0, 1 }));
	copy = irqstat_snapshot_dup(irqstat_delta_make(differ, &a->pub,
						       &b->pub)->counts);
	irqstat_differ_free(differ);
	ck_assert_uint_eq(snap_cell_flags(copy, IRQSTAT_IRQ, 5, 0),
			  IRQSTAT_CELL_WRAPPED);
	irqstat_snapshot_free(copy);
}
END_TEST

START_TEST(dup_of_an_empty_snapshot)
{
	struct irqstat_snapshot empty = { .time_ns = 7 };
	struct irqstat_snapshot *copy = irqstat_snapshot_dup(&empty);

	ck_assert_ptr_nonnull(copy);
	ck_assert_uint_eq(copy->n_rows, 0);
	ck_assert_uint_eq(copy->time_ns, 7);
	irqstat_snapshot_free(copy);
}
END_TEST

static Suite *snapshot_suite(void)
{
	const TTest *const tests[] = {
		previous_is_the_snapshot_before,
		previous_is_back_after_a_failure,
		dup_outlives_the_handle,
		dup_of_counts_has_their_flags,
		dup_of_an_empty_snapshot,
		NULL
	};
	Suite *suite = suite_create("snapshot");

	suite_add_with(suite, "snapshot", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(snapshot_suite);
