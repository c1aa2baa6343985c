/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Interrupts that are half counted, and such that come while the collector is
 * reading. The line's total is 1 and its cell of CPU 1 is seen, to begin with.
 */
#include <stdlib.h>

#include "one.h"
#include "suite.h"

/* What happens before the collector does this for the nth time in a pass. */
static struct {
	enum step step;
	unsigned int countdown;
	void (*happens)(void);
} event;

static void wait_for_event(enum step step)
{
	if (step != event.step || !event.countdown || --event.countdown)
		return;
	event.happens();
}

static void arrange(enum step step, unsigned int nth, void (*happens)(void))
{
	event.step = step;
	event.countdown = nth;
	event.happens = happens;
	machine.step = wait_for_event;
}

static void start(void)
{
	one_start(200, LINE_LOCKED);
	line_interrupt(&one.line, 1);
	one_take();
	expect_counts({ 1, 1 });
}

static void interrupt_on_cpu_1(void)
{
	line_interrupt(&one.line, 1);
}

static void interrupt_on_cpu_150(void)
{
	line_interrupt(&one.line, 150);
}

static void half_count(unsigned int cpu)
{
	ck_assert(line_trylock(&one.line));
	line_count_cell(&one.line, cpu);
}

static void half_count_on_cpu_1(void)
{
	half_count(1);
}

static void other_half(void)
{
	line_count_total(&one.line);
	line_unlock(&one.line);
}

/*
 * KERNEL-FACTS 4: the half count on CPU 1 makes up for CPU 150, so that the sum
 * of what was seen is the total.
 */
