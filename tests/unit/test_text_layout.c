/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The text of each layout, expected byte for byte as kernels of that kind print
 * it. CPU 1 is offline in most: it has counted, and has no column.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../libirqstat/internal.h"
#include "../../tools/output.c"
#include "../../tools/text_layout.c"
#include "stream.h"
#include "suite.h"

#define SHOWN IRQBIN_DESC_SHOWN
#define HWIRQ (IRQBIN_DESC_SHOWN | IRQBIN_DESC_HWIRQ)
#define RIGHT IRQBIN_LAYOUT_CHIP_RIGHT

/* 6.1 to 6.12, and others with 1000 interrupts or more */
static const struct irqbin_layout old = { 3, 8, 2, 4, RIGHT, 0 };
static const struct irqbin_layout old_many = { 4, 8, 2, 5, RIGHT, 0 };
/* 5.10 */
static const struct irqbin_layout older = {
	3, 8, 2, 4, RIGHT | IRQBIN_LAYOUT_HWIRQ_INT, 0
};
/* 6.16 to 7.1 */
static const struct irqbin_layout between = { 3, 8, 1, 4, RIGHT, 0 };
/* 7.2 and later, without and with long names of chips */
static const struct irqbin_layout new = { 4, 8, 2, 6, 0, 0 };
static const struct irqbin_layout new_wide = { 4, 24, 2, 6, 0, 0 };

static struct snapshot snap;
static struct descs descs;

static struct stream *counters, *descriptors;

/* CPUs 0 and 2 of 0, 1 and 2 are online. */
static void start(struct irqbin_layout layout)
{
	counters = stream_counters(3, 0x5);
	descriptors = stream_descs();
	stream_layout(descriptors, layout);
}

static void load(void)
{
	uint64_t desc_offset;

	stream_end(counters);
	stream_end(descriptors);
	ck_assert_int_eq(decode_counters(counters->words, stream_len(counters),
					 &snap, &desc_offset), 0);
	descs_free(&descs);
	ck_assert_int_eq(decode_descs(descriptors->words,
				      stream_len(descriptors), &descs), 0);
}

static char *render(size_t *len)
{
	int fd = memfd_create("text", MFD_CLOEXEC);
	struct output out;
	char *text;

	ck_assert_int_eq(output_init(&out, fd), 0);
	ck_assert_int_eq(text_write(&descs.pub, &snap.pub, &out), 0);
	ck_assert_int_eq(output_flush(&out), 0);
	output_free(&out);
	*len = (size_t)lseek(fd, 0, SEEK_END);
	text = calloc(1, *len + 1);
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(pread(fd, text, *len, 0), (ssize_t)*len);
	close(fd);
	return text;
}

static void expect(const char *expected)
{
	size_t len;
	char *text;

	load();
	ck_assert(text_is_coherent(&descs.pub, &snap.pub));
	ck_assert_ptr_null(text_why_not(&descs.pub, &snap.pub));
	text = render(&len);
	ck_assert_str_eq(text, expected);
	ck_assert_uint_eq(len, strlen(expected));
	free(text);
}

static void irq(uint32_t number, uint32_t flags, uint64_t hwirq,
		const char *const *strings, size_t n)
{
	stream_irq_desc(descriptors, number,
			(struct irqbin_irq_desc){ .flags = flags,
						  .hwirq = hwirq }, strings, n);
}

static void x86(uint32_t id, uint32_t flags, const char *label,
		const char *text)
{
	stream_x86_desc(descriptors, id, flags, label, text);
}

