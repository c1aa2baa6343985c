/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Captures: what is written is read back, and no file does any harm. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../../libirqstat/internal.h"
#include "coherent.h"
#include "fake.h"
#include "render.h"
#include "suite.h"

#define CPUS_2 "           CPU0       CPU1       \n"
#define LOC_2 "LOC:          3          4   Local timer interrupts\n"
#define LOC_2_WANT "LOC \"Local timer interrupts\" 0:3 1:4\n"

static struct irqstat *is;	/* what is recorded */
static struct irqstat *replay;
static struct irqstat_capture *capture;
static int fd;

static void setup(void)
{
	is = irqstat_fdopen(fake_open());
	fd = memfd_create("capture", 0);
	capture = irqstat_capture_new(fd);
	ck_assert_ptr_nonnull(capture);
	replay = irqstat_fdopen(dup(fd));
	ck_assert_ptr_nonnull(replay);
}

static void teardown(void)
{
	irqstat_close(is);
	irqstat_close(replay);
	irqstat_capture_free(capture);
	close(fd);
}

static void give(const struct stream *s)
{
	fake.n_snapshots = 0;
	fake.at = 0;
	fake_add(s);
}

/* A handle that has read one kind of source is none for another. */
static void need(enum irqstat_source source)
{
	if (is->source && is->source->id != source) {
		irqstat_close(is);
		is = irqstat_fdopen(fake_open());
	}
}

static void record_text(const char *text)
{
	need(IRQSTAT_SOURCE_TEXT);
	give(stream_text(text));
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_int_eq(irqstat_capture_add(capture, is), 0);
}

static void record_module(uint64_t generation)
{
	struct stream *counters = stream_rich_counters(), *descs = stream_rich_descs();

	need(IRQSTAT_SOURCE_MODULE);
	stream_head(counters)->generation = generation;
	stream_head(descs)->generation = generation;
	give(counters);
	fake.descs = descs;
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_int_eq(irqstat_capture_add(capture, is), 0);
}

static const struct irqstat_snapshot *next(void)
{
	const struct irqstat_snapshot *snap;

	ck_assert_int_eq(irqstat_read(replay), 0);
	snap = irqstat_snapshot_get(replay);
	ck_assert_ptr_null(snapshot_fault(snap));
	return snap;
}

static void expect_end(int error)
{
	errno = ENOTTY;
	ck_assert_int_eq(irqstat_read(replay), 1);
	ck_assert_int_eq(errno, error);
}

static char *rendered(struct irqstat *handle)
{
	const struct irqstat_descs *descs = irqstat_descs_get(handle);

	ck_assert_ptr_nonnull(descs);
	ck_assert_ptr_null(descs_fault(descs));
	return strdup(render(irqstat_snapshot_get(handle), descs));
}

/* The last snapshots of both are the same. */
static void expect_same(void)
{
	const struct irqstat_snapshot *a = irqstat_snapshot_get(is), *b = next();
	char *want = rendered(is), *got = rendered(replay);

	ck_assert_str_eq(got, want);
	ck_assert_uint_eq(a->time_ns, b->time_ns);
	ck_assert_uint_eq(a->duration_ns, b->duration_ns);
	ck_assert_uint_eq(a->realtime_ns, b->realtime_ns);
	ck_assert_uint_eq(a->source, b->source);
	ck_assert_uint_eq(a->n_online, b->n_online);
	ck_assert_uint_eq(a->count_bits, b->count_bits);
	free(want);
	free(got);
}

static off_t size_of(void)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	return st.st_size;
}

START_TEST(text_is_read_back)
{
	record_text(CPUS_2 LOC_2);
	expect_same();
	expect_end(0);
	ck_assert_int_eq(irqstat_source_get(replay), IRQSTAT_SOURCE_CAPTURE);
	ck_assert_uint_eq(irqstat_snapshot_get(replay)->source, IRQSTAT_SOURCE_TEXT);
}
END_TEST

