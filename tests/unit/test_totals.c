/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Totals, over all that makes counts fall. */
#include <errno.h>

#include "snap.h"
#include "suite.h"

#define IRQ IRQSTAT_IRQ
#define X86 IRQSTAT_X86
#define LOC IRQSTAT_X86_LOC
#define CAL IRQSTAT_X86_CAL

static struct irqstat_totals *totals;

static void setup(void)
{
	totals = irqstat_totals_new();
	ck_assert_ptr_nonnull(totals);
}

static void teardown(void)
{
	irqstat_totals_free(totals);
}

static void add(const struct snap *s)
{
	const struct irqstat_snapshot *sum;
	size_t i;

	ck_assert_int_eq(irqstat_totals_add(totals, &s->pub), 0);
	sum = irqstat_totals_get(totals);
	snap_check(sum);
	ck_assert_uint_eq(sum->count_bits, 64);
	ck_assert_uint_eq(sum->time_ns, s->pub.time_ns);
	ck_assert_uint_eq(sum->n_rows, s->pub.n_rows);
	for (i = 0; i < sum->n_rows; i++)
		ck_assert_uint_eq(sum->rows[i].id, s->rows[i].id);
}

static void add_irq(struct snap *s, const struct snap_cell *cells, size_t n)
{
	snap_irq(s, 30, cells, n);
	add(s);
}

static void add_x86(struct snap *s, uint32_t id, const struct snap_cell *cells,
		    size_t n)
{
	snap_x86(s, id, cells, n);
	add(s);
}

static void expect(unsigned int kind, uint32_t id, uint32_t cpu, uint64_t count)
{
	ck_assert_uint_eq(snap_count(irqstat_totals_get(totals), kind, id, cpu),
			  count);
}

START_TEST(totals_begin_as_counts)
{
	ck_assert_ptr_null(irqstat_totals_get(totals));
	add_irq(snap_module(1, 3), SNAP_CELLS({ 0, 10 }, { 1, 20 }));
	expect(IRQ, 30, 0, 10);
	expect(IRQ, 30, 1, 20);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].total, 30);
}
END_TEST

START_TEST(totals_grow_over_wraps)
{
	uint64_t seconds;

	add_x86(snap_module(1, 1), LOC, SNAP_CELLS({ 0, 4294967290 }));
	for (seconds = 2; seconds < 12; seconds++) {
		uint64_t count = 4294967290 + (seconds - 1) * 2147483647;

		add_x86(snap_module(seconds, 1), LOC,
			SNAP_CELLS({ 0, (uint32_t)count }));
		expect(X86, LOC, 0, count);
	}
}
END_TEST

START_TEST(totals_grow_over_wrap_in_text)
{
	add_irq(snap_text(1, 1), SNAP_CELLS({ 0, 4294967290 }));
	add_irq(snap_text(2, 1), SNAP_CELLS({ 0, 4 }));
	expect(IRQ, 30, 0, 4294967300);
}
END_TEST

START_TEST(totals_grow_over_restart)
{
	struct snap *s = snap_module(2, 3);

	add_irq(snap_module(1, 3), SNAP_CELLS({ 0, 100 }, { 1, 50 }));
	snap_irq(s, 30, SNAP_CELLS({ 0, 7 }))->instance = 555;
	add(s);
	expect(IRQ, 30, 0, 107);
	expect(IRQ, 30, 1, 50);
	s = snap_module(3, 3);
	snap_irq(s, 30, SNAP_CELLS({ 0, 8 }, { 1, 2 }))->instance = 555;
	add(s);
	expect(IRQ, 30, 0, 108);
	expect(IRQ, 30, 1, 52);
}
END_TEST

START_TEST(totals_grow_over_restart_in_text)
{
	add_irq(snap_text(1, 7), SNAP_CELLS({ 0, 100 }, { 1, 5 }, { 2, 9 }));
	add_irq(snap_text(2, 3), SNAP_CELLS({ 0, 3 }, { 1, 7 }));
	expect(IRQ, 30, 0, 103);
	expect(IRQ, 30, 1, 12);
	expect(IRQ, 30, 2, 9);
	add_irq(snap_text(3, 7), SNAP_CELLS({ 0, 3 }, { 1, 7 }, { 2, 4 }));
	expect(IRQ, 30, 2, 13);
}
END_TEST