static void common_rows(const char *lead)
{
	char text[64];

	irq(0, HWIRQ, 2, STRINGS("IO-APIC", "edge", "timer"));
	irq(2, SHOWN, 0, STRINGS("XT-PIC", NULL, "cascade"));
	irq(8, HWIRQ, 8, STRINGS("IO-APIC", "edge"));
	irq(9, HWIRQ, 9, STRINGS("IO-APIC", "fasteoi", "acpi", "i801_smbus"));
	irq(24, HWIRQ, 49152, STRINGS("PCI-MSI", "edge", NULL));
	irq(25, 0, 0, STRINGS("dummy", NULL, "not shown"));
	stream_irq(counters, 0, CELLS({ 0, 45 }));
	stream_irq(counters, 9, CELLS({ 0, 1 }, { 1, 7 }, { 2, 4294967295U }));
	stream_irq(counters, 25, CELLS({ 0, 5 }));
	snprintf(text, sizeof(text), "%sNon-maskable interrupts", lead);
	x86(IRQBIN_X86_NMI, SHOWN, "NMI", text);
	snprintf(text, sizeof(text), "%sLocal timer interrupts", lead);
	x86(IRQBIN_X86_LOC, SHOWN, "LOC", text);
	stream_x86(counters, IRQBIN_X86_LOC, 0,
		   CELLS({ 0, 1000000001 }, { 1, 3 }, { 2, 1000000002 }));
}

static void single_rows(void)
{
	x86(IRQBIN_X86_ERR, SHOWN | IRQBIN_DESC_SINGLE, "ERR", "");
	x86(IRQBIN_X86_MIS, SHOWN | IRQBIN_DESC_SINGLE, "MIS", "");
	x86(IRQBIN_X86_PIN, SHOWN, "PIN",
	    "   Posted-interrupt notification event");
	stream_x86(counters, IRQBIN_X86_ERR, IRQBIN_CNT_CACHED,
		   CELLS({ IRQBIN_CPU_NONE, 12 }));
	stream_x86(counters, IRQBIN_X86_MIS, IRQBIN_CNT_CACHED, NULL, 0);
}

START_TEST(layout_of_6_1)
{
	start(old);
	common_rows("   ");
	single_rows();
	expect("           CPU0       CPU2       \n"
	       "  0:         45          0   IO-APIC   2-edge      timer\n"
	       "  2:          0          0    XT-PIC      cascade\n"
	       "  8:          0          0   IO-APIC   8-edge    \n"
	       "  9:          1 4294967295   IO-APIC   9-fasteoi   acpi, i801_smbus\n"
	       " 24:          0          0   PCI-MSI 49152-edge      (null)\n"
	       "NMI:          0          0   Non-maskable interrupts\n"
	       "LOC: 1000000001 1000000002   Local timer interrupts\n"
	       "ERR:         12\n"
	       "MIS:          0\n"
	       "PIN:          0          0   Posted-interrupt notification event\n");
}
END_TEST

START_TEST(layout_of_6_1_with_1000_interrupts)
{
	start(old_many);
	irq(9, HWIRQ, 9, STRINGS("IO-APIC", "fasteoi", "acpi"));
	irq(1030, HWIRQ, 2097152, STRINGS("IR-PCI-MSI", "edge", "nvme0q1"));
	irq(1031, SHOWN, 0, STRINGS("None", NULL, "x"));
	x86(IRQBIN_X86_NMI, SHOWN, "NMI", "   Non-maskable interrupts");
	x86(IRQBIN_X86_ERR, SHOWN | IRQBIN_DESC_SINGLE, "ERR", "");
	stream_irq(counters, 1030, CELLS({ 2, 17 }));
	expect("            CPU0       CPU2       \n"
	       "   9:          0          0   IO-APIC    9-fasteoi   acpi\n"
	       "1030:          0         17  IR-PCI-MSI 2097152-edge      nvme0q1\n"
	       "1031:          0          0      None       x\n"
	       " NMI:          0          0   Non-maskable interrupts\n"
	       " ERR:          0\n");
}
END_TEST

START_TEST(layout_of_5_10_has_hwirq_of_32_bits)
{
	start(older);
	irq(30, HWIRQ, 0x80000000U, STRINGS("PCI-MSI", "edge", "a"));
	irq(31, HWIRQ, 0x100000005U, STRINGS("PCI-MSI", "edge", "b"));
	irq(32, HWIRQ, 0xffffffffU, STRINGS("PCI-MSI", "edge", "c"));
	irq(33, HWIRQ, 7, STRINGS("PCI-MSI", "edge", "d"));
	expect("           CPU0       CPU2       \n"
	       " 30:          0          0   PCI-MSI -2147483648-edge      a\n"
	       " 31:          0          0   PCI-MSI   5-edge      b\n"
	       " 32:          0          0   PCI-MSI  -1-edge      c\n"
	       " 33:          0          0   PCI-MSI   7-edge      d\n");
}
END_TEST

