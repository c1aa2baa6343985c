/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The counter window: what it gives, and each reason to refuse it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "stream.h"
#include "suite.h"

static struct snapshot snap;
static uint64_t desc_offset;

/* From memory of exactly that size. */
static int decode_bytes(const struct stream *s, size_t len)
{
	void *copy = stream_copy(s, len);
	int ret = decode_counters(copy, len, &snap, &desc_offset);

	free(copy);
	return ret;
}

static int decode(const struct stream *s)
{
	return decode_bytes(s, stream_len(s));
}

static void refuse(const struct stream *s, int error)
{
	desc_offset = 42;
	assert_errno(decode(s), -1, error);
	ck_assert_uint_eq(desc_offset, 42);
}

/* CPUs 0 to 3, of which 2 is offline; records: ONLINE, IRQ 5, X86 LOC, END. */
static struct stream *plain(void)
{
	struct stream *s = stream_counters(4, 0xb);

	stream_irq(s, 5, CELLS({ 0, 10 }, { 3, 20 }));
	stream_x86(s, IRQBIN_X86_LOC, 0, CELLS({ 1, 7 }));
	stream_end(s);
	return s;
}

START_TEST(header_fields_reach_the_snapshot)
{
	ck_assert_int_eq(decode(plain()), 0);
	ck_assert_uint_eq(snap.pub.time_ns, 1000000007);
	ck_assert_uint_eq(snap.pub.duration_ns, 250000);
	ck_assert_uint_eq(snap.pub.sequence, 7);
	ck_assert_uint_eq(snap.pub.generation, 3);
	ck_assert(snap.pub.generation_exact);
	ck_assert_uint_eq(snap.pub.count_bits, 32);
	ck_assert_uint_eq(snap.pub.nr_cpu_ids, 4);
	ck_assert_uint_eq(desc_offset, IRQBIN_DESC_OFFSET);
}
END_TEST

START_TEST(generation_inexact_is_told)
{
	struct stream *s = plain();

	stream_head(s)->flags |= IRQBIN_F_GENERATION_INEXACT;
	ck_assert_int_eq(decode(s), 0);
	ck_assert(!snap.pub.generation_exact);
}
END_TEST

START_TEST(counts_not_of_32_bits_are_told)
{
	struct stream *s = plain();

	stream_head(s)->flags = 0;
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.count_bits, 64);
}
END_TEST

START_TEST(rows_and_entries_are_parallel_arrays)
{
	const struct irqstat_row *rows;

	ck_assert_int_eq(decode(plain()), 0);
	rows = snap.pub.rows;
	ck_assert_uint_eq(snap.pub.n_rows, 2);
	ck_assert_uint_eq(snap.pub.n_entries, 3);
	ck_assert_uint_eq(rows[0].kind, IRQSTAT_IRQ);
	ck_assert_uint_eq(rows[0].id, 5);
	ck_assert_uint_eq(rows[0].first, 0);
	ck_assert_uint_eq(rows[0].n, 2);
	ck_assert_uint_eq(rows[0].total, 30);
	ck_assert_uint_eq(rows[1].kind, IRQSTAT_X86);
	ck_assert_uint_eq(rows[1].id, IRQSTAT_X86_LOC);
	ck_assert_uint_eq(rows[1].first, 2);
	ck_assert_uint_eq(rows[1].n, 1);
	ck_assert_uint_eq(snap.pub.cpu[1], 3);
	ck_assert_uint_eq(snap.pub.count[1], 20);
	ck_assert_uint_eq(snap.pub.cpu[2], 1);
	ck_assert_uint_eq(snap.pub.count[2], 7);
}
END_TEST

START_TEST(total_is_summed_in_64_bits)
{
	struct stream *s = stream_counters(3, 0x7);

	stream_irq(s, 0, CELLS({ 0, 4294967295U }, { 1, 4294967295U },
			       { 2, 4294967295U }));
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.rows[0].total, 12884901885U);
}
END_TEST

START_TEST(offline_cpu_keeps_its_count)
{
	struct stream *s = stream_counters(4, 0xb);

	stream_irq(s, 5, CELLS({ 2, 99 }));
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert(!irqstat_snapshot_is_online(&snap.pub, 2));
	ck_assert_uint_eq(snap.pub.cpu[0], 2);
	ck_assert_uint_eq(snap.pub.count[0], 99);
}
END_TEST