START_TEST(totals_of_row_that_vanished_are_not_repeated)
{
	add_irq(snap_module(1, 1), SNAP_CELLS({ 0, 100 }));
	add(snap_module(2, 1));
	ck_assert_uint_eq(irqstat_totals_get(totals)->n_rows, 0);
	ck_assert_uint_eq(irqstat_totals_get(totals)->n_entries, 0);
}
END_TEST

START_TEST(totals_of_row_that_came_back_go_on)
{
	struct snap *s = snap_module(3, 1);

	add_irq(snap_module(1, 1), SNAP_CELLS({ 0, 100 }));
	add(snap_module(2, 1));
	snap_irq(s, 30, SNAP_CELLS({ 0, 105 }));
	add(s);
	expect(IRQ, 30, 0, 105);
	add(snap_module(4, 1));
	s = snap_module(5, 1);
	snap_irq(s, 30, SNAP_CELLS({ 0, 4 }))->instance = 555;
	add(s);
	expect(IRQ, 30, 0, 109);
}
END_TEST

START_TEST(totals_of_row_that_came_back_in_text_go_on)
{
	add_irq(snap_text(1, 1), SNAP_CELLS({ 0, 100 }));
	add(snap_text(2, 1));
	add_irq(snap_text(3, 1), SNAP_CELLS({ 0, 105 }));
	expect(IRQ, 30, 0, 105);
	add(snap_text(4, 1));
	add_irq(snap_text(5, 1), SNAP_CELLS({ 0, 2 }));
	expect(IRQ, 30, 0, 107);
}
END_TEST

START_TEST(totals_keep_rows_that_are_gone)
{
	const struct irqstat_snapshot *sum;
	struct snap *s = snap_text(2, 1);

	irqstat_totals_keep_gone(totals);
	add_irq(snap_text(1, 3), SNAP_CELLS({ 0, 100 }, { 1, 5 }));
	snap_irq(s, 31, SNAP_CELLS({ 0, 1 }));
	ck_assert_int_eq(irqstat_totals_add(totals, &s->pub), 0);
	sum = irqstat_totals_get(totals);
	snap_check(sum);
	ck_assert_uint_eq(sum->n_rows, 2);
	ck_assert_uint_eq(sum->rows[0].flags, IRQSTAT_ROW_GONE);
	ck_assert_uint_eq(sum->rows[0].total, 105);
	ck_assert_uint_eq(sum->rows[1].flags, 0);
	expect(IRQ, 30, 1, 5);
	expect(IRQ, 31, 0, 1);
	s = snap_text(3, 1);
	snap_irq(s, 30, SNAP_CELLS({ 0, 102 }));
	snap_irq(s, 31, SNAP_CELLS({ 0, 2 }));
	add(s);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].flags, 0);
	expect(IRQ, 30, 0, 102);
}
END_TEST

START_TEST(totals_keep_no_row_that_has_not_counted)
{
	struct snap *s = snap_module(1, 1);

	irqstat_totals_keep_gone(totals);
	snap_irq(s, 30, NULL, 0)->flags = IRQSTAT_ROW_UNAVAILABLE;
	add(s);
	add(snap_module(2, 1));
}
END_TEST

START_TEST(totals_keep_what_is_a_sum_of_others)
{
	struct snap *s = snap_text(1, 1);

	irqstat_totals_keep_gone(totals);
	snap_irq(s, 30, SNAP_CELLS({ 0, 1 }))->flags = IRQSTAT_ROW_AGGREGATE;
	add(s);
	s = snap_text(2, 1);
	ck_assert_int_eq(irqstat_totals_add(totals, &s->pub), 0);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].flags,
			  IRQSTAT_ROW_GONE | IRQSTAT_ROW_AGGREGATE);
}
END_TEST

START_TEST(totals_say_which_rows_restarted)
{
	struct snap *s = snap_module(2, 1);

	add_irq(snap_module(1, 1), SNAP_CELLS({ 0, 100 }));
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].flags, 0);
	snap_irq(s, 30, SNAP_CELLS({ 0, 200 }))->instance = 555;
	add(s);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].flags,
			  IRQSTAT_ROW_RESTARTED);
	s = snap_module(3, 1);
	snap_irq(s, 30, SNAP_CELLS({ 0, 201 }))->instance = 555;
	add(s);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].flags, 0);
	expect(IRQ, 30, 0, 301);
}
END_TEST