START_TEST(layout_of_6_1_has_hwirq_of_64_bits)
{
	start(old);
	irq(30, HWIRQ, 0x80000000U, STRINGS("PCI-MSI", "edge", "a"));
	irq(31, HWIRQ, UINT64_MAX, STRINGS("PCI-MSI", "edge", "b"));
	expect("           CPU0       CPU2       \n"
	       " 30:          0          0   PCI-MSI 2147483648-edge      a\n"
	       " 31:          0          0   PCI-MSI 18446744073709551615-edge      b\n");
}
END_TEST

START_TEST(layout_of_6_18)
{
	start(between);
	irq(24, HWIRQ, 5, STRINGS("IO-APIC", "edge", "ACPI:Ged"));
	irq(28, HWIRQ, 0, STRINGS("PCI-MSIX-0000:00:01.0", "edge",
				  "virtio0-config"));
	irq(32, HWIRQ, 4, STRINGS("PCI-MSIX-0000:00:01.0", "edge",
				  "virtio0-reporting_vq"));
	x86(IRQBIN_X86_LOC, SHOWN, "LOC", "   Local timer interrupts");
	single_rows();
	stream_head(counters)->nr_cpus_online = 2;
	*(uint64_t *)(stream_record(counters, 0) + 1) = 0x3;
	expect("           CPU0       CPU1       \n"
	       " 24:          0          0  IO-APIC   5-edge      ACPI:Ged\n"
	       " 28:          0          0 PCI-MSIX-0000:00:01.0   0-edge      virtio0-config\n"
	       " 32:          0          0 PCI-MSIX-0000:00:01.0   4-edge      virtio0-reporting_vq\n"
	       "LOC:          0          0   Local timer interrupts\n"
	       "ERR:         12\n"
	       "MIS:          0\n"
	       "PIN:          0          0   Posted-interrupt notification event\n");
}
END_TEST

START_TEST(layout_of_7_1_has_a_label_wider_than_its_column)
{
	start(between);
	irq(1, HWIRQ, 1, STRINGS("IO-APIC", "edge", "i8042"));
	x86(IRQBIN_X86_PIW, SHOWN, "PIW", "   Posted-interrupt wakeup event");
	x86(IRQBIN_X86_VPMI, SHOWN, "VPMI", "  Perf Guest Mediated PMI");
	stream_x86(counters, IRQBIN_X86_VPMI, 0, CELLS({ 2, 4000000000U }));
	expect("           CPU0       CPU2       \n"
	       "  1:          0          0  IO-APIC   1-edge      i8042\n"
	       "PIW:          0          0   Posted-interrupt wakeup event\n"
	       "VPMI:          0 4000000000  Perf Guest Mediated PMI\n");
}
END_TEST

START_TEST(layout_of_7_3)
{
	start(new);
	common_rows("  ");
	x86(IRQBIN_X86_VPMI, SHOWN, "VPMI", "  Perf Guest Mediated PMI");
	x86(IRQBIN_X86_ERR, IRQBIN_DESC_SHOWN_COUNTED, "ERR",
	    "  PIC/APIC error interrupts");
	x86(IRQBIN_X86_MIS, IRQBIN_DESC_SHOWN_COUNTED, "MIS",
	    "  Misrouted IO/APIC interrupts");
	stream_x86(counters, IRQBIN_X86_MIS, 0, CELLS({ 1, 1 }));
	expect("            CPU0       CPU2       \n"
	       "   0:         45          0  IO-APIC     2-edge      timer\n"
	       "   2:          0          0  XT-PIC          cascade\n"
	       "   8:          0          0  IO-APIC     8-edge    \n"
	       "   9:          1 4294967295  IO-APIC     9-fasteoi   acpi, i801_smbus\n"
	       "  24:          0          0  PCI-MSI  49152-edge      (null)\n"
	       " NMI:          0          0  Non-maskable interrupts\n"
	       " LOC: 1000000001 1000000002  Local timer interrupts\n"
	       "VPMI:          0          0  Perf Guest Mediated PMI\n"
	       " MIS:          0          0  Misrouted IO/APIC interrupts\n");
}
END_TEST

