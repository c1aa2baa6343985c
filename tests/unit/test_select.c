/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Selections: what lists and patterns mean, and what is left. */
#include <errno.h>

#include "names.h"
#include "snap.h"
#include "suite.h"

#define IRQ IRQSTAT_IRQ
#define X86 IRQSTAT_X86
#define LOC IRQSTAT_X86_LOC
#define ERR IRQSTAT_X86_ERR

static struct irqstat_select *sel;
static struct names *names;
static struct snap *snap;

/* Interrupts 1 (i8042), 24 (nvme0q0), 30 (eth0-rx-0, nvme1q1), LOC and ERR. */
static void setup(void)
{
	sel = irqstat_select_new();
	ck_assert_ptr_nonnull(sel);
	names = names_new();
	names_irq(names, 1, "IO-APIC", ACTIONS("i8042"));
	names_irq(names, 24, "PCI-MSI", ACTIONS("nvme0q0"));
	names_irq(names, 30, "PCI-MSIX", ACTIONS("eth0-rx-0", "nvme1q1", NULL));
	names_counter(names, X86, ERR, "ERR", "");
	names_counter(names, X86, LOC, "LOC", "   Local timer interrupts");
	snap = snap_module(1, 7);
	snap_irq(snap, 1, SNAP_CELLS({ 0, 10 }));
	snap_irq(snap, 24, SNAP_CELLS({ 0, 240 }, { 2, 242 }));
	snap_irq(snap, 30, SNAP_CELLS({ 1, 301 }));
	snap_x86(snap, LOC, SNAP_CELLS({ 0, 1000 }, { 1, 1001 }, { 2, 1002 }));
	snap_x86(snap, ERR, SNAP_CELLS({ IRQSTAT_CPU_NONE, 4 }));
}

static void teardown(void)
{
	irqstat_select_free(sel);
}

static const struct irqstat_snapshot *filter(void)
{
	const struct irqstat_snapshot *left;

	ck_assert_int_eq(irqstat_select_resolve(sel, &names->pub), 0);
	left = irqstat_select_filter(sel, &snap->pub);
	ck_assert_ptr_nonnull(left);
	snap_check(left);
	ck_assert_uint_eq(left->time_ns, snap->pub.time_ns);
	return left;
}

/* Bits: interrupts 1, 24, 30, LOC, ERR. */
static void expect_rows(unsigned int want)
{
	static const size_t desc_of[] = { 0, 1, 2, 4, 3 };
	const struct irqstat_snapshot *left = filter();
	size_t i;

	for (i = 0; i < snap->pub.n_rows; i++) {
		const struct irqstat_row *row = &snap->rows[i];
		const bool is = want >> i & 1;

		ck_assert_msg(!irqstat_snapshot_find(left, row->kind, row->id) ==
			      !is, "row %zu", i);
		ck_assert(irqstat_select_has_row(sel, row) == is);
		ck_assert(irqstat_select_has_desc(sel, &names->descs[desc_of[i]]) ==
			  is);
	}
}

static void rows(const char *list)
{
	ck_assert_int_eq(irqstat_select_rows(sel, list), 0);
}

static void include(const char *pattern)
{
	ck_assert_int_eq(irqstat_select_include(sel, pattern), 0);
}

static void exclude(const char *pattern)
{
	ck_assert_int_eq(irqstat_select_exclude(sel, pattern), 0);
}

static void cpus(const char *list)
{
	ck_assert_int_eq(irqstat_select_cpus(sel, list), 0);
}

START_TEST(select_of_nothing_is_everything)
{
	ck_assert_ptr_eq(irqstat_select_filter(sel, &snap->pub), &snap->pub);
	ck_assert_int_eq(irqstat_select_resolve(sel, NULL), 0);
	ck_assert(irqstat_select_has_cpu(sel, 5));
	ck_assert(irqstat_select_has_cpu(sel, IRQSTAT_CPU_NONE));
	expect_rows(0x1f);
}
END_TEST

START_TEST(select_rows_by_number)
{
	rows("24");
	expect_rows(0x2);
}
END_TEST

START_TEST(select_rows_by_range)
{
	rows("0-24");
	expect_rows(0x3);
}
END_TEST

START_TEST(select_rows_by_open_range)
{
	rows("24-");
	expect_rows(0x6);
}
END_TEST

START_TEST(select_rows_by_label)
{
	rows("LOC,1");
	expect_rows(0x9);
}
END_TEST

START_TEST(select_rows_adds_to_lists_before)
{
	rows("1");
	rows("ERR,30-35");
	rows("LOC");
	expect_rows(0x1d);
}
END_TEST

START_TEST(select_rows_of_labels_is_exact)
{
	rows("loc,LO,LOCX");
	expect_rows(0);
}
END_TEST

