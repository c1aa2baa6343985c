/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What counted between two snapshots, of the module where nothing else is said. */
#include <errno.h>

#include "snap.h"
#include "suite.h"

#define IRQ IRQSTAT_IRQ
#define X86 IRQSTAT_X86
#define LOC IRQSTAT_X86_LOC
#define CAL IRQSTAT_X86_CAL

static struct irqstat_differ *differ;
static const struct irqstat_delta *delta;

static void setup(void)
{
	differ = irqstat_differ_new();
	ck_assert_ptr_nonnull(differ);
}

static void teardown(void)
{
	irqstat_differ_free(differ);
}

static void compare(const struct snap *from, const struct snap *to)
{
	delta = irqstat_delta_make(differ, &from->pub, &to->pub);
	ck_assert_ptr_nonnull(delta);
	snap_check(delta->counts);
}

static void expect_cell(unsigned int kind, uint32_t id, uint32_t cpu,
			uint64_t count, unsigned int flags)
{
	ck_assert_uint_eq(snap_count(delta->counts, kind, id, cpu), count);
	ck_assert_uint_eq(snap_cell_flags(delta->counts, kind, id, cpu), flags);
}

static void expect_row(unsigned int kind, uint32_t id, uint64_t total,
		       unsigned int flags)
{
	const struct irqstat_row *row;

	row = irqstat_snapshot_find(delta->counts, kind, id);
	ck_assert_ptr_nonnull(row);
	ck_assert_uint_eq(row->total, total);
	ck_assert_uint_eq(row->flags, flags);
}

static void expect_no_row(unsigned int kind, uint32_t id)
{
	ck_assert_ptr_null(irqstat_snapshot_find(delta->counts, kind, id));
}

static void expect_changes(size_t n)
{
	ck_assert_uint_eq(delta->n_changes, n);
}

static void expect_change(size_t i, uint32_t cpu, unsigned int change)
{
	ck_assert_uint_lt(i, delta->n_changes);
	ck_assert_uint_eq(delta->changes[i].cpu, cpu);
	ck_assert_uint_eq(delta->changes[i].change, change);
}

START_TEST(delta_lists_what_moved)
{
	struct snap *a = snap_module(10, 3), *b = snap_module(12, 3);

	snap_irq(a, 5, SNAP_CELLS({ 0, 10 }, { 1, 20 }));
	snap_irq(a, 6, SNAP_CELLS({ 0, 10 }));
	snap_irq(b, 5, SNAP_CELLS({ 0, 10 }, { 1, 27 }));
	snap_irq(b, 6, SNAP_CELLS({ 0, 10 }));
	compare(a, b);
	ck_assert_uint_eq(delta->counts->n_rows, 1);
	ck_assert_uint_eq(delta->counts->n_entries, 1);
	expect_row(IRQ, 5, 7, 0);
	expect_cell(IRQ, 5, 1, 7, 0);
	ck_assert_uint_eq(delta->interval_ns, 2000000000);
	ck_assert_double_eq(irqstat_delta_rate(delta, 7), 3.5);
}
END_TEST

START_TEST(delta_matches_rows_by_id_not_position)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_irq(a, 9, SNAP_CELLS({ 0, 100 }));
	snap_irq(a, 30, SNAP_CELLS({ 0, 1000 }));
	b->pub.generation = 2;
	snap_irq(b, 9, SNAP_CELLS({ 0, 101 }));
	snap_irq(b, 24, SNAP_CELLS({ 0, 5 }));
	snap_irq(b, 30, SNAP_CELLS({ 0, 1007 }));
	compare(a, b);
	expect_row(IRQ, 9, 1, 0);
	expect_row(IRQ, 24, 5, IRQSTAT_ROW_NEW);
	expect_row(IRQ, 30, 7, 0);
}
END_TEST