START_TEST(layout_of_7_3_with_wide_chips)
{
	start(new_wide);
	irq(9, HWIRQ, 9, STRINGS("IR-IO-APIC", "fasteoi", "acpi"));
	irq(24, HWIRQ, 0, STRINGS("IR-PCI-MSIX-0000:00:03.0", "edge",
				  "nvme0q0"));
	irq(25, SHOWN, 0, STRINGS("-", NULL, "x"));
	irq(26, HWIRQ, 1, STRINGS("a chip set later, that is wider", "edge",
				  "y"));
	expect("            CPU0       CPU2       \n"
	       "   9:          0          0  IR-IO-APIC                  9-fasteoi   acpi\n"
	       "  24:          0          0  IR-PCI-MSIX-0000:00:03.0    0-edge      nvme0q0\n"
	       "  25:          0          0  -                               x\n"
	       "  26:          0          0  a chip set later, that is wider    1-edge      y\n");
}
END_TEST

START_TEST(chip_printed_by_its_driver_has_no_padding)
{
	start(old);
	irq(40, HWIRQ | IRQBIN_DESC_CHIP_PRINTED, 5,
	    STRINGS("gpio", "level", "k"));
	expect("           CPU0       CPU2       \n"
	       " 40:          0          0 gpio   5-level     k\n");
	start(between);
	irq(40, HWIRQ | IRQBIN_DESC_CHIP_PRINTED, 5,
	    STRINGS("gpio", "level", "k"));
	expect("           CPU0       CPU2       \n"
	       " 40:          0          0gpio   5-level     k\n");
	start(new);
	irq(40, HWIRQ | IRQBIN_DESC_CHIP_PRINTED, 5,
	    STRINGS("gpio", "level", "k"));
	expect("            CPU0       CPU2       \n"
	       "  40:          0          0  gpio    5-level     k\n");
}
END_TEST

START_TEST(names_are_set_as_they_are)
{
	start(old);
	irq(1, HWIRQ, 1, STRINGS("", "", "", "a, b: %s\\\"\n\xff\xc0", ""));
	irq(2, HWIRQ, 2, STRINGS("9chip", "longer than 8", NULL, "x", NULL));
	expect("           CPU0       CPU2       \n"
	       "  1:          0          0             1-          , "
	       "a, b: %s\\\"\n\xff\xc0, \n"
	       "  2:          0          0     9chip   2-longer than 8  "
	       "(null), x, (null)\n");
}
END_TEST

START_TEST(text_zero_row_shows_no_count)
{
	start(new);
	irq(5, HWIRQ, 5, STRINGS("IO-APIC", "edge", "x"));
	stream_cells(counters, IRQBIN_REC_IRQ, IRQBIN_CNT_TEXT_ZERO, 5,
		     CELLS({ 0, 3 }, { 2, 4 }));
	expect("            CPU0       CPU2       \n"
	       "   5:          0          0  IO-APIC     5-edge      x\n");
}
END_TEST

START_TEST(shown_online_needs_a_count_of_an_online_cpu)
{
	const uint32_t flags = IRQBIN_DESC_SHOWN_ONLINE | IRQBIN_DESC_HWIRQ |
			       IRQBIN_DESC_CHAINED;

	start(old);
	irq(5, flags, 5, STRINGS("IO-APIC", "edge", NULL));
	irq(6, flags, 6, STRINGS("IO-APIC", "edge", NULL));
	irq(7, flags, 7, STRINGS("IO-APIC", "edge"));
	stream_irq(counters, 6, CELLS({ 1, 9 }));
	stream_irq(counters, 7, CELLS({ 1, 9 }, { 2, 1 }));
	expect("           CPU0       CPU2       \n"
	       "  7:          0          1   IO-APIC   7-edge    \n");
}
END_TEST

START_TEST(shown_counted_needs_a_count_of_any_cpu)
{
	const uint32_t flags = IRQBIN_DESC_SHOWN_COUNTED;

	start(new);
	x86(IRQBIN_X86_SPU, flags, "SPU", "  Spurious interrupts");
	x86(IRQBIN_X86_RTR, flags, "RTR", "  APIC ICR read retries");
	stream_x86(counters, IRQBIN_X86_RTR, 0, CELLS({ 1, 9 }));
	expect("            CPU0       CPU2       \n"
	       " RTR:          0          0  APIC ICR read retries\n");
}
END_TEST

