/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Sums by CPU, node and name. */
#include <errno.h>
#include <string.h>

#include "names.h"
#include "nodes.h"
#include "snap.h"
#include "suite.h"

#define IRQ IRQSTAT_IRQ
#define X86 IRQSTAT_X86
#define NONE IRQSTAT_CPU_NONE

static struct irqstat_adder *adder;
static struct irqstat_topology *topology;
static struct names *names;
static const struct irqstat_sums *sums;

/* Node 0 has CPUs 0 and 1, node 1 2 and 3, node 2 memory; CPU 4 is on none. */
static void setup(void)
{
	adder = irqstat_adder_new();
	ck_assert_ptr_nonnull(adder);
	nodes_begin();
	nodes_add(1, "2-3\n", NULL);
	nodes_add(0, "0-1\n", NULL);
	nodes_add(2, "\n", NULL);
	topology = irqstat_topology_new(nodes_root());
	nodes_end();
	ck_assert_ptr_nonnull(topology);
	names = names_new();
}

static void teardown(void)
{
	irqstat_adder_free(adder);
	irqstat_topology_free(topology);
}

static void by_cpu(const struct snap *s)
{
	sums = irqstat_sums_by_cpu(adder, &s->pub);
	ck_assert_ptr_nonnull(sums);
}

static void by_node(const struct snap *s)
{
	sums = irqstat_sums_by_node(adder, &s->pub, topology);
	ck_assert_ptr_nonnull(sums);
}

static void by_action(const struct snap *s)
{
	sums = irqstat_sums_by_action(adder, &s->pub, &names->pub);
	ck_assert_ptr_nonnull(sums);
}

static void by_label(const struct snap *s)
{
	sums = irqstat_sums_by_label(adder, &s->pub, &names->pub);
	ck_assert_ptr_nonnull(sums);
}

static void expect_n(size_t n, uint64_t total)
{
	ck_assert_uint_eq(sums->n_sums, n);
	ck_assert_uint_eq(sums->total, total);
}

static void expect(size_t i, uint32_t id, uint64_t count)
{
	ck_assert_uint_lt(i, sums->n_sums);
	ck_assert_uint_eq(sums->sums[i].id, id);
	ck_assert_uint_eq(sums->sums[i].count, count);
}

static void expect_name(size_t i, const char *name, uint64_t count,
			uint32_t n_rows)
{
	ck_assert_uint_lt(i, sums->n_sums);
	ck_assert_str_eq(sums->sums[i].name.bytes, name);
	ck_assert_uint_eq(sums->sums[i].name.len, strlen(name));
	ck_assert_uint_eq(sums->sums[i].count, count);
	ck_assert_uint_eq(sums->sums[i].n_rows, n_rows);
}

START_TEST(sums_by_cpu_use_numbers_not_columns)
{
	struct snap *s = snap_text(1, 0xd);

	snap_irq(s, 9, SNAP_CELLS({ 0, 1 }, { 2, 20 }, { 3, 300 }));
	snap_x86(s, IRQSTAT_X86_MCE, SNAP_CELLS({ 3, 2 }));
	by_cpu(s);
	expect_n(3, 323);
	expect(0, 0, 1);
	expect(1, 2, 20);
	expect(2, 3, 302);
}
END_TEST

START_TEST(sums_by_cpu_list_idle_cpus_that_are_online)
{
	struct snap *s = snap_text(1, 0x103);

	snap_irq(s, 9, SNAP_CELLS({ 1, 5 }));
	by_cpu(s);
	expect_n(3, 5);
	expect(0, 0, 0);
	expect(1, 1, 5);
	expect(2, 8, 0);
}
END_TEST

START_TEST(sums_by_cpu_list_offline_cpus_that_counted)
{
	struct snap *s = snap_module(1, 1);

	snap_irq(s, 9, SNAP_CELLS({ 0, 5 }, { 200, 7 }));
	by_cpu(s);
	expect_n(2, 12);
	expect(1, 200, 7);
}
END_TEST