START_TEST(delta_matches_cells_by_cpu_not_position)
{
	struct snap *a = snap_module(1, 7), *b = snap_module(2, 7);

	snap_irq(a, 9, SNAP_CELLS({ 0, 1 }, { 2, 300 }));
	snap_irq(b, 9, SNAP_CELLS({ 0, 1 }, { 1, 20 }, { 2, 301 }));
	compare(a, b);
	expect_row(IRQ, 9, 21, 0);
	expect_cell(IRQ, 9, 1, 20, 0);
	expect_cell(IRQ, 9, 2, 1, 0);
}
END_TEST

START_TEST(delta_matches_rows_by_kind)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_irq(a, 2, SNAP_CELLS({ 0, 50 }));
	snap_x86(a, 2, SNAP_CELLS({ 0, 900 }));
	snap_irq(b, 2, SNAP_CELLS({ 0, 51 }));
	snap_x86(b, 2, SNAP_CELLS({ 0, 905 }));
	compare(a, b);
	expect_row(IRQ, 2, 1, 0);
	expect_row(X86, 2, 5, 0);
}
END_TEST

START_TEST(delta_of_wrap_is_taken_per_cell)
{
	struct snap *a = snap_module(1, 3), *b = snap_module(2, 3);

	snap_x86(a, LOC, SNAP_CELLS({ 0, 4294967290 }, { 1, 100 }));
	snap_x86(b, LOC, SNAP_CELLS({ 0, 4 }, { 1, 110 }));
	compare(a, b);
	expect_row(X86, LOC, 20, IRQSTAT_ROW_WRAPPED);
	expect_cell(X86, LOC, 0, 10, IRQSTAT_CELL_WRAPPED);
	expect_cell(X86, LOC, 1, 10, 0);
}
END_TEST

START_TEST(delta_of_wrap_to_zero_is_one)
{
	struct snap *a = snap_module(1, 3), *b = snap_module(2, 3);

	snap_x86(a, LOC, SNAP_CELLS({ 0, 4294967295 }, { 1, 1 }));
	snap_x86(b, LOC, SNAP_CELLS({ 1, 1 }));
	compare(a, b);
	expect_row(X86, LOC, 1, IRQSTAT_ROW_WRAPPED);
}
END_TEST

START_TEST(delta_of_row_that_wrapped_to_zero)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_irq(a, 3, SNAP_CELLS({ 0, 4294967290 }));
	compare(a, b);
	expect_row(IRQ, 3, 6, IRQSTAT_ROW_WRAPPED);
}
END_TEST

START_TEST(delta_of_wrap_in_text)
{
	struct snap *a = snap_text(1, 3), *b = snap_text(2, 3);

	snap_irq(a, 3, SNAP_CELLS({ 0, 4294967290 }));
	snap_x86(a, LOC, SNAP_CELLS({ 0, 4294967290 }, { 1, 100 }));
	snap_irq(b, 3, SNAP_CELLS({ 0, 100 }));
	snap_x86(b, LOC, SNAP_CELLS({ 0, 4 }, { 1, 110 }));
	compare(a, b);
	expect_row(IRQ, 3, 106, IRQSTAT_ROW_WRAPPED);
	expect_row(X86, LOC, 20, IRQSTAT_ROW_WRAPPED);
}
END_TEST

START_TEST(delta_sums_in_64_bits)
{
	struct snap *a = snap_module(1, 7), *b = snap_module(4000, 7);

	snap_x86(b, LOC, SNAP_CELLS({ 0, 2147483647 }, { 1, 2147483647 },
				    { 2, 2147483647 }));
	compare(a, b);
	expect_row(X86, LOC, 6442450941, 0);
}
END_TEST

START_TEST(delta_of_64_bit_counts_does_not_wrap_at_32)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	a->pub.count_bits = 64;
	b->pub.count_bits = 64;
	snap_x86(a, LOC, SNAP_CELLS({ 0, 12345678901 }));
	snap_x86(b, LOC, SNAP_CELLS({ 0, 12345678908 }));
	compare(a, b);
	expect_row(X86, LOC, 7, 0);
}
END_TEST

