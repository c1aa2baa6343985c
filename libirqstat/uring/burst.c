/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A burst is one chain of requests: read, wait until, read, wait until, ... A
 * read is linked hard to the wait behind it, as a read of fewer bytes than there
 * is room for would break the chain; a wait that is called off is to break it.
 */
#define _FILE_OFFSET_BITS 64
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define NS_PER_S 1000000000U

/* user_data: a read's is its number */
#define WAIT_TAG   UINT64_MAX
#define CANCEL_TAG (UINT64_MAX - 1)

struct sample {
	uint64_t time_ns;	/* of text, 0: the bytes say it */
	ssize_t res;		/* bytes, or an errno below 0 */
};

struct irqstat_burst {
	struct ring ring;
	struct irqstat *is;
	int fd;			/* the burst's own, if the handle is closed */
	unsigned int n;
	unsigned int n_taken;
	unsigned int next;	/* to be given to the handle */
	unsigned int n_under_way; /* requests of the ring */
	bool is_started;
	uint64_t interval_ns;
	uint64_t start_ns;	/* CLOCK_MONOTONIC */
	size_t room;
	char *bytes;		/* room for each */
	struct sample *samples;
	struct __kernel_timespec *times;
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t time_of(const struct irqstat_burst *b, unsigned int i)
{
	return b->start_ns + i * b->interval_ns;
}

static int reserve(struct irqstat_burst *b)
{
	if (b->room > SIZE_MAX / b->n) {
		errno = ENOMEM;
		return -1;
	}
	b->samples = calloc(b->n, sizeof(*b->samples));
	b->times = calloc(b->n, sizeof(*b->times));
	if (!b->samples || !b->times)
		return -1;
	/* There from the start: no read is to wait for memory. */
	b->bytes = mmap(NULL, b->n * b->room, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (b->bytes == MAP_FAILED) {
		b->bytes = NULL;
		errno = ENOMEM;
		return -1;
	}
	return 0;
}

/* Reads once, which tells how much there is to be read and from what. */
static int learn(struct irqstat_burst *b, bool *is_window)
{
	struct input s = { .is = b->is };

	input_begin(&s);
	input_finish(&s, &b->ring.info.n_calls);
	if (!s.error && irqstat_source_get(b->is) == IRQSTAT_SOURCE_CAPTURE)
		s.error = EOPNOTSUPP;
	if (s.error) {
		errno = s.error;
		return -1;
	}
	b->room = (s.len + s.len / 4 + 2 * 4096) & ~(size_t)4095;
	*is_window = s.is_window;
	b->fd = fcntl(s.io.fd, F_DUPFD_CLOEXEC, 0);
	return b->fd < 0 ? -1 : 0;
}

/* Is a wait that has ended a success here? Without that the chain can't be called off. */
static int try_wait(struct ring *r)
{
	struct __kernel_timespec t = { 0 };
	struct io_uring_sqe *sqe = io_uring_get_sqe(&r->uring);
	struct io_uring_cqe *cqe;
	int error, res;

	io_uring_prep_timeout(sqe, &t, 0, IORING_TIMEOUT_ETIME_SUCCESS);
	error = ring_run(r, 1);
	if (error)
		return error;
	io_uring_peek_cqe(&r->uring, &cqe);
	res = cqe->res;
	io_uring_cqe_seen(&r->uring, cqe);
	return res == -ETIME ? 0 : EOPNOTSUPP;
}

static void set_up(struct irqstat_burst *b, unsigned int flags, bool is_window)
{
	static const uint8_t ops[] = { IORING_OP_READ, IORING_OP_TIMEOUT, IORING_OP_TIMEOUT_REMOVE,
				       IORING_OP_LAST };
	struct ring *r = &b->ring;
	int error;

	if (is_window || flags)
		ring_init(r, 2 * b->n, flags, ops);
	else
		ring_give_up(r, EOPNOTSUPP);
	if (!ring_is_there(r))
		return;
	error = try_wait(r);
	if (error)
		ring_give_up(r, error);
	else
		r->info.fixed_files = !io_uring_register_files(&r->uring, &b->fd, 1);
}

struct irqstat_burst *irqstat_burst_new(struct irqstat *is, unsigned int n, uint64_t interval_ns,
					unsigned int flags)
{
	struct irqstat_burst *b;
	bool is_window;

	if (!n || n > IRQSTAT_BURST_MAX || !interval_ns || interval_ns > INT64_MAX / 2 / n ||
	    flags & ~IRQSTAT_URING_NEVER) {
		errno = EINVAL;
		return NULL;
	}
	b = calloc(1, sizeof(*b));
	if (!b)
		return NULL;
	b->is = is;
	b->fd = -1;
	b->n = n;
	b->interval_ns = interval_ns;
	if (learn(b, &is_window) || reserve(b)) {
		irqstat_burst_free(b);
		return NULL;
	}
	set_up(b, flags, is_window);
	return b;
}

static void reap_one(struct irqstat_burst *b, const struct io_uring_cqe *cqe)
{
	b->n_under_way--;
	if (cqe->user_data >= b->n)
		return;
	/* There is room to read to; but the thread that was to do it is gone. */
	b->samples[cqe->user_data].res = cqe->res == -EFAULT ? -ECANCELED : cqe->res;
	b->n_taken++;
}

/* Looks at what is completed. Reads come in their order. */
static void reap(struct irqstat_burst *b)
{
	struct io_uring_cqe *cqe;

	while (!io_uring_peek_cqe(&b->ring.uring, &cqe)) {
		reap_one(b, cqe);
		io_uring_cqe_seen(&b->ring.uring, cqe);
	}
}

/* Submits what is queued and waits for @n more completions; below 0: an errno. */
static int enter(struct irqstat_burst *b, unsigned int n)
{
	struct io_uring *uring = &b->ring.uring;
	const unsigned int n_queued = io_uring_sq_ready(uring);
	int ret = io_uring_submit_and_wait(uring, n);

	b->ring.info.n_calls++;
	b->n_under_way += n_queued - io_uring_sq_ready(uring);
	/* If we may no longer wait for it: it comes by itself. */
	if (ret < 0 && ret != -EINTR)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = 1000000 }, NULL);
	reap(b);
	return ret;
}