START_TEST(sums_by_cpu_keep_machine_counts_apart)
{
	struct snap *s = snap_module(1, 1);

	snap_x86(s, IRQSTAT_X86_ERR, SNAP_CELLS({ NONE, 3 }));
	snap_x86(s, IRQSTAT_X86_MIS, SNAP_CELLS({ NONE, 1 }));
	by_cpu(s);
	expect_n(2, 4);
	expect(0, 0, 0);
	expect(1, NONE, 4);
}
END_TEST

START_TEST(sums_leave_aggregates_out)
{
	struct snap *s = snap_text(1, 3);

	names_counter(names, 3, 1, "EXT", "");
	names_counter(names, 3, 3, "CLK", "   [EXT] Clock Comparator");
	snap_row(s, 3, 1, SNAP_CELLS({ 0, 10 }, { 1, 20 }))->flags =
		IRQSTAT_ROW_AGGREGATE;
	snap_row(s, 3, 2, SNAP_CELLS({ 0, 3 }, { 1, 4 }))->flags =
		IRQSTAT_ROW_AGGREGATE;
	snap_row(s, 3, 3, SNAP_CELLS({ 0, 6 }, { 1, 15 }));
	snap_row(s, 3, 4, SNAP_CELLS({ 0, 4 }, { 1, 5 }));
	snap_row(s, 3, 5, SNAP_CELLS({ 0, 3 }, { 1, 4 }));
	by_cpu(s);
	expect_n(2, 37);
	expect(0, 0, 13);
	expect(1, 1, 24);
	by_node(s);
	ck_assert_uint_eq(sums->total, 37);
	by_label(s);
	expect_n(2, 37);
	expect_name(0, "CLK", 21, 1);
	expect_name(1, "EXT", 0, 1);
}
END_TEST

START_TEST(sums_are_of_64_bits)
{
	struct snap *s = snap_module(1, 3);

	snap_x86(s, IRQSTAT_X86_LOC, SNAP_CELLS({ 0, 4294967295 }, { 1, 4294967295 }));
	snap_x86(s, IRQSTAT_X86_RES, SNAP_CELLS({ 0, 4294967295 }));
	by_cpu(s);
	expect(0, 0, 8589934590);
	ck_assert_uint_eq(sums->total, 12884901885);
}
END_TEST

START_TEST(sums_by_node_are_not_row_sums)
{
	struct snap *s = snap_text(1, 0xf);

	snap_irq(s, 40, SNAP_CELLS({ 0, 1 }, { 1, 2 }, { 2, 30 }, { 3, 40 }));
	by_node(s);
	expect_n(3, 73);
	expect(0, 0, 3);
	expect(1, 1, 70);
	expect(2, 2, 0);
}
END_TEST

START_TEST(sums_by_node_keep_what_is_on_none)
{
	struct snap *s = snap_module(1, 0x1f);

	snap_irq(s, 40, SNAP_CELLS({ 3, 1 }, { 4, 5 }, { 255, 6 }));
	snap_x86(s, IRQSTAT_X86_ERR, SNAP_CELLS({ NONE, 100 }));
	by_node(s);
	expect_n(4, 112);
	expect(1, 1, 1);
	expect(3, IRQSTAT_NODE_NONE, 111);
}
END_TEST

START_TEST(sums_by_action)
{
	struct snap *s = snap_module(1, 1);

	names_irq(names, 30, "PCI-MSI", ACTIONS("nvme0q1"));
	names_irq(names, 31, "PCI-MSI", ACTIONS("nvme0q1"));
	names_irq(names, 32, "PCI-MSI", ACTIONS("ahci"));
	names_irq(names, 33, "PCI-MSI", NULL, 0);
	names_counter(names, X86, IRQSTAT_X86_LOC, "LOC", "   Local timer");
	snap_irq(s, 30, SNAP_CELLS({ 0, 1 }));
	snap_irq(s, 31, SNAP_CELLS({ 0, 2 }));
	snap_irq(s, 33, SNAP_CELLS({ 0, 40 }));
	snap_x86(s, IRQSTAT_X86_LOC, SNAP_CELLS({ 0, 500 }));
	by_action(s);
	expect_n(2, 543);
	expect_name(0, "ahci", 0, 1);
	expect_name(1, "nvme0q1", 3, 2);
}
END_TEST

