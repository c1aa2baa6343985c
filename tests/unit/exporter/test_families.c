/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "machine_text.h"
#include "suite.h"

static struct machine m;

static void stop(void)
{
	machine_stop(&m);
}

#define TEXT								      \
	"            CPU0       CPU2       CPU3       \n"		      \
	"  0:         45          0          0   IO-APIC   2-edge      timer\n" \
	"  9:          0          0          0   IO-APIC   9-fasteoi   acpi, pme\n" \
	" 30:          1          0          7   PCI-MSI 524288-edge      nvme0q1\n" \
	"LOC:        900        800        700   Local timer interrupts\n"    \
	"TLB:          0          0          0   TLB shootdowns\n"	      \
	"ERR:          2\n"						      \
	"MIS:          0\n"

static void assert_page(unsigned int series, bool with_zeros,
			const char *expected)
{
	machine_start(&m, series);
	m.families.with_zeros = with_zeros;
	machine_set(&m, TEXT);
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS), expected);
}

START_TEST(rows_that_counted_are_put_counters_first)
{
	assert_page(SERIES_ROWS, false,
		"irqstat_interrupts_total{irq=\"LOC\",name=\"Local timer interrupts\"} 2400\n"
		"irqstat_interrupts_total{irq=\"ERR\"} 2\n"
		"irqstat_interrupts_total{irq=\"0\",name=\"timer\",chip=\"IO-APIC\"} 45\n"
		"irqstat_interrupts_total{irq=\"30\",name=\"nvme0q1\",chip=\"PCI-MSI\"} 8\n");
}
END_TEST

START_TEST(rows_with_zeros_are_all_of_them)
{
	assert_page(SERIES_ROWS, true,
		"irqstat_interrupts_total{irq=\"LOC\",name=\"Local timer interrupts\"} 2400\n"
		"irqstat_interrupts_total{irq=\"TLB\",name=\"TLB shootdowns\"} 0\n"
		"irqstat_interrupts_total{irq=\"ERR\"} 2\n"
		"irqstat_interrupts_total{irq=\"MIS\"} 0\n"
		"irqstat_interrupts_total{irq=\"0\",name=\"timer\",chip=\"IO-APIC\"} 45\n"
		"irqstat_interrupts_total{irq=\"9\",name=\"acpi, pme\",chip=\"IO-APIC\"} 0\n"
		"irqstat_interrupts_total{irq=\"30\",name=\"nvme0q1\",chip=\"PCI-MSI\"} 8\n");
}
END_TEST

START_TEST(cells_are_put_with_true_cpus)
{
	assert_page(SERIES_ROWS_BY_CPU, false,
		"irqstat_interrupts_by_cpu_total{cpu=\"0\",irq=\"LOC\",name=\"Local timer interrupts\"} 900\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"2\",irq=\"LOC\",name=\"Local timer interrupts\"} 800\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"3\",irq=\"LOC\",name=\"Local timer interrupts\"} 700\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"none\",irq=\"ERR\"} 2\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"0\",irq=\"0\",name=\"timer\",chip=\"IO-APIC\"} 45\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"0\",irq=\"30\",name=\"nvme0q1\",chip=\"PCI-MSI\"} 1\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"3\",irq=\"30\",name=\"nvme0q1\",chip=\"PCI-MSI\"} 7\n");
}
END_TEST

START_TEST(sums_by_cpu_are_of_all_rows)
{
	assert_page(SERIES_CPUS, false,
		"irqstat_cpu_interrupts_total{cpu=\"0\"} 946\n"
		"irqstat_cpu_interrupts_total{cpu=\"2\"} 800\n"
		"irqstat_cpu_interrupts_total{cpu=\"3\"} 707\n"
		"irqstat_cpu_interrupts_total{cpu=\"none\"} 2\n");
}
END_TEST

START_TEST(node_exporter_series_are_those_of_node_exporter)
{
	assert_page(SERIES_NODE_EXPORTER, false,
		"node_interrupts_total{cpu=\"0\",type=\"LOC\",info=\"Local timer interrupts\",devices=\"\"} 900\n"
		"node_interrupts_total{cpu=\"2\",type=\"LOC\",info=\"Local timer interrupts\",devices=\"\"} 800\n"
		"node_interrupts_total{cpu=\"3\",type=\"LOC\",info=\"Local timer interrupts\",devices=\"\"} 700\n"
		"node_interrupts_total{cpu=\"0\",type=\"0\",info=\"IO-APIC\",devices=\"2-edge timer\"} 45\n"
		"node_interrupts_total{cpu=\"0\",type=\"30\",info=\"PCI-MSI\",devices=\"524288-edge nvme0q1\"} 1\n"
		"node_interrupts_total{cpu=\"3\",type=\"30\",info=\"PCI-MSI\",devices=\"524288-edge nvme0q1\"} 7\n");
}
END_TEST

