/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Text as a source: how it is read, and what of it is kept between samples. */
#define _GNU_SOURCE

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../libirqstat/internal.h"
#include "fake.h"
#include "render.h"
#include "suite.h"

#define CPUS_1 "           CPU0       \n"
#define CPUS_2 "           CPU0       CPU1       \n"
#define CPUS_3 "           CPU0       CPU1       CPU2       \n"
#define NMI_2 "NMI:          0          4   Non-maskable interrupts\n"
#define LOC_2 "LOC:          3          4   Local timer interrupts\n"

static struct irqstat *is;

static void setup(void)
{
	is = irqstat_fdopen(fake_open());
	ck_assert_ptr_nonnull(is);
}

static void teardown(void)
{
	irqstat_close(is);
}

static void give(const char *text)
{
	fake.n_snapshots = 0;
	fake.at = 0;
	fake_add(stream_text(text));
}

static const struct irqstat_snapshot *read_text(const char *text)
{
	give(text);
	ck_assert_int_eq(irqstat_read(is), 0);
	return irqstat_snapshot_get(is);
}

static const char *rendered(void)
{
	const struct irqstat_descs *descs = irqstat_descs_get(is);

	ck_assert_ptr_nonnull(descs);
	return render(irqstat_snapshot_get(is), descs);
}

static void expect(const char *text, const char *want)
{
	read_text(text);
	ck_assert_str_eq(rendered(), want);
}

START_TEST(source_is_known_from_the_first_read_on)
{
	ck_assert_int_eq(irqstat_source_get(is), 0);
	ck_assert_uint_eq(read_text(CPUS_2 LOC_2)->source, IRQSTAT_SOURCE_TEXT);
	ck_assert_int_eq(irqstat_source_get(is), IRQSTAT_SOURCE_TEXT);
	ck_assert_int_eq(irqstat_source_errno(is), 0);
}
END_TEST

START_TEST(descriptors_come_before_any_snapshot)
{
	const struct irqstat_descs *descs;

	give(CPUS_2 LOC_2);
	descs = irqstat_descs_get(is);
	ck_assert_ptr_nonnull(descs);
	ck_assert_uint_eq(descs->n_descs, 1);
	ck_assert_ptr_null(irqstat_snapshot_get(is));
	ck_assert_uint_eq(read_text(CPUS_2 LOC_2)->generation, descs->generation);
	ck_assert_ptr_eq(irqstat_descs_get(is), descs);
}
END_TEST

START_TEST(descriptors_take_no_read)
{
	unsigned int n_calls;

	read_text(CPUS_2 LOC_2);
	n_calls = fake.n_calls;
	ck_assert_ptr_nonnull(irqstat_descs_get(is));
	ck_assert_ptr_nonnull(irqstat_descs_read(is));
	ck_assert_uint_eq(fake.n_calls, n_calls);
}
END_TEST

START_TEST(sample_is_two_calls)
{
	read_text(CPUS_2 LOC_2);
	fake.n_calls = 0;
	read_text(CPUS_2 LOC_2);
	ck_assert_uint_eq(fake.n_calls, 2);
}
END_TEST

START_TEST(short_reads_are_continued)
{
	static const size_t sizes[] = { 1, 7, 11, 64, 4096 };
	size_t i;

	for (i = 0; i < 5; i++) {
		fake.max = sizes[i];
		expect(CPUS_2 NMI_2 LOC_2,
		       "NMI \"Non-maskable interrupts\" 1:4\n"
		       "LOC \"Local timer interrupts\" 0:3 1:4\n");
	}
}
END_TEST

START_TEST(short_first_read_of_named_source_is_continued)
{
	is->source = &source_text;
	fake.max = 1;
	expect(CPUS_2 LOC_2, "LOC \"Local timer interrupts\" 0:3 1:4\n");
}
END_TEST

START_TEST(interrupted_calls_are_made_again)
{
	fake.n_eintr = 3;
	expect(CPUS_2 LOC_2, "LOC \"Local timer interrupts\" 0:3 1:4\n");
	ck_assert_uint_eq(fake.n_calls, 5);
}
END_TEST

START_TEST(error_in_mid_read_is_passed_on)
{
	const struct irqstat_snapshot *snap = read_text(CPUS_2 LOC_2);

	fake.error = EIO;
	assert_errno(irqstat_read(is), -1, EIO);
	ck_assert_ptr_eq(irqstat_snapshot_get(is), snap);
	fake.error = 0;
	expect(CPUS_2 LOC_2, "LOC \"Local timer interrupts\" 0:3 1:4\n");
}
END_TEST

