/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* How a window is got: system calls, short reads, growth, errors. */
#define _GNU_SOURCE

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../libirqstat/internal.h"
#include "fake.h"
#include "suite.h"

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

/* One interrupt with this count on each of 64 * n_words CPUs. */
static struct stream *sized(uint32_t n_irqs, uint32_t count, uint64_t sequence)
{
	struct stream *s = stream_counters(64, ~0ULL);
	struct irqbin_count cells[64];
	uint32_t irq, cpu;

	for (cpu = 0; cpu < 64; cpu++)
		cells[cpu] = (struct irqbin_count){ cpu, count };
	for (irq = 0; irq < n_irqs; irq++)
		stream_irq(s, irq, cells, 64);
	stream_head(s)->sequence = sequence;
	stream_end(s);
	return s;
}

static const struct irqstat_snapshot *read_one(void)
{
	ck_assert_int_eq(irqstat_read(is), 0);
	return irqstat_snapshot_get(is);
}

START_TEST(sample_is_one_call)
{
	fake_add(sized(3, 5, 1));
	fake_add(sized(3, 6, 2));
	read_one();
	ck_assert_uint_eq(fake.n_calls, 1);
	ck_assert_uint_eq(read_one()->count[0], 6);
	ck_assert_uint_eq(fake.n_calls, 2);
}
END_TEST

START_TEST(window_larger_than_buffer_is_read_anew_by_one_call)
{
	fake_add(sized(500, 5, 1));
	fake_add(sized(500, 6, 2));
	fake_add(sized(500, 7, 3));
	fake_add(sized(500, 8, 4));
	ck_assert_uint_eq(read_one()->n_entries, 32000);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->count[0], 6);
	ck_assert_uint_eq(fake.n_calls, 2);
	ck_assert_uint_eq(read_one()->count[0], 7);
	ck_assert_uint_eq(fake.n_calls, 3);
}
END_TEST

START_TEST(window_that_grows_between_reads_is_whole)
{
	static const uint32_t sizes[] = { 1, 10, 120, 130, 300, 900 };
	size_t i;

	for (i = 0; i < 6; i++) {
		fake.n_snapshots = 0;
		fake.at = 0;
		fake_add(sized(sizes[i], 5, i + 1));
		ck_assert_uint_eq(read_one()->n_rows, sizes[i]);
		ck_assert_uint_eq(irqstat_snapshot_get(is)->sequence, i + 1);
	}
}
END_TEST

START_TEST(buffer_grows_no_faster_than_bytes_come)
{
	struct stream *s = sized(1, 5, 1);
	size_t i;

	stream_head(s)->window_bytes = IRQBIN_DESC_OFFSET;
	for (i = s->n_words; i < STREAM_MAX_WORDS; i++)
		s->words[i] = 0;
	s->n_words = STREAM_MAX_WORDS;
	fake_add(s);
	assert_errno(irqstat_read(is), -1, EBADMSG);
	ck_assert_uint_le(fake.most_asked, 4 * stream_len(s));
}
END_TEST

START_TEST(window_that_claims_too_much_is_refused_at_once)
{
	struct stream *s = sized(1, 5, 1);

	stream_head(s)->window_bytes = IRQBIN_DESC_OFFSET + 8;
	s->n_words = STREAM_MAX_WORDS;
	fake_add(s);
	assert_errno(irqstat_read(is), -1, EBADMSG);
	ck_assert_uint_eq(fake.n_calls, 1);
}
END_TEST

START_TEST(short_reads_are_continued)
{
	static const size_t sizes[] = { 1, 7, 8, 127, 128, 129, 4096 };
	size_t i;

	fake_add(sized(20, 5, 1));
	for (i = 0; i < 7; i++) {
		fake.max = sizes[i];
		ck_assert_uint_eq(read_one()->n_entries, 1280);
	}
}
END_TEST