START_TEST(totals_say_once_that_a_row_restarted_and_vanished)
{
	struct snap *s = snap_module(2, 1);

	irqstat_totals_keep_gone(totals);
	add_irq(snap_module(1, 1), SNAP_CELLS({ 0, 100 }));
	snap_irq(s, 30, SNAP_CELLS({ 0, 3 }))->instance = 555;
	add(s);
	s = snap_module(3, 1);
	ck_assert_int_eq(irqstat_totals_add(totals, &s->pub), 0);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].flags,
			  IRQSTAT_ROW_GONE);
}
END_TEST

START_TEST(totals_do_not_fall_with_a_cpu)
{
	add_irq(snap_text(1, 3), SNAP_CELLS({ 0, 100 }, { 1, 900 }));
	add_irq(snap_text(2, 1), SNAP_CELLS({ 0, 105 }));
	expect(IRQ, 30, 1, 900);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].total, 1005);
	ck_assert(!irqstat_snapshot_is_online(irqstat_totals_get(totals), 1));
	add_irq(snap_text(3, 3), SNAP_CELLS({ 0, 105 }, { 1, 902 }));
	expect(IRQ, 30, 1, 902);
}
END_TEST

START_TEST(totals_grow_over_cpu_that_restarted)
{
	add_x86(snap_text(1, 3), LOC, SNAP_CELLS({ 0, 900 }, { 1, 800 }));
	add_x86(snap_text(2, 1), LOC, SNAP_CELLS({ 0, 920 }));
	add_x86(snap_text(3, 3), LOC, SNAP_CELLS({ 0, 950 }, { 1, 3 }));
	expect(X86, LOC, 0, 950);
	expect(X86, LOC, 1, 803);
}
END_TEST

START_TEST(totals_do_not_jump_when_text_shows_a_cpu)
{
	add_x86(snap_text(1, 1), LOC, SNAP_CELLS({ 0, 900 }));
	add_x86(snap_text(2, 3), LOC, SNAP_CELLS({ 0, 901 }, { 1, 1000000 }));
	expect(X86, LOC, 1, 0);
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].total, 901);
	add_x86(snap_text(3, 3), LOC, SNAP_CELLS({ 0, 901 }, { 1, 1000007 }));
	expect(X86, LOC, 1, 7);
}
END_TEST

START_TEST(totals_of_new_row_begin_as_counts)
{
	struct snap *s = snap_text(2, 1);

	add_irq(snap_text(1, 1), SNAP_CELLS({ 0, 9 }));
	snap_irq(s, 24, SNAP_CELLS({ 0, 5 }));
	snap_irq(s, 30, SNAP_CELLS({ 0, 10 }));
	add(s);
	expect(IRQ, 24, 0, 5);
	expect(IRQ, 30, 0, 10);
}
END_TEST

START_TEST(totals_count_a_step_back_once)
{
	add_x86(snap_module(1, 1), CAL, SNAP_CELLS({ 0, 3 }));
	add_x86(snap_module(2, 1), CAL, SNAP_CELLS({ 0, 4294967295 }));
	expect(X86, CAL, 0, 3);
	add_x86(snap_module(3, 1), CAL, SNAP_CELLS({ 0, 2 }));
	expect(X86, CAL, 0, 3);
	add_x86(snap_module(4, 1), CAL, SNAP_CELLS({ 0, 5 }));
	expect(X86, CAL, 0, 5);
}
END_TEST

START_TEST(totals_go_on_after_a_large_step_back)
{
	add_x86(snap_module(1, 1), LOC, SNAP_CELLS({ 0, 2000000000 }));
	add_x86(snap_module(2, 1), LOC, SNAP_CELLS({ 0, 1000 }));
	expect(X86, LOC, 0, 2000000000);
	add_x86(snap_module(3, 1), LOC, SNAP_CELLS({ 0, 1005 }));
	expect(X86, LOC, 0, 2000000005);
}
END_TEST

START_TEST(totals_keep_unavailable_rows)
{
	struct snap *s = snap_module(2, 1);

	add_x86(snap_module(1, 1), LOC, SNAP_CELLS({ 0, 10 }));
	snap_x86(s, LOC, NULL, 0)->flags = IRQSTAT_ROW_UNAVAILABLE;
	add(s);
	expect(X86, LOC, 0, 10);
	add_x86(snap_module(3, 1), LOC, SNAP_CELLS({ 0, 11 }));
	expect(X86, LOC, 0, 11);
}
END_TEST