START_TEST(cpu_numbers_of_many_digits)
{
	uint64_t mask[16] = { 1 };

	counters = stream_header(IRQBIN_WINDOW_COUNTERS);
	mask[1] = 1ULL << 35;
	mask[15] = 1ULL << 63;
	stream_head(counters)->nr_cpu_ids = 1024;
	stream_head(counters)->nr_cpus_online = 3;
	stream_online(counters, mask, 16);
	descriptors = stream_descs();
	stream_layout(descriptors, new);
	x86(IRQBIN_X86_LOC, SHOWN, "LOC", "  t");
	stream_x86(counters, IRQBIN_X86_LOC, 0,
		   CELLS({ 98, 1 }, { 99, 22 }, { 1023, 333 }));
	expect("            CPU0       CPU99      CPU1023    \n"
	       " LOC:          0         22        333  t\n");
}
END_TEST

/* Larger than the buffer, held against a printf of the same. */

static char *simple_text(uint32_t nr_cpus, uint32_t n_irqs, size_t *len)
{
	char *text, *p;
	uint32_t i, cpu;

	text = malloc((size_t)(n_irqs + 1) * (nr_cpus * 11 + 100));
	ck_assert_ptr_nonnull(text);
	p = text + sprintf(text, "%*s", 12, "");
	for (cpu = 0; cpu < nr_cpus; cpu++)
		p += sprintf(p, "CPU%-8u", cpu);
	*p++ = '\n';
	for (i = 0; i < n_irqs; i++) {
		p += sprintf(p, "%4u:", i);
		for (cpu = 0; cpu < nr_cpus; cpu++)
			p += sprintf(p, " %10u",
				     cpu == i % nr_cpus ? i * 7919 + 1 : 0);
		p += sprintf(p, "  chip     %4u-edge      name%u\n", i, i);
	}
	*len = (size_t)(p - text);
	return text;
}

static void expect_large(uint32_t nr_cpus, uint32_t n_irqs)
{
	static uint64_t mask[1024];
	size_t len, expected_len;
	char *text, *expected, name[16];
	uint32_t i;

	memset(mask, 0xff, sizeof(mask));
	counters = stream_header(IRQBIN_WINDOW_COUNTERS);
	stream_head(counters)->nr_cpu_ids = nr_cpus;
	stream_head(counters)->nr_cpus_online = nr_cpus;
	stream_online(counters, mask, nr_cpus / 64);
	descriptors = stream_descs();
	stream_layout(descriptors, new);
	for (i = 0; i < n_irqs; i++) {
		sprintf(name, "name%u", i);
		irq(i, HWIRQ, i, STRINGS("chip", "edge", name));
		stream_irq(counters, i, CELLS({ i % nr_cpus, i * 7919 + 1 }));
	}
	load();
	text = render(&len);
	expected = simple_text(nr_cpus, n_irqs, &expected_len);
	ck_assert_uint_eq(len, expected_len);
	ck_assert(!memcmp(text, expected, len));
	free(text);
	free(expected);
}

START_TEST(text_larger_than_the_buffer)
{
	expect_large(64, 2000);
}
END_TEST

START_TEST(row_larger_than_the_buffer)
{
	expect_large(32768, 3);
}
END_TEST

/* What makes the text impossible. */

static void refuse(const char *reason)
{
	const char *why;

	load();
	why = text_why_not(&descs.pub, &snap.pub);
	ck_assert_ptr_nonnull(why);
	ck_assert_str_eq(why, reason);
}

START_TEST(layout_unknown)
{
	start(old);
	stream_head(descriptors)->flags |= IRQBIN_F_LAYOUT_UNKNOWN;
	refuse("the layout is unknown");
}
END_TEST

START_TEST(layout_flag_unknown)
{
	struct irqbin_layout layout = new;

	layout.flags |= 4;
	start(layout);
	refuse("the layout has an unknown flag");
}
END_TEST

START_TEST(counts_of_64_bits)
{
	start(old);
	stream_head(counters)->flags = 0;
	refuse("the counts are not of 32 bits");
}
END_TEST

