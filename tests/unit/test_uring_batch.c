/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Many sources by one call, and the same results whatever way they are read. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "stream.h"
#include "suite.h"
#include "world.h"

#define TEXT_HEAD "            CPU0       CPU1       \n"

static struct irqstat_batch *batch;
static const struct irqstat_uring_info *info;

/* A binary handle, a text handle and a raw file, by index. */
enum { BIN, TEXT, RAW, N };
static int fds[N], handle_fds[2];
static struct irqstat *handles[2];

static struct stream *window(uint32_t n_irqs, uint32_t count)
{
	struct stream *s = stream_counters(64, ~0ULL);
	struct irqbin_count cells[64];
	uint32_t i;

	for (i = 0; i < 64; i++)
		cells[i] = (struct irqbin_count){ i, count };
	for (i = 0; i < n_irqs; i++)
		stream_irq(s, i, cells, 64);
	stream_end(s);
	return s;
}

static void set_window(uint32_t n_irqs, uint32_t count)
{
	const struct stream *s = window(n_irqs, count);

	file_set(fds[BIN], s->words, stream_len(s));
}

static void set_text(unsigned int n_irqs, unsigned int count)
{
	static char text[200000];
	int len = sprintf(text, TEXT_HEAD);
	unsigned int i;

	for (i = 0; i < n_irqs; i++)
		len += sprintf(text + len, "%4u: %10u %10u   IO-APIC %4u-edge      dev%u\n", i,
			       count, count, i, i);
	file_set(fds[TEXT], text, (size_t)len);
}

static void set_raw(char c, size_t len)
{
	char *bytes = malloc(len + 1);

	ck_assert_ptr_nonnull(bytes);
	memset(bytes, c, len);
	file_set(fds[RAW], bytes, len);
	free(bytes);
}

static void make_batch(unsigned int flags)
{
	batch = irqstat_batch_new(flags);
	ck_assert_ptr_nonnull(batch);
	info = irqstat_batch_info(batch);
}

static void make_sources(void)
{
	int i;

	for (i = 0; i < N; i++)
		fds[i] = file_make("", 0);
	for (i = 0; i < 2; i++) {
		handle_fds[i] = dup(fds[i]);
		handles[i] = irqstat_fdopen(handle_fds[i]);
	}
	ck_assert_int_eq(irqstat_batch_add(batch, handles[BIN]), BIN);
	ck_assert_int_eq(irqstat_batch_add(batch, handles[TEXT]), TEXT);
	ck_assert_int_eq(irqstat_batch_add_file(batch, file_path(fds[RAW])), RAW);
}

static void setup(void)
{
	make_batch(0);
	make_sources();
}

static void teardown(void)
{
	int i;

	irqstat_batch_free(batch);
	for (i = 0; i < 2; i++)
		irqstat_close(handles[i]);
	for (i = 0; i < N; i++)
		close(fds[i]);
}

static void expect_handle(int index, size_t n_irqs, uint32_t count)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(handles[index]);

	ck_assert_int_eq(irqstat_batch_errno(batch, (unsigned int)index), 0);
	ck_assert_ptr_nonnull(snap);
	ck_assert_uint_eq(snap->n_rows, n_irqs);
	ck_assert_uint_eq(snap->n_entries, n_irqs * (index == BIN ? 64 : 2));
	ck_assert_uint_eq(snap->count[0], count);
	ck_assert_uint_eq(snap->count[snap->n_entries - 1], count);
}

static void expect_raw(char c, size_t len)
{
	size_t got = 77, i = 0;
	const char *bytes = irqstat_batch_bytes(batch, RAW, &got);

	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(got, len);
	while (i < len && bytes[i] == c)
		i++;
	ck_assert_uint_eq(i, len);
	ck_assert_int_eq(bytes[len], 0);
}