START_TEST(module_is_read_back)
{
	record_module(3);
	expect_same();
	expect_end(0);
	ck_assert_uint_eq(irqstat_snapshot_get(replay)->source, IRQSTAT_SOURCE_MODULE);
}
END_TEST

START_TEST(snapshots_come_in_order)
{
	record_text(CPUS_2 "LOC:          1          0   x\n");
	record_module(3);
	record_text(CPUS_2 "LOC:          2          0   x\n");
	ck_assert_uint_eq(next()->rows[0].total, 1);
	ck_assert_uint_eq(next()->n_rows, 7);
	ck_assert_uint_eq(next()->rows[0].total, 2);
	expect_end(0);
}
END_TEST

START_TEST(end_keeps_the_last_snapshot)
{
	const struct irqstat_snapshot *snap;

	record_text(CPUS_2 LOC_2);
	snap = next();
	expect_end(0);
	expect_end(0);
	ck_assert_ptr_eq(irqstat_snapshot_get(replay), snap);
	ck_assert_uint_eq(snap->rows[0].total, 7);
}
END_TEST

START_TEST(capture_that_grows_is_read_on)
{
	record_text(CPUS_2 LOC_2);
	next();
	expect_end(0);
	record_module(4);
	ck_assert_uint_eq(next()->generation, 4);
	expect_end(0);
}
END_TEST

START_TEST(capture_without_snapshots_is_at_its_end)
{
	expect_end(0);
	ck_assert_ptr_null(irqstat_snapshot_get(replay));
	assert_errno(irqstat_descs_get(replay), NULL, ENODATA);
}
END_TEST

START_TEST(descriptors_are_written_when_they_change)
{
	off_t first, second, third;

	record_module(3);
	first = size_of();
	record_module(3);
	second = size_of();
	record_module(4);
	third = size_of();
	ck_assert_int_lt(second - first, third - second);
	ck_assert_uint_eq(next()->generation, 3);
	ck_assert_uint_eq(irqstat_descs_get(replay)->generation, 3);
	next();
	ck_assert_uint_eq(irqstat_descs_get(replay)->generation, 3);
	next();
	ck_assert_uint_eq(irqstat_descs_get(replay)->generation, 4);
}
END_TEST

START_TEST(descriptors_before_any_snapshot_are_the_first_ones)
{
	record_module(3);
	record_module(4);
	ck_assert_uint_eq(irqstat_descs_get(replay)->generation, 3);
	ck_assert_uint_eq(next()->generation, 3);
	ck_assert_uint_eq(next()->generation, 4);
	expect_end(0);
}
END_TEST

START_TEST(text_descriptors_before_any_snapshot)
{
	record_text(CPUS_2 LOC_2);
	ck_assert_str_eq(irqstat_descs_get(replay)->descs[0].label.bytes, "LOC");
	next();
	expect_end(0);
}
END_TEST

START_TEST(descriptors_of_no_snapshot)
{
	assert_errno(irqstat_descs_get(replay), NULL, ENODATA);
	assert_errno(irqstat_descs_get(replay), NULL, ENODATA);
	record_module(3);
	ck_assert_uint_eq(irqstat_descs_get(replay)->generation, 3);
	next();
	expect_end(0);
}
END_TEST

START_TEST(two_handles_have_descriptors_of_their_own)
{
	struct irqstat *first = is;
	uint64_t descs;

	record_module(3);
	is = irqstat_fdopen(fake_open());
	record_module(3);
	next();
	descs = replay->capture.last.descs;
	next();
	ck_assert_uint_gt(replay->capture.last.descs, descs);
	expect_end(0);
	irqstat_close(first);
}
END_TEST

