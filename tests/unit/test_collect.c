/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The collector's four ways, each with what it reports and what it costs. */
#include <stdlib.h>

#include "one.h"
#include "suite.h"

static void start_locked(void)
{
	one_start(200, LINE_LOCKED);
}

START_TEST(first_look_reads_every_cell)
{
	line_seed(&one.line, 7, 3);
	line_seed(&one.line, 199, 1);
	one_take();
	expect_counts({ 7, 3 }, { 199, 1 });
	expect_cost(200, 1, 0);
}
END_TEST

START_TEST(first_look_at_zeros_is_a_scan_too)
{
	one_take();
	expect_nothing();
	expect_cost(200, 1, 0);
}
END_TEST

START_TEST(zero_line_is_skipped)
{
	one_take();
	one_take();
	expect_nothing();
	expect_cost(0, 0, 1);
	one_take_fresh();
	expect_nothing();
	expect_cost(0, 0, 0);
	ck_assert(reader_mark(&one.reader, 0)->proven);
}
END_TEST

START_TEST(unmoved_record_is_copied)
{
	line_seed(&one.line, 64, 9);
	one_take();
	one_take();
	expect_counts({ 64, 9 });
	expect_cost(0, 0, 1);
	one_take();
	expect_counts({ 64, 9 });
	expect_cost(0, 0, 1);
}
END_TEST