START_TEST(online_mask_spans_words)
{
	const uint64_t mask[] = { 1, 0, 5 };
	struct stream *s = stream_header(IRQBIN_WINDOW_COUNTERS);

	stream_head(s)->nr_cpu_ids = 131;
	stream_head(s)->nr_cpus_online = 3;
	stream_online(s, mask, 3);
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.n_online, 3);
	ck_assert(irqstat_snapshot_is_online(&snap.pub, 0));
	ck_assert(!irqstat_snapshot_is_online(&snap.pub, 1));
	ck_assert(irqstat_snapshot_is_online(&snap.pub, 128));
	ck_assert(!irqstat_snapshot_is_online(&snap.pub, 129));
	ck_assert(irqstat_snapshot_is_online(&snap.pub, 130));
	ck_assert(!irqstat_snapshot_is_online(&snap.pub, 131));
	ck_assert(!irqstat_snapshot_is_online(&snap.pub, UINT32_MAX));
}
END_TEST

START_TEST(instance_is_of_the_record_or_the_base)
{
	struct stream *s = stream_counters(1, 1);

	stream_irq(s, 1, CELLS({ 0, 1 }));
	stream_instance(s, 2, 77, CELLS({ 0, 1 }));
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.rows[0].instance, 100);
	ck_assert_uint_eq(snap.pub.rows[1].instance, 77);
	ck_assert_uint_eq(snap.pub.rows[1].n, 1);
	ck_assert_uint_eq(snap.pub.rows[1].flags, 0);
}
END_TEST

START_TEST(row_flags_are_passed_on)
{
	struct stream *s = stream_counters(1, 1);

	stream_cells(s, IRQBIN_REC_IRQ, IRQBIN_CNT_TEXT_ZERO, 1,
		     CELLS({ 0, 1 }));
	stream_x86(s, 19, IRQBIN_CNT_CACHED,
		   CELLS({ IRQBIN_CPU_NONE, 3 }));
	stream_x86(s, 20, IRQBIN_CNT_UNAVAILABLE, NULL, 0);
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.rows[0].flags, IRQSTAT_ROW_TEXT_ZERO);
	ck_assert_uint_eq(snap.pub.rows[1].flags, IRQSTAT_ROW_CACHED);
	ck_assert_uint_eq(snap.pub.rows[2].flags, IRQSTAT_ROW_UNAVAILABLE);
	ck_assert_uint_eq(snap.pub.rows[2].n, 0);
	ck_assert_uint_eq(snap.pub.rows[2].total, 0);
}
END_TEST

START_TEST(cached_zero_has_a_row)
{
	struct stream *s = stream_counters(1, 1);

	stream_x86(s, IRQBIN_X86_MIS, IRQBIN_CNT_CACHED, NULL, 0);
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.n_rows, 1);
	ck_assert_uint_eq(snap.pub.rows[0].n, 0);
	ck_assert_uint_eq(snap.pub.n_entries, 0);
}
END_TEST

/* What a newer minor version may add. */

START_TEST(unknown_records_are_skipped_anywhere)
{
	struct stream *s = stream_header(IRQBIN_WINDOW_COUNTERS);
	const uint64_t mask = 1;

	stream_add(s, 99, 0, 1, 2);
	stream_online(s, &mask, 1);
	stream_add(s, 5, 0xff, 0, 0);
	stream_irq(s, 5, CELLS({ 0, 1 }));
	stream_add(s, 15, 0, 0, 1);
	stream_add(s, 19, 0, 0, 1);
	stream_add(s, 255, 0, 0, 1);
	stream_add(s, 0, 0, 0, 1);
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.n_rows, 1);
}
END_TEST

START_TEST(longer_header_is_accepted)
{
	struct stream *s = stream_header(IRQBIN_WINDOW_COUNTERS);
	const uint64_t mask = 1;

	s->words[s->n_words++] = 0xffffffffffffffffU;
	s->words[s->n_words++] = 0x0102030405060708U;
	stream_head(s)->header_words = 18;
	stream_online(s, &mask, 1);
	stream_irq(s, 5, CELLS({ 0, 1 }));
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.rows[0].id, 5);
}
END_TEST

START_TEST(longer_end_is_accepted)
{
	struct stream *s = stream_counters(1, 1);

	stream_add(s, IRQBIN_REC_END, 0, 0, 3)[0] = 7;
	stream_close(s);
	ck_assert_int_eq(decode(s), 0);
}
END_TEST