START_TEST(capture_of_a_capture_is_the_same)
{
	int second_fd = memfd_create("second", 0);
	struct irqstat_capture *second = irqstat_capture_new(second_fd);
	struct irqstat *from = irqstat_fdopen(dup(fd)), *first = replay;

	record_module(3);
	record_text(CPUS_2 LOC_2);
	while (irqstat_read(from) == 0)
		ck_assert_int_eq(irqstat_capture_add(second, from), 0);
	replay = irqstat_fdopen(second_fd);
	ck_assert_uint_eq(next()->n_rows, 7);
	ck_assert_uint_eq(irqstat_descs_get(replay)->n_descs, 6);
	expect_same();
	expect_end(0);
	irqstat_close(from);
	irqstat_close(first);
	irqstat_capture_free(second);
}
END_TEST

START_TEST(host_and_boot_are_this_machines)
{
	struct utsname name;

	uname(&name);
	ck_assert_ptr_null(irqstat_capture_host(replay));
	ck_assert_ptr_null(irqstat_capture_host(is));
	record_text(CPUS_2 LOC_2);
	next();
	ck_assert_str_eq(irqstat_capture_host(replay), name.nodename);
	ck_assert_uint_ne(irqstat_snapshot_get(replay)->boot, 0);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->boot, 0);
}
END_TEST

START_TEST(captures_put_together_are_one)
{
	static const char host[] = "elsewhere";
	char *whole;
	off_t size;
	struct capture_start *start;

	record_module(3);
	size = size_of();
	whole = malloc((size_t)size);
	ck_assert_int_eq(pread(fd, whole, (size_t)size, 0), size);
	start = (struct capture_start *)(whole + sizeof(struct chunk));
	memset(start->boot_id, 7, 16);
	memcpy(start + 1, host, start->n_host < 9 ? start->n_host : 9);
	ck_assert_int_eq(pwrite(fd, whole, (size_t)size, size), size);
	next();
	ck_assert_uint_eq(irqstat_descs_get(replay)->n_descs, 6);
	ck_assert(strncmp(irqstat_capture_host(replay), host, 2));
	next();
	ck_assert_uint_eq(irqstat_descs_get(replay)->n_descs, 6);
	ck_assert(!strncmp(irqstat_capture_host(replay), host, 2));
	ck_assert_uint_ne(irqstat_snapshot_get(replay)->boot, 0);
	expect_end(0);
	free(whole);
}
END_TEST

/* Files that are cut, foreign or hostile */

START_TEST(capture_cut_at_every_byte)
{
	off_t ends[3], len;
	char *whole;

	record_text(CPUS_2 LOC_2);
	ends[0] = size_of();
	record_module(3);
	ends[1] = size_of();
	record_text(CPUS_2 LOC_2);
	ends[2] = size_of();
	whole = malloc((size_t)ends[2]);
	ck_assert_int_eq(pread(fd, whole, (size_t)ends[2], 0), ends[2]);
	for (len = 1; len < ends[2]; len++) {
		struct irqstat *cut = irqstat_fdopen(memfd_create("cut", 0));
		int ret, n = 0;

		ck_assert_int_eq(pwrite(irqstat_fileno(cut), whole, (size_t)len, 0), len);
		while ((ret = irqstat_read(cut)) == 0)
			n++;
		ck_assert_int_eq(n, (len >= ends[0]) + (len >= ends[1]));
		ck_assert_int_eq(ret, len < 4 ? -1 : 1);
		if (len == ends[0] || len == ends[1] || errno == 0)
			ck_assert_int_eq(errno, 0);
		else
			ck_assert_int_eq(errno, EBADMSG);
		irqstat_close(cut);
	}
	free(whole);
}
END_TEST

/* Where the chunk of this type begins. */
static off_t find_chunk(uint32_t type)
{
	struct chunk chunk;
	off_t at = 0;

	while (pread(fd, &chunk, sizeof(chunk), at) == sizeof(chunk)) {
		if (chunk.type == type)
			return at;
		at += (off_t)(sizeof(chunk) + (chunk.length + 7) / 8 * 8);
	}
	ck_abort_msg("no chunk of type %u", type);
	return 0;
}

