/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The handle as its users see it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
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

START_TEST(open_of_absent_file)
{
	assert_errno(irqstat_open("/nonexistent/file"), NULL, ENOENT);
}
END_TEST

START_TEST(open_without_permission)
{
	char path[] = "/tmp/irqstat-test-XXXXXX";
	int fd = mkstemp(path);
	struct irqstat *opened;
	int error;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fchmod(fd, 0), 0);
	ck_assert(geteuid() != 0 || seteuid(65534) == 0);
	errno = 0;
	opened = irqstat_open(path);
	error = errno;
	ck_assert(geteuid() != 65534 || seteuid(getuid()) == 0);
	unlink(path);
	close(fd);
	ck_assert_ptr_null(opened);
	ck_assert_int_eq(error, EACCES);
}
END_TEST

START_TEST(open_sets_close_on_exec)
{
	struct irqstat *opened = irqstat_open("/dev/null");

	ck_assert_ptr_nonnull(opened);
	ck_assert_int_eq(fcntl(irqstat_fileno(opened), F_GETFD), FD_CLOEXEC);
	irqstat_close(opened);
}
END_TEST

START_TEST(open_of_masked_file_reads_no_data)
{
	struct irqstat *opened = irqstat_open("/dev/null");

	assert_errno(irqstat_read(opened), -1, ENODATA);
	irqstat_close(opened);
}
END_TEST

START_TEST(open_of_foreign_file_reads_malformed)
{
	struct irqstat *opened = irqstat_open("/proc/self/exe");

	assert_errno(irqstat_read(opened), -1, EBADMSG);
	irqstat_close(opened);
}
END_TEST

START_TEST(open_of_endless_zeros_reads_malformed)
{
	struct irqstat *opened = irqstat_open("/dev/zero");

	assert_errno(irqstat_read(opened), -1, EBADMSG);
	assert_errno(irqstat_descs_read(opened), NULL, EBADMSG);
	irqstat_close(opened);
}
END_TEST

START_TEST(open_of_directory_reads_its_error)
{
	struct irqstat *opened = irqstat_open("/");

	assert_errno(irqstat_read(opened), -1, EISDIR);
	irqstat_close(opened);
}
END_TEST

START_TEST(fdopen_of_pipe_reads_its_error)
{
	struct irqstat *piped;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	piped = irqstat_fdopen(fds[0]);
	assert_errno(irqstat_read(piped), -1, ESPIPE);
	irqstat_close(piped);
	close(fds[1]);
}
END_TEST

START_TEST(fdopen_of_closed_descriptor)
{
	assert_errno(irqstat_fdopen(-1), NULL, EBADF);
	assert_errno(irqstat_fdopen(999), NULL, EBADF);
}
END_TEST