START_TEST(delta_over_growing_count_bits)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	b->pub.count_bits = 64;
	snap_x86(a, LOC, SNAP_CELLS({ 0, 4294967290 }));
	snap_x86(b, LOC, SNAP_CELLS({ 0, 4294967300 }));
	compare(a, b);
	expect_row(X86, LOC, 10, 0);
}
END_TEST

START_TEST(delta_of_step_below_zero_is_not_huge)
{
	struct snap *a = snap_module(1, 3), *b = snap_module(2, 3);

	snap_x86(a, CAL, SNAP_CELLS({ 1, 12 }));
	snap_x86(b, CAL, SNAP_CELLS({ 0, 4294967295 }, { 1, 13 }));
	compare(a, b);
	expect_row(X86, CAL, 1, IRQSTAT_ROW_BACKWARD);
	expect_cell(X86, CAL, 0, 0, IRQSTAT_CELL_BACKWARD);
	expect_cell(X86, CAL, 1, 1, 0);
}
END_TEST

START_TEST(delta_of_small_step_back_is_zero)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_x86(a, CAL, SNAP_CELLS({ 0, 1000 }));
	snap_x86(b, CAL, SNAP_CELLS({ 0, 998 }));
	compare(a, b);
	expect_row(X86, CAL, 0, IRQSTAT_ROW_BACKWARD);
	expect_cell(X86, CAL, 0, 0, IRQSTAT_CELL_BACKWARD);
}
END_TEST

START_TEST(delta_of_small_step_back_in_text_is_zero)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	snap_x86(a, CAL, SNAP_CELLS({ 0, 1000 }));
	snap_x86(b, CAL, SNAP_CELLS({ 0, 998 }));
	compare(a, b);
	expect_row(X86, CAL, 0, IRQSTAT_ROW_BACKWARD);
	expect_changes(0);
}
END_TEST

START_TEST(delta_of_other_instance_counts_from_zero)
{
	struct snap *a = snap_module(1, 3), *b = snap_module(2, 3);

	b->pub.generation = 2;
	snap_irq(a, 24, SNAP_CELLS({ 0, 5 }, { 1, 9000 }));
	snap_irq(b, 24, SNAP_CELLS({ 0, 7 }))->instance = 555;
	compare(a, b);
	expect_row(IRQ, 24, 7, IRQSTAT_ROW_RESTARTED);
	expect_cell(IRQ, 24, 0, 7, IRQSTAT_CELL_RESTARTED);
	ck_assert_uint_eq(delta->counts->rows[0].instance, 555);
	expect_changes(0);
}
END_TEST

START_TEST(delta_of_lower_interrupt_in_text_counts_from_zero)
{
	struct snap *a = snap_text(1, 3), *b = snap_text(2, 3);

	snap_irq(a, 24, SNAP_CELLS({ 0, 5 }, { 1, 50 }));
	snap_irq(b, 24, SNAP_CELLS({ 0, 7 }, { 1, 3 }));
	compare(a, b);
	expect_row(IRQ, 24, 10, IRQSTAT_ROW_RESTARTED);
	expect_cell(IRQ, 24, 0, 7, IRQSTAT_CELL_RESTARTED);
	expect_cell(IRQ, 24, 1, 3, IRQSTAT_CELL_RESTARTED);
	expect_changes(0);
}
END_TEST

START_TEST(delta_of_high_interrupt_in_text_restarts_rather_than_wraps)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	snap_irq(a, 24, SNAP_CELLS({ 0, 3500000000 }));
	snap_irq(b, 24, SNAP_CELLS({ 0, 100 }));
	compare(a, b);
	expect_row(IRQ, 24, 100, IRQSTAT_ROW_RESTARTED);
}
END_TEST

START_TEST(delta_of_long_interval_in_text_wraps)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(100, 1);

	snap_irq(a, 24, SNAP_CELLS({ 0, 3500000000 }));
	snap_irq(b, 24, SNAP_CELLS({ 0, 100 }));
	compare(a, b);
	expect_row(IRQ, 24, 794967396, IRQSTAT_ROW_WRAPPED);
}
END_TEST

