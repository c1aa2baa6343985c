/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What is remembered: the seen-sets of rows, the marks of opens, the age of proofs. */
#include <stdlib.h>

#include "one.h"
#include "suite.h"

static const u32 border_cpus[] = { 0, 1, 62, 63, 64, 65, 127, 128, 4094, 4095, 4096, 4097, 8190,
				   8191 };
#define N_BORDER_CPUS (sizeof(border_cpus) / sizeof(border_cpus[0]))

static void start_largest(void)
{
	one_start(MACHINE_MAX_CPUS, LINE_LOCKED);
}

static void start_small(void)
{
	one_start(200, LINE_LOCKED);
}

START_TEST(set_holds_each_cpu_at_word_borders)
{
	const u32 cpu = border_cpus[_i];

	line_seed(&one.line, cpu, 1);
	one_take();
	expect_counts({ cpu, 1 });
	line_interrupt(&one.line, cpu);
	one_take();
	expect_counts({ cpu, 2 });
	expect_cost(1, 0, 0);
}
END_TEST

START_TEST(set_holds_all_cpus_at_word_borders)
{
	struct irqbin_count counts[N_BORDER_CPUS];
	unsigned int i;

	for (i = 0; i < N_BORDER_CPUS; i++) {
		counts[i] = (struct irqbin_count){ .cpu = border_cpus[i], .count = i + 1 };
		line_seed(&one.line, border_cpus[i], i + 1);
		one_take();
		one_expect(counts, i + 1);
	}
	one_take_fresh();
	one_expect(counts, N_BORDER_CPUS);
	expect_cost(N_BORDER_CPUS, 0, 0);
}
END_TEST

/* Its total is 0, but it is none of the lines that are skipped. */
START_TEST(set_of_high_cpus_is_not_empty)
{
	line_seed(&one.line, 5000, 0xfffffff0);
	line_seed(&one.line, 8191, 0x10);
	one_take();
	one_take_fresh();
	expect_counts({ 5000, 0xfffffff0 }, { 8191, 0x10 });
	expect_cost(2, 0, 0);
}
END_TEST

static void expect_every_cpu(u32 more)
{
	const u64 *record = reader_record(&one.reader, 0);
	unsigned int cpu;

	ck_assert_ptr_nonnull(record);
	ck_assert_uint_eq(record_header(record).n_words, MACHINE_MAX_CPUS + 1);
	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++) {
		ck_assert_uint_eq(record_count(record, cpu).cpu, cpu);
		ck_assert_uint_eq(record_count(record, cpu).count, cpu + 1 + more * (cpu == 4096));
	}
	ck_assert_uint_eq(one.reader.pass.out->used, one.reader.pass.out->size);
}