START_TEST(sums_by_action_count_shared_interrupts_for_each)
{
	struct snap *s = snap_module(1, 1);

	names_irq(names, 44, "ITS-MSI", ACTIONS("PCIe PME", "aerdrv", "pciehp"));
	names_irq(names, 45, "ITS-MSI", ACTIONS("aerdrv", NULL, "aerdrv"));
	snap_irq(s, 44, SNAP_CELLS({ 0, 2 }));
	snap_irq(s, 45, SNAP_CELLS({ 0, 5 }));
	by_action(s);
	expect_n(4, 7);
	expect_name(0, "(null)", 5, 1);
	expect_name(1, "PCIe PME", 2, 1);
	expect_name(2, "aerdrv", 7, 2);
	expect_name(3, "pciehp", 2, 1);
}
END_TEST

START_TEST(sums_by_label_add_up_to_the_total)
{
	struct snap *s = snap_module(1, 1);

	names_irq(names, 9, "IO-APIC", NULL, 0);
	names_irq(names, 44, "ITS-MSI", ACTIONS("PCIe PME", "aerdrv"));
	names_irq(names, 45, "ITS-MSI", ACTIONS("aerdrv", NULL));
	names_irq(names, 46, "ITS-MSI", ACTIONS("PCIe PME", "aerdrv"));
	names_counter(names, X86, IRQSTAT_X86_LOC, "LOC", "   Local timer");
	snap_irq(s, 9, SNAP_CELLS({ 0, 1 }));
	snap_irq(s, 44, SNAP_CELLS({ 0, 20 }));
	snap_irq(s, 45, SNAP_CELLS({ 0, 300 }));
	snap_irq(s, 46, SNAP_CELLS({ 0, 4000 }));
	snap_x86(s, IRQSTAT_X86_LOC, SNAP_CELLS({ 0, 50000 }));
	by_label(s);
	expect_n(4, 54321);
	expect_name(0, "", 1, 1);
	expect_name(1, "LOC", 50000, 1);
	expect_name(2, "PCIe PME, aerdrv", 4020, 2);
	expect_name(3, "aerdrv, (null)", 300, 1);
}
END_TEST

START_TEST(sums_by_label_know_rows_without_descriptor)
{
	struct snap *s = snap_module(1, 1);

	names_irq(names, 9, "IO-APIC", ACTIONS("acpi"));
	names_irq(names, 10, "IO-APIC", ACTIONS("ohci"));
	snap_irq(s, 8, SNAP_CELLS({ 0, 1 }));
	snap_irq(s, 9, SNAP_CELLS({ 0, 20 }))->instance = 555;
	snap_irq(s, 10, SNAP_CELLS({ 0, 300 }));
	snap_irq(s, 11, SNAP_CELLS({ 0, 4000 }));
	by_label(s);
	expect_n(2, 4321);
	expect_name(0, "acpi", 0, 1);
	expect_name(1, "ohci", 300, 1);
}
END_TEST

START_TEST(sums_by_name_follow_the_descriptors)
{
	struct snap *s = snap_module(1, 1);

	names_irq(names, 9, "IO-APIC", ACTIONS("acpi"));
	snap_irq(s, 9, SNAP_CELLS({ 0, 20 }));
	by_action(s);
	expect_name(0, "acpi", 20, 1);
	names = names_new();
	names_irq(names, 9, "IO-APIC", ACTIONS("ohci"));
	by_action(s);
	expect_n(1, 20);
	expect_name(0, "ohci", 20, 1);
}
END_TEST