START_TEST(delta_of_row_that_appeared)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_irq(a, 1, SNAP_CELLS({ 0, 3 }));
	b->pub.generation = 2;
	snap_irq(b, 1, SNAP_CELLS({ 0, 4 }));
	snap_irq(b, 24, SNAP_CELLS({ 0, 5 }));
	compare(a, b);
	expect_row(IRQ, 1, 1, 0);
	expect_row(IRQ, 24, 5, IRQSTAT_ROW_NEW);
}
END_TEST

START_TEST(delta_of_row_that_appeared_in_text_is_a_first_sample)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	snap_irq(a, 1, SNAP_CELLS({ 0, 3 }));
	b->pub.generation = 2;
	snap_irq(b, 1, SNAP_CELLS({ 0, 4 }));
	snap_irq(b, 24, SNAP_CELLS({ 0, 5000000 }));
	compare(a, b);
	expect_row(IRQ, 1, 1, 0);
	expect_row(IRQ, 24, 0, IRQSTAT_ROW_NEW);
}
END_TEST

START_TEST(delta_of_first_count_is_not_new)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	snap_irq(b, 24, SNAP_CELLS({ 0, 5 }));
	compare(a, b);
	expect_row(IRQ, 24, 5, 0);
}
END_TEST

START_TEST(delta_of_inexact_generations_does_not_know_what_is_new)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	b->pub.generation_exact = false;
	snap_irq(b, 24, SNAP_CELLS({ 0, 5 }));
	snap_x86(b, LOC, SNAP_CELLS({ 0, 6 }));
	compare(a, b);
	expect_row(IRQ, 24, 5, IRQSTAT_ROW_NEW);
	expect_row(X86, LOC, 6, 0);
}
END_TEST

START_TEST(delta_of_row_that_vanished)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_irq(a, 30, SNAP_CELLS({ 0, 1 }));
	snap_irq(a, 31, SNAP_CELLS({ 0, 2 }));
	b->pub.generation = 2;
	snap_irq(b, 30, SNAP_CELLS({ 0, 1 }));
	compare(a, b);
	expect_no_row(IRQ, 30);
	expect_row(IRQ, 31, 0, IRQSTAT_ROW_GONE);
	ck_assert_uint_eq(delta->counts->n_entries, 0);
}
END_TEST

START_TEST(delta_of_unavailable_row_is_not_zero)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_x86(a, LOC, SNAP_CELLS({ 0, 4 }));
	snap_x86(a, IRQSTAT_X86_MCE, NULL, 0)->flags = IRQSTAT_ROW_UNAVAILABLE;
	snap_x86(b, LOC, NULL, 0)->flags = IRQSTAT_ROW_UNAVAILABLE;
	snap_x86(b, IRQSTAT_X86_MCE, SNAP_CELLS({ 0, 9000 }));
	compare(a, b);
	expect_row(X86, LOC, 0, IRQSTAT_ROW_UNAVAILABLE);
	expect_row(X86, IRQSTAT_X86_MCE, 0, IRQSTAT_ROW_UNAVAILABLE);
}
END_TEST

START_TEST(delta_keeps_flags_of_rows)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_x86(a, LOC, SNAP_CELLS({ 0, 4 }))->flags = IRQSTAT_ROW_CACHED;
	snap_x86(b, LOC, SNAP_CELLS({ 0, 5 }))->flags = IRQSTAT_ROW_AGGREGATE;
	compare(a, b);
	expect_row(X86, LOC, 1, IRQSTAT_ROW_CACHED | IRQSTAT_ROW_AGGREGATE);
}
END_TEST

START_TEST(delta_of_machine_counts)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	snap_x86(a, IRQSTAT_X86_ERR, SNAP_CELLS({ IRQSTAT_CPU_NONE, 4 }));
	snap_x86(b, IRQSTAT_X86_ERR, SNAP_CELLS({ IRQSTAT_CPU_NONE, 6 }));
	compare(a, b);
	expect_cell(X86, IRQSTAT_X86_ERR, IRQSTAT_CPU_NONE, 2, 0);
}
END_TEST