START_TEST(totals_over_a_change_of_source)
{
	add_irq(snap_module(1, 3), SNAP_CELLS({ 0, 10 }, { 1, 20 }));
	add_irq(snap_text(2, 1), SNAP_CELLS({ 0, 12 }));
	add_irq(snap_module(3, 3), SNAP_CELLS({ 0, 13 }, { 1, 21 }));
	expect(IRQ, 30, 0, 13);
	expect(IRQ, 30, 1, 21);
}
END_TEST

START_TEST(totals_from_text_to_module)
{
	add_irq(snap_text(1, 1), SNAP_CELLS({ 0, 10 }));
	add_irq(snap_module(2, 1), SNAP_CELLS({ 0, 12 }));
	expect(IRQ, 30, 0, 12);
}
END_TEST

START_TEST(totals_count_a_restart_seen_in_text_once)
{
	struct snap *s = snap_module(3, 1);

	add_irq(snap_module(1, 1), SNAP_CELLS({ 0, 100 }));
	add_irq(snap_text(2, 1), SNAP_CELLS({ 0, 3 }));
	snap_irq(s, 30, SNAP_CELLS({ 0, 10 }))->instance = 555;
	add(s);
	expect(IRQ, 30, 0, 110);
}
END_TEST

START_TEST(totals_grow_over_boots)
{
	struct snap *s = snap_module(1000, 3);

	s->pub.boot = 7;
	snap_irq(s, 30, SNAP_CELLS({ 0, 100 }, { 1, 50 }));
	snap_irq(s, 31, SNAP_CELLS({ 0, 9 }));
	snap_x86(s, LOC, SNAP_CELLS({ 0, 5000 }));
	add(s);
	s = snap_module(10, 3);
	s->pub.boot = 8;
	snap_irq(s, 30, SNAP_CELLS({ 0, 3000000000 }));
	snap_x86(s, LOC, SNAP_CELLS({ 0, 6000 }, { 1, 7 }));
	add(s);
	expect(IRQ, 30, 0, 3000000100);
	expect(IRQ, 30, 1, 50);
	expect(X86, LOC, 0, 11000);
	expect(X86, LOC, 1, 7);
	s = snap_module(11, 3);
	s->pub.boot = 8;
	snap_irq(s, 30, SNAP_CELLS({ 0, 3000000001 }, { 1, 2 }));
	snap_irq(s, 31, SNAP_CELLS({ 0, 4 }));
	add(s);
	expect(IRQ, 30, 0, 3000000101);
	expect(IRQ, 30, 1, 52);
	expect(IRQ, 31, 0, 13);
}
END_TEST

START_TEST(totals_of_what_is_not_later)
{
	struct snap *s = snap_module(2, 1);

	add_irq(s, SNAP_CELLS({ 0, 100 }));
	assert_errno(irqstat_totals_add(totals, &s->pub), -1, EINVAL);
	assert_errno(irqstat_totals_add(totals, NULL), -1, EINVAL);
	s->pub.time_ns--;
	assert_errno(irqstat_totals_add(totals, &s->pub), -1, EINVAL);
	expect(IRQ, 30, 0, 100);
}
END_TEST

START_TEST(totals_free_of_null)
{
	errno = ENOTTY;
	irqstat_totals_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

static Suite *totals_suite(void)
{
	const TTest *const tests[] = {
		totals_begin_as_counts,
		totals_grow_over_wraps,
		totals_grow_over_wrap_in_text,
		totals_grow_over_restart,
		totals_grow_over_restart_in_text,
		totals_of_row_that_vanished_are_not_repeated,
		totals_keep_rows_that_are_gone,
		totals_keep_no_row_that_has_not_counted,
		totals_keep_what_is_a_sum_of_others,
		totals_say_which_rows_restarted,
		totals_say_once_that_a_row_restarted_and_vanished,
		totals_of_row_that_came_back_go_on,
		totals_of_row_that_came_back_in_text_go_on,
		totals_do_not_fall_with_a_cpu,
		totals_grow_over_cpu_that_restarted,
		totals_do_not_jump_when_text_shows_a_cpu,
		totals_of_new_row_begin_as_counts,
		totals_count_a_step_back_once,
		totals_go_on_after_a_large_step_back,
		totals_keep_unavailable_rows,
		totals_over_a_change_of_source,
		totals_from_text_to_module,
		totals_count_a_restart_seen_in_text_once,
		totals_grow_over_boots,
		totals_of_what_is_not_later,
		totals_free_of_null,
		NULL
	};
	Suite *suite = suite_create("totals");

	suite_add_with(suite, "totals", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(totals_suite);
