/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Successive texts that readers of /proc/interrupts have got wrong, and what is
 * right between them: a line a case. What counted is a line for each row,
 *
 *	30 0:5 1:7		the increments by CPU; "*" for none
 *	24 new 0:5		with "new", "gone", "restarted", "wrapped", "back"
 *
 * then "+2" for a CPU that joined, "-1" for one that left, "~1" for one whose
 * counts restarted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "nodes.h"
#include "snap.h"
#include "suite.h"

static struct text text;
static struct snapshot snaps[2];
static struct descs descs;
static unsigned int at;
static struct irqstat_differ *differ;
static struct irqstat_totals *totals;
static struct irqstat_adder *adder;
static char out[8192];

static void setup(void)
{
	*out = '\0';
	differ = irqstat_differ_new();
	totals = irqstat_totals_new();
	adder = irqstat_adder_new();
	ck_assert(differ && totals && adder);
}

static void teardown(void)
{
	text_free(&text);
	snapshot_free(&snaps[0]);
	snapshot_free(&snaps[1]);
	descs_free(&descs);
	irqstat_differ_free(differ);
	irqstat_totals_free(totals);
	irqstat_adder_free(adder);
}

/* The next text, a second after the last. */
static const struct irqstat_snapshot *sample(const char *input)
{
	struct snapshot *s = &snaps[++at % 2];

	ck_assert_int_eq(text_parse(&text, input, strlen(input), s), 0);
	s->pub.time_ns = at * UINT64_C(1000000000);
	descs_free(&descs);
	ck_assert_int_eq(text_descs(&text, &descs), 0);
	ck_assert_int_eq(irqstat_totals_add(totals, &s->pub), 0);
	return &s->pub;
}

__attribute__((format(printf, 1, 2)))
static void put(const char *format, ...)
{
	size_t len = strlen(out);
	va_list args;

	va_start(args, format);
	ck_assert_int_lt(vsnprintf(out + len, sizeof(out) - len, format, args),
			 (int)(sizeof(out) - len));
	va_end(args);
}

static void put_row(const struct irqstat_snapshot *counts,
		    const struct irqstat_row *row)
{
	static const char *const flags[] = { "new", "gone", "restarted",
					     "wrapped", "back" };
	const struct irqstat_desc *desc = irqstat_descs_row(&descs.pub, row);
	uint32_t i;

	if (row->kind == IRQSTAT_IRQ)
		put("%u", row->id);
	else
		put("%s", desc ? desc->label.bytes : "?");
	for (i = 0; i < 5; i++) {
		if (row->flags & IRQSTAT_ROW_NEW << i)
			put(" %s", flags[i]);
	}
	for (i = row->first; i < row->first + row->n; i++) {
		if (counts->cpu[i] == IRQSTAT_CPU_NONE)
			put(" *:%" PRIu64, counts->count[i]);
		else
			put(" %u:%" PRIu64, counts->cpu[i], counts->count[i]);
	}
	put("\n");
}

static const char *counted(void)
{
	const struct irqstat_delta *delta;
	size_t i;

	delta = irqstat_delta_make(differ, &snaps[(at - 1) % 2].pub,
				   &snaps[at % 2].pub);
	ck_assert_ptr_nonnull(delta);
	snap_check(delta->counts);
	*out = '\0';
	for (i = 0; i < delta->counts->n_rows; i++)
		put_row(delta->counts, &delta->counts->rows[i]);
	for (i = 0; i < delta->n_changes; i++)
		put("%c%u\n", "-+~"[delta->changes[i].change - 1],
		    delta->changes[i].cpu);
	return out;
}

static void expect(const char *first, const char *second, const char *want)
{
	sample(first);
	sample(second);
	ck_assert_str_eq(counted(), want);
}

#define CASE(name, first, second, want)		\
	START_TEST(name)			\
	{					\
		expect(first, second, want);	\
	}					\
	END_TEST