static void poke(off_t at, const void *bytes, size_t n)
{
	ck_assert_int_eq(pwrite(fd, bytes, n, at), (ssize_t)n);
}

static void set_length(uint32_t type, uint64_t length)
{
	poke(find_chunk(type) + (off_t)offsetof(struct chunk, length), &length, 8);
}

START_TEST(capture_that_lacks_its_end_says_so)
{
	record_text(CPUS_2 LOC_2);
	ck_assert_int_eq(ftruncate(fd, size_of() - 1), 0);
	expect_end(EBADMSG);
	ck_assert_int_eq(ftruncate(fd, size_of() + 1), 0);
	next();
}
END_TEST

START_TEST(descriptors_that_are_cut_are_the_end)
{
	record_module(3);
	ck_assert_int_eq(ftruncate(fd, find_chunk(CHUNK_COUNTERS) - 1), 0);
	expect_end(EBADMSG);
}
END_TEST

START_TEST(lengths_beyond_all_memory)
{
	static const uint64_t lengths[] = {
		(1ULL << 30) + 1, 1ULL << 31, 1ULL << 32, INT64_MAX / 2, INT64_MAX, UINT64_MAX - 40,
		UINT64_MAX - 7, UINT64_MAX,
	};
	size_t i;

	record_text(CPUS_2 LOC_2);
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		set_length(CHUNK_TEXT, lengths[i]);
		assert_errno(irqstat_read(replay), -1, EBADMSG);
	}
}
END_TEST

START_TEST(length_beyond_the_file_takes_no_memory)
{
	record_text(CPUS_2 LOC_2);
	set_length(CHUNK_TEXT, 1ULL << 30);
	expect_end(EBADMSG);
	ck_assert_uint_le(replay->window.cap, 1 << 20);
}
END_TEST

START_TEST(unknown_chunks_are_passed_over)
{
	static const uint32_t type = 77;
	off_t at;

	record_text(CPUS_2 LOC_2);
	record_text(CPUS_2 "LOC:          9          0   x\n");
	at = find_chunk(CHUNK_TEXT);
	poke(at, &type, 4);
	ck_assert_uint_eq(next()->rows[0].total, 9);
	expect_end(0);
}
END_TEST

START_TEST(unknown_chunk_of_any_length_is_the_end)
{
	static const uint32_t type = 77;
	off_t at;

	record_text(CPUS_2 LOC_2);
	at = find_chunk(CHUNK_TEXT);
	set_length(CHUNK_TEXT, 1ULL << 40);
	poke(at, &type, 4);
	expect_end(EBADMSG);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
}
END_TEST

START_TEST(unknown_chunk_of_impossible_length)
{
	static const uint32_t type = 77;
	off_t at;

	record_text(CPUS_2 LOC_2);
	at = find_chunk(CHUNK_TEXT);
	set_length(CHUNK_TEXT, UINT64_MAX - 6);
	poke(at, &type, 4);
	assert_errno(irqstat_read(replay), -1, EBADMSG);
}
END_TEST

START_TEST(malformed_snapshot_is_passed_over)
{
	record_text(CPUS_2 LOC_2);
	record_module(3);
	record_text(CPUS_2 LOC_2);
	poke(find_chunk(CHUNK_TEXT) + (off_t)sizeof(struct chunk), "!", 1);
	assert_errno(irqstat_read(replay), -1, EBADMSG);
	ck_assert_uint_eq(next()->n_rows, 7);
	ck_assert_uint_eq(irqstat_descs_get(replay)->n_descs, 6);
	expect_same();
}
END_TEST

START_TEST(torn_text_is_malformed)
{
	record_text(CPUS_2 LOC_2);
	poke(find_chunk(CHUNK_TEXT) + (off_t)sizeof(struct chunk) + 59, "x", 1);
	assert_errno(irqstat_read(replay), -1, EBADMSG);
	expect_end(0);
}
END_TEST

