/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* One handle on somebody else's ring. */
#include <liburing.h>

#include "irqstat_uring.h"

/* The most that one read gives, whatever is asked for. */
#define READ_MAX ((size_t)0x7ffff000)

int irqstat_uring_prepare(struct irqstat *is, struct io_uring_sqe *sqe)
{
	struct irqstat_io io;

	if (irqstat_read_prepare(is, &io))
		return -1;
	io_uring_prep_read(sqe, io.fd, io.data,
			   (unsigned int)(io.size < READ_MAX ? io.size : READ_MAX), io.offset);
	return 0;
}

int irqstat_uring_complete(struct irqstat *is, int res)
{
	return irqstat_read_complete(is, res, 0);
}
