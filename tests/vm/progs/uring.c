/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Reads through io_uring, by bare system calls: whole windows, and no worker thread. */
#define _GNU_SOURCE
#include <dirent.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "valid.h"

#define ENTRIES	8

struct ring {
	int fd;
	unsigned int *sq_tail, *sq_mask, *sq_array;
	unsigned int *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
};

static struct ring ring;
static struct raw *raw;
static int fd;

static void *ring_map(size_t size, off_t offset)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd,
			 offset);

	return map == MAP_FAILED ? NULL : map;
}

static const char *ring_open(void)
{
	struct io_uring_params p = { 0 };
	char *sq, *cq;

	ring.fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (ring.fd < 0)
		return why_errno("io_uring_setup");
	sq = ring_map(p.sq_off.array + p.sq_entries * sizeof(unsigned int), IORING_OFF_SQ_RING);
	cq = ring_map(p.cq_off.cqes + p.cq_entries * sizeof(*ring.cqe), IORING_OFF_CQ_RING);
	ring.sqe = ring_map(p.sq_entries * sizeof(*ring.sqe), IORING_OFF_SQES);
	if (!sq || !cq || !ring.sqe)
		return why_errno("mmap of the ring");
	ring.sq_tail = (unsigned int *)(sq + p.sq_off.tail);
	ring.sq_mask = (unsigned int *)(sq + p.sq_off.ring_mask);
	ring.sq_array = (unsigned int *)(sq + p.sq_off.array);
	ring.cq_head = (unsigned int *)(cq + p.cq_off.head);
	ring.cq_tail = (unsigned int *)(cq + p.cq_off.tail);
	ring.cq_mask = (unsigned int *)(cq + p.cq_off.ring_mask);
	ring.cqe = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
	return NULL;
}

/* One read; returns its result, as a CQE has it. */
static int ring_read(off_t offset, size_t size, int rw_flags)
{
	const unsigned int tail = *ring.sq_tail, head = *ring.cq_head;
	struct io_uring_sqe *sqe = &ring.sqe[tail & *ring.sq_mask];
	int result;

	*sqe = (struct io_uring_sqe){
		.opcode = IORING_OP_READ, .fd = fd, .off = (uint64_t)offset,
		.addr = (uintptr_t)raw->byte, .len = (unsigned int)size, .rw_flags = rw_flags,
	};
	ring.sq_array[tail & *ring.sq_mask] = tail & *ring.sq_mask;
	__atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return -errno;
	if (__atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE) == head)
		return -EBUSY;
	result = ring.cqe[head & *ring.cq_mask].res;
	__atomic_store_n(ring.cq_head, head + 1, __ATOMIC_RELEASE);
	return result;
}

static const char *window_get(unsigned int window, int rw_flags)
{
	int n = ring_read(window_offset(window), RAW_MAX, rw_flags);

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
	struct raw *const kept = raw;
	int n;

	if (ring_read(1 << 24, RAW_MAX, 0) || ring_read((off_t)1 << 62, RAW_MAX, 0))
		return "something outside of the windows";
	raw = mmap(NULL, sizeof(*raw), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	n = ring_read(0, 4096, 0);
	munmap(raw, sizeof(*raw));
	raw = kept;
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
	const char *wrong = ring_open();

	raw = raw_new();
	if (wrong)
		return report("uring_opens", wrong);
	fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return report("uring_opens", why_errno(BIN_PATH));
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