START_TEST(window_that_fills_the_buffer_is_complete)
{
	fake_add(sized(126, 5, 1));
	ck_assert_uint_gt(stream_len(fake.snapshots[0]), 65536);
	read_one();
	fake.n_calls = 0;
	is->window.cap = stream_len(fake.snapshots[0]);
	read_one();
	ck_assert_uint_eq(fake.n_calls, 1);
}
END_TEST

START_TEST(interrupted_call_is_made_again)
{
	fake_add(sized(1, 5, 1));
	fake.n_eintr = 3;
	ck_assert_uint_eq(read_one()->n_rows, 1);
	ck_assert_uint_eq(fake.n_calls, 4);
}
END_TEST

START_TEST(torn_read_is_made_again)
{
	fake_add(sized(20, 5, 1));
	fake_add(sized(20, 6, 2));
	fake.max = 4096;
	fake.n_torn = 1;
	ck_assert_uint_eq(read_one()->sequence, 2);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->count[1279], 6);
}
END_TEST

START_TEST(read_that_loses_its_end_is_made_again)
{
	fake_add(sized(20, 5, 1));
	fake_add(sized(2, 6, 2));
	fake.max = 4096;
	fake.n_torn = 1;
	ck_assert_uint_eq(read_one()->n_rows, 2);
}
END_TEST

START_TEST(read_torn_for_ever_is_given_up)
{
	struct stream *a = sized(20, 5, 1), *b = sized(20, 6, 2);
	size_t i;

	for (i = 0; i < FAKE_MAX_SNAPSHOTS; i++)
		fake_add(i % 2 ? a : b);
	fake.max = 8192;
	fake.n_torn = FAKE_MAX_SNAPSHOTS;
	assert_errno(irqstat_read(is), -1, EBADMSG);
	ck_assert_uint_lt(fake.n_calls, 4 * READ_TRIES);
}
END_TEST

START_TEST(torn_by_one_call_is_malformed_at_once)
{
	struct stream *s = sized(1, 5, 1);

	stream_head(s)->sequence = 2;
	fake_add(s);
	assert_errno(irqstat_read(is), -1, EBADMSG);
	ck_assert_uint_eq(fake.n_calls, 1);
}
END_TEST

START_TEST(truncated_window_is_malformed)
{
	struct stream *s = sized(2, 5, 1);

	s->n_words--;
	fake_add(s);
	assert_errno(irqstat_read(is), -1, EBADMSG);
}
END_TEST

START_TEST(fewer_bytes_than_a_header_are_malformed)
{
	struct stream *s = sized(2, 5, 1);

	s->n_words = 15;
	fake_add(s);
	assert_errno(irqstat_read(is), -1, EBADMSG);
}
END_TEST

START_TEST(other_version_is_told_from_its_first_word)
{
	struct stream *s = sized(2, 5, 1);

	stream_head(s)->version_major = 2;
	s->n_words = 1;
	fake_add(s);
	assert_errno(irqstat_read(is), -1, EPROTONOSUPPORT);
}
END_TEST

START_TEST(empty_file_is_no_data)
{
	assert_errno(irqstat_read(is), -1, ENODATA);
}
END_TEST

START_TEST(empty_descriptor_window_is_no_data)
{
	fake_add(sized(1, 5, 1));
	ck_assert_int_eq(irqstat_read(is), 0);
	assert_errno(irqstat_descs_read(is), NULL, ENODATA);
}
END_TEST

START_TEST(error_of_the_call_is_passed_on)
{
	fake_add(sized(1, 5, 1));
	fake.error = EIO;
	assert_errno(irqstat_read(is), -1, EIO);
	assert_errno(irqstat_descs_read(is), NULL, EIO);
	ck_assert_uint_eq(fake.n_calls, 2);
}
END_TEST