/* All are of this size and count; then they are read and looked at. */
static void sample(uint32_t n_irqs, uint32_t count, size_t raw_len)
{
	set_window(n_irqs, count);
	set_text(n_irqs, count);
	set_raw((char)('a' + count % 26), raw_len);
	ck_assert_int_eq(irqstat_batch_read(batch), 0);
	expect_handle(BIN, n_irqs, count);
	expect_handle(TEXT, n_irqs, count);
	expect_raw((char)('a' + count % 26), raw_len);
}

static uint64_t calls_of_read(void)
{
	const uint64_t before = info->n_calls;

	ck_assert_int_eq(irqstat_batch_read(batch), 0);
	return info->n_calls - before;
}

/* In each world */

START_TEST(batch_reads_the_same_in_any_way)
{
	const struct world *w = &worlds[_i];
	static const struct {
		uint32_t n_irqs;
		size_t raw_len;
	} sizes[] = {
		{ 3, 100 },	{ 3, 100 },	 { 4, 101 },   { 2, 99 },
		{ 1, 0 },	{ 1, 1 },	 { 10, 16382 }, { 10, 16383 },
		{ 10, 16384 },	{ 500, 100000 }, { 500, 100000 }, { 900, 3 },
		{ 20, 200000 }, { 20, 200000 },
	};
	size_t i;

	world_begin(w);
	make_batch(w->flags);
	make_sources();
	world_go_on(w);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		sample(sizes[i].n_irqs, (uint32_t)i + 1, sizes[i].raw_len);
	assert_way(w, info);
	teardown();
}
END_TEST

START_TEST(batch_spares_the_others_in_any_way)
{
	const struct world *w = &worlds[_i];
	size_t len = 77;

	world_begin(w);
	make_batch(w->flags);
	make_sources();
	ck_assert_int_eq(irqstat_batch_add_file(batch, "/"), N);
	ck_assert_int_eq(irqstat_batch_add_file(batch, "/proc/self/mem"), N + 1);
	world_go_on(w);
	set_window(3, 1);
	set_text(3, 1);
	set_raw('a', 10);
	ck_assert_int_eq(irqstat_batch_read(batch), 2);
	set_window(3, 2);
	file_set(fds[TEXT], "no text", 7);
	set_raw('b', 10);
	ck_assert_int_eq(irqstat_batch_read(batch), 3);
	expect_handle(BIN, 3, 2);
	expect_raw('b', 10);
	ck_assert_int_eq(irqstat_batch_errno(batch, TEXT), EBADMSG);
	ck_assert_uint_eq(irqstat_snapshot_get(handles[TEXT])->count[0], 1);
	ck_assert_int_eq(irqstat_batch_errno(batch, N), EISDIR);
	ck_assert_int_eq(irqstat_batch_errno(batch, N + 1), EIO);
	assert_errno(irqstat_batch_bytes(batch, N, &len), NULL, EISDIR);
	ck_assert_uint_eq(len, 77);
	set_text(3, 3);
	ck_assert_int_eq(irqstat_batch_read(batch), 2);
	expect_handle(TEXT, 3, 3);
	assert_way(w, info);
	teardown();
}
END_TEST

/* As by a program that closes what it doesn't know; registered files stay open. */
START_TEST(batch_spares_the_others_of_a_closed_file_in_any_way)
{
	const struct world *w = &worlds[_i];
	int i, error;

	world_begin(w);
	make_batch(w->flags);
	make_sources();
	world_go_on(w);
	sample(3, 1, 10);
	ck_assert_int_eq(close(handle_fds[TEXT]), 0);
	error = info->fixed_files ? 0 : EBADF;
	for (i = 2; i < 5; i++) {
		set_window(3, (uint32_t)i);
		set_text(3, (unsigned int)i);
		set_raw('b', 10);
		ck_assert_int_eq(irqstat_batch_read(batch), error != 0);
		expect_handle(BIN, 3, (uint32_t)i);
		expect_raw('b', 10);
		ck_assert_int_eq(irqstat_batch_errno(batch, TEXT), error);
	}
	assert_way(w, info);
	teardown();
}
END_TEST

/* On io_uring, if this machine lets us */

