/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What a verified pass finds. Errors are planted in the record of the last
 * snapshot, from where they are copied into the next.
 */
#include <stdlib.h>

#include "one.h"
#include "suite.h"

static void start(void)
{
	one_start(200, LINE_LOCKED);
	reader_free(&one.reader);
	reader_init(&one.reader, 1, true);
	line_seed(&one.line, 3, 30);
	line_seed(&one.line, 4, 40);
	line_seed(&one.line, 130, 50);
	one_take();
}

static void expect_found(u64 mismatches, u64 in_flight)
{
	ck_assert_uint_eq(one.reader.pass.cost.checked, 1);
	ck_assert_uint_eq(one.reader.pass.cost.mismatches, mismatches);
	ck_assert_uint_eq(one.reader.pass.cost.in_flight, in_flight);
}

/* Sets a pair of the last record. */
static void plant(unsigned int i, u32 cpu, u32 count)
{
	const struct irqbin_mark *mark = reader_mark(&one.reader, 0);

	one.reader.out[one.reader.shown].word[mark->at + 1 + i] = irqbin_count_word(cpu, count);
}

static void plant_num(unsigned int num)
{
	one.reader.marks[0].words = num ? 1 + num : 0;
}

START_TEST(all_ways_are_found_right)
{
	expect_found(0, 0);
	one_take();
	expect_found(0, 0);
	ck_assert_uint_eq(one.reader.pass.cost.copies, 1);
	line_interrupt(&one.line, 4);
	one_take();
	expect_found(0, 0);
	line_interrupt(&one.line, 0);
	one_take();
	expect_found(0, 0);
	ck_assert_uint_eq(one.reader.pass.cost.scans, 1);
	one.row->instance++;
	one_take();
	expect_found(0, 0);
	one_take();
	expect_found(0, 0);
}
END_TEST

START_TEST(skipped_line_is_found_right)
{
	one_stop();
	one_start(200, LINE_LOCKED);
	reader_free(&one.reader);
	reader_init(&one.reader, 1, true);
	one_take();
	expect_found(0, 0);
	one_take_fresh();
	expect_found(0, 0);
}
END_TEST

START_TEST(half_count_on_seen_cpu_is_in_flight)
{
	ck_assert(line_trylock(&one.line));
	line_count_cell(&one.line, 4);
	one_take();
	expect_counts({ 3, 30 }, { 4, 40 }, { 130, 50 });
	expect_found(0, 1);
	line_count_total(&one.line);
	line_unlock(&one.line);
	one_take();
	expect_found(0, 0);
}
END_TEST

START_TEST(half_count_on_unseen_cpu_is_in_flight)
{
	ck_assert(line_trylock(&one.line));
	line_count_cell(&one.line, 199);
	one_take();
	expect_counts({ 3, 30 }, { 4, 40 }, { 130, 50 });
	expect_found(0, 1);
}
END_TEST

START_TEST(half_count_of_a_cell_that_wraps_is_in_flight)
{
	unsigned int i;

	one_stop();
	one_start(200, LINE_LOCKED);
	reader_free(&one.reader);
	reader_init(&one.reader, 1, true);
	line_seed(&one.line, 4, 0xffffffff);
	one_take();
	ck_assert(line_trylock(&one.line));
	line_count_cell(&one.line, 4);
	for (i = 0; i < 2; i++) {
		one_take();
		expect_counts({ 4, 0xffffffff });
		expect_found(0, 1);
	}
}
END_TEST

/* It is read there: nothing is missing. */
START_TEST(half_count_of_a_moved_line_is_not_in_flight)
{
	line_interrupt(&one.line, 4);
	ck_assert(line_trylock(&one.line));
	line_count_cell(&one.line, 199);
	one_take();
	expect_counts({ 3, 30 }, { 4, 41 }, { 130, 50 }, { 199, 1 });
	expect_found(0, 0);
}
END_TEST

static void step_interrupt(enum step step)
{
	if (step == STEP_CELL)
		line_interrupt(&one.line, 130);
}

START_TEST(counts_that_move_while_they_are_read_are_right)
{
	unsigned int pass;

	machine.step = step_interrupt;
	for (pass = 0; pass < 10; pass++) {
		one_take();
		expect_found(0, 0);
	}
}
END_TEST

START_TEST(count_too_low_is_found)
{
	plant(1, 4, 39);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(count_too_high_is_found)
{
	plant(1, 4, 41);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(count_of_zero_is_found)
{
	plant(1, 4, 0);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(count_on_wrong_cpu_is_found)
{
	plant(1, 5, 40);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(count_on_cpu_that_has_none_is_found)
{
	plant(2, 200, 50);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(one_count_too_many_is_found)
{
	plant(3, 200, 1);
	plant_num(4);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(exchanged_counts_are_found)
{
	plant(0, 3, 40);
	plant(1, 4, 30);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(counts_out_of_order_are_found)
{
	plant(0, 4, 40);
	plant(1, 3, 30);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(lost_count_is_found)
{
	plant_num(2);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(lost_record_is_found)
{
	plant_num(0);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(more_missing_than_in_flight_is_found)
{
	plant(1, 4, 39);
	ck_assert(line_trylock(&one.line));
	line_count_cell(&one.line, 4);
	one_take();
	expect_found(1, 0);
}
END_TEST

START_TEST(error_beside_one_in_flight_is_found)
{
	plant(0, 3, 31);
	ck_assert(line_trylock(&one.line));
	line_count_cell(&one.line, 4);
	one_take();
	expect_found(1, 0);
}
END_TEST

/* Its total does not follow: to the collector, what it has seen is all. */
START_TEST(count_on_new_cpu_left_out_is_found)
{
	line_interrupt(&one.line, 4);
	line_count_cell(&one.line, 199);
	one_take();
	expect_counts({ 3, 30 }, { 4, 41 }, { 130, 50 });
	expect_found(1, 0);
}
END_TEST

static Suite *collect_verify_suite(void)
{
	const TTest *const right[] = {
		all_ways_are_found_right,
		skipped_line_is_found_right,
		half_count_on_seen_cpu_is_in_flight,
		half_count_on_unseen_cpu_is_in_flight,
		half_count_of_a_cell_that_wraps_is_in_flight,
		half_count_of_a_moved_line_is_not_in_flight,
		counts_that_move_while_they_are_read_are_right,
		NULL
	};
	const TTest *const planted[] = {
		count_too_low_is_found,
		count_too_high_is_found,
		count_of_zero_is_found,
		count_on_wrong_cpu_is_found,
		count_on_cpu_that_has_none_is_found,
		one_count_too_many_is_found,
		exchanged_counts_are_found,
		counts_out_of_order_are_found,
		lost_count_is_found,
		lost_record_is_found,
		more_missing_than_in_flight_is_found,
		error_beside_one_in_flight_is_found,
		count_on_new_cpu_left_out_is_found,
		NULL
	};
	Suite *suite = suite_create("collect: verification");

	suite_add_with(suite, "right", right, start, one_stop);
	suite_add_with(suite, "planted", planted, start, one_stop);
	return suite;
}

UNIT_SUITE(collect_verify_suite);