START_TEST(newer_minor_and_unknown_flags_are_accepted)
{
	struct stream *s = plain();

	stream_head(s)->version_minor = 65535;
	stream_head(s)->flags |= 0xfffffff0;
	stream_head(s)->reserved0 = 1;
	stream_head(s)->reserved[4] = 1;
	stream_record(s, 1)->flags = 0xf0;
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(snap.pub.rows[0].flags, 0xf0);
	ck_assert_uint_eq(snap.pub.stream_major, 1);
	ck_assert_uint_eq(snap.pub.stream_minor, 65535);
}
END_TEST

/* One reason to refuse each: what is valid in s is made not to be. */

#define REFUSED(name, error, breakage)					\
	START_TEST(name)						\
	{								\
		struct stream *s = plain();				\
									\
		breakage;						\
		refuse(s, error);					\
	}								\
	END_TEST

#define MALFORMED(name, breakage) REFUSED(name, EBADMSG, breakage)

/* As above, of a stream not yet ended. */
#define MALFORMED_RECORDS(name, additions)				\
	START_TEST(name)						\
	{								\
		struct stream *s = stream_counters(4, 0xb);		\
									\
		additions;						\
		stream_end(s);						\
		refuse(s, EBADMSG);					\
	}								\
	END_TEST

MALFORMED(magic_wrong, stream_head(s)->magic ^= 1)
REFUSED(magic_swapped, EPROTONOSUPPORT,
	stream_head(s)->magic = __builtin_bswap32(IRQBIN_MAGIC))
REFUSED(major_newer, EPROTONOSUPPORT, stream_head(s)->version_major = 2)
REFUSED(major_zero, EPROTONOSUPPORT, stream_head(s)->version_major = 0)
MALFORMED(window_other, stream_head(s)->window = IRQBIN_WINDOW_DESCRIPTORS)
MALFORMED(header_too_short, stream_head(s)->header_words = 15;
	  stream_head(s)->n_records++)
MALFORMED(header_beyond_window, stream_head(s)->header_words = 65535)
MALFORMED(window_bytes_less_than_records, stream_head(s)->window_bytes -= 8)
MALFORMED(window_bytes_more_than_records, stream_head(s)->window_bytes += 8)
MALFORMED(window_bytes_less_than_header, stream_head(s)->window_bytes = 120)
MALFORMED(window_bytes_zero, stream_head(s)->window_bytes = 0)
MALFORMED(window_bytes_enormous,
	  stream_head(s)->window_bytes = 0xfffffffffffffff8U)
MALFORMED(n_records_one_less, stream_head(s)->n_records--)
MALFORMED(n_records_one_more, stream_head(s)->n_records++)
MALFORMED(n_records_enormous, stream_head(s)->n_records = UINT32_MAX)
MALFORMED(desc_offset_inside_window, stream_head(s)->desc_offset = 64)
MALFORMED(desc_offset_enormous, stream_head(s)->desc_offset = UINT64_MAX - 7)
MALFORMED(nr_cpu_ids_zero, stream_head(s)->nr_cpu_ids = 0)
MALFORMED(nr_cpu_ids_enormous, stream_head(s)->nr_cpu_ids = UINT32_MAX)
MALFORMED(nr_cpus_online_one_less, stream_head(s)->nr_cpus_online--)
MALFORMED(nr_cpus_online_one_more, stream_head(s)->nr_cpus_online++)
MALFORMED(record_beyond_window, stream_record(s, 3)->n_words = 2)
MALFORMED(record_longest_beyond_window, stream_record(s, 1)->n_words = 65535)
MALFORMED(online_with_id, stream_record(s, 0)->id = 1)
MALFORMED(online_mask_of_impossible_cpu,
	  *(uint64_t *)(stream_record(s, 0) + 1) = 0x1a)
MALFORMED(end_with_id, stream_record(s, 3)->id = 1)
MALFORMED(end_of_other_sequence, stream_head(s)->sequence++)
MALFORMED(cell_count_zero,
	  ((struct irqbin_count *)(stream_record(s, 1) + 1))[1].count = 0)
MALFORMED(cell_cpu_impossible,
	  ((struct irqbin_count *)(stream_record(s, 1) + 1))[1].cpu = 4)
MALFORMED(cell_cpu_impossible_and_alone,
	  ((struct irqbin_count *)(stream_record(s, 2) + 1))[0].cpu = 4)
MALFORMED(cell_cpu_twice,
	  ((struct irqbin_count *)(stream_record(s, 1) + 1))[1].cpu = 0)