static bool is_uring(void)
{
	return info->way == IRQSTAT_URING_WAY_URING;
}

START_TEST(steady_state_is_one_call_and_no_allocation)
{
	/* Check allocates, too: so nothing is asserted in between. */
	unsigned int n_allocs, n_failed = 0;
	uint64_t n_calls;
	int i;

	set_window(3, 1);
	set_text(3, 1);
	set_raw('a', 100);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(irqstat_batch_read(batch), 0);
	n_allocs = alloc.n_calls;
	n_calls = info->n_calls;
	for (i = 0; i < 10; i++)
		n_failed += irqstat_batch_read(batch) != 0;
	n_allocs = alloc.n_calls - n_allocs;
	ck_assert_uint_eq(n_failed, 0);
	ck_assert_uint_eq(n_allocs, 0);
	ck_assert_uint_eq(info->n_calls - n_calls, is_uring() ? 10 : 50);
	ck_assert(!is_uring() || (info->fixed_files && info->fixed_buffers));
}
END_TEST

START_TEST(change_of_length_takes_another_call)
{
	int i;

	set_window(3, 1);
	set_text(3, 1);
	set_raw('a', 100);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(irqstat_batch_read(batch), 0);
	if (!is_uring())
		return;
	set_raw('b', 101);
	ck_assert_uint_eq(calls_of_read(), 2);
	expect_raw('b', 101);
	ck_assert_uint_eq(calls_of_read(), 1);
	set_raw('c', 99);
	ck_assert_uint_eq(calls_of_read(), 2);
	expect_raw('c', 99);
	ck_assert_uint_eq(calls_of_read(), 1);
	set_window(5, 2);
	ck_assert_uint_eq(calls_of_read(), 1);
	expect_handle(BIN, 5, 2);
}
END_TEST

START_TEST(handle_may_be_read_in_between)
{
	int i;

	for (i = 1; i < 20; i++) {
		/* Its buffer moves, which the ring must not miss. */
		set_window((uint32_t)i * 40, (uint32_t)i);
		ck_assert_int_eq(irqstat_read(handles[BIN]), 0);
		sample((uint32_t)i * 40, 100 + (uint32_t)i, 10);
	}
}
END_TEST

START_TEST(source_may_be_added_in_between)
{
	int fd = file_make("xyz", 3), i;
	size_t len;

	for (i = 0; i < 200; i++) {
		ck_assert_int_eq(irqstat_batch_add_file(batch, file_path(fd)), N + i);
		sample(3, 1 + (uint32_t)i, 10);
	}
	for (i = 0; i < 200; i++) {
		const char *bytes = irqstat_batch_bytes(batch, N + (unsigned int)i, &len);

		ck_assert_uint_eq(len, 3);
		ck_assert_str_eq(bytes, "xyz");
	}
	close(fd);
}
END_TEST

START_TEST(call_takes_128_sources)
{
	int fd = file_make("xyz", 3), i;

	set_window(3, 1);
	set_text(3, 1);
	for (i = N; i < 128; i++)
		ck_assert_int_eq(irqstat_batch_add_file(batch, file_path(fd)), i);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(irqstat_batch_read(batch), 0);
	ck_assert(!is_uring() || calls_of_read() == 1);
	for (i = 128; i < 300; i++)
		ck_assert_int_eq(irqstat_batch_add_file(batch, file_path(fd)), i);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(irqstat_batch_read(batch), 0);
	ck_assert(!is_uring() || calls_of_read() == 3);
	close(fd);
}
END_TEST

START_TEST(endless_file_is_given_up)
{
	const unsigned int flags[] = { 0, IRQSTAT_URING_NEVER };
	size_t i;

	for (i = 0; i < 2; i++) {
		irqstat_batch_free(batch);
		make_batch(flags[i]);
		ck_assert_int_eq(irqstat_batch_add_file(batch, "/dev/zero"), 0);
		ck_assert_int_eq(irqstat_batch_read(batch), 1);
		ck_assert_int_eq(irqstat_batch_errno(batch, 0), EFBIG);
	}
}
END_TEST

