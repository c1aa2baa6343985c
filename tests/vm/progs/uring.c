/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Reads through io_uring: whole windows, and no worker thread. */
#define _GNU_SOURCE
#include <dirent.h>

#include "ring.h"
#include "valid.h"

static struct ring ring;
static struct raw *raw;
static int fd;

static const char *window_get(unsigned int window, int rw_flags)
{
	int n = ring_read(&ring, fd, raw->byte, RAW_MAX, window_offset(window), rw_flags);

	if (n < 0)
		return why("%s", strerror(-n));
	raw->bytes = (size_t)n;
	return raw_check(raw, window);
}

static unsigned int threads_count(void)
{
	DIR *dir = opendir("/proc/self/task");
	unsigned int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static const char *counters_by_uring(void)
{
	uint64_t last = 0;
	const char *wrong = NULL;
	int i;

	for (i = 0; !wrong && i < 50; i++, last = raw->header.sequence) {
		wrong = window_get(IRQBIN_WINDOW_COUNTERS, 0);
		if (!wrong && i && raw->header.sequence != last + 1)
			wrong = why("sequence %llu after %llu",
				    (unsigned long long)raw->header.sequence,
				    (unsigned long long)last);
	}
	return wrong;
}

static const char *descriptors_by_uring(void)
{
	return window_get(IRQBIN_WINDOW_DESCRIPTORS, 0);
}

/*
 * What is in steady state is answered in the call itself. To be run first: a worker,
 * once there, stays for seconds.
 */
static const char *no_worker_in_steady_state(void)
{
	const unsigned int before = threads_count();
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_DESCRIPTORS, raw);
	unsigned int window;
	int i;

	for (i = 0; !wrong && i < 50; i++)
		for (window = 0; !wrong && window < 2; window++)
			wrong = window_get(window, 0);
	if (!wrong && threads_count() != before)
		wrong = why("%u threads instead of %u", threads_count() - 2, before - 2);
	return wrong;
}

static const char *nowait_by_uring(void)
{
	const char *wrong = NULL;
	int i;

	for (i = 0; i < 20; i++) {
		wrong = window_get(i & 1, RWF_NOWAIT);
		if (wrong && strcmp(wrong, strerror(EAGAIN)))
			return wrong;
	}
	return wrong;
}

static const char *end_and_fault_by_uring(void)
{
	void *no_access;
	int n;

	if (ring_read(&ring, fd, raw->byte, RAW_MAX, 1 << 24, 0) ||
	    ring_read(&ring, fd, raw->byte, RAW_MAX, (off_t)1 << 62, 0))
		return "something outside of the windows";
	no_access = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	n = ring_read(&ring, fd, no_access, 4096, 0, 0);
	munmap(no_access, 4096);
	return n == -EFAULT ? NULL : why("%d instead of EFAULT", n);
}

int main(void)
{
	static const struct check checks[] = {
		{ "uring_needs_no_worker_in_steady_state", no_worker_in_steady_state },
		{ "uring_reads_counters", counters_by_uring },
		{ "uring_reads_descriptors", descriptors_by_uring },
		{ "uring_nowait_reads", nowait_by_uring },
		{ "uring_end_and_fault", end_and_fault_by_uring },
	};
	const char *wrong = ring_open(&ring);

	raw = raw_new();
	if (wrong)
		return report("uring_opens", wrong);
	fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return report("uring_opens", why_errno(BIN_PATH));
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