#define CPU(n) "CPU" #n "       "
#define H1 "           " CPU(0) "\n"
#define H2 "           " CPU(0) CPU(1) "\n"
#define H3 "           " CPU(0) CPU(1) CPU(2) "\n"
#define H02 "           " CPU(0) CPU(2) "\n"
#define LOC "   Local timer interrupts\n"
#define ETH0 "   PCI-MSI 65536-edge      eth0\n"

/* CPUs that leave and join */

CASE(cpu_that_left_is_no_zero,
     H3 " 30:          1          2          3" ETH0,
     H02 " 30:          2          5" ETH0,
     "30 0:1 2:2\n-1\n")
CASE(cpu_that_left_does_not_lower_the_row,
     H2 " 30:        100        900" ETH0,
     H1 " 30:        105" ETH0,
     "30 0:5\n-1\n")
CASE(cpu_that_was_added_is_a_first_sample,
     H2 " 30:        100        900" ETH0 "LOC:          5          5" LOC,
     H3 " 30:        101        902         77" ETH0
	"LOC:          6          5    1000000" LOC,
     "30 0:1 1:2\nLOC 0:1\n+2\n")
CASE(cpu_whose_counts_restarted,
     H2 "LOC:        900        800" LOC,
     H2 "LOC:        950          3" LOC,
     "LOC restarted 0:50 1:3\n~1\n")
CASE(cpu_whose_count_decreased, H2 "  5:          1         50" ETH0,
     H2 "  5:          1          3" ETH0, "5 restarted 0:1 1:3\n")
CASE(cpus_are_those_of_the_header_each_time,
     H2 "  9:          1          2" ETH0, H3 "  9:          1          3          4" ETH0,
     "9 1:1\n+2\n")

START_TEST(cpu_that_left_and_came_back)
{
	sample(H2 "LOC:        900        800" LOC);
	sample(H1 "LOC:        920" LOC);
	ck_assert_str_eq(counted(), "LOC 0:20\n-1\n");
	sample(H2 "LOC:        950          3" LOC);
	ck_assert_str_eq(counted(), "LOC 0:30\n+1\n");
	ck_assert_uint_eq(irqstat_totals_get(totals)->rows[0].total, 1753);
}
END_TEST

START_TEST(cpu_that_left_is_not_summed)
{
	const struct irqstat_sums *sums;

	sample(H3 " 30:          1          2          3" ETH0);
	sums = irqstat_sums_by_cpu(adder, sample(H02 " 30:          1          3" ETH0));
	ck_assert_uint_eq(sums->n_sums, 2);
	ck_assert_uint_eq(sums->sums[1].id, 2);
	ck_assert_uint_eq(sums->sums[1].count, 3);
	ck_assert_uint_eq(sums->total, 4);
}
END_TEST

/* Rows that come, go and move */

CASE(row_that_came_moves_no_other,
     H1 "  9:        100" ETH0 " 30:       1000" ETH0,
     H1 "  9:        101" ETH0 " 24:          5" ETH0 " 30:       1007" ETH0,
     "9 0:1\n24 new\n30 0:7\n")
CASE(row_that_went_is_dropped,
     H1 " 30:        100" ETH0 " 31:       1000" ETH0, H1 " 30:        101" ETH0,
     "30 0:1\n31 gone\n")
CASE(rows_without_device_are_rows,
     H1 " 20:          1   dummy\nXYZ:          1   No such thing\n",
     H1 " 20:          2   dummy\nXYZ:          4   No such thing\n",
     "20 0:1\nXYZ 0:3\n")
CASE(rows_of_any_architecture_keep_their_ids,
     H2 "IPI0:1000000001 1000000002       Rescheduling interrupts\n"
	"IPI1:        17          5       Function call interrupts\n"
	"Err:          0\n",
     H2 "IPI0:1000000011 1000000102       Rescheduling interrupts\n"
	"IPI1:        17          6       Function call interrupts\n"
	"Err:          2\n",
     "IPI0 0:10 1:100\nIPI1 1:1\nErr *:2\n")

/* Wraps, sums, steps back */

CASE(count_that_wrapped,
     H2 "LOC: 4294967290        100" LOC, H2 "LOC:          4        110" LOC,
     "LOC wrapped 0:10 1:10\n")