START_TEST(fdopen_of_write_only_descriptor)
{
	int fd = open("/dev/null", O_WRONLY);

	assert_errno(irqstat_fdopen(fd), NULL, EBADF);
	ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(fdopen_of_descriptor_of_a_path)
{
	int fd = open("/dev/null", O_PATH);

	assert_errno(irqstat_fdopen(fd), NULL, EBADF);
	ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(close_closes_the_descriptor)
{
	int fd = open("/dev/null", O_RDONLY);

	irqstat_close(irqstat_fdopen(fd));
	assert_errno(fcntl(fd, F_GETFD), -1, EBADF);
}
END_TEST

START_TEST(close_keeps_errno)
{
	struct irqstat *other = irqstat_open("/dev/null");

	close(irqstat_fileno(other));
	errno = ENOTTY;
	irqstat_close(other);
	ck_assert_int_eq(errno, ENOTTY);
	irqstat_close(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

START_TEST(read_does_not_move_the_offset)
{
	struct irqstat *opened = irqstat_open("/proc/self/exe");

	irqstat_read(opened);
	ck_assert_int_eq(lseek(irqstat_fileno(opened), 0, SEEK_CUR), 0);
	irqstat_close(opened);
}
END_TEST

START_TEST(nothing_read_yet)
{
	struct irqstat_entry e = { .id = 77 };

	ck_assert_ptr_null(irqstat_snapshot_get(is));
	assert_errno(irqstat_next(is, &e), -1, EINVAL);
	ck_assert_uint_eq(e.id, 77);
}
END_TEST

static void expect(uint32_t kind, uint32_t id, uint32_t cpu, uint64_t count,
		   uint32_t row)
{
	struct irqstat_entry e;

	ck_assert_int_eq(irqstat_next(is, &e), 1);
	ck_assert_uint_eq(e.kind, kind);
	ck_assert_uint_eq(e.id, id);
	ck_assert_uint_eq(e.cpu, cpu);
	ck_assert_uint_eq(e.count, count);
	ck_assert_uint_eq(e.row, row);
}

static void expect_rich(void)
{
	struct irqstat_entry e = { .id = 77 };

	expect(IRQSTAT_IRQ, 1, 0, 9, 0);
	expect(IRQSTAT_IRQ, 24, 0, 5, 1);
	expect(IRQSTAT_IRQ, 24, 1, 4294967295U, 1);
	expect(IRQSTAT_IRQ, 24, 69, 2, 1);
	expect(IRQSTAT_IRQ, 1030, 63, 3, 2);
	expect(IRQSTAT_IRQ, 1030, 64, 1, 2);
	expect(IRQSTAT_X86, IRQSTAT_X86_LOC, 0, 1000, 3);
	expect(IRQSTAT_X86, IRQSTAT_X86_LOC, 1, 2000, 3);
	expect(IRQSTAT_X86, IRQSTAT_X86_ERR, IRQSTAT_CPU_NONE, 4, 5);
	ck_assert_int_eq(irqstat_next(is, &e), 0);
	ck_assert_int_eq(irqstat_next(is, &e), 0);
	ck_assert_uint_eq(e.id, 77);
}

START_TEST(next_gives_each_entry_once)
{
	fake_add(stream_rich_counters());
	ck_assert_int_eq(irqstat_read(is), 0);
	expect_rich();
}
END_TEST

START_TEST(next_begins_anew_after_read)
{
	struct irqstat_entry e;

	fake_add(stream_rich_counters());
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_int_eq(irqstat_next(is, &e), 1);
	ck_assert_int_eq(irqstat_read(is), 0);
	expect_rich();
}
END_TEST

START_TEST(next_begins_anew_after_rewind)
{
	fake_add(stream_rich_counters());
	ck_assert_int_eq(irqstat_read(is), 0);
	expect_rich();
	irqstat_rewind(is);
	expect_rich();
	ck_assert_uint_eq(fake.n_calls, 1);
}
END_TEST

START_TEST(next_of_empty_snapshot)
{
	struct stream *s = stream_counters(1, 1);
	struct irqstat_entry e;

	stream_x86(s, IRQBIN_X86_ERR, IRQBIN_CNT_UNAVAILABLE, NULL, 0);
	stream_end(s);
	fake_add(s);
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_int_eq(irqstat_next(is, &e), 0);
}
END_TEST

START_TEST(find_tells_kinds_apart)
{
	const struct irqstat_snapshot *snap;

	fake_add(stream_rich_counters());
	ck_assert_int_eq(irqstat_read(is), 0);
	snap = irqstat_snapshot_get(is);
	ck_assert_ptr_eq(irqstat_snapshot_find(snap, IRQSTAT_IRQ, 1),
			 &snap->rows[0]);
	ck_assert_ptr_eq(irqstat_snapshot_find(snap, IRQSTAT_IRQ, 1030),
			 &snap->rows[2]);
	ck_assert_ptr_eq(irqstat_snapshot_find(snap, IRQSTAT_X86, 2),
			 &snap->rows[3]);
	ck_assert_ptr_null(irqstat_snapshot_find(snap, IRQSTAT_IRQ, 2));
	ck_assert_ptr_null(irqstat_snapshot_find(snap, IRQSTAT_X86, 1));
	ck_assert_ptr_null(irqstat_snapshot_find(snap, IRQSTAT_X86, 24));
	ck_assert_ptr_null(irqstat_snapshot_find(snap, 0, 1));
	ck_assert_ptr_null(irqstat_snapshot_find(snap, 3, 1));
}
END_TEST

/* Descriptors: when they are read again, and what becomes of the old ones. */

static struct stream *of_generation(struct stream *s, uint64_t generation,
				    uint64_t time_ns, uint32_t flags)
{
	stream_head(s)->generation = generation;
	stream_head(s)->time_ns = time_ns;
	stream_head(s)->flags |= flags;
	return s;
}

static void read_of(uint64_t generation, uint64_t time_ns, uint32_t flags)
{
	fake.n_snapshots = 0;
	fake.at = 0;
	fake_add(of_generation(stream_rich_counters(), generation, time_ns,
			       flags));
	ck_assert_int_eq(irqstat_read(is), 0);
}

static void describe(uint64_t generation)
{
	fake.descs = of_generation(stream_rich_descs(), generation, 0, 0);
}

START_TEST(descriptors_before_any_snapshot)
{
	const struct irqstat_descs *descs;

	fake_add(stream_rich_counters());
	describe(3);
	descs = irqstat_descs_get(is);
	ck_assert_ptr_nonnull(descs);
	ck_assert_uint_eq(descs->n_descs, 6);
	ck_assert_ptr_eq(irqstat_descs_get(is), descs);
	ck_assert_uint_eq(fake.n_desc_calls, 1);
}
END_TEST

START_TEST(descriptors_are_read_once_a_generation)
{
	describe(3);
	read_of(3, 1, 0);
	ck_assert_uint_eq(irqstat_descs_get(is)->generation, 3);
	read_of(3, 99000000000U, 0);
	ck_assert_uint_eq(irqstat_descs_get(is)->generation, 3);
	ck_assert_uint_eq(fake.n_desc_calls, 1);
	describe(4);
	read_of(4, 99000000001U, 0);
	ck_assert_uint_eq(irqstat_descs_get(is)->generation, 4);
	ck_assert_uint_eq(fake.n_desc_calls, 2);
}
END_TEST

START_TEST(descriptors_are_read_every_5_s_if_generation_is_inexact)
{
	const uint32_t inexact = IRQBIN_F_GENERATION_INEXACT;

	describe(3);
	read_of(3, 1000, inexact);
	irqstat_descs_get(is);
	read_of(3, 5000000999U, inexact);
	irqstat_descs_get(is);
	ck_assert_uint_eq(fake.n_desc_calls, 1);
	read_of(3, 5000001000U, inexact);
	irqstat_descs_get(is);
	ck_assert_uint_eq(fake.n_desc_calls, 2);
	read_of(3, 5000001001U, inexact);
	irqstat_descs_get(is);
	ck_assert_uint_eq(fake.n_desc_calls, 2);
}
END_TEST

START_TEST(descriptors_read_is_always_anew)
{
	fake_add(stream_rich_counters());
	describe(3);
	ck_assert_ptr_nonnull(irqstat_descs_read(is));
	ck_assert_ptr_nonnull(irqstat_descs_read(is));
	ck_assert_uint_eq(fake.n_desc_calls, 2);
}
END_TEST

START_TEST(failed_read_of_descriptors_leaves_the_last)
{
	const struct irqstat_descs *descs;
	struct stream *bad;

	fake_add(stream_rich_counters());
	describe(3);
	descs = irqstat_descs_get(is);
	bad = stream_rich_descs();
	stream_head(bad)->n_records++;
	fake.descs = bad;
	assert_errno(irqstat_descs_read(is), NULL, EBADMSG);
	ck_assert_ptr_eq(irqstat_descs_get(is), descs);
	ck_assert_uint_eq(descs->n_descs, 6);
	ck_assert_str_eq(descs->descs[0].chip.bytes, "IO-APIC");
	ck_assert_uint_eq(descs->layout->irq_width, 3);
}
END_TEST

START_TEST(descriptors_in_pieces_are_whole)
{
	fake_add(stream_rich_counters());
	describe(3);
	fake.max = 13;
	ck_assert_uint_eq(irqstat_descs_get(is)->n_descs, 6);
}
END_TEST

START_TEST(descriptors_are_where_the_header_says)
{
	struct stream *s = stream_rich_counters();

	stream_head(s)->desc_offset = IRQBIN_DESC_OFFSET + 4096;
	fake_add(s);
	describe(3);
	ck_assert_int_eq(irqstat_read(is), 0);
	assert_errno(irqstat_descs_get(is), NULL, ENODATA);
}
END_TEST

static Suite *handle_suite(void)
{
	const TTest *const files[] = {
		open_of_absent_file,
		open_without_permission,
		open_sets_close_on_exec,
		open_of_masked_file_reads_no_data,
		open_of_foreign_file_reads_malformed,
		open_of_endless_zeros_reads_malformed,
		open_of_directory_reads_its_error,
		fdopen_of_pipe_reads_its_error,
		fdopen_of_closed_descriptor,
		fdopen_of_write_only_descriptor,
		fdopen_of_descriptor_of_a_path,
		close_closes_the_descriptor,
		close_keeps_errno,
		read_does_not_move_the_offset,
		NULL
	};
	const TTest *const entries[] = {
		nothing_read_yet,
		next_gives_each_entry_once,
		next_begins_anew_after_read,
		next_begins_anew_after_rewind,
		next_of_empty_snapshot,
		find_tells_kinds_apart,
		NULL
	};
	const TTest *const descriptors[] = {
		descriptors_before_any_snapshot,
		descriptors_are_read_once_a_generation,
		descriptors_are_read_every_5_s_if_generation_is_inexact,
		descriptors_read_is_always_anew,
		failed_read_of_descriptors_leaves_the_last,
		descriptors_in_pieces_are_whole,
		descriptors_are_where_the_header_says,
		NULL
	};
	Suite *suite = suite_create("handle");

	suite_add(suite, "files", files);
	suite_add_with(suite, "entries", entries, setup, teardown);
	suite_add_with(suite, "descriptors", descriptors, setup, teardown);
	return suite;
}

UNIT_SUITE(handle_suite);