START_TEST(empty_file_is_no_data)
{
	give("");
	assert_errno(irqstat_read(is), -1, ENODATA);
	is->source = &source_text;
	assert_errno(irqstat_read(is), -1, ENODATA);
}
END_TEST

START_TEST(other_source_is_malformed)
{
	is->source = &source_text;
	fake_add(stream_rich_counters());
	assert_errno(irqstat_read(is), -1, EBADMSG);
	is->source = &source_bin;
	give(CPUS_2 LOC_2);
	assert_errno(irqstat_read(is), -1, EBADMSG);
}
END_TEST

/* The length of a buffer, and those beside it, at every size that one may have. */
START_TEST(file_of_exactly_a_buffer)
{
	static char text[300000];
	size_t size, len, at;

	for (size = 4096; size <= 262144; size *= 2) {
		for (len = size - 1; len <= size + 1; len++) {
			at = (size_t)sprintf(text, CPUS_2 LOC_2 " 30:          5"
					     "          6   PCI-MSI 1-edge      ");
			memset(text + at, 'x', len - at);
			text[len - 1] = '\n';
			text[len] = '\0';
			ck_assert_uint_eq(read_text(text)->n_entries, 4);
			ck_assert_uint_eq(irqstat_descs_get(is)->descs[0].actions[0].len,
					  len - at - 1);
		}
	}
}
END_TEST

static char *put_header(char *to, unsigned int n_cpus)
{
	unsigned int cpu;

	to += sprintf(to, "%12s", "");
	for (cpu = 0; cpu < n_cpus; cpu++)
		to += sprintf(to, "CPU%-8u", cpu);
	return to + sprintf(to, "\n");
}

static char *put_row(char *to, unsigned int irq, unsigned int n_cpus, unsigned int count)
{
	to += sprintf(to, "%4u:", irq);
	while (n_cpus--)
		to += sprintf(to, " %10u", count);
	return to + sprintf(to, "  IR-PCI-MSI-0000:00:01.0  %4u-edge      queue-%u\n", irq, irq);
}

static void check_size(unsigned int n_cpus, unsigned int n_irqs)
{
	static char text[STREAM_MAX_WORDS * 8];
	const struct irqstat_snapshot *snap;
	char *to = put_header(text, n_cpus);
	unsigned int irq;

	for (irq = 0; irq < n_irqs; irq++)
		to = put_row(to, irq, n_cpus, irq + 1);
	snap = read_text(text);
	ck_assert_uint_eq(snap->n_rows, n_irqs);
	ck_assert_uint_eq(snap->n_online, n_cpus);
	ck_assert_uint_eq(snap->nr_cpu_ids, n_cpus);
	ck_assert_uint_eq(snap->n_entries, (size_t)n_cpus * n_irqs);
	for (irq = 0; irq < n_irqs; irq++)
		ck_assert_uint_eq(snap->rows[irq].total, (uint64_t)n_cpus * (irq + 1));
	ck_assert_uint_eq(irqstat_descs_get(is)->n_irqs, n_irqs);
}

START_TEST(machines_of_any_size)
{
	static const unsigned int cpus[] = {
		1, 2, 7, 8, 9, 31, 32, 33, 43, 63, 64, 65, 92, 128, 176, 1152, 1280, 4096, 8192
	};
	size_t i;

	for (i = 0; i < sizeof(cpus) / sizeof(*cpus); i++)
		check_size(cpus[i], 3);
	check_size(4, 1100);
	check_size(2, 1500);
}
END_TEST

START_TEST(actions_beyond_any_line)
{
	static char text[200000];
	size_t at = (size_t)sprintf(text, CPUS_1 " 30:          5   PCI-MSI 1-edge      a");
	size_t n;

	for (n = 1; at < sizeof(text) - 16; n++)
		at += (size_t)sprintf(text + at, ", a%zu", n);
	strcpy(text + at, "\n");
	read_text(text);
	ck_assert_uint_eq(irqstat_descs_get(is)->descs[0].n_actions, n);
}
END_TEST

/* CPUs and rows that come and go */

START_TEST(torn_text_is_read_again)
{
	fake_add(stream_text(CPUS_2 "LOC:          1   Local timer interrupts\n"));
	fake_add(stream_text(CPUS_2 "LOC:          1          2          3   Local\n"));
	fake_add(stream_text(CPUS_2 LOC_2));
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_str_eq(rendered(), "LOC \"Local timer interrupts\" 0:3 1:4\n");
	ck_assert_uint_eq(fake.n_calls, 6);
}
END_TEST