START_TEST(name_truncated)
{
	start(old);
	irq(1, SHOWN | IRQBIN_DESC_TRUNCATED, 0, STRINGS("c", "f"));
	refuse("a name is not complete");
}
END_TEST

START_TEST(name_unreadable)
{
	start(old);
	irq(1, SHOWN | IRQBIN_DESC_UNREADABLE, 0, STRINGS("c", "f"));
	refuse("a name is not readable");
}
END_TEST

START_TEST(descriptor_flag_unknown)
{
	start(old);
	irq(1, SHOWN | 0x400, 0, STRINGS("c", "f"));
	refuse("a descriptor has an unknown flag");
}
END_TEST

START_TEST(chip_missing)
{
	start(old);
	irq(1, SHOWN, 0, STRINGS(NULL, "f"));
	refuse("a name is missing");
}
END_TEST

START_TEST(label_missing)
{
	start(old);
	x86(1, SHOWN, NULL, "");
	refuse("a name is missing");
}
END_TEST

START_TEST(tail_missing)
{
	start(old);
	x86(1, SHOWN, "NMI", NULL);
	refuse("a name is missing");
}
END_TEST

START_TEST(counter_unavailable)
{
	start(old);
	x86(IRQBIN_X86_ERR, SHOWN | IRQBIN_DESC_SINGLE, "ERR", "");
	stream_x86(counters, IRQBIN_X86_ERR, IRQBIN_CNT_UNAVAILABLE, NULL, 0);
	refuse("a counter is not available");
}
END_TEST

START_TEST(counter_flag_unknown)
{
	start(old);
	x86(IRQBIN_X86_NMI, SHOWN, "NMI", "");
	stream_x86(counters, IRQBIN_X86_NMI, 0x10, CELLS({ 0, 1 }));
	refuse("a counter has an unknown flag");
}
END_TEST

START_TEST(counter_without_cpu_in_a_row_of_cpus)
{
	start(old);
	x86(IRQBIN_X86_NMI, SHOWN, "NMI", "");
	stream_x86(counters, IRQBIN_X86_NMI, 0, CELLS({ IRQBIN_CPU_NONE, 1 }));
	refuse("a counter has no CPU");
}
END_TEST

START_TEST(interrupt_without_cpu)
{
	start(old);
	irq(1, SHOWN | IRQBIN_DESC_SINGLE, 0, STRINGS("c", "f"));
	stream_irq(counters, 1, CELLS({ IRQBIN_CPU_NONE, 1 }));
	refuse("a counter has no CPU");
}
END_TEST

START_TEST(what_is_not_shown_is_no_hindrance)
{
	start(old);
	irq(1, IRQBIN_DESC_TRUNCATED | IRQBIN_DESC_UNREADABLE | 0x400, 0,
	    STRINGS(NULL, NULL));
	x86(IRQBIN_X86_MCE, 0, NULL, NULL);
	stream_x86(counters, IRQBIN_X86_MCE, IRQBIN_CNT_UNAVAILABLE, NULL, 0);
	expect("           CPU0       CPU2       \n");
}
END_TEST

/* What does not belong together. */

START_TEST(generations_differ)
{
	start(old);
	stream_head(counters)->generation = 4;
	load();
	ck_assert(!text_is_coherent(&descs.pub, &snap.pub));
}
END_TEST

START_TEST(interrupt_without_descriptor)
{
	start(old);
	stream_irq(counters, 1, CELLS({ 0, 1 }));
	load();
	ck_assert(!text_is_coherent(&descs.pub, &snap.pub));
}
END_TEST

START_TEST(interrupt_of_another_instance)
{
	start(old);
	irq(1, SHOWN, 0, STRINGS("c", "f"));
	stream_instance(counters, 1, 101, CELLS({ 0, 1 }));
	load();
	ck_assert(!text_is_coherent(&descs.pub, &snap.pub));
}
END_TEST

/* The buffer. */

static int slow_fd = -1;
static unsigned int slow_calls;