CASE(count_that_wrapped_to_zero, H1 "LOC: 4294967295" LOC, H1 "LOC:          0" LOC,
     "LOC wrapped 0:1\n")
CASE(count_below_zero,
     H2 "CAL:          0         12   Function call interrupts\n",
     H2 "CAL: 4294967295         12   Function call interrupts\n",
     "CAL back 0:0\n")
CASE(count_less_than_before,
     H2 "CAL:        100         12   Function call interrupts\n",
     H2 "CAL:         99         13   Function call interrupts\n",
     "CAL back 0:0 1:1\n")
CASE(count_of_more_than_32_bits,
     H2 "LOC: 4294960000 12345678901" LOC, H2 "LOC: 4296400000 12345678902" LOC,
     "LOC 0:1440000 1:1\n")

static uint64_t total_of(const char *input)
{
	const struct irqstat_snapshot *snap = sample(input);

	ck_assert_uint_eq(snap->n_rows, 1);
	return snap->rows[0].total;
}

START_TEST(total_of_a_row_has_all_digits)
{
	ck_assert_uint_eq(total_of(H3 "SPU:         12        345       6789"
				      "   Spurious interrupts\n"), 7146);
	ck_assert_uint_eq(total_of(H2 "IPI5:1832000000  356000000"
				      "       IRQ work interrupts\n"), 2188000000);
	ck_assert_uint_eq(total_of(H2 "LOC: 12345678901          7" LOC),
			  12345678908);
}
END_TEST

START_TEST(total_of_a_row_is_of_the_cpus_there_are)
{
	ck_assert_uint_eq(total_of(H02 " 30:          5          7"
				       "   PCI-MSI 65536-edge      eth0-0\n"), 12);
}
END_TEST

START_TEST(total_of_all_rows_is_not_the_last)
{
	const struct irqstat_sums *sums;

	sums = irqstat_sums_by_cpu(adder, sample(H1 "  0:         10" ETH0
						    "  1:         20" ETH0
						    "  2:          0" ETH0
						    "LOC:       1204" LOC));
	ck_assert_uint_eq(sums->total, 1234);
}
END_TEST

START_TEST(sum_of_rows_is_not_doubled_by_aggregates)
{
	const struct irqstat_sums *sums;

	sums = irqstat_sums_by_cpu(adder, sample(
		H2 "EXT:         10         20 \n"
		   "I/O:          3          4 \n"
		   "CLK:          6         15   [EXT] Clock Comparator\n"
		   "EXC:          4          5   [EXT] External Call\n"
		   "DAS:          3          4   [I/O] DASD\n"));
	ck_assert_uint_eq(sums->total, 37);
}
END_TEST

START_TEST(sums_of_nodes_are_not_those_of_the_row)
{
	struct irqstat_topology *topology;
	const struct irqstat_sums *sums;

	nodes_begin();
	nodes_add(0, "0-1\n", NULL);
	nodes_add(1, "2-3\n", NULL);
	topology = irqstat_topology_new(nodes_root());
	nodes_end();
	sums = irqstat_sums_by_node(adder, sample(
		"           " CPU(0) CPU(1) CPU(2) CPU(3) "\n"
		" 40:          1          2         30         40   PCI-MSI 524288-edge      nvme0q1\n"),
		topology);
	ck_assert_uint_eq(sums->n_sums, 2);
	ck_assert_uint_eq(sums->sums[0].count, 3);
	ck_assert_uint_eq(sums->sums[1].count, 70);
	irqstat_topology_free(topology);
}
END_TEST

START_TEST(sums_of_same_names_know_their_rows)
{
	const struct irqstat_sums *sums;
	const struct irqstat_snapshot *snap;

	snap = sample(H1 " 30:          1   PCI-MSI 65536-edge      nvme0q1\n"
			 " 31:          2   PCI-MSI 65536-edge      nvme0q1\n");
	sums = irqstat_sums_by_action(adder, snap, &descs.pub);
	ck_assert_uint_eq(sums->n_sums, 1);
	ck_assert_str_eq(sums->sums[0].name.bytes, "nvme0q1");
	ck_assert_uint_eq(sums->sums[0].count, 3);
	ck_assert_uint_eq(sums->sums[0].n_rows, 2);
}
END_TEST

