/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * How the module finds out what its kernel's text looks like: kernel/layout.c, given
 * texts as kernels of all kinds print them, and some that none would.
 */
#define _GNU_SOURCE
#include "../../kernel/layout.c"
#include "stream.h"
#include "suite.h"

#define SHOWN	IRQBIN_DESC_SHOWN
#define HWIRQ	(IRQBIN_DESC_SHOWN | IRQBIN_DESC_HWIRQ)
#define RIGHT	IRQBIN_LAYOUT_CHIP_RIGHT

/* A few of the kernel's, in its order. */
const struct irqbin_arch_counter irqbin_arch_counters[] = {
	{ "NMI", "Non-maskable interrupts" },
	{ "LOC", "Local timer interrupts" },
	{ "SPU", "Spurious interrupts" },
	{ "ERR", "" },
	{ "MIS", "" },
	{ "PIW", "Posted-interrupt wakeup event" },
	{ "VPMI", "Perf Guest Mediated PMI" },
};

enum { NMI, LOC, SPU, ERR, MIS, PIW, VPMI };

static struct stream *descs;
static struct irqbin_arch_layout arch;

int irqbin_arch_find(const char *row)
{
	size_t i, len;

	row = skip_spaces(row);
	for (i = 0; i < ARRAY_SIZE(irqbin_arch_counters); i++) {
		len = strlen(irqbin_arch_counters[i].label);
		if (!strncmp(row, irqbin_arch_counters[i].label, len) && row[len] == ':')
			return (int)i;
	}
	return -1;
}

static void irq(uint32_t number, uint32_t flags, uint64_t hwirq, const char *const *strings,
		size_t n)
{
	stream_irq_desc(descs, number, (struct irqbin_irq_desc){ .flags = flags, .hwirq = hwirq },
			strings, n);
}

static void set_up(void)
{
	descs = stream_descs();
	irq(1, HWIRQ, 1, STRINGS("IO-APIC", "edge", "i8042"));
	irq(2, SHOWN, 0, STRINGS("XT-PIC", NULL, "cascade"));
	irq(9, HWIRQ, 9, STRINGS("IO-APIC", "fasteoi", "acpi", "i801_smbus"));
	irq(24, HWIRQ, 49152, STRINGS("PCI-MSIX-0000:00:01.0", "edge", NULL));
	irq(25, 0, 0, STRINGS("dummy", NULL, "not shown"));
	memset(&arch, 0, sizeof(arch));
}

static void tear_down(void)
{
	irqbin_layout_free_arch(&arch);
}

static int learn(const char *text, struct irqbin_layout *layout)
{
	const size_t header = sizeof(struct irqbin_header) / sizeof(u64);

	return irqbin_layout_learn(text, (const u64 *)descs->words + header,
				   (const u64 *)descs->words + descs->n_words, layout);
}

static void expect(const char *text, struct irqbin_layout expected)
{
	struct irqbin_layout layout;

	ck_assert_int_eq(learn(text, &layout), 0);
	ck_assert_uint_eq(layout.irq_width, expected.irq_width);
	ck_assert_uint_eq(layout.chip_width, expected.chip_width);
	ck_assert_uint_eq(layout.chip_gap, expected.chip_gap);
	ck_assert_uint_eq(layout.no_hwirq_blanks, expected.no_hwirq_blanks);
	ck_assert_uint_eq(layout.flags, expected.flags);
}

static void expect_none(const char *text)
{
	struct irqbin_layout layout;

	ck_assert_int_lt(learn(text, &layout), 0);
}

START_TEST(layout_of_6_1)
{
	expect("           CPU0       CPU2       \n"
	       "  1:         45          0   IO-APIC   1-edge      i8042\n"
	       "  2:          0          0    XT-PIC      cascade\n"
	       "  9:          1 4294967295   IO-APIC   9-fasteoi   acpi, i801_smbus\n"
	       " 24:          0          0  PCI-MSIX-0000:00:01.0 49152-edge      (null)\n"
	       "NMI:          0          0   Non-maskable interrupts\n",
	       (struct irqbin_layout){ 3, 8, 2, 4, RIGHT, 0 });
}
END_TEST

START_TEST(layout_of_6_18)
{
	expect("           CPU0       CPU2       \n"
	       "  1:         45          0  IO-APIC   1-edge      i8042\n"
	       "  2:          0          0   XT-PIC      cascade\n"
	       "  9:          1 4294967295  IO-APIC   9-fasteoi   acpi, i801_smbus\n"
	       " 24:          0          0 PCI-MSIX-0000:00:01.0 49152-edge      (null)\n"
	       "NMI:          0          0   Non-maskable interrupts\n",
	       (struct irqbin_layout){ 3, 8, 1, 4, RIGHT, 0 });
}
END_TEST

