/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Reads through io_uring, one at a time, by bare system calls. */
#ifndef RING_H
#define RING_H

#include <linux/io_uring.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "report.h"

#define RING_ENTRIES	8

struct ring {
	int fd;
	unsigned int *sq_tail, *sq_mask, *sq_array;
	unsigned int *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
};

static inline void *ring_map(const struct ring *ring, size_t size, off_t offset)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd,
			 offset);

	return map == MAP_FAILED ? NULL : map;
}

static inline const char *ring_open(struct ring *ring)
{
	struct io_uring_params p = { 0 };
	char *sq, *cq;

	ring->fd = (int)syscall(SYS_io_uring_setup, RING_ENTRIES, &p);
	if (ring->fd < 0)
		return why_errno("io_uring_setup");
	sq = ring_map(ring, p.sq_off.array + p.sq_entries * sizeof(unsigned int),
		      IORING_OFF_SQ_RING);
	cq = ring_map(ring, p.cq_off.cqes + p.cq_entries * sizeof(*ring->cqe), IORING_OFF_CQ_RING);
	ring->sqe = ring_map(ring, p.sq_entries * sizeof(*ring->sqe), IORING_OFF_SQES);
	if (!sq || !cq || !ring->sqe)
		return why_errno("mmap of the ring");
	ring->sq_tail = (unsigned int *)(sq + p.sq_off.tail);
	ring->sq_mask = (unsigned int *)(sq + p.sq_off.ring_mask);
	ring->sq_array = (unsigned int *)(sq + p.sq_off.array);
	ring->cq_head = (unsigned int *)(cq + p.cq_off.head);
	ring->cq_tail = (unsigned int *)(cq + p.cq_off.tail);
	ring->cq_mask = (unsigned int *)(cq + p.cq_off.ring_mask);
	ring->cqe = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
	return NULL;
}

/* Returns the number of bytes, or a negative error. */
static inline int ring_read(struct ring *ring, int fd, void *to, size_t size, off_t offset,
			    int rw_flags)
{
	const unsigned int tail = *ring->sq_tail, head = *ring->cq_head;
	const unsigned int slot = tail & *ring->sq_mask;
	int result;

	ring->sqe[slot] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ, .fd = fd, .off = (uint64_t)offset,
		.addr = (uintptr_t)to, .len = (unsigned int)size, .rw_flags = rw_flags,
	};
	ring->sq_array[slot] = slot;
	__atomic_store_n(ring->sq_tail, tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return -errno;
	if (__atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE) == head)
		return -EBUSY;
	result = ring->cqe[head & *ring->cq_mask].res;
	__atomic_store_n(ring->cq_head, head + 1, __ATOMIC_RELEASE);
	return result;
}

#endif