/* The reader's buffer has room for exactly this. */
START_TEST(record_of_every_cpu_fits)
{
	unsigned int cpu;

	one.row->instance = INSTANCE_BASE + 1;
	for (cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		line_seed(&one.line, cpu, cpu + 1);
	one_take();
	expect_every_cpu(0);
	one_take();
	expect_every_cpu(0);
	expect_cost(0, 0, 1);
	line_interrupt(&one.line, 4096);
	one_take();
	expect_every_cpu(1);
	expect_cost(MACHINE_MAX_CPUS, 0, 0);
}
END_TEST

/* An attempt that failed leaves no room used. */
START_TEST(record_of_every_cpu_fits_after_a_second_attempt)
{
	unsigned int cpu;

	one.row->instance = INSTANCE_BASE + 1;
	for (cpu = 0; cpu < MACHINE_MAX_CPUS - 1; cpu++)
		line_seed(&one.line, cpu, cpu + 1);
	one_take();
	line_seed(&one.line, cpu, cpu + 1);
	one_take();
	expect_every_cpu(0);
	expect_cost(2 * MACHINE_MAX_CPUS - 1, 1, 0);
}
END_TEST

START_TEST(impossible_cpus_are_not_read)
{
	machine_cpu_remove(0);
	machine_cpu_remove(100);
	machine_cpu_remove(199);
	line_seed(&one.line, 1, 4);
	line_seed(&one.line, 198, 4);
	one_take();
	expect_counts({ 1, 4 }, { 198, 4 });
	expect_cost(197, 1, 0);
	line_interrupt(&one.line, 198);
	one_take();
	expect_counts({ 1, 4 }, { 198, 5 });
	expect_cost(2, 0, 0);
}
END_TEST

START_TEST(machine_of_one_cpu)
{
	one_stop();
	one_start(1, LINE_LOCKED);
	one_take();
	expect_nothing();
	line_interrupt(&one.line, 0);
	one_take();
	expect_counts({ 0, 1 });
	line_interrupt(&one.line, 0);
	one_take();
	expect_counts({ 0, 2 });
	expect_cost(1, 0, 0);
}
END_TEST

/* Proofs hold for IRQBIN_PROOF_VALID_S. */

START_TEST(proof_of_zeros_expires)
{
	one_take();
	one.now_s += IRQBIN_PROOF_VALID_S;
	one_take_fresh();
	expect_nothing();
	expect_cost(200, 1, 0);
}
END_TEST

START_TEST(proof_of_zeros_holds_until_then)
{
	one_take();
	one.now_s += IRQBIN_PROOF_VALID_S - 2;
	one_take_fresh();
	expect_cost(0, 0, 0);
}
END_TEST

START_TEST(proof_of_unseen_cells_expires)
{
	line_seed(&one.line, 5, 5);
	one_take();
	one.now_s += IRQBIN_PROOF_VALID_S - 2;
	one_take_fresh();
	expect_cost(1, 0, 0);
	one.now_s += IRQBIN_PROOF_VALID_S;
	one_take_fresh();
	expect_counts({ 5, 5 });
	expect_cost(200, 1, 0);
}
END_TEST

START_TEST(proof_is_renewed_by_use)
{
	unsigned int pass;

	line_seed(&one.line, 5, 5);
	one_take();
	for (pass = 0; pass < 5; pass++) {
		one.now_s += IRQBIN_PROOF_VALID_S / 2;
		one_take_fresh();
		expect_cost(1, 0, 0);
	}
}
END_TEST

START_TEST(proof_is_renewed_by_copies)
{
	unsigned int pass;

	line_seed(&one.line, 5, 5);
	one_take();
	for (pass = 0; pass < 5; pass++) {
		one.now_s += IRQBIN_PROOF_VALID_S / 2;
		one_take();
		expect_cost(0, 0, 1);
	}
	one_take_fresh();
	expect_counts({ 5, 5 });
	expect_cost(1, 0, 0);
}
END_TEST

START_TEST(proof_of_zeros_is_renewed_by_use)
{
	unsigned int pass;

	one_take();
	for (pass = 0; pass < 5; pass++) {
		one.now_s += IRQBIN_PROOF_VALID_S / 2;
		one_take_fresh();
		expect_cost(0, 0, 0);
	}
}
END_TEST

/* By a pass that began later than this one and came here first. */
START_TEST(proof_of_a_later_pass_is_one)
{
	line_seed(&one.line, 5, 5);
	one_take();
	one.row->proven_s += 2;
	one_take_fresh();
	expect_counts({ 5, 5 });
	expect_cost(1, 0, 0);
}
END_TEST

/* Within that time so many interrupts that the total is back where it was. */
START_TEST(old_record_is_not_copied)
{
	line_seed(&one.line, 5, 5);
	one_take();
	one.now_s += IRQBIN_PROOF_VALID_S;
	line_seed(&one.line, 6, 0x80000000);
	line_seed(&one.line, 7, 0x80000000);
	ck_assert_uint_eq(line_total_read(&one.line), 5);
	one_take();
	expect_counts({ 5, 5 }, { 6, 0x80000000 }, { 7, 0x80000000 });
}
END_TEST

/* Marks and rows that come and go */

#define N_ROWS 6

static struct line lines[N_ROWS];
static struct irqbin_row *rows[N_ROWS];
static struct reader reader;

static void start_rows(void)
{
	unsigned int i;

	machine_start(8, 64);
	for (i = 0; i < N_ROWS; i++) {
		line_start(&lines[i], LINE_LOCKED, 4 * i);
		rows[i] = row_new(&lines[i], 10 * i, INSTANCE_BASE);
		line_seed(&lines[i], i, 7);
	}
	reader_init(&reader, N_ROWS, false);
}

static void stop_rows(void)
{
	unsigned int i;

	reader_free(&reader);
	for (i = 0; i < N_ROWS; i++)
		free(rows[i]);
	machine_stop();
}

/* A pass over those of the rows whose bit is set; all of them must be right. */
static void take_rows(unsigned int set)
{
	struct irqbin_row *some[N_ROWS];
	unsigned int i, n = 0;

	for (i = 0; i < N_ROWS; i++)
		if (set >> i & 1)
			some[n++] = rows[i];
	reader_take(&reader, some, n, 100);
	for (n = 0, i = 0; i < N_ROWS; i++) {
		if (!(set >> i & 1))
			continue;
		ck_assert_uint_eq(reader_mark(&reader, n)->irq, 10 * i);
		ck_assert_uint_eq(record_num(reader_record(&reader, n)), 1);
		ck_assert_uint_eq(reader_count(&reader, n, i), 7);
		n++;
	}
}

/* Every set of rows after every other: copies are those that are in both. */
START_TEST(marks_find_the_rows_that_stayed)
{
	unsigned int before, after;

	take_rows(0x3f);
	for (before = 0; before < 1u << N_ROWS; before++) {
		for (after = 0; after < 1u << N_ROWS; after++) {
			take_rows(before);
			take_rows(after);
			ck_assert_uint_eq(reader.pass.cost.copies,
					  __builtin_popcount(before & after));
			ck_assert_uint_eq(reader.pass.cost.scans, 0);
		}
	}
}
END_TEST

START_TEST(marks_of_another_instance_are_not_found)
{
	take_rows(0x3f);
	rows[2]->instance++;
	rows[5]->instance++;
	take_rows(0x3f);
	ck_assert_uint_eq(reader.pass.cost.copies, 4);
	take_rows(0x3f);
	ck_assert_uint_eq(reader.pass.cost.copies, 6);
}
END_TEST

START_TEST(marks_of_a_renumbered_row_are_not_found)
{
	take_rows(0x3f);
	free(rows[5]);
	rows[5] = row_new(&lines[5], 55, INSTANCE_BASE);
	reader_take(&reader, rows, N_ROWS, 100);
	ck_assert_uint_eq(reader.pass.cost.copies, 5);
	ck_assert_uint_eq(reader_count(&reader, 5, 5), 7);
}
END_TEST

START_TEST(records_move_up_when_rows_before_them_shrink)
{
	take_rows(0x3f);
	rows[4]->instance++;
	take_rows(0x3f);
	take_rows(0x38);
	ck_assert_uint_eq(reader.pass.cost.copies, 3);
	take_rows(0x3f);
	take_rows(0x30);
	ck_assert_uint_eq(reader.pass.cost.copies, 2);
}
END_TEST

/* Every set of rows that move, and gain or lose nothing else. */
START_TEST(records_between_others_move)
{
	u32 expected[N_ROWS] = { 7, 7, 7, 7, 7, 7 };
	unsigned int moved, i;

	take_rows(0x3f);
	for (moved = 0; moved < 1u << N_ROWS; moved++) {
		for (i = 0; i < N_ROWS; i++)
			if (moved >> i & 1) {
				line_interrupt(&lines[i], i);
				expected[i]++;
			}
		reader_take(&reader, rows, N_ROWS, 100);
		ck_assert_uint_eq(reader.pass.cost.copies, N_ROWS - __builtin_popcount(moved));
		for (i = 0; i < N_ROWS; i++) {
			ck_assert_uint_eq(record_num(reader_record(&reader, i)), 1);
			ck_assert_uint_eq(reader_count(&reader, i, i), expected[i]);
		}
	}
}
END_TEST

/* The room is asked for one record at a time, as snapshot.c does. */
START_TEST(copies_stop_where_the_room_ends)
{
	const size_t room = irqbin_record_max(machine.nr_cpus);
	struct irqbin_pass *pass = &reader.pass;
	const size_t size = reader.out[0].size;
	unsigned int done, n = 0, calls = 0;

	take_rows(0x3f);
	reader_begin(&reader, rows, N_ROWS, 100);
	for (; n < N_ROWS; n += done, calls++) {
		pass->out->size = pass->out->used + room;
		done = irqbin_rows_collect(pass, rows + n, N_ROWS - n);
		ck_assert_uint_ge(done, 1);
		ck_assert_uint_le(pass->out->used, pass->out->size);
	}
	ck_assert_uint_gt(calls, 1);
	ck_assert_uint_eq(pass->cost.copies, N_ROWS);
	ck_assert_uint_eq(pass->out->n_records, N_ROWS);
	for (n = 0; n < N_ROWS; n++)
		ck_assert_uint_eq(reader_count(&reader, n, n), 7);
	pass->out->size = size;
}
END_TEST

static Suite *collect_set_suite(void)
{
	const TTest *const sets[] = {
		set_holds_all_cpus_at_word_borders,
		set_of_high_cpus_is_not_empty,
		record_of_every_cpu_fits,
		record_of_every_cpu_fits_after_a_second_attempt,
		NULL
	};
	const TTest *const small_sets[] = {
		impossible_cpus_are_not_read,
		machine_of_one_cpu,
		NULL
	};
	const TTest *const proofs[] = {
		proof_of_zeros_expires,
		proof_of_zeros_holds_until_then,
		proof_of_unseen_cells_expires,
		proof_is_renewed_by_use,
		proof_is_renewed_by_copies,
		proof_of_zeros_is_renewed_by_use,
		proof_of_a_later_pass_is_one,
		old_record_is_not_copied,
		NULL
	};
	const TTest *const marks[] = {
		marks_find_the_rows_that_stayed,
		marks_of_another_instance_are_not_found,
		marks_of_a_renumbered_row_are_not_found,
		records_move_up_when_rows_before_them_shrink,
		records_between_others_move,
		copies_stop_where_the_room_ends,
		NULL
	};
	Suite *suite = suite_create("collect: what is remembered");
	TCase *borders = tcase_create("word borders");

	tcase_add_checked_fixture(borders, start_largest, one_stop);
	tcase_add_loop_test(borders, set_holds_each_cpu_at_word_borders, 0, N_BORDER_CPUS);
	suite_add_tcase(suite, borders);
	suite_add_with(suite, "sets", sets, start_largest, one_stop);
	suite_add_with(suite, "small sets", small_sets, start_small, one_stop);
	suite_add_with(suite, "proofs", proofs, start_small, one_stop);
	suite_add_with(suite, "marks", marks, start_rows, stop_rows);
	return suite;
}

UNIT_SUITE(collect_set_suite);