START_TEST(layout_of_7_3)
{
	expect("            CPU0       CPU2       \n"
	       "   1:         45          0  IO-APIC                  1-edge      i8042\n"
	       "   2:          0          0  XT-PIC                       cascade\n"
	       "   9:          1 4294967295  IO-APIC                  9-fasteoi   acpi, i801_smbus\n"
	       "  24:          0          0  PCI-MSIX-0000:00:01.0 49152-edge      (null)\n"
	       " NMI:          0          0  Non-maskable interrupts\n",
	       (struct irqbin_layout){ 4, 21, 2, 6, 0, 0 });
}
END_TEST

/* The widest chip has gone: its width stays. */
START_TEST(layout_of_7_3_remembers_a_chip)
{
	expect("            CPU0       CPU2       \n"
	       "   1:         45          0  IO-APIC                       1-edge      i8042\n"
	       "   2:          0          0  XT-PIC                            cascade\n",
	       (struct irqbin_layout){ 4, 26, 2, 6, 0, 0 });
}
END_TEST

/* No row of the sample has a chip that is narrower than its column. */
START_TEST(layout_of_7_3_does_not_show_its_width)
{
	expect("            CPU0       CPU2       \n"
	       "  24:          0          0  PCI-MSIX-0000:00:01.0 49152-edge      (null)\n",
	       (struct irqbin_layout){ 4, 0, 2, 6, 0, 0 });
}
END_TEST

START_TEST(layout_of_1000_interrupts)
{
	irq(1030, HWIRQ, 2097152, STRINGS("IR-PCI-MSI", "edge", "nvme0q1"));
	expect("            CPU0       \n"
	       "   9:          1   IO-APIC    9-fasteoi   acpi, i801_smbus\n"
	       "1030:         17  IR-PCI-MSI 2097152-edge      nvme0q1\n",
	       (struct irqbin_layout){ 4, 8, 2, 5, RIGHT, 0 });
}
END_TEST

/* A sample ends anywhere. */
START_TEST(layout_of_a_text_cut_short)
{
	const char text[] = "           CPU0       CPU2       \n"
			    "  1:         45          0   IO-APIC   1-edge      i8042\n"
			    "  2:          0          0    XT-PIC      cascade\n";
	const size_t row = strlen("  2:          0          0    XT-PIC      cascade\n");
	char cut[sizeof(text)];
	size_t len;

	for (len = sizeof(text) - 1 - row; len < sizeof(text); len++) {
		memcpy(cut, text, len);
		cut[len] = '\0';
		expect(cut, (struct irqbin_layout){ 3, 8, 2, 4, RIGHT, 0 });
	}
}
END_TEST

START_TEST(layout_of_a_chip_that_prints_itself)
{
	irq(40, HWIRQ | IRQBIN_DESC_CHIP_PRINTED, 5, STRINGS(" <gpio>", "level", "k"));
	expect("           CPU0       \n"
	       "  1:         45   IO-APIC   1-edge      i8042\n"
	       " 40:          0  <gpio>   5-level     k\n",
	       (struct irqbin_layout){ 3, 8, 2, 4, RIGHT, 0 });
	expect("           CPU0       \n"
	       "  1:         45  IO-APIC   1-edge      i8042\n"
	       " 40:          0 <gpio>   5-level     k\n",
	       (struct irqbin_layout){ 3, 8, 1, 4, RIGHT, 0 });
	expect("            CPU0       \n"
	       "   1:         45  IO-APIC     1-edge      i8042\n"
	       "  40:          0   <gpio>    5-level     k\n",
	       (struct irqbin_layout){ 4, 8, 2, 6, 0, 0 });
}
END_TEST

START_TEST(name_of_another_row_fits_none)
{
	expect_none("           CPU0       \n"
		    "  1:         45   IO-APIC   1-edge      i8042\n"
		    "  2:          0    XT-PIC      renamed\n");
}
END_TEST

START_TEST(gaps_of_two_styles_fit_none)
{
	expect_none("           CPU0       \n"
		    "  1:         45   IO-APIC   1-edge      i8042\n"
		    "  2:          0   XT-PIC      cascade\n");
}
END_TEST