START_TEST(batch_without_sources)
{
	irqstat_batch_free(batch);
	make_batch(0);
	ck_assert_int_eq(irqstat_batch_read(batch), 0);
	ck_assert_uint_eq(info->n_calls, 0);
}
END_TEST

/* Errors */

START_TEST(new_with_unknown_flag)
{
	assert_errno(irqstat_batch_new(2), NULL, EINVAL);
}
END_TEST

START_TEST(free_keeps_errno)
{
	struct irqstat_batch *other = irqstat_batch_new(0);

	errno = ENOTTY;
	irqstat_batch_free(other);
	ck_assert_int_eq(errno, ENOTTY);
	irqstat_batch_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

START_TEST(add_of_a_handle_twice)
{
	assert_errno(irqstat_batch_add(batch, handles[TEXT]), -1, EEXIST);
}
END_TEST

START_TEST(add_of_a_pipe)
{
	struct irqstat *piped;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	piped = irqstat_fdopen(ends[0]);
	assert_errno(irqstat_batch_add(batch, piped), -1, ESPIPE);
	assert_errno(irqstat_batch_add_file(batch, file_path(ends[0])), -1, ESPIPE);
	irqstat_close(piped);
	close(ends[1]);
}
END_TEST

START_TEST(add_of_an_absent_file)
{
	assert_errno(irqstat_batch_add_file(batch, "/nonexistent/file"), -1, ENOENT);
}
END_TEST

START_TEST(added_files_are_closed)
{
	int before = open("/dev/null", O_RDONLY), after;

	close(before);
	ck_assert_int_eq(irqstat_batch_add_file(batch, "/dev/null"), N);
	assert_errno(irqstat_batch_add_file(batch, "/nonexistent/file"), -1, ENOENT);
	ck_assert_int_eq(fcntl(before, F_GETFD), FD_CLOEXEC);
	irqstat_batch_free(batch);
	after = open("/dev/null", O_RDONLY);
	ck_assert_int_le(after, before);
	close(after);
	make_batch(0);
}
END_TEST

START_TEST(errno_of_no_source)
{
	ck_assert_int_eq(irqstat_batch_errno(batch, N), EINVAL);
	ck_assert_int_eq(irqstat_batch_errno(batch, (unsigned int)-1), EINVAL);
}
END_TEST

START_TEST(errno_before_the_first_read)
{
	size_t len;

	ck_assert_int_eq(irqstat_batch_errno(batch, RAW), EINVAL);
	assert_errno(irqstat_batch_bytes(batch, RAW, &len), NULL, EINVAL);
}
END_TEST

START_TEST(bytes_of_a_handle)
{
	size_t len;

	sample(1, 1, 1);
	assert_errno(irqstat_batch_bytes(batch, BIN, &len), NULL, EINVAL);
}
END_TEST

START_TEST(empty_handle_is_no_data)
{
	ck_assert_int_eq(irqstat_batch_read(batch), 2);
	ck_assert_int_eq(irqstat_batch_errno(batch, BIN), ENODATA);
	ck_assert_int_eq(irqstat_batch_errno(batch, TEXT), ENODATA);
	expect_raw(0, 0);
}
END_TEST

static void expect_recovery(void)
{
	size_t len;

	if (!batch)
		return;
	if (irqstat_batch_errno(batch, 0) == EINVAL)
		ck_assert_int_eq(irqstat_batch_add_file(batch, file_path(fds[RAW])), 0);
	ck_assert_int_eq(irqstat_batch_read(batch), 0);
	ck_assert_ptr_nonnull(irqstat_batch_bytes(batch, 0, &len));
	ck_assert_uint_eq(len, 100000);
}

START_TEST(end_of_a_capture_is_no_data)
{
	struct irqstat_capture *capture;
	struct irqstat *captured;
	int fd = file_make("", 0), index;

	sample(3, 1, 1);
	capture = irqstat_capture_new(fd);
	ck_assert_ptr_nonnull(capture);
	ck_assert_int_eq(irqstat_capture_add(capture, handles[BIN]), 0);
	irqstat_capture_free(capture);
	captured = irqstat_fdopen(fd);
	index = irqstat_batch_add(batch, captured);
	ck_assert_int_eq(index, N);
	ck_assert_int_eq(irqstat_batch_read(batch), 0);
	ck_assert_uint_eq(irqstat_snapshot_get(captured)->n_rows, 3);
	ck_assert_int_eq(irqstat_batch_read(batch), 1);
	ck_assert_int_eq(irqstat_batch_errno(batch, N), ENODATA);
	ck_assert_uint_eq(irqstat_snapshot_get(captured)->n_rows, 3);
	irqstat_batch_free(batch);
	irqstat_close(captured);
	make_batch(0);
}
END_TEST

/* Makes a batch and reads it while the allocation of this number fails, if there is one. */
static bool survives(unsigned int fail_at)
{
	const unsigned int start = alloc.n_calls;
	int error = 0;
	bool failed;

	alloc.fail_at = start + fail_at;
	batch = irqstat_batch_new(0);
	if (!batch || irqstat_batch_add_file(batch, file_path(fds[RAW])) < 0)
		error = errno;
	else if (irqstat_batch_read(batch))
		error = irqstat_batch_errno(batch, 0);
	failed = alloc.n_calls - start >= fail_at;
	alloc.fail_at = 0;
	ck_assert_int_eq(error, failed ? ENOMEM : 0);
	expect_recovery();
	irqstat_batch_free(batch);
	return !failed;
}

START_TEST(no_memory_is_told_and_survived)
{
	unsigned int i = 1;

	set_raw('a', 100000);
	irqstat_batch_free(batch);
	while (!survives(i))
		i++;
	/* One for the batch, three for its arrays, four for 16 KiB to 128 KiB. */
	ck_assert_uint_eq(i, 1 + 3 + 4 + 1);
	make_batch(0);
}
END_TEST

START_TEST(handle_without_memory_is_told_and_survived)
{
	int i, error;

	set_window(900, 1);
	set_text(3, 1);
	alloc.fail_at = alloc.n_calls + 1;
	error = irqstat_batch_read(batch) ? irqstat_batch_errno(batch, BIN) : 0;
	alloc.fail_at = 0;
	ck_assert_int_eq(error, ENOMEM);
	ck_assert_int_eq(irqstat_batch_errno(batch, TEXT), 0);
	for (i = 0; i < 3; i++)
		sample(900, 2, 100000);
}
END_TEST

static Suite *batch_suite(void)
{
	const TTest *const ways[] = {
		batch_reads_the_same_in_any_way,
		batch_spares_the_others_in_any_way,
		batch_spares_the_others_of_a_closed_file_in_any_way,
	};
	const TTest *const tests[] = {
		steady_state_is_one_call_and_no_allocation,
		change_of_length_takes_another_call,
		handle_may_be_read_in_between,
		source_may_be_added_in_between,
		call_takes_128_sources,
		endless_file_is_given_up,
		batch_without_sources,
		new_with_unknown_flag,
		free_keeps_errno,
		add_of_a_handle_twice,
		add_of_a_pipe,
		add_of_an_absent_file,
		added_files_are_closed,
		errno_of_no_source,
		errno_before_the_first_read,
		bytes_of_a_handle,
		empty_handle_is_no_data,
		end_of_a_capture_is_no_data,
		no_memory_is_told_and_survived,
		handle_without_memory_is_told_and_survived,
		NULL
	};
	Suite *suite = suite_create("uring_batch");
	TCase *any_way = tcase_create("ways");
	size_t i;

	tcase_set_timeout(any_way, 60);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		tcase_add_loop_test(any_way, ways[i], 0, n_worlds);
	suite_add_tcase(suite, any_way);
	suite_add_with(suite, "batch", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(batch_suite);