MALFORMED(cell_cpus_falling,
	  ((struct irqbin_count *)(stream_record(s, 1) + 1))[0].cpu = 3;
	  ((struct irqbin_count *)(stream_record(s, 1) + 1))[1].cpu = 1)
MALFORMED(cell_no_cpu_before_others,
	  ((struct irqbin_count *)(stream_record(s, 1) + 1))[0].cpu =
		  IRQBIN_CPU_NONE)
MALFORMED(cell_no_cpu_among_others,
	  ((struct irqbin_count *)(stream_record(s, 1) + 1))[1].cpu =
		  IRQBIN_CPU_NONE)

MALFORMED_RECORDS(irq_empty, stream_irq(s, 1, NULL, 0))
MALFORMED_RECORDS(irq_instance_missing,
		  stream_add(s, IRQBIN_REC_IRQ, IRQBIN_CNT_INSTANCE, 1, 0))
MALFORMED_RECORDS(irq_instance_without_cells,
		  stream_instance(s, 1, 5, NULL, 0))
MALFORMED_RECORDS(x86_empty, stream_x86(s, 1, 0, NULL, 0))
MALFORMED_RECORDS(x86_unavailable_with_count,
		  stream_x86(s, 1, IRQBIN_CNT_UNAVAILABLE, CELLS({ 0, 1 })))
MALFORMED_RECORDS(irq_twice, stream_irq(s, 1, CELLS({ 0, 1 }));
		  stream_irq(s, 1, CELLS({ 1, 1 })))
MALFORMED_RECORDS(irqs_falling, stream_irq(s, 2, CELLS({ 0, 1 }));
		  stream_irq(s, 1, CELLS({ 1, 1 })))
MALFORMED_RECORDS(x86_twice, stream_x86(s, 2, 0, CELLS({ 0, 1 }));
		  stream_x86(s, 2, 0, CELLS({ 1, 1 })))
MALFORMED_RECORDS(x86_falling, stream_x86(s, 2, 0, CELLS({ 0, 1 }));
		  stream_x86(s, 1, 0, CELLS({ 1, 1 })))
MALFORMED_RECORDS(irq_behind_x86, stream_x86(s, 2, 0, CELLS({ 0, 1 }));
		  stream_irq(s, 9, CELLS({ 1, 1 })))
MALFORMED_RECORDS(online_twice,
		  stream_online(s, (const uint64_t[]){ 0xb }, 1))
MALFORMED_RECORDS(online_behind_irq, stream_irq(s, 2, CELLS({ 0, 1 }));
		  stream_online(s, (const uint64_t[]){ 0xb }, 1))
MALFORMED_RECORDS(layout_among_counters,
		  stream_add(s, IRQBIN_REC_LAYOUT, 0, 0, 2))
MALFORMED_RECORDS(irq_desc_among_counters,
		  stream_add(s, IRQBIN_REC_IRQ_DESC, 0, 0, 6))
MALFORMED_RECORDS(x86_desc_among_counters,
		  stream_add(s, IRQBIN_REC_X86_DESC, 0, 0, 2))
MALFORMED_RECORDS(end_twice,
		  stream_add(s, IRQBIN_REC_END, 0, 0, 1)[0] = 7)