START_TEST(half_count_does_not_stand_in_for_an_unseen_cpu)
{
	line_interrupt(&one.line, 150);
	half_count(1);
	one_take();
	expect_counts({ 1, 2 }, { 150, 1 });
	ck_assert(!reader_mark(&one.reader, 0)->proven);
	other_half();
	one_take();
	expect_counts({ 1, 2 }, { 150, 1 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(half_count_does_not_stand_in_at_a_fresh_open)
{
	line_interrupt(&one.line, 150);
	half_count(1);
	one_take_fresh();
	expect_counts({ 1, 2 }, { 150, 1 });
}
END_TEST

START_TEST(count_during_the_read_does_not_stand_in)
{
	line_interrupt(&one.line, 150);
	arrange(STEP_CELL, 1, interrupt_on_cpu_1);
	one_take();
	expect_counts({ 1, 2 }, { 150, 1 });
	one_take();
	expect_counts({ 1, 2 }, { 150, 1 });
	expect_cost(0, 0, 1);
}
END_TEST

/* To find out whether there is one takes no scan: it is enough to look again. */
START_TEST(count_during_the_read_costs_another_read_of_seen_cells)
{
	arrange(STEP_CELL, 1, interrupt_on_cpu_1);
	line_interrupt(&one.line, 1);
	one_take();
	expect_counts({ 1, 3 });
	expect_cost(2, 0, 0);
	ck_assert(reader_mark(&one.reader, 0)->proven);
}
END_TEST

START_TEST(count_completed_before_the_lock_is_looked_at_does_not_stand_in)
{
	line_interrupt(&one.line, 150);
	half_count(1);
	arrange(STEP_QUIET, 1, other_half);
	one_take();
	expect_counts({ 1, 2 }, { 150, 1 });
}
END_TEST

START_TEST(count_completed_after_the_lock_was_looked_at_does_not_stand_in)
{
	line_interrupt(&one.line, 150);
	half_count(1);
	arrange(STEP_TOTAL, 2, other_half);
	one_take();
	expect_counts({ 1, 2 }, { 150, 1 });
}
END_TEST

START_TEST(count_begun_after_the_lock_was_looked_at_waits_for_the_next)
{
	line_interrupt(&one.line, 1);
	arrange(STEP_TOTAL, 3, half_count_on_cpu_1);
	one_take();
	expect_counts({ 1, 2 });
	ck_assert(reader_mark(&one.reader, 0)->proven);
	one_take();
	expect_counts({ 1, 2 });
	expect_cost(0, 0, 1);
	other_half();
	one_take();
	expect_counts({ 1, 3 });
}
END_TEST

START_TEST(half_count_of_unmoved_line_waits_for_the_next)
{
	half_count(1);
	one_take();
	expect_counts({ 1, 1 });
	expect_cost(0, 0, 1);
	other_half();
	one_take();
	expect_counts({ 1, 2 });
}
END_TEST

START_TEST(half_count_on_unseen_cpu_is_found_or_waits)
{
	half_count(150);
	one_take();
	expect_counts({ 1, 1 });
	one_take_fresh();
	expect_counts({ 1, 1 }, { 150, 1 });
	other_half();
	one_take();
	expect_counts({ 1, 1 }, { 150, 1 });
}
END_TEST

START_TEST(half_count_of_zero_line_waits_for_the_next)
{
	one_stop();
	one_start(200, LINE_LOCKED);
	one_take();
	half_count(5);
	one_take();
	expect_nothing();
	one_take_fresh();
	expect_nothing();
	other_half();
	one_take();
	expect_counts({ 5, 1 });
}
END_TEST

START_TEST(half_count_at_first_look_does_not_make_the_line_suspect)
{
	one_stop();
	one_start(200, LINE_LOCKED);
	half_count(5);
	one_take();
	expect_counts({ 5, 1 });
	ck_assert(!reader_mark(&one.reader, 0)->proven);
	other_half();
	one_take();
	expect_counts({ 5, 1 });
	expect_cost(1, 0, 0);
	one_take();
	expect_cost(0, 0, 1);
}
END_TEST

START_TEST(count_during_the_first_look_does_not_make_the_line_suspect)
{
	one_take_fresh();
	one.row->proven_s = 0;
	arrange(STEP_CELL, 100, interrupt_on_cpu_1);
	one_take_fresh();
	expect_counts({ 1, 1 });
	ck_assert(!reader_mark(&one.reader, 0)->proven);
	one_take();
	expect_counts({ 1, 2 });
	expect_cost(1, 0, 0);
	one_take();
	expect_cost(0, 0, 1);
}
END_TEST

/* Behind the scan, on a CPU that it has passed: not to be taken for a zero. */
START_TEST(count_on_new_cpu_during_a_scan_is_in_the_next)
{
	one.row->proven_s = 0;
	arrange(STEP_CELL, 180, interrupt_on_cpu_150);
	one_take_fresh();
	expect_counts({ 1, 1 });
	one_take();
	expect_counts({ 1, 1 }, { 150, 1 });
}
END_TEST

START_TEST(line_locked_by_others_is_scanned_if_it_moved)
{
	line_interrupt(&one.line, 1);
	ck_assert(line_trylock(&one.line));
	one_take();
	expect_counts({ 1, 2 });
	ck_assert_uint_eq(one.reader.pass.cost.scans, 1);
	ck_assert(!reader_mark(&one.reader, 0)->proven);
	line_unlock(&one.line);
	one_take();
	expect_counts({ 1, 2 });
	expect_cost(1, 0, 0);
}
END_TEST

START_TEST(line_locked_by_others_is_copied_if_it_did_not_move)
{
	ck_assert(line_trylock(&one.line));
	one_take();
	expect_counts({ 1, 1 });
	expect_cost(0, 0, 1);
	line_unlock(&one.line);
}
END_TEST

/* Its total is ahead of its cells for a moment. */
START_TEST(half_count_in_the_total_first)
{
	one.line.flow = LINE_REVERSED;
	ck_assert(line_trylock(&one.line));
	line_count_total(&one.line);
	one_take();
	expect_counts({ 1, 1 });
	ck_assert(!reader_mark(&one.reader, 0)->proven);
	line_count_cell(&one.line, 150);
	line_unlock(&one.line);
	one_take();
	expect_counts({ 1, 1 }, { 150, 1 });
	one_take();
	expect_cost(0, 0, 1);
}
END_TEST

/* Another open's pass, in the middle of this one's. */

static struct reader other;

static void other_open_takes(void)
{
	void (*step)(enum step) = machine.step;

	machine.step = NULL;
	reader_take(&other, &one.row, 1, one.now_s);
	machine.step = step;
}

static void scan_together(enum step step, unsigned int nth)
{
	const struct irqbin_count counts[] = { { 1, 1 }, { 70, 1 }, { 71, 1 }, { 150, 1 } };

	one_stop();
	one_start(200, LINE_LOCKED);
	line_interrupt(&one.line, 1);
	line_interrupt(&one.line, 70);
	line_interrupt(&one.line, 71);
	line_interrupt(&one.line, 150);
	reader_init(&other, 1, false);
	arrange(step, nth, other_open_takes);
	one_take();
	one_expect(counts, 4);
	ck_assert_uint_eq(reader_count(&other, 0, 1), 1);
	ck_assert_uint_eq(reader_count(&other, 0, 70), 1);
	ck_assert_uint_eq(reader_count(&other, 0, 71), 1);
	ck_assert_uint_eq(reader_count(&other, 0, 150), 1);
	reader_free(&other);
	one_take_fresh();
	one_expect(counts, 4);
	expect_cost(4, 0, 0);
}

START_TEST(two_opens_look_for_the_first_time_at_once)
{
	unsigned int nth;

	for (nth = 1; nth <= 7; nth++)
		scan_together(STEP_BIT_SET, nth);
	for (nth = 1; nth <= 200; nth += 10)
		scan_together(STEP_CELL, nth);
}
END_TEST

/* The total has wrapped to 0 and nothing is seen yet: not a line to be skipped. */
START_TEST(scan_under_way_proves_nothing)
{
	one_stop();
	one_start(200, LINE_LOCKED);
	line_seed(&one.line, 100, 0xfffffffe);
	line_seed(&one.line, 101, 2);
	reader_init(&other, 1, false);
	arrange(STEP_CELL, 50, other_open_takes);
	one_take();
	expect_counts({ 100, 0xfffffffe }, { 101, 2 });
	ck_assert_uint_eq(reader_count(&other, 0, 100), 0xfffffffe);
	ck_assert_uint_eq(reader_count(&other, 0, 101), 2);
	reader_free(&other);
}
END_TEST

static Suite *collect_race_suite(void)
{
	const TTest *const races[] = {
		half_count_does_not_stand_in_for_an_unseen_cpu,
		half_count_does_not_stand_in_at_a_fresh_open,
		count_during_the_read_does_not_stand_in,
		count_during_the_read_costs_another_read_of_seen_cells,
		count_completed_before_the_lock_is_looked_at_does_not_stand_in,
		count_completed_after_the_lock_was_looked_at_does_not_stand_in,
		count_begun_after_the_lock_was_looked_at_waits_for_the_next,
		half_count_of_unmoved_line_waits_for_the_next,
		half_count_on_unseen_cpu_is_found_or_waits,
		half_count_of_zero_line_waits_for_the_next,
		half_count_at_first_look_does_not_make_the_line_suspect,
		count_during_the_first_look_does_not_make_the_line_suspect,
		count_on_new_cpu_during_a_scan_is_in_the_next,
		line_locked_by_others_is_scanned_if_it_moved,
		line_locked_by_others_is_copied_if_it_did_not_move,
		half_count_in_the_total_first,
		two_opens_look_for_the_first_time_at_once,
		scan_under_way_proves_nothing,
		NULL
	};
	Suite *suite = suite_create("collect: races");

	suite_add_with(suite, "races", races, start, one_stop);
	return suite;
}

UNIT_SUITE(collect_race_suite);