/* Writes to slow_fd take 1000 bytes at most, every third is interrupted. */
ssize_t write(int fd, const void *bytes, size_t n)
{
	if (fd == slow_fd && ++slow_calls % 3 == 0) {
		errno = EINTR;
		return -1;
	}
	if (fd == slow_fd && n > 1000)
		n = 1000;
	return syscall(SYS_write, fd, bytes, n);
}

START_TEST(short_writes_are_continued)
{
	int fd = memfd_create("slow", MFD_CLOEXEC);
	static char bytes[300000], back[300000];
	struct output out;
	size_t i, at;
	char *to;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 31 >> 3);
	ck_assert_int_eq(output_init(&out, fd), 0);
	slow_fd = fd;
	for (at = 0; at < 300000; at += 100000) {
		to = output_begin(&out, 100000);
		ck_assert_ptr_nonnull(to);
		memcpy(to, bytes + at, 100000);
		output_end(&out, to + 100000);
	}
	ck_assert_int_eq(output_flush(&out), 0);
	slow_fd = -1;
	ck_assert_uint_gt(slow_calls, 300);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), sizeof(bytes));
	ck_assert_int_eq(pread(fd, back, sizeof(back), 0), sizeof(back));
	ck_assert(!memcmp(back, bytes, sizeof(bytes)));
	output_free(&out);
	close(fd);
}
END_TEST

START_TEST(failed_write_is_an_error)
{
	struct output out;

	start(old);
	load();
	ck_assert_int_eq(output_init(&out, -1), 0);
	ck_assert_int_eq(text_write(&descs.pub, &snap.pub, &out), 0);
	assert_errno(output_flush(&out), -1, EBADF);
	output_free(&out);
}
END_TEST

START_TEST(digits_are_those_of_printf)
{
	char digits[DIGITS_MAX + 1] = "", expected[DIGITS_MAX + 1], *from;
	uint64_t n = 0, step;

	for (step = 1; step; step <<= 1) {
		for (n = step - 2; n != step + 3; n++) {
			from = digits_before(digits + DIGITS_MAX, n);
			snprintf(expected, sizeof(expected), "%llu",
				 (unsigned long long)n);
			ck_assert_str_eq(from, expected);
		}
	}
	for (n = 0; n < 20000; n++) {
		from = digits_before(digits + DIGITS_MAX, n);
		ck_assert_uint_eq(strtoull(from, NULL, 10), n);
	}
}
END_TEST

static Suite *text_layout_suite(void)
{
	const TTest *const layouts[] = {
		layout_of_6_1,
		layout_of_6_1_with_1000_interrupts,
		layout_of_5_10_has_hwirq_of_32_bits,
		layout_of_6_1_has_hwirq_of_64_bits,
		layout_of_6_18,
		layout_of_7_1_has_a_label_wider_than_its_column,
		layout_of_7_3,
		layout_of_7_3_with_wide_chips,
		chip_printed_by_its_driver_has_no_padding,
		names_are_set_as_they_are,
		text_zero_row_shows_no_count,
		shown_online_needs_a_count_of_an_online_cpu,
		shown_counted_needs_a_count_of_any_cpu,
		cpu_numbers_of_many_digits,
		text_larger_than_the_buffer,
		row_larger_than_the_buffer,
		NULL
	};
	const TTest *const impossible[] = {
		layout_unknown,
		layout_flag_unknown,
		counts_of_64_bits,
		name_truncated,
		name_unreadable,
		descriptor_flag_unknown,
		chip_missing,
		label_missing,
		tail_missing,
		counter_unavailable,
		counter_flag_unknown,
		counter_without_cpu_in_a_row_of_cpus,
		interrupt_without_cpu,
		what_is_not_shown_is_no_hindrance,
		NULL
	};
	const TTest *const incoherent[] = {
		generations_differ,
		interrupt_without_descriptor,
		interrupt_of_another_instance,
		NULL
	};
	const TTest *const output[] = {
		short_writes_are_continued,
		failed_write_is_an_error,
		digits_are_those_of_printf,
		NULL
	};
	Suite *suite = suite_create("text_layout");

	suite_add(suite, "layouts", layouts);
	suite_add(suite, "impossible", impossible);
	suite_add(suite, "incoherent", incoherent);
	suite_add(suite, "output", output);
	return suite;
}

UNIT_SUITE(text_layout_suite);