/* The wait that is armed breaks the chain; if none is, a read runs and will be done soon. */
static void call_off(struct irqstat_burst *b)
{
	struct io_uring_sqe *sqe;

	while (b->n_under_way) {
		sqe = io_uring_get_sqe(&b->ring.uring);
		if (sqe) {
			io_uring_prep_timeout_remove(sqe, WAIT_TAG, 0);
			sqe->user_data = CANCEL_TAG;
		}
		enter(b, 1);
	}
}

void irqstat_burst_free(struct irqstat_burst *b)
{
	int err = errno;

	if (!b)
		return;
	if (ring_is_there(&b->ring))
		call_off(b);
	ring_exit(&b->ring);
	if (b->bytes)
		munmap(b->bytes, b->n * b->room);
	if (b->fd >= 0)
		close(b->fd);
	free(b->samples);
	free(b->times);
	free(b);
	errno = err;
}

static void queue_wait(struct irqstat_burst *b, unsigned int i)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&b->ring.uring);

	b->times[i].tv_sec = (int64_t)(time_of(b, i) / NS_PER_S);
	b->times[i].tv_nsec = (int64_t)(time_of(b, i) % NS_PER_S);
	io_uring_prep_timeout(sqe, &b->times[i], 0,
			      IORING_TIMEOUT_ABS | IORING_TIMEOUT_ETIME_SUCCESS);
	sqe->flags |= IOSQE_IO_LINK;
	sqe->user_data = WAIT_TAG;
}

static void queue_read(struct irqstat_burst *b, unsigned int i)
{
	const bool fixed = b->ring.info.fixed_files;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&b->ring.uring);

	io_uring_prep_read(sqe, fixed ? 0 : b->fd, b->bytes + i * b->room, (unsigned int)b->room,
			   0);
	sqe->flags |= fixed ? IOSQE_FIXED_FILE : 0;
	sqe->flags |= i + 1 < b->n ? IOSQE_IO_HARDLINK : 0;
	sqe->user_data = i;
}