/* t0: CPUs 0 and 1; t1: CPU 0 alone. */
START_TEST(delta_of_cpu_that_left_text)
{
	struct snap *a = snap_text(1, 3), *b = snap_text(2, 1);

	snap_irq(a, 30, SNAP_CELLS({ 0, 100 }, { 1, 900 }));
	snap_irq(b, 30, SNAP_CELLS({ 0, 105 }));
	compare(a, b);
	expect_row(IRQ, 30, 5, 0);
	expect_cell(IRQ, 30, 0, 5, 0);
	expect_changes(1);
	expect_change(0, 1, IRQSTAT_CPU_LEFT);
}
END_TEST

START_TEST(delta_of_cpu_that_joined_text_is_a_first_sample)
{
	struct snap *a = snap_text(1, 3), *b = snap_text(2, 7);

	snap_irq(a, 30, SNAP_CELLS({ 0, 100 }, { 1, 900 }));
	snap_irq(b, 30, SNAP_CELLS({ 0, 105 }, { 1, 901 }, { 2, 77 }));
	compare(a, b);
	expect_row(IRQ, 30, 6, 0);
	expect_cell(IRQ, 30, 0, 5, 0);
	expect_cell(IRQ, 30, 1, 1, 0);
	expect_cell(IRQ, 30, 2, 0, 0);
	expect_changes(1);
	expect_change(0, 2, IRQSTAT_CPU_JOINED);
}
END_TEST

/* It left and came back between the two, and its counts began anew. */
START_TEST(delta_of_cpu_that_restarted)
{
	struct snap *a = snap_text(1, 3), *b = snap_text(3, 3);

	snap_x86(a, LOC, SNAP_CELLS({ 0, 900 }, { 1, 800 }));
	snap_x86(b, LOC, SNAP_CELLS({ 0, 950 }, { 1, 3 }));
	compare(a, b);
	expect_row(X86, LOC, 53, IRQSTAT_ROW_RESTARTED);
	expect_cell(X86, LOC, 0, 50, 0);
	expect_cell(X86, LOC, 1, 3, IRQSTAT_CELL_RESTARTED);
	expect_changes(1);
	expect_change(0, 1, IRQSTAT_CPU_RESTARTED);
}
END_TEST

START_TEST(delta_of_cpu_that_left_and_joined_shows_both)
{
	struct snap *a = snap_text(1, 3), *b = snap_text(2, 1);
	struct snap *c = snap_text(3, 3);

	snap_x86(a, LOC, SNAP_CELLS({ 0, 900 }, { 1, 800 }));
	snap_x86(b, LOC, SNAP_CELLS({ 0, 920 }));
	snap_x86(c, LOC, SNAP_CELLS({ 0, 950 }, { 1, 3 }));
	compare(a, b);
	expect_row(X86, LOC, 20, 0);
	expect_change(0, 1, IRQSTAT_CPU_LEFT);
	compare(b, c);
	expect_row(X86, LOC, 30, 0);
	expect_change(0, 1, IRQSTAT_CPU_JOINED);
}
END_TEST

START_TEST(delta_of_cpu_that_left_the_module_is_still_compared)
{
	struct snap *a = snap_module(1, 3), *b = snap_module(2, 1);

	snap_irq(a, 30, SNAP_CELLS({ 0, 100 }, { 1, 900 }));
	snap_irq(b, 30, SNAP_CELLS({ 0, 105 }, { 1, 902 }));
	compare(a, b);
	expect_row(IRQ, 30, 7, 0);
	expect_change(0, 1, IRQSTAT_CPU_LEFT);
}
END_TEST