START_TEST(text_torn_for_ever_is_given_up)
{
	const struct irqstat_snapshot *snap = read_text(CPUS_2 LOC_2);

	give(CPUS_2 "LOC:          1   Local timer interrupts\n");
	fake.n_calls = 0;
	assert_errno(irqstat_read(is), -1, EBADMSG);
	ck_assert_uint_eq(fake.n_calls, 2 * READ_TRIES);
	ck_assert_ptr_eq(irqstat_snapshot_get(is), snap);
	ck_assert_uint_eq(snap->rows[0].total, 7);
	ck_assert_str_eq(rendered(), "LOC \"Local timer interrupts\" 0:3 1:4\n");
}
END_TEST

START_TEST(cpu_that_left_has_no_count)
{
	const struct irqstat_snapshot *snap;

	read_text(CPUS_3 "LOC:          1          2          3   Local timer interrupts\n");
	snap = read_text("           CPU0       CPU2       \n" LOC_2);
	ck_assert_uint_eq(snap->n_online, 2);
	ck_assert(!irqstat_snapshot_is_online(snap, 1));
	ck_assert(irqstat_snapshot_is_online(snap, 2));
	ck_assert_str_eq(rendered(), "LOC \"Local timer interrupts\" 0:3 2:4\n");
}
END_TEST

START_TEST(cpu_that_came_is_a_column)
{
	read_text(CPUS_2 LOC_2);
	expect(CPUS_3 "LOC:          1          2          3   Local timer interrupts\n",
	       "LOC \"Local timer interrupts\" 0:1 1:2 2:3\n");
}
END_TEST

START_TEST(counts_alone_do_not_move_the_generation)
{
	const struct irqstat_descs *descs;
	uint64_t generation = read_text(CPUS_2 LOC_2)->generation;

	descs = irqstat_descs_get(is);
	ck_assert_uint_eq(read_text(CPUS_2 "LOC:         30          0   Local timer "
				    "interrupts\n")->generation, generation);
	ck_assert_uint_eq(read_text(CPUS_2 "LOC: 4000000000 4000000000   Local timer "
				    "interrupts\n")->generation, generation);
	ck_assert_ptr_eq(irqstat_descs_get(is), descs);
}
END_TEST

START_TEST(names_move_the_generation)
{
	static const char *const texts[] = {
		CPUS_1 " 30:          1   PCI-MSI 1-edge      a\n",
		CPUS_1 " 30:          1   PCI-MSI 1-edge      b\n",
		CPUS_1 " 30:          1   PCI-MSI 1-edge      b, c\n",
		CPUS_1 " 30:          1   PCI-MSI 2-edge      b, c\n",
		CPUS_1 " 31:          1   PCI-MSI 2-edge      b, c\n",
		CPUS_1 " 30:          1   x\n 31:          1   PCI-MSI 2-edge      b, c\n",
		CPUS_1 " 31:          1   PCI-MSI 2-edge      b, c\n",
		CPUS_1,
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		ck_assert_uint_eq(read_text(texts[i])->generation, i + 1);
		ck_assert_uint_eq(irqstat_descs_get(is)->generation, i + 1);
	}
}
END_TEST

START_TEST(row_that_came_and_went)
{
	read_text(CPUS_1 "  1:          1   a\n  9:          2   b\n");
	expect(CPUS_1 "  1:          1   a\n  9:          2   b\n 24:          3   c\n",
	       "1 a 0:1\n9 b 0:2\n24 c 0:3\n");
	expect(CPUS_1 "  1:          1   a\n 24:          3   c\n", "1 a 0:1\n24 c 0:3\n");
}
END_TEST

static uint32_t id_of(const char *label, size_t nth)
{
	const struct irqstat_descs *descs = irqstat_descs_get(is);
	size_t i;

	for (i = 0; i < descs->n_descs; i++) {
		if (!strcmp(descs->descs[i].label.bytes, label) && !nth--)
			return descs->descs[i].id;
	}
	ck_abort_msg("%s is not there", label);
	return 0;
}