START_TEST(failed_read_leaves_the_last_snapshot)
{
	const struct irqstat_snapshot *snap;
	struct irqstat_entry e;
	struct stream *bad = sized(2, 6, 2);

	stream_record(bad, 2)->type = IRQBIN_REC_ONLINE;
	fake_add(sized(1, 5, 1));
	fake_add(bad);
	snap = read_one();
	ck_assert_int_eq(irqstat_next(is, &e), 1);
	assert_errno(irqstat_read(is), -1, EBADMSG);
	ck_assert_ptr_eq(irqstat_snapshot_get(is), snap);
	ck_assert_uint_eq(snap->sequence, 1);
	ck_assert_uint_eq(snap->n_entries, 64);
	ck_assert_uint_eq(snap->count[63], 5);
	ck_assert_int_eq(irqstat_next(is, &e), 1);
	ck_assert_uint_eq(e.cpu, 1);
	ck_assert_uint_eq(e.count, 5);
}
END_TEST

START_TEST(steady_state_keeps_its_arrays)
{
	const struct irqstat_snapshot *snap;
	const struct irqstat_row *rows[2];
	const uint64_t *count[2];
	size_t i;

	fake_add(sized(100, 5, 1));
	for (i = 0; i < 6; i++) {
		snap = read_one();
		if (i >= 2) {
			ck_assert_ptr_eq(snap->rows, rows[i % 2]);
			ck_assert_ptr_eq(snap->count, count[i % 2]);
		}
		rows[i % 2] = snap->rows;
		count[i % 2] = snap->count;
	}
	ck_assert_uint_eq(fake.n_calls, 6);
}
END_TEST

/* Memory that was freed in between would not hold what it held. */
START_TEST(reserve_of_no_more_keeps_the_memory)
{
	struct snapshot s = { 0 };

	ck_assert_int_eq(snapshot_reserve(&s, 100, 1000, 16), 0);
	s.rows[0].instance = 11;
	s.cpu[0] = 22;
	s.count[0] = 33;
	s.online[0] = 44;
	ck_assert_int_eq(snapshot_reserve(&s, 100, 1000, 16), 0);
	ck_assert_uint_eq(s.rows[0].instance, 11);
	ck_assert_uint_eq(s.cpu[0], 22);
	ck_assert_uint_eq(s.count[0], 33);
	ck_assert_uint_eq(s.online[0], 44);
	snapshot_free(&s);
}
END_TEST

START_TEST(file_with_both_windows_is_a_source)
{
	const struct stream *counters = stream_rich_counters();
	const struct stream *descs = stream_rich_descs();
	int fd = memfd_create("windows", MFD_CLOEXEC);
	struct irqstat *file = irqstat_fdopen(fd);

	ck_assert_ptr_nonnull(file);
	ck_assert(pwrite(fd, counters->words, stream_len(counters), 0) > 0);
	ck_assert(pwrite(fd, descs->words, stream_len(descs),
			 IRQBIN_DESC_OFFSET) > 0);
	ck_assert_int_eq(irqstat_read(file), 0);
	ck_assert_uint_eq(irqstat_snapshot_get(file)->n_rows, 7);
	ck_assert_uint_eq(irqstat_descs_get(file)->n_descs, 6);
	irqstat_close(file);
}
END_TEST

static Suite *source_suite(void)
{
	const TTest *const tests[] = {
		sample_is_one_call,
		window_larger_than_buffer_is_read_anew_by_one_call,
		window_that_grows_between_reads_is_whole,
		buffer_grows_no_faster_than_bytes_come,
		window_that_claims_too_much_is_refused_at_once,
		short_reads_are_continued,
		window_that_fills_the_buffer_is_complete,
		interrupted_call_is_made_again,
		torn_read_is_made_again,
		read_that_loses_its_end_is_made_again,
		read_torn_for_ever_is_given_up,
		torn_by_one_call_is_malformed_at_once,
		truncated_window_is_malformed,
		fewer_bytes_than_a_header_are_malformed,
		other_version_is_told_from_its_first_word,
		empty_file_is_no_data,
		empty_descriptor_window_is_no_data,
		error_of_the_call_is_passed_on,
		failed_read_leaves_the_last_snapshot,
		steady_state_keeps_its_arrays,
		reserve_of_no_more_keeps_the_memory,
		file_with_both_windows_is_a_source,
		NULL
	};
	Suite *suite = suite_create("source");

	suite_add_with(suite, "binary", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(source_suite);
