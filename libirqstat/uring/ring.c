/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A ring that does not work is none: whatever fails in making or using it is
 * remembered as the reason, and its users read without.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "internal.h"

#define N_OPS 64

static int probe(struct io_uring *uring, const uint8_t *ops)
{
	union {
		struct io_uring_probe head;
		char room[sizeof(struct io_uring_probe) + N_OPS * sizeof(struct io_uring_probe_op)];
	} p;
	int ret;

	memset(&p, 0, sizeof(p));
	ret = io_uring_register_probe(uring, &p.head, N_OPS);
	/* Kernels that can't be asked can't do what is asked for either. */
	if (ret < 0)
		return ret == -EINVAL ? EOPNOTSUPP : -ret;
	for (; *ops != IORING_OP_LAST; ops++)
		if (!io_uring_opcode_supported(&p.head, *ops))
			return EOPNOTSUPP;
	return 0;
}

void ring_init(struct ring *r, unsigned int n_entries, unsigned int flags, const uint8_t *ops)
{
	int error;

	r->info.way = IRQSTAT_URING_WAY_PREAD;
	if (flags & IRQSTAT_URING_NEVER)
		return;
	error = -io_uring_queue_init(n_entries, &r->uring, 0);
	if (!error) {
		r->info.way = IRQSTAT_URING_WAY_URING;
		error = probe(&r->uring, ops);
	}
	if (error)
		ring_give_up(r, error);
}

void ring_exit(struct ring *r)
{
	if (ring_is_there(r))
		io_uring_queue_exit(&r->uring);
	r->info.way = IRQSTAT_URING_WAY_PREAD;
	r->info.fixed_files = false;
	r->info.fixed_buffers = false;
}

void ring_give_up(struct ring *r, int error)
{
	ring_exit(r);
	r->info.error = error;
}

int ring_run(struct ring *r, unsigned int n)
{
	struct io_uring *uring = &r->uring;
	int ret;

	do {
		ret = io_uring_submit_and_wait(uring, n);
		r->info.n_calls++;
		if (ret < 0 && ret != -EINTR)
			goto failed;
	} while (io_uring_cq_ready(uring) < n);
	return 0;

failed:
	/* What the kernel has taken comes back by itself. */
	n -= io_uring_sq_ready(uring);
	while (io_uring_cq_ready(uring) < n)
		sched_yield();
	return -ret;
}