START_TEST(named_rows_keep_their_ids)
{
	uint32_t ipi, second, err;

	read_text(CPUS_1 "IPI:          1   a\nIPI:          2   b\nErr:          0\n");
	ipi = id_of("IPI", 0);
	second = id_of("IPI", 1);
	err = id_of("Err", 0);
	ck_assert_uint_ne(ipi, second);
	ck_assert_uint_ne(second, err);
	read_text(CPUS_1 "NEW:          1   a\nErr:          0\nIPI:          2   b\n");
	ck_assert_uint_eq(id_of("Err", 0), err);
	ck_assert_uint_eq(id_of("IPI", 0), ipi);
	ck_assert_uint_gt(id_of("NEW", 0), err);
	read_text(CPUS_1 "IPI:          1   a\nIPI:          2   b\n");
	ck_assert_uint_eq(id_of("IPI", 1), second);
}
END_TEST

/* Whose rows they are */

static const struct irqstat_row *find(uint32_t kind, uint32_t id)
{
	return irqstat_snapshot_find(irqstat_snapshot_get(is), kind, id);
}

START_TEST(x86_rows_have_their_ids)
{
	read_text(CPUS_2 NMI_2 LOC_2
		  "ERR:          7\n"
		  "PIN:          0          9   Posted-interrupt notification event\n"
		  "XYZ:          0          9   Something new\n");
	ck_assert_uint_eq(find(IRQSTAT_X86, IRQSTAT_X86_NMI)->total, 4);
	ck_assert_uint_eq(find(IRQSTAT_X86, IRQSTAT_X86_LOC)->total, 7);
	ck_assert_uint_eq(find(IRQSTAT_X86, IRQSTAT_X86_ERR)->total, 7);
	ck_assert_uint_eq(find(IRQSTAT_X86, IRQSTAT_X86_PIN)->total, 9);
	ck_assert_uint_eq(find(IRQSTAT_NAMED, id_of("XYZ", 0))->total, 9);
}
END_TEST

START_TEST(rows_of_other_architectures_are_named)
{
	read_text(CPUS_2 NMI_2 "LOC:          3          4   Local timer interrupts for timer\n"
		  "SPU:          3          4   Spurious interrupts\n");
	ck_assert_uint_eq(find(IRQSTAT_NAMED, id_of("NMI", 0))->total, 4);
	ck_assert_uint_eq(find(IRQSTAT_NAMED, id_of("LOC", 0))->total, 7);
	ck_assert_uint_eq(find(IRQSTAT_NAMED, id_of("SPU", 0))->total, 7);
}
END_TEST

START_TEST(rows_are_put_in_order)
{
	const struct irqstat_snapshot *snap;

	snap = read_text(CPUS_2 " 30:          1          2  x\n"
			 "  7:          3          0  y\n" LOC_2 NMI_2
			 "PIN:          5          6  Posted-interrupt notification event\n"
			 "ERR:          0          8  PIC/APIC error interrupts\n");
	ck_assert_uint_eq(snap->n_rows, 6);
	ck_assert_uint_eq(snap->n_entries, 9);
	ck_assert_uint_eq(snap->rows[0].id, 7);
	ck_assert_uint_eq(snap->rows[1].id, 30);
	ck_assert_uint_eq(snap->rows[2].id, IRQSTAT_X86_NMI);
	ck_assert_uint_eq(snap->rows[3].id, IRQSTAT_X86_LOC);
	ck_assert_uint_eq(snap->rows[4].id, IRQSTAT_X86_ERR);
	ck_assert_uint_eq(snap->rows[5].id, IRQSTAT_X86_PIN);
	ck_assert_uint_eq(snap->count[0], 3);
	ck_assert_uint_eq(snap->count[6], 8);
	ck_assert_uint_eq(snap->cpu[6], 1);
	ck_assert_str_eq(irqstat_descs_get(is)->descs[2].label.bytes, "LOC");
}
END_TEST

START_TEST(softirqs_are_their_own_kind)
{
	read_text("                    CPU0       CPU1       \n"
		  "          HI:          0          7\n"
		  "       TIMER:          1          2\n"
		  "         RCU:          4          0\n");
	ck_assert_uint_eq(find(IRQSTAT_SOFTIRQ, 0)->total, 7);
	ck_assert_uint_eq(find(IRQSTAT_SOFTIRQ, 1)->total, 3);
	ck_assert_uint_eq(find(IRQSTAT_SOFTIRQ, 2)->total, 4);
	ck_assert_uint_eq(id_of("RCU", 0), 2);
}
END_TEST