START_TEST(widths_of_two_reads_fit_none)
{
	expect_none("            CPU0       \n"
		    "   1:         45  IO-APIC     1-edge      i8042\n"
		    "   2:          0  XT-PIC            cascade\n");
}
END_TEST

START_TEST(row_without_descriptor_fits_none)
{
	expect_none("           CPU0       \n"
		    "  1:         45   IO-APIC   1-edge      i8042\n"
		    "  3:          0    XT-PIC      cascade\n");
}
END_TEST

START_TEST(another_cpu_fits_none)
{
	expect_none("           CPU0       \n"
		    "  1:         45          0   IO-APIC   1-edge      i8042\n");
	expect_none("           CPU0       CPU1       \n"
		    "  1:         45   IO-APIC   1-edge      i8042\n");
}
END_TEST

START_TEST(text_without_rows_fits_none)
{
	expect_none("");
	expect_none("\n");
	expect_none("           CPU0       \n");
	expect_none("           CPU0       \nNMI:          0   Non-maskable interrupts\n");
	expect_none("CPU0\n");
	expect_none("  1:         45   IO-APIC   1-edge      i8042\n");
}
END_TEST

static const char two_cpus[] = "           CPU0       CPU1       \n";

START_TEST(arch_rows_of_7_1)
{
	ck_assert_int_eq(irqbin_layout_learn_arch(two_cpus,
		"NMI:          0          0   Non-maskable interrupts\n"
		"LOC: 1000000001 4294967295   Local timer interrupts\n"
		"ERR:         12\n"
		"MIS:          0\n"
		"PIW:          0          0   Posted-interrupt wakeup event\n"
		"VPMI:          0          0  Perf Guest Mediated PMI\n", &arch), 0);
	ck_assert(arch.known);
	ck_assert_str_eq(arch.tail[NMI], "   Non-maskable interrupts");
	ck_assert_str_eq(arch.tail[LOC], "   Local timer interrupts");
	ck_assert_ptr_null(arch.tail[SPU]);
	ck_assert_str_eq(arch.tail[ERR], "");
	ck_assert_str_eq(arch.tail[MIS], "");
	ck_assert_str_eq(arch.tail[VPMI], "  Perf Guest Mediated PMI");
}
END_TEST

static void expect_no_arch(const char *rows)
{
	ck_assert_int_lt(irqbin_layout_learn_arch(two_cpus, rows, &arch), 0);
	ck_assert(!arch.known);
	irqbin_layout_free_arch(&arch);
}

START_TEST(arch_rows_that_are_unknown)
{
	expect_no_arch("");
	expect_no_arch("NMI:          0          0   Non-maskable interrupts\n"
		       "NEW:          0          0   Interrupts of the future\n");
}
END_TEST

START_TEST(arch_rows_in_another_order)
{
	expect_no_arch("LOC:          0          0   Local timer interrupts\n"
		       "NMI:          0          0   Non-maskable interrupts\n");
	expect_no_arch("NMI:          0          0   Non-maskable interrupts\n"
		       "NMI:          0          0   Non-maskable interrupts\n");
}
END_TEST

START_TEST(arch_rows_of_other_cpus)
{
	expect_no_arch("NMI:          0   Non-maskable interrupts\n");
	expect_no_arch("NMI:          0          0          0   Non-maskable interrupts\n");
	expect_no_arch("NMI:\n");
}
END_TEST

START_TEST(arch_rows_cut_short)
{
	expect_no_arch("NMI:          0          0   Non-maskable interrupts\n"
		       "LOC:          0          0   Local ti");
}
END_TEST

static Suite *layout_suite(void)
{
	const TTest *const tests[] = {
		layout_of_6_1, layout_of_6_18, layout_of_7_3, layout_of_7_3_remembers_a_chip,
		layout_of_7_3_does_not_show_its_width, layout_of_1000_interrupts,
		layout_of_a_text_cut_short, layout_of_a_chip_that_prints_itself,
		name_of_another_row_fits_none, gaps_of_two_styles_fit_none,
		widths_of_two_reads_fit_none, row_without_descriptor_fits_none,
		another_cpu_fits_none, text_without_rows_fits_none, arch_rows_of_7_1,
		arch_rows_that_are_unknown, arch_rows_in_another_order, arch_rows_of_other_cpus,
		arch_rows_cut_short, NULL
	};
	Suite *suite = suite_create("layout");

	suite_add_with(suite, "learn", tests, set_up, tear_down);
	return suite;
}

UNIT_SUITE(layout_suite);