START_TEST(delta_with_more_possible_cpus)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	a->pub.nr_cpu_ids = 2;
	b->pub.nr_cpu_ids = 200;
	b->online[3] = 1;
	snap_irq(a, 1, SNAP_CELLS({ 0, 1 }));
	snap_irq(b, 1, SNAP_CELLS({ 0, 2 }, { 192, 5 }));
	compare(a, b);
	expect_row(IRQ, 1, 1, 0);
	expect_changes(1);
	expect_change(0, 192, IRQSTAT_CPU_JOINED);
	ck_assert_uint_eq(delta->counts->nr_cpu_ids, 200);
}
END_TEST

START_TEST(delta_with_fewer_possible_cpus)
{
	struct snap *a = snap_text(1, 1), *b = snap_text(2, 1);

	a->pub.nr_cpu_ids = 200;
	a->online[3] = 1;
	b->pub.nr_cpu_ids = 2;
	snap_irq(a, 1, SNAP_CELLS({ 0, 1 }, { 192, 5 }));
	snap_irq(b, 1, SNAP_CELLS({ 0, 2 }));
	compare(a, b);
	expect_row(IRQ, 1, 1, 0);
	expect_changes(1);
	expect_change(0, 192, IRQSTAT_CPU_LEFT);
	ck_assert_uint_eq(delta->counts->nr_cpu_ids, 200);
	ck_assert(!irqstat_snapshot_is_online(delta->counts, 192));
}
END_TEST

START_TEST(delta_from_module_to_text_compares_what_both_show)
{
	struct snap *a = snap_module(1, 1), *b = snap_text(2, 1);

	snap_irq(a, 30, SNAP_CELLS({ 0, 100 }, { 1, 900 }));
	snap_irq(a, 31, SNAP_CELLS({ 1, 900 }));
	snap_irq(b, 30, SNAP_CELLS({ 0, 105 }));
	compare(a, b);
	expect_row(IRQ, 30, 5, 0);
	expect_row(IRQ, 31, 0, IRQSTAT_ROW_GONE);
	compare(snap_text(1, 3), b);
	expect_no_row(IRQ, 31);
}
END_TEST

START_TEST(delta_since_boot)
{
	struct snap *a = snap_text(10, 3);

	snap_irq(a, 30, SNAP_CELLS({ 0, 4000000000 }, { 1, 1 }));
	delta = irqstat_delta_make(differ, NULL, &a->pub);
	ck_assert_ptr_nonnull(delta);
	snap_check(delta->counts);
	expect_row(IRQ, 30, 4000000001, 0);
	expect_changes(0);
	ck_assert_uint_eq(delta->interval_ns, 10000000000);
	ck_assert_double_eq(irqstat_delta_rate(delta, 20), 2.0);
}
END_TEST

START_TEST(delta_tells_a_step_of_the_clock)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	a->pub.realtime_ns = 5000000000;
	b->pub.realtime_ns = 3000000000;
	compare(a, b);
	ck_assert_uint_eq(delta->interval_ns, 1000000000);
	ck_assert_int_eq(delta->clock_step_ns, -3000000000);
	b->pub.realtime_ns = 0;
	compare(a, b);
	ck_assert_int_eq(delta->clock_step_ns, 0);
}
END_TEST

START_TEST(delta_over_a_boot_is_since_then)
{
	struct snap *a = snap_module(1000, 3), *b = snap_module(10, 1);

	a->pub.boot = 7;
	b->pub.boot = 8;
	snap_irq(a, 30, SNAP_CELLS({ 0, 100 }));
	snap_irq(a, 31, SNAP_CELLS({ 0, 1 }));
	snap_irq(b, 30, SNAP_CELLS({ 0, 3000000000 }));
	compare(a, b);
	ck_assert(delta->rebooted);
	expect_row(IRQ, 30, 3000000000, 0);
	expect_no_row(IRQ, 31);
	expect_changes(0);
	ck_assert_uint_eq(delta->interval_ns, 10000000000);
	a->pub.boot = 8;
	a->pub.time_ns = 1;
	compare(a, b);
	ck_assert(!delta->rebooted);
	a->pub.boot = 0;
	compare(a, b);
	ck_assert(!delta->rebooted);
}
END_TEST