START_TEST(aggregate_is_told_by_its_row)
{
	read_text(CPUS_1 "EXT:          7 \nCLK:          7   [EXT] Clock Comparator\n");
	ck_assert_uint_eq(find(IRQSTAT_NAMED, id_of("EXT", 0))->flags, IRQSTAT_ROW_AGGREGATE);
	ck_assert_uint_eq(find(IRQSTAT_NAMED, id_of("CLK", 0))->flags, 0);
}
END_TEST

/* What else a snapshot says */

START_TEST(wide_count_is_remembered)
{
	ck_assert_uint_eq(read_text(CPUS_1 "LOC: 4294967295   x\n")->count_bits, 32);
	ck_assert_uint_eq(read_text(CPUS_1 "LOC: 4294967296   x\n")->count_bits, 64);
	ck_assert_uint_eq(read_text(CPUS_1 "LOC:          1   x\n")->count_bits, 64);
}
END_TEST

START_TEST(sequence_rises)
{
	ck_assert_uint_eq(read_text(CPUS_2 LOC_2)->sequence, 1);
	ck_assert_uint_eq(read_text(CPUS_2 LOC_2)->sequence, 2);
}
END_TEST

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

START_TEST(times_are_those_of_the_read)
{
	uint64_t before = clock_ns(CLOCK_BOOTTIME), real = clock_ns(CLOCK_REALTIME);
	const struct irqstat_snapshot *snap = read_text(CPUS_2 LOC_2);

	ck_assert_uint_ge(snap->time_ns, before);
	ck_assert_uint_le(snap->time_ns + snap->duration_ns, clock_ns(CLOCK_BOOTTIME));
	ck_assert_uint_ge(snap->realtime_ns, real - 1000000000U);
	ck_assert_uint_le(snap->realtime_ns, clock_ns(CLOCK_REALTIME) + 1000000000U);
}
END_TEST

START_TEST(read_by_other_means_is_the_same)
{
	struct irqstat_io io;
	int ret;

	give(CPUS_2 LOC_2);
	do {
		ck_assert_int_eq(irqstat_read_prepare(is, &io), 0);
		ret = irqstat_read_complete(is, io_pread(&io), 123456789);
	} while (ret == 1);
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->time_ns, 123456789);
	ck_assert_str_eq(rendered(), "LOC \"Local timer interrupts\" 0:3 1:4\n");
}
END_TEST

START_TEST(steady_state_keeps_its_arrays)
{
	const struct irqstat_snapshot *snap;
	const struct irqstat_row *rows[2];
	const uint64_t *count[2];
	size_t i;

	for (i = 0; i < 6; i++) {
		snap = read_text(CPUS_2 NMI_2 LOC_2);
		if (i >= 4) {
			ck_assert_ptr_eq(snap->rows, rows[i % 2]);
			ck_assert_ptr_eq(snap->count, count[i % 2]);
		}
		rows[i % 2] = snap->rows;
		count[i % 2] = snap->count;
	}
}
END_TEST

static Suite *text_suite(void)
{
	const TTest *const reading[] = {
		source_is_known_from_the_first_read_on,
		descriptors_come_before_any_snapshot,
		descriptors_take_no_read,
		sample_is_two_calls,
		short_reads_are_continued,
		short_first_read_of_named_source_is_continued,
		interrupted_calls_are_made_again,
		error_in_mid_read_is_passed_on,
		empty_file_is_no_data,
		other_source_is_malformed,
		file_of_exactly_a_buffer,
		machines_of_any_size,
		actions_beyond_any_line,
		read_by_other_means_is_the_same,
		steady_state_keeps_its_arrays,
		NULL
	};
	const TTest *const changes[] = {
		torn_text_is_read_again,
		text_torn_for_ever_is_given_up,
		cpu_that_left_has_no_count,
		cpu_that_came_is_a_column,
		counts_alone_do_not_move_the_generation,
		names_move_the_generation,
		row_that_came_and_went,
		named_rows_keep_their_ids,
		NULL
	};
	const TTest *const rows[] = {
		x86_rows_have_their_ids,
		rows_of_other_architectures_are_named,
		rows_are_put_in_order,
		softirqs_are_their_own_kind,
		aggregate_is_told_by_its_row,
		wide_count_is_remembered,
		sequence_rises,
		times_are_those_of_the_read,
		NULL
	};
	Suite *suite = suite_create("text");

	suite_add_with(suite, "reading", reading, setup, teardown);
	suite_add_with(suite, "changes", changes, setup, teardown);
	suite_add_with(suite, "rows", rows, setup, teardown);
	return suite;
}

UNIT_SUITE(text_suite);