START_TEST(select_rows_that_do_not_exist)
{
	rows("4294967295,FOO");
	expect_rows(0);
}
END_TEST

START_TEST(select_rows_by_number_needs_no_descriptors)
{
	const struct irqstat_snapshot *left;

	rows("24");
	left = irqstat_select_filter(sel, &snap->pub);
	ck_assert_ptr_nonnull(left);
	ck_assert_uint_eq(left->n_rows, 1);
}
END_TEST

START_TEST(select_rows_does_not_take_counters_by_number)
{
	rows("2");
	expect_rows(0);
}
END_TEST

START_TEST(select_rows_malformed)
{
	static const char *const bad[] = {
		"", ",", "1,", ",1", "1,,2", "5-3", "-3", "1--2", "1-2-3",
		"4294967296", "1-4294967296", "99999999999999999999", " 1",
		"1 ", "1, 2", "12x", "1-x", "0x10", "+1", "LOC RES", "LOC,",
		"A\tB", "\n", NULL
	};
	size_t i;

	rows("24");
	for (i = 0; bad[i]; i++) {
		errno = 0;
		ck_assert_msg(irqstat_select_rows(sel, bad[i]) == -1 &&
			      errno == EINVAL, "\"%s\"", bad[i]);
	}
	expect_rows(0x2);
}
END_TEST

START_TEST(select_cpus_malformed)
{
	static const char *const bad[] = {
		"", ",", "0,", "0,,1", "3-1", "-1", "a", "0-a", "0 1", "0-3 ",
		"4294967295", "0-4294967295", "LOC", NULL
	};
	size_t i;

	cpus("1");
	for (i = 0; bad[i]; i++) {
		errno = 0;
		ck_assert_msg(irqstat_select_cpus(sel, bad[i]) == -1 &&
			      errno == EINVAL, "\"%s\"", bad[i]);
	}
	ck_assert(irqstat_select_has_cpu(sel, 1));
	ck_assert(!irqstat_select_has_cpu(sel, 0));
}
END_TEST

START_TEST(select_includes_names_of_actions)
{
	include("^nvme");
	expect_rows(0x6);
}
END_TEST

START_TEST(select_includes_chips)
{
	include("^PCI-MSI$");
	expect_rows(0x2);
}
END_TEST

START_TEST(select_includes_labels_and_text)
{
	include("^Local timer");
	include("^ERR$");
	expect_rows(0x18);
}
END_TEST

START_TEST(select_excludes_names)
{
	exclude("nvme");
	exclude("^LOC$");
	expect_rows(0x11);
}
END_TEST

START_TEST(select_combines_lists_and_patterns)
{
	rows("24-,ERR");
	include("nvme|i8042");
	exclude("^eth0");
	expect_rows(0x2);
}
END_TEST

START_TEST(select_pattern_malformed)
{
	assert_errno(irqstat_select_include(sel, "("), -1, EINVAL);
	assert_errno(irqstat_select_exclude(sel, "["), -1, EINVAL);
	assert_errno(irqstat_select_exclude(sel, "a{2,1}"), -1, EINVAL);
	expect_rows(0x1f);
}
END_TEST

START_TEST(select_of_names_needs_descriptors)
{
	include("nvme");
	assert_errno(irqstat_select_resolve(sel, NULL), -1, EINVAL);
	assert_errno(irqstat_select_filter(sel, &snap->pub), NULL, EINVAL);
	expect_rows(0x6);
}
END_TEST

START_TEST(select_after_an_addition_needs_to_be_resolved)
{
	include("nvme");
	filter();
	include("i8042");
	assert_errno(irqstat_select_filter(sel, &snap->pub), NULL, EINVAL);
	expect_rows(0x7);
}
END_TEST

/* Names change under it: what has been found out holds until others are read. */
START_TEST(select_resolves_once_for_the_same_descriptors)
{
	include("nvme");
	expect_rows(0x6);
	names->actions[1][0].bytes = "gone";
	ck_assert_int_eq(irqstat_select_resolve(sel, &names->pub), 0);
	ck_assert(irqstat_select_has_row(sel, &snap->rows[1]));
	names->pub.generation++;
	ck_assert_int_eq(irqstat_select_resolve(sel, &names->pub), 0);
	ck_assert(!irqstat_select_has_row(sel, &snap->rows[1]));
	names->actions[1][0].bytes = "nvme";
	names->pub.time_ns++;
	ck_assert_int_eq(irqstat_select_resolve(sel, &names->pub), 0);
	ck_assert(irqstat_select_has_row(sel, &snap->rows[1]));
}
END_TEST

START_TEST(select_by_name_takes_no_other_instance)
{
	include("nvme0");
	snap->rows[1].instance = 555;
	ck_assert_uint_eq(filter()->n_rows, 0);
}
END_TEST

