/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * libirqstat_uring: handles of libirqstat read through io_uring.
 *
 *	one handle	on a ring of the caller's, among what else is on it
 *	batch		many handles and raw files, all by one system call
 *	burst		N timed snapshots of one handle, from one submission
 *
 * The last two make a ring of their own. Where there is no io_uring, or it may
 * not be used, they read by pread(2) and sleep by clock_nanosleep(2), with the
 * same results; struct irqstat_uring_info says which it is and why.
 *
 * Errors, threads and the ownership of what is returned are as in irqstat.h. A
 * batch or burst is used by the thread that made it, and not by a child after
 * fork(2). What can't be read affects nothing else that is read with it.
 */
#ifndef IRQSTAT_URING_H
#define IRQSTAT_URING_H

#include <irqstat.h>

#ifdef __cplusplus
extern "C" {
#endif

struct io_uring_sqe;

/*
 * irqstat_uring_prepare - fill in the read that a handle waits for
 * @sqe: as from io_uring_get_sqe(); user_data is left to be set
 *
 * irqstat_read_prepare() for the caller's own ring. Until its completion has
 * come (after a cancellation, too) the memory that is read to is the kernel's:
 * nothing may be done with the handle, irqstat_close() least of all.
 *
 * Returns 0, or -1 with the errnos of irqstat_read_prepare(): @sqe is then as it
 * was, and must be given away otherwise, as by io_uring_prep_nop().
 */
IRQSTAT_API int irqstat_uring_prepare(struct irqstat *is,
				      struct io_uring_sqe *sqe);

/*
 * irqstat_uring_complete - take the completion of that read
 * @res: of its struct io_uring_cqe
 *
 * Returns as irqstat_read_complete(): 0 when there is a new snapshot, 1 when there
 * is more to be read and the handle to be prepared again.
 */
IRQSTAT_API int irqstat_uring_complete(struct irqstat *is, int res);

/* How a batch or a burst reads. */
enum irqstat_uring_way {
	IRQSTAT_URING_WAY_URING = 1,
	IRQSTAT_URING_WAY_PREAD = 2
};

struct irqstat_uring_info {
	enum irqstat_uring_way way;
	/*
	 * Why it is not io_uring; 0 if it is, or if it was not to be:
	 *
	 *	ENOSYS		the kernel has none, or a seccomp filter says so
	 *	EPERM		forbidden: kernel.io_uring_disabled, or seccomp
	 *	EOPNOTSUPP	the kernel's is too old for this, or it is a burst
	 *			of text, whose bytes don't say when they were read
	 *	ENOMEM		RLIMIT_MEMLOCK (before Linux 5.12), or no memory
	 *
	 * or another errno of io_uring_setup(2) or io_uring_enter(2). One that
	 * failed in use is not tried again.
	 */
	int error;
	bool fixed_files;	/* all files are registered with the ring */
	bool fixed_buffers;	/* all buffers are; RLIMIT_MEMLOCK may forbid it */
	uint64_t n_calls;	/* system calls made to read or to wait, so far */
};

/* For irqstat_batch_new() and irqstat_burst_new(): don't use io_uring. */
#define IRQSTAT_URING_NEVER 0x1U

/* Batch: sources that are read together. */
struct irqstat_batch;

/*
 * irqstat_batch_new - make a batch without sources
 * @flags: 0 or IRQSTAT_URING_NEVER
 *
 * Returns NULL with ENOMEM, or with EINVAL for other flags. That there is no
 * io_uring is no failure.
 */
IRQSTAT_API struct irqstat_batch *irqstat_batch_new(unsigned int flags);

/*
 * irqstat_batch_free - free a batch, and close the files that it opened
 * @batch: may be NULL
 *
 * Its handles stay open; the module's file, however, is let go of only when both
 * are gone. Keeps errno.
 */
IRQSTAT_API void irqstat_batch_free(struct irqstat_batch *batch);

/*
 * irqstat_batch_add - read this handle, too
 *
 * The handle remains the caller's, who may use it in any way between two calls
 * of irqstat_batch_read(), and close it after irqstat_batch_free() only.
 *
 * Returns the index of the source: they are counted from 0. Or -1 with ENOMEM,
 * EEXIST when it is there already, or ESPIPE when it can't be read at offsets.
 */
IRQSTAT_API int irqstat_batch_add(struct irqstat_batch *batch,
				  struct irqstat *is);

/*
 * irqstat_batch_add_file - read this file, too, whole and as it is
 * @path: such as "/proc/softirqs" or "/proc/stat"
 *
 * Returns as irqstat_batch_add(), or -1 with an errno of open(2).
 */
IRQSTAT_API int irqstat_batch_add_file(struct irqstat_batch *batch,
				       const char *path);

/*
 * irqstat_batch_read - read all sources anew
 *
 * Handles then have a new snapshot, as by irqstat_read(). It takes one system
 * call and no allocation; more only at first, for files that have become larger
 * or smaller than they were, for handles of text that is many pages long, and
 * for more than 128 sources. Reads that a signal cut short are continued.
 *
 * Returns 0 when all sources were read, otherwise the number of those that were
 * not: irqstat_batch_errno() tells which.
 */
IRQSTAT_API int irqstat_batch_read(struct irqstat_batch *batch);

/*
 * irqstat_batch_errno - what became of a source in the last irqstat_batch_read()
 *
 * Returns 0 when it was read; one of the errnos of irqstat_read(), ENODATA at the
 * end of a capture, too; whatever read(2) gives, or EFBIG for a raw file of more
 * than 64 MiB; EINVAL when there is no such source or nothing has been read yet.
 */
IRQSTAT_API int irqstat_batch_errno(const struct irqstat_batch *batch,
				    unsigned int index);

/*
 * irqstat_batch_bytes - the bytes of a raw file
 * @len: their number, behind which stands a 0 byte
 *
 * Valid until the next irqstat_batch_read(). Returns NULL with the error of
 * irqstat_batch_errno(), or with EINVAL when the source is a handle.
 */
IRQSTAT_API const void *irqstat_batch_bytes(const struct irqstat_batch *batch,
					    unsigned int index, size_t *len);

/* irqstat_batch_info - how it reads; valid as long as the batch */
IRQSTAT_API const struct irqstat_uring_info *
irqstat_batch_info(const struct irqstat_batch *batch);

/*
 * Burst: snapshots at a fixed spacing. They are kept as they were read and made
 * arrays of only when all is over, so that taking them costs as little as can be.
 */
struct irqstat_burst;

#define IRQSTAT_BURST_MAX 16384

/*
 * irqstat_burst_new - get everything ready to take a burst
 * @is: the handle to read, and to be given the snapshots
 * @n: how many, 1 to IRQSTAT_BURST_MAX
 * @interval_ns: from one to the next, not 0
 * @flags: 0 or IRQSTAT_URING_NEVER
 *
 * Reads the handle once: as much room as that took, and a quarter more, is set
 * aside for each. The handle remains the caller's. Returns NULL with EINVAL for
 * a number or flag out of range, EOPNOTSUPP for a capture, ENOMEM, or an errno of
 * irqstat_read().
 */
IRQSTAT_API struct irqstat_burst *irqstat_burst_new(struct irqstat *is,
						    unsigned int n,
						    uint64_t interval_ns,
						    unsigned int flags);

/*
 * irqstat_burst_free - free a burst; one that is under way is called off
 * @burst: may be NULL
 *
 * Does not touch the handle, which may have been closed. Keeps errno.
 */
IRQSTAT_API void irqstat_burst_free(struct irqstat_burst *burst);

/*
 * irqstat_burst_start - take the first snapshot, and have the others taken
 *
 * With io_uring they are taken while the caller does what he likes, as long as
 * his thread lives; without it, by irqstat_burst_wait(). Snapshot i is taken
 * i * interval_ns after the first, or as soon after that as can be. Those of an
 * earlier burst are lost. Returns 0, or -1 with EBUSY while one is under way.
 */
IRQSTAT_API int irqstat_burst_start(struct irqstat_burst *burst);

/*
 * irqstat_burst_wait - wait until so many have been taken
 * @n: how many; 0: don't wait; more than there are: all
 *
 * Returns how many have been taken, which may be more; or -1 with EINTR when a
 * signal came before: wait again, or don't; EINVAL when none was started.
 */
IRQSTAT_API int irqstat_burst_wait(struct irqstat_burst *burst, unsigned int n);

/*
 * irqstat_burst_next - give the handle the next snapshot
 *
 * As irqstat_read() would have done at its time: the handle's last snapshot is
 * then the next one of the burst, and all that is made of snapshots can be made
 * of it. Only those that irqstat_burst_wait() has told of are given.
 *
 * Returns 0; 1 when there is none (yet); -1 with ENOBUFS when it had outgrown
 * the room that was set aside for it, ECANCELED when the thread that started the
 * burst is gone, or the errno with which it could not be read. The next call
 * goes on with the one behind it in any case.
 */
IRQSTAT_API int irqstat_burst_next(struct irqstat_burst *burst);

/* irqstat_burst_info - how it reads; valid as long as the burst */
IRQSTAT_API const struct irqstat_uring_info *
irqstat_burst_info(const struct irqstat_burst *burst);

#ifdef __cplusplus
}
#endif

#endif /* IRQSTAT_URING_H */