/* The number is another after the next boot, all else is not. */
START_TEST(names_know_a_device_by_more_than_its_number)
{
	char was[64];

	sample(H1 " 45:          1   PCI-MSI 1048576-edge      eth0-rx-0\n");
	snprintf(was, sizeof(was), "%s %ju %s", descs.descs[0].chip.bytes,
		 (uintmax_t)descs.descs[0].hwirq, descs.descs[0].actions[0].bytes);
	sample(H1 " 47:          1   PCI-MSI 1048576-edge      eth0-rx-0\n");
	put("%s %ju %s", descs.descs[0].chip.bytes,
	    (uintmax_t)descs.descs[0].hwirq, descs.descs[0].actions[0].bytes);
	ck_assert_uint_eq(descs.descs[0].id, 47);
	ck_assert_str_eq(out, was);
	ck_assert_str_eq(out, "PCI-MSI 1048576 eth0-rx-0");
}
END_TEST

START_TEST(names_of_any_driver_are_selected_by_pattern)
{
	struct irqstat_select *sel = irqstat_select_new();
	const struct irqstat_snapshot *snap, *left;

	snap = sample(H1 " 43:          5   PCI-MSI 1048576-edge      nvme0q0\n"
			 " 44:         10   PCI-MSI 1572864-edge      enp3s0-TxRx-0\n");
	ck_assert_int_eq(irqstat_select_include(sel, "^(eth|en)"), 0);
	ck_assert_int_eq(irqstat_select_resolve(sel, &descs.pub), 0);
	left = irqstat_select_filter(sel, snap);
	ck_assert_uint_eq(left->n_rows, 1);
	ck_assert_uint_eq(left->rows[0].id, 44);
	ck_assert_uint_eq(left->rows[0].total, 10);
	irqstat_select_free(sel);
}
END_TEST

START_TEST(rate_is_by_the_interval)
{
	const struct irqstat_delta *delta;

	sample(H1 "LOC:       1000" LOC);
	sample(H1 "LOC:       3003" LOC);
	snaps[0].pub.time_ns += 1000000000;
	delta = irqstat_delta_make(differ, &snaps[1].pub, &snaps[0].pub);
	ck_assert_double_eq(irqstat_delta_rate(delta, delta->counts->rows[0].total),
			    1001.5);
	ck_assert_double_eq(irqstat_delta_rate(delta,
				irqstat_sums_by_cpu(adder, delta->counts)->total),
			    1001.5);
}
END_TEST

/* Every cell of so many rows and CPUs is @count. */
static char *uniform(unsigned int n_rows, unsigned int n_cpus, unsigned int count)
{
	char *input = malloc((size_t)(n_rows + 1) * (n_cpus * 11 + 40)), *p = input;
	unsigned int i, j;

	p += sprintf(p, "           ");
	for (j = 0; j < n_cpus; j++)
		p += sprintf(p, "CPU%-8u", j);
	for (i = 0; i < n_rows; i++) {
		p += sprintf(p, "\n%4u:", i);
		for (j = 0; j < n_cpus; j++)
			p += sprintf(p, " %10u", count);
		p += sprintf(p, "   PCI-MSI %u-edge      x", i);
	}
	sprintf(p, "\n");
	return input;
}

static void sample_uniform(unsigned int n_rows, unsigned int n_cpus,
			   unsigned int count)
{
	char *input = uniform(n_rows, n_cpus, count);

	sample(input);
	free(input);
}