START_TEST(select_cpus_by_list)
{
	const struct irqstat_snapshot *left;

	cpus("0");
	cpus("2-");
	left = filter();
	ck_assert_uint_eq(left->n_rows, 3);
	ck_assert_uint_eq(snap_count(left, IRQ, 24, 0), 240);
	ck_assert_uint_eq(snap_count(left, IRQ, 24, 2), 242);
	ck_assert_uint_eq(snap_count(left, X86, LOC, 1), 0);
	ck_assert_uint_eq(left->rows[2].total, 2002);
	ck_assert(!irqstat_select_has_cpu(sel, 1));
	ck_assert(irqstat_select_has_cpu(sel, 4000000000U));
	ck_assert(!irqstat_select_has_cpu(sel, IRQSTAT_CPU_NONE));
}
END_TEST

START_TEST(select_cpus_with_holes)
{
	cpus("0,8,16-18");
	ck_assert(irqstat_select_has_cpu(sel, 0));
	ck_assert(!irqstat_select_has_cpu(sel, 1));
	ck_assert(irqstat_select_has_cpu(sel, 8));
	ck_assert(!irqstat_select_has_cpu(sel, 15));
	ck_assert(irqstat_select_has_cpu(sel, 17));
	ck_assert(!irqstat_select_has_cpu(sel, 19));
}
END_TEST

START_TEST(select_cpus_joins_ranges)
{
	uint32_t cpu;

	cpus("10-12,4,6,5,20-30,11-21,0");
	for (cpu = 0; cpu < 40; cpu++)
		ck_assert(irqstat_select_has_cpu(sel, cpu) ==
			  (cpu == 0 || (cpu >= 4 && cpu <= 6) ||
			   (cpu >= 10 && cpu <= 30)));
}
END_TEST

START_TEST(select_keeps_rows_without_entries)
{
	snap->pub.n_rows--;
	snap->pub.n_entries--;
	snap_x86(snap, ERR, NULL, 0)->flags = IRQSTAT_ROW_UNAVAILABLE;
	cpus("0");
	ck_assert_uint_eq(snap_flags(filter(), X86, ERR), IRQSTAT_ROW_UNAVAILABLE);
}
END_TEST

START_TEST(select_of_delta_keeps_its_flags)
{
	struct irqstat_differ *differ = irqstat_differ_new();
	struct snap *from = snap_module(0, 7);
	const struct irqstat_snapshot *left;

	from->pub.time_ns = 1;
	snap_irq(from, 24, SNAP_CELLS({ 0, 241 }, { 2, 4294967295 }));
	snap_irq(from, 40, SNAP_CELLS({ 0, 1 }));
	from->pub.generation = 2;
	cpus("0");
	left = irqstat_select_filter(sel, irqstat_delta_make(differ, &from->pub,
							     &snap->pub)->counts);
	snap_check(left);
	ck_assert_uint_eq(snap_flags(left, IRQ, 24), IRQSTAT_ROW_BACKWARD);
	ck_assert_uint_eq(snap_cell_flags(left, IRQ, 24, 0), IRQSTAT_CELL_BACKWARD);
	ck_assert_uint_eq(snap_flags(left, IRQ, 40), IRQSTAT_ROW_GONE);
	ck_assert_uint_eq(snap_flags(left, IRQ, 1), IRQSTAT_ROW_NEW);
	irqstat_differ_free(differ);
}
END_TEST

START_TEST(select_free_of_null)
{
	errno = ENOTTY;
	irqstat_select_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

static Suite *select_suite(void)
{
	const TTest *const tests[] = {
		select_of_nothing_is_everything,
		select_rows_by_number,
		select_rows_by_range,
		select_rows_by_open_range,
		select_rows_by_label,
		select_rows_adds_to_lists_before,
		select_rows_of_labels_is_exact,
		select_rows_that_do_not_exist,
		select_rows_by_number_needs_no_descriptors,
		select_rows_does_not_take_counters_by_number,
		select_rows_malformed,
		select_cpus_malformed,
		select_includes_names_of_actions,
		select_includes_chips,
		select_includes_labels_and_text,
		select_excludes_names,
		select_combines_lists_and_patterns,
		select_pattern_malformed,
		select_of_names_needs_descriptors,
		select_after_an_addition_needs_to_be_resolved,
		select_resolves_once_for_the_same_descriptors,
		select_by_name_takes_no_other_instance,
		select_cpus_by_list,
		select_cpus_with_holes,
		select_cpus_joins_ranges,
		select_keeps_rows_without_entries,
		select_of_delta_keeps_its_flags,
		select_free_of_null,
		NULL
	};
	Suite *suite = suite_create("select");

	suite_add_with(suite, "select", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(select_suite);