START_TEST(moved_line_costs_its_seen_cells)
{
	line_seed(&one.line, 0, 5);
	line_seed(&one.line, 100, 5);
	one_take();
	line_interrupt(&one.line, 100);
	one_take();
	expect_counts({ 0, 5 }, { 100, 6 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(fresh_open_uses_what_others_have_seen)
{
	line_seed(&one.line, 0, 5);
	line_seed(&one.line, 100, 5);
	one_take();
	one_take_fresh();
	expect_counts({ 0, 5 }, { 100, 5 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(count_on_new_cpu_is_found_by_a_scan)
{
	line_seed(&one.line, 3, 5);
	one_take();
	line_interrupt(&one.line, 150);
	one_take();
	expect_counts({ 3, 5 }, { 150, 1 });
	expect_cost(1 + 200, 1, 0);
	line_interrupt(&one.line, 150);
	one_take();
	expect_counts({ 3, 5 }, { 150, 2 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(first_count_of_a_line_is_found)
{
	one_take();
	line_interrupt(&one.line, 199);
	one_take();
	expect_counts({ 199, 1 });
}
END_TEST

START_TEST(counts_of_another_instance_are_not_copied)
{
	struct line again;
	struct irqbin_row *row, *old = one.row;

	line_seed(&one.line, 3, 5);
	one_take();
	line_start(&again, LINE_LOCKED, 4);
	line_seed(&again, 4, 5);
	row = row_new(&again, ONE_IRQ, INSTANCE_BASE + 1);
	one.row = row;
	one_take();
	expect_counts({ 4, 5 });
	expect_cost(200, 1, 0);
	one.row = old;
	free(row);
}
END_TEST

START_TEST(instance_of_base_is_left_out)
{
	line_seed(&one.line, 3, 5);
	one_take();
	ck_assert_uint_eq(record_header(reader_record(&one.reader, 0)).n_words, 1);
	ck_assert_uint_eq(record_header(reader_record(&one.reader, 0)).flags, 0);
}
END_TEST

START_TEST(other_instance_is_the_first_word)
{
	unsigned int pass;

	one.row->instance = INSTANCE_BASE + 77;
	line_seed(&one.line, 3, 5);
	for (pass = 0; pass < 3; pass++) {
		const u64 *record;

		one_take();
		record = reader_record(&one.reader, 0);
		ck_assert_uint_eq(record_header(record).flags, IRQBIN_CNT_INSTANCE);
		ck_assert_uint_eq(record[1], INSTANCE_BASE + 77);
		expect_counts({ 3, 5 });
	}
}
END_TEST

START_TEST(other_instance_without_counts_has_no_record)
{
	one.row->instance = INSTANCE_BASE + 77;
	one_take();
	expect_nothing();
}
END_TEST

START_TEST(text_zero_is_flagged)
{
	machine.text_zero_by_total = true;
	one.line.flow = LINE_PER_CPU;
	line_seed(&one.line, 3, 5);
	one_take();
	expect_counts({ 3, 5 });
	ck_assert_uint_eq(record_header(reader_record(&one.reader, 0)).flags,
			  IRQBIN_CNT_TEXT_ZERO);
}
END_TEST

START_TEST(text_zero_is_not_flagged_where_the_text_counts)
{
	one.line.flow = LINE_PER_CPU;
	line_seed(&one.line, 3, 5);
	one_take();
	ck_assert_uint_eq(record_header(reader_record(&one.reader, 0)).flags, 0);
	machine.text_zero_by_total = true;
	one.line.per_cpu = true;
	one_take();
	ck_assert_uint_eq(record_header(reader_record(&one.reader, 0)).flags, 0);
}
END_TEST

/* Lines whose total can't be relied on. */

START_TEST(per_cpu_line_is_always_scanned)
{
	unsigned int pass;

	one.line.flow = LINE_PER_CPU;
	for (pass = 1; pass < 4; pass++) {
		line_interrupt(&one.line, pass);
		line_interrupt(&one.line, 0);
		one_take();
		expect_cost(200, 1, 0);
		ck_assert_uint_eq(reader_count(&one.reader, 0, 0), pass);
		ck_assert_uint_eq(reader_count(&one.reader, 0, pass), 1);
	}
}
END_TEST

START_TEST(unmoved_per_cpu_line_is_scanned)
{
	one.line.per_cpu = true;
	one_take();
	one_take();
	expect_cost(200, 1, 0);
}
END_TEST

START_TEST(unlisted_flow_is_always_scanned)
{
	one.line.flow = LINE_UNLISTED;
	line_interrupt(&one.line, 9);
	one_take();
	one_take();
	expect_counts({ 9, 1 });
	expect_cost(200, 1, 0);
}
END_TEST

/* Seen while it was a per-CPU line: stays suspect. */
START_TEST(line_that_was_per_cpu_is_always_scanned)
{
	one.line.flow = LINE_PER_CPU;
	one_take();
	one.line.flow = LINE_LOCKED;
	line_interrupt(&one.line, 2);
	one_take();
	one_take();
	expect_counts({ 2, 1 });
	expect_cost(200, 1, 0);
}
END_TEST

/* Not seen then: its cells are ahead of its total. */
START_TEST(line_ahead_of_its_total_is_always_scanned)
{
	one.line.flow = LINE_PER_CPU;
	line_interrupt(&one.line, 2);
	one.line.flow = LINE_LOCKED;
	line_interrupt(&one.line, 3);
	one_take();
	ck_assert(!reader_mark(&one.reader, 0)->proven);
	one_take();
	expect_counts({ 2, 1 }, { 3, 1 });
	expect_cost(200, 1, 0);
}
END_TEST

/* Totals and cells that wrap. */

START_TEST(total_wrapped_to_zero_is_not_skipped)
{
	line_seed(&one.line, 5, 0xfffffff0);
	line_seed(&one.line, 6, 0x10);
	ck_assert_uint_eq(line_total_read(&one.line), 0);
	one_take();
	expect_counts({ 5, 0xfffffff0 }, { 6, 0x10 });
	one_take();
	expect_counts({ 5, 0xfffffff0 }, { 6, 0x10 });
	expect_cost(0, 0, 1);
	one_take_fresh();
	expect_counts({ 5, 0xfffffff0 }, { 6, 0x10 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(total_of_64_bits_is_matched_by_wrapped_cells)
{
	machine.total_is_64 = true;
	line_seed(&one.line, 5, 0xffffffff);
	line_seed(&one.line, 6, 7);
	one_take();
	line_interrupt(&one.line, 5);
	line_interrupt(&one.line, 5);
	ck_assert_uint_eq(line_total_read(&one.line), 0x100000008);
	one_take();
	expect_counts({ 5, 1 }, { 6, 7 });
	expect_cost(2, 0, 0);
	one_take();
	expect_cost(0, 0, 1);
}
END_TEST

START_TEST(total_of_64_bits_tells_apart_what_32_would_not)
{
	machine.total_is_64 = true;
	line_seed(&one.line, 5, 5);
	line_seed(&one.line, 6, 6);
	one_take();
	line_seed(&one.line, 5, 0x80000000);
	line_seed(&one.line, 6, 0x80000000);
	one_take();
	expect_counts({ 5, 0x80000005 }, { 6, 0x80000006 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(first_look_proves_a_total_of_64_bits)
{
	machine.total_is_64 = true;
	line_seed(&one.line, 5, 0xffffffff);
	line_seed(&one.line, 5, 3);
	one_take();
	expect_counts({ 5, 2 });
	one_take();
	expect_counts({ 5, 2 });
	expect_cost(0, 0, 1);
}
END_TEST

START_TEST(cell_wrapped_to_zero_is_left_out)
{
	line_seed(&one.line, 5, 0xffffffff);
	line_seed(&one.line, 6, 7);
	one_take();
	line_interrupt(&one.line, 5);
	one_take();
	expect_counts({ 6, 7 });
	expect_cost(2, 0, 0);
	line_interrupt(&one.line, 5);
	one_take();
	expect_counts({ 5, 1 }, { 6, 7 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(only_cell_wrapped_to_zero_leaves_no_record)
{
	line_seed(&one.line, 5, 0xffffffff);
	one_take();
	line_interrupt(&one.line, 5);
	one_take();
	expect_nothing();
	line_interrupt(&one.line, 5);
	one_take();
	expect_counts({ 5, 1 });
}
END_TEST

static Suite *collect_suite(void)
{
	const TTest *const ways[] = {
		first_look_reads_every_cell,
		first_look_at_zeros_is_a_scan_too,
		zero_line_is_skipped,
		unmoved_record_is_copied,
		moved_line_costs_its_seen_cells,
		fresh_open_uses_what_others_have_seen,
		count_on_new_cpu_is_found_by_a_scan,
		first_count_of_a_line_is_found,
		counts_of_another_instance_are_not_copied,
		instance_of_base_is_left_out,
		other_instance_is_the_first_word,
		other_instance_without_counts_has_no_record,
		text_zero_is_flagged,
		text_zero_is_not_flagged_where_the_text_counts,
		NULL
	};
	const TTest *const totals[] = {
		per_cpu_line_is_always_scanned,
		unmoved_per_cpu_line_is_scanned,
		unlisted_flow_is_always_scanned,
		line_that_was_per_cpu_is_always_scanned,
		line_ahead_of_its_total_is_always_scanned,
		NULL
	};
	const TTest *const wraps[] = {
		total_wrapped_to_zero_is_not_skipped,
		total_of_64_bits_is_matched_by_wrapped_cells,
		total_of_64_bits_tells_apart_what_32_would_not,
		first_look_proves_a_total_of_64_bits,
		cell_wrapped_to_zero_is_left_out,
		only_cell_wrapped_to_zero_leaves_no_record,
		NULL
	};
	Suite *suite = suite_create("collect");

	suite_add_with(suite, "ways", ways, start_locked, one_stop);
	suite_add_with(suite, "totals", totals, start_locked, one_stop);
	suite_add_with(suite, "wraps", wraps, start_locked, one_stop);
	return suite;
}

UNIT_SUITE(collect_suite);