START_TEST(node_exporter_zeros_are_of_the_cpus_that_are_online)
{
	machine_start(&m, SERIES_NODE_EXPORTER);
	m.families.with_zeros = true;
	machine_set(&m, "           CPU1       CPU3       \n"
			"  9:          0          5   IO-APIC   9-fasteoi   acpi,  pme\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"node_interrupts_total{cpu=\"1\",type=\"9\",info=\"IO-APIC\",devices=\"9-fasteoi acpi, pme\"} 0\n"
		"node_interrupts_total{cpu=\"3\",type=\"9\",info=\"IO-APIC\",devices=\"9-fasteoi acpi, pme\"} 5\n");
}
END_TEST

START_TEST(softirqs_have_names_of_their_own)
{
	machine_start(&m, SERIES_ROWS | SERIES_NODE_EXPORTER);
	machine_set(&m, "                    CPU0       CPU1       \n"
			"          HI:          0          3\n"
			"      NET_RX:         10          0\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_SOFTIRQS),
		"irqstat_softirqs_total{softirq=\"HI\"} 3\n"
		"irqstat_softirqs_total{softirq=\"NET_RX\"} 10\n"
		"node_softirqs_functions_total{cpu=\"1\",type=\"HI\"} 3\n"
		"node_softirqs_functions_total{cpu=\"0\",type=\"NET_RX\"} 10\n");
}
END_TEST

START_TEST(rows_with_the_same_labels_are_numbered)
{
	machine_start(&m, SERIES_ROWS);
	machine_set(&m, "           CPU0       \n"
			"LOC:          1   Local timer interrupts\n"
			"LOC:          2   Local timer interrupts\n"
			"LOC:          3   Local timer interrupts\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_total{irq=\"LOC\",name=\"Local timer interrupts\"} 1\n"
		"irqstat_interrupts_total{irq=\"LOC\",name=\"Local timer interrupts\",row=\"2\"} 2\n"
		"irqstat_interrupts_total{irq=\"LOC\",name=\"Local timer interrupts\",row=\"3\"} 3\n");
}
END_TEST

START_TEST(names_are_escaped)
{
	machine_start(&m, SERIES_ROWS | SERIES_NODE_EXPORTER);
	machine_set(&m, "           CPU0       \n"
			" 24:          1   PCI-MSI 524288-edge      a\"b\\c\xff" "d\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_total{irq=\"24\",name=\"a\\\"b\\\\c\xef\xbf\xbd" "d\",chip=\"PCI-MSI\"} 1\n"
		"node_interrupts_total{cpu=\"0\",type=\"24\",info=\"PCI-MSI\","
		"devices=\"524288-edge a\\\"b\\\\c\xef\xbf\xbd" "d\"} 1\n");
}
END_TEST

START_TEST(labels_follow_the_descriptors)
{
	machine_start(&m, SERIES_ROWS);
	machine_set(&m, "           CPU0       \n"
			" 24:          1   PCI-MSI 524288-edge      eth0\n");
	machine_page(&m, SUBJECT_INTERRUPTS);
	machine_set(&m, "           CPU0       \n"
			" 24:          2   PCI-MSI 524288-edge      lan0\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_total{irq=\"24\",name=\"lan0\",chip=\"PCI-MSI\"} 2\n");
}
END_TEST

START_TEST(row_whose_cpus_went_offline_is_still_put)
{
	machine_start(&m, SERIES_ROWS | SERIES_CPUS);
	machine_set(&m, "           CPU0       CPU1       \n"
			" 24:          0         10   PCI-MSI 524288-edge      eth0\n"
			" 25:          5          0   PCI-MSI 524289-edge      eth1\n");
	machine_page(&m, SUBJECT_INTERRUPTS);
	machine_set(&m, "           CPU0       \n"
			" 24:          0   PCI-MSI 524288-edge      eth0\n"
			" 25:          5   PCI-MSI 524289-edge      eth1\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_total{irq=\"24\",name=\"eth0\",chip=\"PCI-MSI\"} 10\n"
		"irqstat_interrupts_total{irq=\"25\",name=\"eth1\",chip=\"PCI-MSI\"} 5\n"
		"irqstat_cpu_interrupts_total{cpu=\"0\"} 5\n"
		"irqstat_cpu_interrupts_total{cpu=\"1\"} 10\n");
}
END_TEST

START_TEST(sums_do_not_fall_with_a_row_that_is_freed)
{
	machine_start(&m, SERIES_ROWS | SERIES_CPUS);
	machine_set(&m, "           CPU0       CPU1       \n"
			" 24:          7         10   PCI-MSI 524288-edge      eth0\n"
			" 25:          5          0   PCI-MSI 524289-edge      eth1\n");
	machine_page(&m, SUBJECT_INTERRUPTS);
	machine_set(&m, "           CPU0       CPU1       \n"
			" 25:          6          0   PCI-MSI 524289-edge      eth1\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_total{irq=\"25\",name=\"eth1\",chip=\"PCI-MSI\"} 6\n"
		"irqstat_cpu_interrupts_total{cpu=\"0\"} 13\n"
		"irqstat_cpu_interrupts_total{cpu=\"1\"} 10\n");
	ck_assert_uint_eq(m.view.undescribed, 0);
}
END_TEST

START_TEST(restarts_are_counted)
{
	machine_start(&m, SERIES_ROWS);
	machine_set(&m, "           CPU0       \n"
			" 24:         70   PCI-MSI 524288-edge      eth0\n");
	machine_page(&m, SUBJECT_INTERRUPTS);
	ck_assert_uint_eq(m.feed.restarts, 0);
	machine_set(&m, "           CPU0       \n"
			" 24:          2   PCI-MSI 524288-edge      eth0\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_total{irq=\"24\",name=\"eth0\",chip=\"PCI-MSI\"} 72\n");
	machine_page(&m, SUBJECT_INTERRUPTS);
	ck_assert_uint_eq(m.feed.restarts, 1);
}
END_TEST

START_TEST(limit_leaves_out_the_rows_that_have_no_room)
{
	machine_start(&m, SERIES_ROWS_BY_CPU);
	machine_set(&m, TEXT);
	m.families.max = 5;
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_by_cpu_total{cpu=\"0\",irq=\"LOC\",name=\"Local timer interrupts\"} 900\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"2\",irq=\"LOC\",name=\"Local timer interrupts\"} 800\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"3\",irq=\"LOC\",name=\"Local timer interrupts\"} 700\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"none\",irq=\"ERR\"} 2\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"0\",irq=\"0\",name=\"timer\",chip=\"IO-APIC\"} 45\n");
	ck_assert_uint_eq(m.families.put, 5);
	ck_assert_uint_eq(m.families.omitted, 2);
}
END_TEST

START_TEST(limit_is_of_all_series_together)
{
	machine_start(&m, SERIES_ROWS | SERIES_CPUS);
	machine_set(&m, TEXT);
	m.families.max = 7;
	machine_page(&m, SUBJECT_INTERRUPTS);
	ck_assert_uint_eq(m.families.put, 4);
	ck_assert_uint_eq(m.families.omitted, 4);
}
END_TEST

START_TEST(selection_leaves_rows_and_cpus)
{
	machine_start(&m, SERIES_ROWS_BY_CPU);
	machine_set(&m, TEXT);
	m.families.with_zeros = true;
	ck_assert(!irqstat_select_include(m.select, "^nvme|^TLB"));
	ck_assert(!irqstat_select_cpus(m.select, "0,3"));
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_by_cpu_total{cpu=\"0\",irq=\"TLB\",name=\"TLB shootdowns\"} 0\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"3\",irq=\"TLB\",name=\"TLB shootdowns\"} 0\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"0\",irq=\"30\",name=\"nvme0q1\",chip=\"PCI-MSI\"} 1\n"
		"irqstat_interrupts_by_cpu_total{cpu=\"3\",irq=\"30\",name=\"nvme0q1\",chip=\"PCI-MSI\"} 7\n");
}
END_TEST

START_TEST(sums_of_other_rows_are_left_out)
{
	machine_start(&m, SERIES_ROWS | SERIES_NODE_EXPORTER);
	machine_set(&m, "           CPU0       \n"
			"EXT:          5\n"
			"I/O:          2\n"
			"CLK:          5   [EXT] Clock Comparator\n"
			"QAI:          3   [I/O] QDIO Adapter Interrupt\n");
	ck_assert_str_eq(machine_page(&m, SUBJECT_INTERRUPTS),
		"irqstat_interrupts_total{irq=\"CLK\",name=\"[EXT] Clock Comparator\"} 5\n"
		"irqstat_interrupts_total{irq=\"QAI\",name=\"[I/O] QDIO Adapter Interrupt\"} 3\n"
		"node_interrupts_total{cpu=\"0\",type=\"CLK\",info=\"[EXT] Clock Comparator\",devices=\"\"} 5\n"
		"node_interrupts_total{cpu=\"0\",type=\"QAI\",info=\"[I/O] QDIO Adapter Interrupt\",devices=\"\"} 3\n");
}
END_TEST

static Suite *families_suite(void)
{
	const TTest *const tests[] = {
		rows_that_counted_are_put_counters_first,
		rows_with_zeros_are_all_of_them,
		cells_are_put_with_true_cpus,
		sums_by_cpu_are_of_all_rows,
		node_exporter_series_are_those_of_node_exporter,
		node_exporter_zeros_are_of_the_cpus_that_are_online,
		softirqs_have_names_of_their_own,
		rows_with_the_same_labels_are_numbered,
		names_are_escaped,
		labels_follow_the_descriptors,
		row_whose_cpus_went_offline_is_still_put,
		sums_do_not_fall_with_a_row_that_is_freed,
		restarts_are_counted,
		limit_leaves_out_the_rows_that_have_no_room,
		limit_is_of_all_series_together,
		selection_leaves_rows_and_cpus,
		sums_of_other_rows_are_left_out,
		NULL
	};
	Suite *suite = suite_create("families");

	suite_add_with(suite, "families", tests, NULL, stop);
	return suite;
}
UNIT_SUITE(families_suite);