START_TEST(malformed_descriptors_are_refused)
{
	record_module(3);
	poke(find_chunk(CHUNK_DESCRIPTORS) + (off_t)sizeof(struct chunk), "!", 1);
	next();
	assert_errno(irqstat_descs_get(replay), NULL, EBADMSG);
	set_length(CHUNK_DESCRIPTORS, 1ULL << 40);
	assert_errno(irqstat_descs_get(replay), NULL, EBADMSG);
}
END_TEST

static void expect_start(size_t at, const void *bytes, size_t n, int error)
{
	poke((off_t)(sizeof(struct chunk) + at), bytes, n);
	assert_errno(irqstat_read(replay), -1, error);
}

START_TEST(other_version_is_refused)
{
	expect_start(offsetof(struct capture_start, major), "\2", 1, EPROTONOSUPPORT);
}
END_TEST

START_TEST(newer_minor_version_is_read)
{
	record_text(CPUS_2 LOC_2);
	poke(sizeof(struct chunk) + offsetof(struct capture_start, minor), "\7", 1);
	next();
}
END_TEST

START_TEST(other_byte_order_is_refused)
{
	const uint32_t magic = __builtin_bswap32(CHUNK_START);

	poke(0, &magic, 4);
	assert_errno(irqstat_read(replay), -1, EPROTONOSUPPORT);
}
END_TEST

START_TEST(host_name_beyond_its_chunk)
{
	expect_start(offsetof(struct capture_start, n_host), "\377", 1, EBADMSG);
	expect_start(offsetof(struct capture_start, n_host), "\377\377\377\377", 4, EBADMSG);
}
END_TEST

START_TEST(start_shorter_than_it_must_be)
{
	set_length(CHUNK_START, 3);
	assert_errno(irqstat_read(replay), -1, EBADMSG);
	set_length(CHUNK_START, 23);
	assert_errno(irqstat_read(replay), -1, EBADMSG);
}
END_TEST

/* The writer */

START_TEST(new_of_bad_descriptors)
{
	int null = open("/dev/null", O_RDONLY), full = open("/dev/full", O_WRONLY);

	assert_errno(irqstat_capture_new(-1), NULL, EBADF);
	assert_errno(irqstat_capture_new(null), NULL, EBADF);
	assert_errno(irqstat_capture_new(full), NULL, ENOSPC);
	close(null);
	close(full);
}
END_TEST

START_TEST(add_before_anything_was_read)
{
	assert_errno(irqstat_capture_add(capture, is), -1, EINVAL);
}
END_TEST

START_TEST(add_after_a_read_that_failed)
{
	record_text(CPUS_2 LOC_2);
	fake.error = EIO;
	ck_assert_int_eq(irqstat_read(is), -1);
	assert_errno(irqstat_capture_add(capture, is), -1, EINVAL);
	fake.error = 0;
	record_text(CPUS_2 LOC_2);
}
END_TEST

START_TEST(add_without_descriptors)
{
	give(stream_rich_counters());
	ck_assert_int_eq(irqstat_read(is), 0);
	fake.descs = stream_rich_counters();
	assert_errno(irqstat_capture_add(capture, is), -1, EBADMSG);
	expect_end(0);
	fake.descs = stream_rich_descs();
	ck_assert_int_eq(irqstat_capture_add(capture, is), 0);
	next();
}
END_TEST

START_TEST(add_of_what_has_no_descriptors)
{
	give(stream_rich_counters());
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_int_eq(irqstat_capture_add(capture, is), 0);
	next();
	assert_errno(irqstat_descs_get(replay), NULL, ENODATA);
}
END_TEST

/* A file that takes no more than @size bytes. */
static void limit(off_t size)
{
	struct rlimit rlim = { (rlim_t)size, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &rlim), 0);
}

