/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Copies to user memory fail in the middle of reads, one after the other, by fault
 * injection of the kernel. A read of which nothing arrived fails with EFAULT and has
 * moved nothing; one of which a part arrived returns that part, and the rest can be
 * read on. With a kept open file, a read does nothing else that could fail.
 */
#define _GNU_SOURCE
#include <sys/uio.h>

#include "valid.h"

#define NTH_PATH	"/proc/thread-self/fail-nth"
#define PARTS		3
#define NTH_MAX		100

static struct raw *raw;
static int fd, nth_file;

/* Which copy of this thread is to fail; 0: none. */
static void nth_set(unsigned int nth)
{
	char line[16];

	snprintf(line, sizeof(line), "%u", nth);
	/* If the fault is still to come, it comes to the first of these. */
	if (pwrite(nth_file, line, strlen(line), 0) < 0 &&
	    pwrite(nth_file, line, strlen(line), 0) < 0)
		abort();
}

/* The whole window, in parts of which the last has room to spare. */
static void parts_set(struct iovec *vec, size_t bytes)
{
	size_t part = bytes / PARTS / 8 * 8;
	unsigned int i;

	for (i = 0; i < PARTS; i++)
		vec[i] = (struct iovec){ raw->byte + i * part, part };
	vec[PARTS - 1].iov_len = RAW_MAX - (PARTS - 1) * part;
}

/* Reads on from byte @at, with no fault to come. */
static const char *rest_read(unsigned int window, size_t at)
{
	ssize_t n = pread(fd, raw->byte + at, RAW_MAX - at, window_offset(window) + (off_t)at);

	if (n < 0)
		return why_errno("pread of the rest");
	raw->bytes = at + (size_t)n;
	return raw_check(raw, window);
}

/* One read by @nth after the other; each outcome there can be is seen. */
static const char *parts_fail(unsigned int window)
{
	bool seen[PARTS + 1] = { false }, seen_nothing = false;
	const char *wrong = raw_get(fd, window, raw);
	struct iovec vec[PARTS];
	unsigned int nth, i;
	size_t sum;

	for (nth = 1; !wrong && nth < NTH_MAX && !seen[PARTS]; nth++) {
		ssize_t n;

		parts_set(vec, raw->bytes);
		nth_set(nth);
		n = preadv(fd, vec, PARTS, window_offset(window));
		nth_set(0);
		if (n < 0 && errno != EFAULT)
			return why_errno("preadv");
		if (n < 0) {
			seen_nothing = true;
			wrong = raw_get(fd, window, raw);
			continue;
		}
		for (i = 0, sum = 0; i < PARTS - 1 && sum < (size_t)n; i++)
			sum += vec[i].iov_len;
		/* The last part has room for more than there is. */
		i += (size_t)n > sum;
		if (i < PARTS && (size_t)n != sum)
			return why("%zd bytes are no whole parts", n);
		seen[i] = true;
		wrong = rest_read(window, (size_t)n);
	}
	for (i = 1; !wrong && i <= PARTS; i++)
		if (!seen[i])
			return why("no read ended after part %u", i);
	return wrong || seen_nothing ? wrong : "no read failed";
}

static const char *counters_fail_in_parts(void)
{
	return parts_fail(IRQBIN_WINDOW_COUNTERS);
}

static const char *descriptors_fail_in_parts(void)
{
	return parts_fail(IRQBIN_WINDOW_DESCRIPTORS);
}

/* The position moves by what was read. */
static const char *position_stays(void)
{
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);
	ssize_t n;

	if (wrong || lseek(fd, 0, SEEK_SET))
		return wrong ? wrong : why_errno("lseek");
	nth_set(1);
	n = read(fd, raw->byte, RAW_MAX);
	nth_set(0);
	if (n >= 0 || errno != EFAULT)
		return why("read returned %zd", n);
	if (lseek(fd, 0, SEEK_CUR))
		return "the position has moved";
	n = read(fd, raw->byte, RAW_MAX);
	raw->bytes = n > 0 ? (size_t)n : 0;
	return raw_check(raw, IRQBIN_WINDOW_COUNTERS);
}

/* Later reads of a window fail, and its earlier bytes are still those of one snapshot. */
static const char *snapshot_stays(void)
{
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);
	const uint64_t sequence = raw->header.sequence;
	ssize_t n;

	if (wrong)
		return wrong;
	nth_set(1);
	n = pread(fd, raw->byte + 128, RAW_MAX - 128, 128);
	nth_set(0);
	if (n >= 0 || errno != EFAULT)
		return why("pread returned %zd", n);
	wrong = rest_read(IRQBIN_WINDOW_COUNTERS, 128);
	if (!wrong && raw->header.sequence != sequence)
		return "the snapshot is another";
	return wrong;
}

int main(void)
{
	static const struct check checks[] = {
		{ "counters_arrive_in_parts", counters_fail_in_parts },
		{ "descriptors_arrive_in_parts", descriptors_fail_in_parts },
		{ "position_stays_where_nothing_arrives", position_stays },
		{ "snapshot_stays_where_nothing_arrives", snapshot_stays },
	};

	raw = raw_new();
	fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	nth_file = open(NTH_PATH, O_RDWR | O_CLOEXEC);
	if (fd < 0 || nth_file < 0)
		return report("usercopy", why_errno(fd < 0 ? BIN_PATH : NTH_PATH));
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