START_TEST(record_behind_end)
{
	struct stream *s = stream_counters(1, 1);

	stream_add(s, IRQBIN_REC_END, 0, 0, 1)[0] = stream_head(s)->sequence;
	stream_add(s, 99, 0, 0, 0);
	stream_close(s);
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(bytes_behind_end)
{
	struct stream *s = plain();

	stream_add(s, 99, 0, 0, 0);
	s->n_records--;
	stream_close(s);
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(window_bytes_odd)
{
	struct stream *s = plain();

	stream_head(s)->window_bytes += 4;
	assert_errno(decode_bytes(s, stream_len(s) + 4), -1, EBADMSG);
}
END_TEST

START_TEST(n_records_far_less)
{
	struct stream *s = stream_counters(1, 1);
	uint32_t irq;

	for (irq = 0; irq < 2000; irq++)
		stream_irq(s, irq, CELLS({ 0, 1 }));
	stream_end(s);
	stream_head(s)->n_records = 2;
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(last_record_beyond_window)
{
	struct stream *s = stream_counters(2, 3);

	stream_irq(s, 1, CELLS({ 0, 1 }));
	stream_record(s, 1)->n_words = 2;
	stream_close(s);
	refuse(s, EBADMSG);
}
END_TEST

static struct stream *of_nr_cpu_ids(uint32_t n)
{
	static uint64_t mask[(1 << 14) + 1];
	struct stream *s = stream_header(IRQBIN_WINDOW_COUNTERS);

	mask[0] = 1;
	stream_head(s)->nr_cpu_ids = n;
	stream_online(s, mask, (n + 63) / 64);
	stream_end(s);
	return s;
}

START_TEST(nr_cpu_ids_of_a_million)
{
	ck_assert_int_eq(decode(of_nr_cpu_ids(1 << 20)), 0);
	refuse(of_nr_cpu_ids((1 << 20) + 1), EBADMSG);
}
END_TEST

START_TEST(end_missing)
{
	struct stream *s = stream_counters(1, 1);

	stream_irq(s, 1, CELLS({ 0, 1 }));
	stream_close(s);
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(end_empty)
{
	struct stream *s = stream_counters(1, 1);

	stream_add(s, IRQBIN_REC_END, 0, 0, 0);
	stream_close(s);
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(online_missing)
{
	struct stream *s = stream_header(IRQBIN_WINDOW_COUNTERS);

	stream_irq(s, 1, CELLS({ 0, 1 }));
	stream_end(s);
	refuse(s, EBADMSG);
}
END_TEST

static void refuse_online_of(size_t n_words)
{
	const uint64_t mask[] = { 1, 0, 0 };
	struct stream *s = stream_header(IRQBIN_WINDOW_COUNTERS);

	stream_head(s)->nr_cpu_ids = 65;
	stream_online(s, mask, n_words);
	stream_end(s);
	refuse(s, EBADMSG);
}

START_TEST(online_too_short)
{
	refuse_online_of(1);
}
END_TEST

START_TEST(online_too_long)
{
	refuse_online_of(3);
}
END_TEST

START_TEST(online_none)
{
	struct stream *s = stream_counters(4, 0);

	stream_end(s);
	refuse(s, EBADMSG);
}
END_TEST

static Suite *decode_suite(void)
{
	const TTest *const tests[] = {
		header_fields_reach_the_snapshot,
		generation_inexact_is_told,
		counts_not_of_32_bits_are_told,
		rows_and_entries_are_parallel_arrays,
		total_is_summed_in_64_bits,
		offline_cpu_keeps_its_count,
		online_mask_spans_words,
		instance_is_of_the_record_or_the_base,
		row_flags_are_passed_on,
		cached_zero_has_a_row,
		unknown_records_are_skipped_anywhere,
		longer_header_is_accepted,
		longer_end_is_accepted,
		newer_minor_and_unknown_flags_are_accepted,
		magic_wrong,
		magic_swapped,
		major_newer,
		major_zero,
		window_other,
		header_too_short,
		header_beyond_window,
		window_bytes_odd,
		window_bytes_less_than_records,
		window_bytes_more_than_records,
		window_bytes_less_than_header,
		window_bytes_zero,
		window_bytes_enormous,
		n_records_one_less,
		n_records_one_more,
		n_records_enormous,
		desc_offset_inside_window,
		desc_offset_enormous,
		nr_cpu_ids_zero,
		nr_cpu_ids_enormous,
		nr_cpus_online_one_less,
		nr_cpus_online_one_more,
		record_beyond_window,
		record_longest_beyond_window,
		online_with_id,
		online_mask_of_impossible_cpu,
		end_with_id,
		end_of_other_sequence,
		cell_count_zero,
		cell_cpu_impossible,
		cell_cpu_impossible_and_alone,
		cell_cpu_twice,
		cell_cpus_falling,
		cell_no_cpu_before_others,
		cell_no_cpu_among_others,
		irq_empty,
		irq_instance_missing,
		irq_instance_without_cells,
		x86_empty,
		x86_unavailable_with_count,
		irq_twice,
		irqs_falling,
		x86_twice,
		x86_falling,
		irq_behind_x86,
		online_twice,
		online_behind_irq,
		layout_among_counters,
		irq_desc_among_counters,
		x86_desc_among_counters,
		end_twice,
		record_behind_end,
		bytes_behind_end,
		n_records_far_less,
		last_record_beyond_window,
		nr_cpu_ids_of_a_million,
		end_missing,
		end_empty,
		online_missing,
		online_too_short,
		online_too_long,
		online_none,
		NULL
	};
	Suite *suite = suite_create("decode");

	suite_add(suite, "counters", tests);
	return suite;
}

UNIT_SUITE(decode_suite);