START_TEST(delta_of_no_interval)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(1, 1);

	assert_errno(irqstat_delta_make(differ, &a->pub, &b->pub), NULL, EINVAL);
	assert_errno(irqstat_delta_make(differ, &a->pub, NULL), NULL, EINVAL);
	b->pub.time_ns = 0;
	assert_errno(irqstat_delta_make(differ, &a->pub, &b->pub), NULL, EINVAL);
	assert_errno(irqstat_delta_make(differ, NULL, &b->pub), NULL, EINVAL);
}
END_TEST

START_TEST(delta_that_fails_leaves_the_last)
{
	struct snap *a = snap_module(1, 1), *b = snap_module(2, 1);

	snap_irq(b, 1, SNAP_CELLS({ 0, 2 }));
	compare(a, b);
	assert_errno(irqstat_delta_make(differ, &b->pub, &a->pub), NULL, EINVAL);
	expect_row(IRQ, 1, 2, 0);
}
END_TEST

START_TEST(delta_outlives_its_snapshots)
{
	struct irqstat_snapshot *a, *b;
	struct snap *s = snap_module(1, 3);

	snap_irq(s, 1, SNAP_CELLS({ 0, 2 }));
	a = irqstat_snapshot_dup(&s->pub);
	s->pub.time_ns *= 2;
	s->count[0] = 5;
	b = irqstat_snapshot_dup(&s->pub);
	delta = irqstat_delta_make(differ, a, b);
	irqstat_snapshot_free(a);
	irqstat_snapshot_free(b);
	expect_row(IRQ, 1, 3, 0);
	ck_assert(irqstat_snapshot_is_online(delta->counts, 1));
}
END_TEST

START_TEST(differ_free_of_null)
{
	errno = ENOTTY;
	irqstat_differ_free(NULL);
	irqstat_snapshot_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

static Suite *delta_suite(void)
{
	const TTest *const tests[] = {
		delta_lists_what_moved,
		delta_matches_rows_by_id_not_position,
		delta_matches_cells_by_cpu_not_position,
		delta_matches_rows_by_kind,
		delta_of_wrap_is_taken_per_cell,
		delta_of_wrap_to_zero_is_one,
		delta_of_row_that_wrapped_to_zero,
		delta_of_wrap_in_text,
		delta_sums_in_64_bits,
		delta_of_64_bit_counts_does_not_wrap_at_32,
		delta_over_growing_count_bits,
		delta_of_step_below_zero_is_not_huge,
		delta_of_small_step_back_is_zero,
		delta_of_small_step_back_in_text_is_zero,
		delta_of_other_instance_counts_from_zero,
		delta_of_lower_interrupt_in_text_counts_from_zero,
		delta_of_high_interrupt_in_text_restarts_rather_than_wraps,
		delta_of_long_interval_in_text_wraps,
		delta_of_row_that_appeared,
		delta_of_row_that_appeared_in_text_is_a_first_sample,
		delta_of_first_count_is_not_new,
		delta_of_inexact_generations_does_not_know_what_is_new,
		delta_of_row_that_vanished,
		delta_of_unavailable_row_is_not_zero,
		delta_keeps_flags_of_rows,
		delta_of_machine_counts,
		delta_of_cpu_that_left_text,
		delta_of_cpu_that_joined_text_is_a_first_sample,
		delta_of_cpu_that_restarted,
		delta_of_cpu_that_left_and_joined_shows_both,
		delta_of_cpu_that_left_the_module_is_still_compared,
		delta_with_more_possible_cpus,
		delta_with_fewer_possible_cpus,
		delta_from_module_to_text_compares_what_both_show,
		delta_since_boot,
		delta_tells_a_step_of_the_clock,
		delta_over_a_boot_is_since_then,
		delta_of_no_interval,
		delta_that_fails_leaves_the_last,
		delta_outlives_its_snapshots,
		differ_free_of_null,
		NULL
	};
	Suite *suite = suite_create("delta");

	suite_add_with(suite, "delta", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(delta_suite);