static bool start_by_uring(struct irqstat_burst *b)
{
	unsigned int i;
	int ret;

	queue_read(b, 0);
	for (i = 1; i < b->n; i++) {
		queue_wait(b, i);
		queue_read(b, i);
	}
	ret = enter(b, 1);
	if (!io_uring_sq_ready(&b->ring.uring))
		return true;
	call_off(b);
	ring_give_up(&b->ring, ret < 0 ? -ret : EAGAIN);
	return false;
}

static void take_by_pread(struct irqstat_burst *b)
{
	struct sample *s = &b->samples[b->n_taken];
	char *bytes = b->bytes + b->n_taken * b->room;
	size_t len = 0;
	ssize_t n;

	s->time_ns = now_ns(CLOCK_BOOTTIME);
	do {
		n = pread(b->fd, bytes + len, b->room - len, (off_t)len);
		b->ring.info.n_calls++;
		len += n > 0 ? (size_t)n : 0;
	} while ((n < 0 && errno == EINTR) || (n > 0 && len < b->room));
	s->res = n < 0 ? -errno : (ssize_t)len;
	b->n_taken++;
}

int irqstat_burst_start(struct irqstat_burst *b)
{
	if (ring_is_there(&b->ring))
		reap(b);
	if (b->is_started && b->n_taken < b->n) {
		errno = EBUSY;
		return -1;
	}
	b->is_started = true;
	b->n_taken = 0;
	b->next = 0;
	b->start_ns = now_ns(CLOCK_MONOTONIC);
	if (ring_is_there(&b->ring) && start_by_uring(b))
		return 0;
	b->n_taken = 0;
	b->start_ns = now_ns(CLOCK_MONOTONIC);
	take_by_pread(b);
	return 0;
}

static int sleep_until(uint64_t time_ns)
{
	const struct timespec t = { (time_t)(time_ns / NS_PER_S), (long)(time_ns % NS_PER_S) };
	int error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);

	errno = error ? error : errno;
	return error ? -1 : 0;
}

static int wait_for(struct irqstat_burst *b, unsigned int n)
{
	if (!ring_is_there(&b->ring)) {
		b->ring.info.n_calls++;
		if (sleep_until(time_of(b, b->n_taken)))
			return -1;
		take_by_pread(b);
	} else if (enter(b, b->n_under_way - 2 * (b->n - n)) == -EINTR && b->n_taken < n) {
		errno = EINTR;
		return -1;
	}
	return 0;
}

int irqstat_burst_wait(struct irqstat_burst *b, unsigned int n)
{
	if (!b->is_started) {
		errno = EINVAL;
		return -1;
	}
	n = n < b->n ? n : b->n;
	if (ring_is_there(&b->ring))
		reap(b);
	while (b->n_taken < n)
		if (wait_for(b, n))
			return -1;
	return (int)b->n_taken;
}

/* irqstat_read() of what is in memory. */
static int give(struct irqstat_burst *b, const char *bytes, const struct sample *s)
{
	const size_t len = (size_t)s->res;
	struct irqstat_io io;
	size_t at, n;
	int ret;

	do {
		if (irqstat_read_prepare(b->is, &io))
			return -1;
		at = (size_t)io.offset;
		n = at < len ? len - at : 0;
		n = n < io.size ? n : io.size;
		memcpy(io.data, bytes + at, n);
		ret = irqstat_read_complete(b->is, (ssize_t)n, s->time_ns);
	} while (ret == 1);
	return ret;
}

int irqstat_burst_next(struct irqstat_burst *b)
{
	const struct sample *s = &b->samples[b->next];
	const char *bytes = b->bytes + b->next * b->room;

	if (!b->is_started || b->next == b->n_taken)
		return 1;
	b->next++;
	if (s->res < 0) {
		errno = (int)-s->res;
		return -1;
	}
	/* It may go on: a text that is cut behind a row looks whole. */
	if ((size_t)s->res == b->room) {
		errno = ENOBUFS;
		return -1;
	}
	return give(b, bytes, s);
}

const struct irqstat_uring_info *irqstat_burst_info(const struct irqstat_burst *b)
{
	return &b->ring.info;
}