START_TEST(sums_of_each_kind_stay_beside_each_other)
{
	const struct irqstat_sums *cpus, *nodes, *actions;
	struct snap *s = snap_module(1, 3);

	names_irq(names, 9, "IO-APIC", ACTIONS("acpi"));
	snap_irq(s, 9, SNAP_CELLS({ 0, 20 }, { 2, 3 }));
	cpus = irqstat_sums_by_cpu(adder, &s->pub);
	nodes = irqstat_sums_by_node(adder, &s->pub, topology);
	actions = irqstat_sums_by_action(adder, &s->pub, &names->pub);
	by_label(s);
	expect_name(0, "acpi", 23, 1);
	sums = cpus;
	expect(0, 0, 20);
	sums = nodes;
	expect(1, 1, 3);
	sums = actions;
	expect_name(0, "acpi", 23, 1);
}
END_TEST

START_TEST(sums_of_a_selection)
{
	struct irqstat_select *sel = irqstat_select_new();
	struct snap *s = snap_module(1, 7);

	snap_irq(s, 9, SNAP_CELLS({ 0, 20 }, { 2, 3 }));
	snap_irq(s, 10, SNAP_CELLS({ 0, 100 }, { 1, 400 }));
	ck_assert_int_eq(irqstat_select_rows(sel, "10-12"), 0);
	ck_assert_int_eq(irqstat_select_cpus(sel, "1-2"), 0);
	sums = irqstat_sums_by_node(adder, irqstat_select_filter(sel, &s->pub),
				    topology);
	expect_n(3, 400);
	expect(0, 0, 400);
	irqstat_select_free(sel);
}
END_TEST

START_TEST(sums_of_a_delta)
{
	struct irqstat_differ *differ = irqstat_differ_new();
	struct snap *a = snap_module(1, 0xf), *b = snap_module(2, 0xf);
	const struct irqstat_delta *delta;

	snap_irq(a, 40, SNAP_CELLS({ 0, 4294967295 }, { 3, 4 }));
	snap_irq(b, 40, SNAP_CELLS({ 0, 1 }, { 3, 9 }));
	delta = irqstat_delta_make(differ, &a->pub, &b->pub);
	sums = irqstat_sums_by_node(adder, delta->counts, topology);
	expect_n(3, 7);
	expect(0, 0, 2);
	expect(1, 1, 5);
	irqstat_differ_free(differ);
}
END_TEST

START_TEST(sums_of_nothing)
{
	struct snap *s = snap_module(1, 0);

	by_cpu(s);
	expect_n(0, 0);
	by_node(s);
	expect_n(3, 0);
	by_label(s);
	expect_n(0, 0);
	by_action(s);
	expect_n(0, 0);
}
END_TEST

START_TEST(adder_free_of_null)
{
	errno = ENOTTY;
	irqstat_adder_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

static Suite *sums_suite(void)
{
	const TTest *const tests[] = {
		sums_by_cpu_use_numbers_not_columns,
		sums_by_cpu_list_idle_cpus_that_are_online,
		sums_by_cpu_list_offline_cpus_that_counted,
		sums_by_cpu_keep_machine_counts_apart,
		sums_leave_aggregates_out,
		sums_are_of_64_bits,
		sums_by_node_are_not_row_sums,
		sums_by_node_keep_what_is_on_none,
		sums_by_action,
		sums_by_action_count_shared_interrupts_for_each,
		sums_by_label_add_up_to_the_total,
		sums_by_label_know_rows_without_descriptor,
		sums_by_name_follow_the_descriptors,
		sums_of_each_kind_stay_beside_each_other,
		sums_of_a_selection,
		sums_of_a_delta,
		sums_of_nothing,
		adder_free_of_null,
		NULL
	};
	Suite *suite = suite_create("sums");

	suite_add_with(suite, "sums", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(sums_suite);