START_TEST(half_a_snapshot_is_taken_back)
{
	char path[] = "/tmp/irqstat-test-XXXXXX";
	int file = mkstemp(path);
	struct irqstat_capture *limited = irqstat_capture_new(file);
	off_t size = lseek(file, 0, SEEK_CUR);

	unlink(path);
	give(stream_text(CPUS_2 LOC_2));
	ck_assert_int_eq(irqstat_read(is), 0);
	limit(size + 50);
	assert_errno(irqstat_capture_add(limited, is), -1, EFBIG);
	ck_assert_int_eq(lseek(file, 0, SEEK_END), size);
	limit(RLIM_INFINITY);
	ck_assert_int_eq(irqstat_capture_add(limited, is), 0);
	irqstat_close(replay);
	replay = irqstat_fdopen(file);
	next();
	expect_end(0);
	irqstat_capture_free(limited);
}
END_TEST

START_TEST(half_a_snapshot_that_stays_is_the_last)
{
	int pipes[2];
	struct irqstat_capture *piped;
	static char text[100000];

	sprintf(text, CPUS_2 "%-90000s\n", LOC_2);
	ck_assert_int_eq(pipe2(pipes, O_NONBLOCK), 0);
	piped = irqstat_capture_new(pipes[1]);
	ck_assert_ptr_nonnull(piped);
	give(stream_text(text));
	ck_assert_int_eq(irqstat_read(is), 0);
	assert_errno(irqstat_capture_add(piped, is), -1, EAGAIN);
	ck_assert_int_gt(read(pipes[0], text, sizeof(text)), 50000);
	assert_errno(irqstat_capture_add(piped, is), -1, EAGAIN);
	ck_assert_int_eq(read(pipes[0], text, sizeof(text)), -1);
	irqstat_capture_free(piped);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

START_TEST(free_keeps_errno)
{
	errno = ENOTTY;
	irqstat_capture_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

static Suite *capture_suite(void)
{
	const TTest *const reading[] = {
		text_is_read_back,
		module_is_read_back,
		snapshots_come_in_order,
		end_keeps_the_last_snapshot,
		capture_that_grows_is_read_on,
		capture_without_snapshots_is_at_its_end,
		descriptors_are_written_when_they_change,
		descriptors_before_any_snapshot_are_the_first_ones,
		text_descriptors_before_any_snapshot,
		descriptors_of_no_snapshot,
		two_handles_have_descriptors_of_their_own,
		capture_of_a_capture_is_the_same,
		host_and_boot_are_this_machines,
		captures_put_together_are_one,
		NULL
	};
	const TTest *const hostile[] = {
		capture_cut_at_every_byte,
		capture_that_lacks_its_end_says_so,
		descriptors_that_are_cut_are_the_end,
		lengths_beyond_all_memory,
		length_beyond_the_file_takes_no_memory,
		unknown_chunks_are_passed_over,
		unknown_chunk_of_any_length_is_the_end,
		unknown_chunk_of_impossible_length,
		malformed_snapshot_is_passed_over,
		torn_text_is_malformed,
		malformed_descriptors_are_refused,
		other_version_is_refused,
		newer_minor_version_is_read,
		other_byte_order_is_refused,
		host_name_beyond_its_chunk,
		start_shorter_than_it_must_be,
		NULL
	};
	const TTest *const writing[] = {
		new_of_bad_descriptors,
		add_before_anything_was_read,
		add_after_a_read_that_failed,
		add_without_descriptors,
		add_of_what_has_no_descriptors,
		half_a_snapshot_is_taken_back,
		half_a_snapshot_that_stays_is_the_last,
		free_keeps_errno,
		NULL
	};
	Suite *suite = suite_create("capture");

	suite_add_with(suite, "reading", reading, setup, teardown);
	suite_add_with(suite, "hostile", hostile, setup, teardown);
	suite_add_with(suite, "writing", writing, setup, teardown);
	return suite;
}

UNIT_SUITE(capture_suite);