/* Both ways in turn, rows and CPUs, while memory is checked. */
START_TEST(machine_that_grows_and_shrinks)
{
	static const unsigned int sizes[][2] = {
		{ 44, 2 }, { 44, 3 }, { 300, 3 }, { 300, 128 }, { 1, 128 },
		{ 1, 1 }, { 1000, 256 }, { 1000, 2 },
	};
	const struct irqstat_delta *delta;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		sample_uniform(sizes[i][0], sizes[i][1], 10 + (unsigned int)i);
		if (!i)
			continue;
		delta = irqstat_delta_make(differ, &snaps[(at - 1) % 2].pub,
					   &snaps[at % 2].pub);
		snap_check(delta->counts);
		snap_check(irqstat_totals_get(totals));
		ck_assert_uint_eq(snap_count(delta->counts, IRQSTAT_IRQ, 0, 0), 1);
		ck_assert_uint_eq(snap_count(irqstat_totals_get(totals),
					     IRQSTAT_IRQ, 0, 0), 10 + i);
	}
}
END_TEST

START_TEST(machine_of_any_width_has_whole_totals)
{
	static const unsigned int widths[] = { 43, 92, 93, 128, 176, 300, 1152,
					       1280, 8192 };
	const struct irqstat_snapshot *snap;
	size_t i;

	for (i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		sample_uniform(2, widths[i], 1);
		snap = &snaps[at % 2].pub;
		ck_assert_uint_eq(snap->rows[1].total, widths[i]);
		ck_assert_uint_eq(irqstat_sums_by_cpu(adder, snap)->total,
				  2 * widths[i]);
	}
}
END_TEST

START_TEST(machine_of_any_height_has_all_rows)
{
	static const unsigned int heights[][2] = { { 1100, 4 }, { 1500, 2 },
						   { 5000, 1 } };
	size_t i;

	for (i = 0; i < sizeof(heights) / sizeof(heights[0]); i++) {
		sample_uniform(heights[i][0], heights[i][1], 1);
		ck_assert_uint_eq(snaps[at % 2].pub.n_rows, heights[i][0]);
	}
}
END_TEST

START_TEST(machine_of_1000_rows_and_256_cpus)
{
	const struct irqstat_delta *delta;

	sample_uniform(1000, 256, 4294967290);
	sample_uniform(1000, 256, 4);
	delta = irqstat_delta_make(differ, &snaps[(at - 1) % 2].pub,
				   &snaps[at % 2].pub);
	ck_assert_uint_eq(delta->counts->n_entries, 256000);
	ck_assert_uint_eq(irqstat_sums_by_cpu(adder, delta->counts)->total, 2560000);
	ck_assert_uint_eq(irqstat_sums_by_cpu(adder, irqstat_totals_get(totals))->total,
			  256000 * UINT64_C(4294967300));
}
END_TEST

static Suite *delta_cases_suite(void)
{
	const TTest *const cases[] = {
		cpu_that_left_is_no_zero,
		cpu_that_left_does_not_lower_the_row,
		cpu_that_was_added_is_a_first_sample,
		cpu_whose_counts_restarted,
		cpu_whose_count_decreased,
		cpus_are_those_of_the_header_each_time,
		cpu_that_left_and_came_back,
		cpu_that_left_is_not_summed,
		row_that_came_moves_no_other,
		row_that_went_is_dropped,
		rows_without_device_are_rows,
		rows_of_any_architecture_keep_their_ids,
		count_that_wrapped,
		count_that_wrapped_to_zero,
		count_below_zero,
		count_less_than_before,
		count_of_more_than_32_bits,
		total_of_a_row_has_all_digits,
		total_of_a_row_is_of_the_cpus_there_are,
		total_of_all_rows_is_not_the_last,
		sum_of_rows_is_not_doubled_by_aggregates,
		sums_of_nodes_are_not_those_of_the_row,
		sums_of_same_names_know_their_rows,
		names_know_a_device_by_more_than_its_number,
		names_of_any_driver_are_selected_by_pattern,
		rate_is_by_the_interval,
		machine_that_grows_and_shrinks,
		machine_of_any_width_has_whole_totals,
		machine_of_any_height_has_all_rows,
		machine_of_1000_rows_and_256_cpus,
		NULL
	};
	Suite *suite = suite_create("delta_cases");

	suite_add_with(suite, "cases", cases, setup, teardown);
	return suite;
}

UNIT_SUITE(delta_cases_suite);
