/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * All sources are read in rounds of one system call: one round if nothing is
 * longer than the last time.
 *
 * How a source ended the last time says how to ask for it. A window of the
 * module tells its own length: one read with room to spare, RWF_NOWAIT so that
 * the kernel doesn't look behind its end again. Any other file ends where a read
 * gives nothing: one read of exactly as much as it had, and linked to it another
 * that looks for more. No read of either kind is cut short, which the kernel
 * would take for a reason to try again.
 */
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "internal.h"

#define N_ENTRIES 256

struct irqstat_batch {
	struct ring ring;
	unsigned int n;
	struct input *inputs;
	/* As the inputs: what is registered, or to be. */
	int *fds;
	struct iovec *buffers;
};

struct irqstat_batch *irqstat_batch_new(unsigned int flags)
{
	static const uint8_t ops[] = { IORING_OP_READ, IORING_OP_READ_FIXED, IORING_OP_LAST };
	struct irqstat_batch *b;

	if (flags & ~IRQSTAT_URING_NEVER) {
		errno = EINVAL;
		return NULL;
	}
	b = calloc(1, sizeof(*b));
	if (b)
		ring_init(&b->ring, N_ENTRIES, flags, ops);
	return b;
}

void irqstat_batch_free(struct irqstat_batch *b)
{
	int err = errno;
	unsigned int i;

	if (!b)
		return;
	ring_exit(&b->ring);
	for (i = 0; i < b->n; i++)
		if (!b->inputs[i].is)
			file_close(&b->inputs[i].file);
	free(b->inputs);
	free(b->fds);
	free(b->buffers);
	free(b);
	errno = err;
}

static int grow(struct irqstat_batch *b)
{
	const size_t n = (size_t)b->n + 1;
	void *inputs, *fds, *buffers;

	inputs = realloc(b->inputs, n * sizeof(*b->inputs));
	if (inputs)
		b->inputs = inputs;
	fds = realloc(b->fds, n * sizeof(*b->fds));
	if (fds)
		b->fds = fds;
	buffers = realloc(b->buffers, n * sizeof(*b->buffers));
	if (buffers)
		b->buffers = buffers;
	return inputs && fds && buffers ? 0 : -1;
}

/* On a pipe pread fails, but a read by io_uring would wait. */
static int add(struct irqstat_batch *b, const struct input *s, int fd)
{
	if ((fd >= 0 && lseek(fd, 0, SEEK_CUR) < 0) || grow(b))
		return -1;
	b->inputs[b->n] = *s;
	b->inputs[b->n].error = EINVAL;
	return (int)b->n++;
}

int irqstat_batch_add(struct irqstat_batch *b, struct irqstat *is)
{
	const struct input s = { .is = is };
	unsigned int i;

	for (i = 0; i < b->n; i++) {
		if (b->inputs[i].is == is) {
			errno = EEXIST;
			return -1;
		}
	}
	return add(b, &s, irqstat_fileno(is));
}

int irqstat_batch_add_file(struct irqstat_batch *b, const char *path)
{
	struct input s = { 0 };
	int index, err;

	if (file_open(&s.file, path))
		return -1;
	index = add(b, &s, s.file.fd);
	if (index < 0) {
		err = errno;
		file_close(&s.file);
		errno = err;
	}
	return index;
}

static bool is_current(const struct input *s)
{
	return s->is_registered && s->serial == s->io.serial;
}

static void unregister(struct ring *r)
{
	if (r->info.fixed_files)
		io_uring_unregister_files(&r->uring);
	if (r->info.fixed_buffers)
		io_uring_unregister_buffers(&r->uring);
	r->info.fixed_files = false;
	r->info.fixed_buffers = false;
}

/* If that fails, reads work all the same. */
static void register_all(struct irqstat_batch *b)
{
	struct ring *r = &b->ring;
	unsigned int i, n = 0;

	unregister(r);
	for (i = 0; i < b->n; i++) {
		struct input *s = &b->inputs[i];

		s->is_registered = s->is_pending;
		if (!s->is_pending)
			continue;
		b->fds[n] = s->io.fd;
		b->buffers[n] = (struct iovec){ s->io.data, s->io.size };
		s->no_nowait &= s->serial == s->io.serial;
		s->serial = s->io.serial;
		s->slot = n++;
	}
	r->info.fixed_files = !io_uring_register_files(&r->uring, b->fds, n);
	r->info.fixed_buffers = !io_uring_register_buffers(&r->uring, b->buffers, n);
}

static void register_changes(struct irqstat_batch *b)
{
	bool changed = false;
	unsigned int i;

	for (i = 0; i < b->n; i++)
		changed |= input_prepare(&b->inputs[i]) && !is_current(&b->inputs[i]);
	if (changed)
		register_all(b);
}

/* A read of @size bytes, @skip behind what the source waits for. */
static struct io_uring_sqe *queue_read(struct irqstat_batch *b, struct input *s, size_t skip,
				       size_t size)
{
	const struct irqstat_uring_info *info = &b->ring.info;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&b->ring.uring);
	char *data = (char *)s->io.data + skip;

	if (info->fixed_buffers && is_current(s))
		io_uring_prep_read_fixed(sqe, s->io.fd, data, (unsigned int)size,
					 s->io.offset + skip, (int)s->slot);
	else
		io_uring_prep_read(sqe, s->io.fd, data, (unsigned int)size, s->io.offset + skip);
	if (info->fixed_files && is_current(s)) {
		sqe->fd = (int)s->slot;
		sqe->flags |= IOSQE_FIXED_FILE;
	}
	sqe->user_data = (uint64_t)(s - b->inputs) << 1 | s->n_queued++;
	return sqe;
}

static void queue(struct irqstat_batch *b, struct input *s)
{
	struct io_uring_sqe *sqe;

	s->n_queued = 0;
	if (!s->is_pending || !input_prepare(s))
		return;
	s->is_nowait = s->is_window && !s->no_nowait && !s->must_wait;
	if (!s->is_window && s->io.offset == 0 && s->len && s->len < s->io.size) {
		sqe = queue_read(b, s, 0, s->len);
		sqe->flags |= IOSQE_IO_HARDLINK;
		queue_read(b, s, s->len, s->io.size - s->len);
	} else {
		sqe = queue_read(b, s, 0, s->io.size);
		sqe->rw_flags = s->is_nowait ? RWF_NOWAIT : 0;
	}
}

/* Is what it waits for now what the second read was for? */
static bool continues(struct input *s, const struct irqstat_io *first)
{
	return s->is_pending && input_prepare(s) && s->io.serial == first->serial &&
	       s->io.offset == first->offset + s->len &&
	       s->io.data == (char *)first->data + s->len;
}

static void dequeue(struct input *s)
{
	const struct irqstat_io first = s->io;

	if (!s->n_queued)
		return;
	if (s->is_nowait && (s->res[0] == -EAGAIN || s->res[0] == -EOPNOTSUPP)) {
		s->no_nowait = s->res[0] == -EOPNOTSUPP;
		s->must_wait = true;
		return;
	}
	input_complete(s, s->res[0]);
	if (s->n_queued == 2 && continues(s, &first))
		input_complete(s, s->res[1]);
}

/* Reads those from @first on that the ring has room for; finds behind the last of them. */
static int wave(struct irqstat_batch *b, unsigned int first, unsigned int *end)
{
	struct io_uring *uring = &b->ring.uring;
	struct io_uring_cqe *cqe;
	unsigned int i, n;
	int error;

	for (i = first; i < b->n && io_uring_sq_space_left(uring) >= 2; i++)
		queue(b, &b->inputs[i]);
	*end = i;
	n = io_uring_sq_ready(uring);
	if (!n)
		return 0;
	error = ring_run(&b->ring, n);
	if (error)
		return error;
	for (; n && !io_uring_peek_cqe(uring, &cqe); n--) {
		b->inputs[cqe->user_data >> 1].res[cqe->user_data & 1] = cqe->res;
		io_uring_cqe_seen(uring, cqe);
	}
	for (i = first; i < *end; i++)
		dequeue(&b->inputs[i]);
	return 0;
}

static bool is_any_pending(const struct irqstat_batch *b)
{
	unsigned int i;

	for (i = 0; i < b->n; i++)
		if (b->inputs[i].is_pending)
			return true;
	return false;
}

static void read_by_uring(struct irqstat_batch *b)
{
	unsigned int i;
	int error;

	register_changes(b);
	while (is_any_pending(b)) {
		for (i = 0; i < b->n;) {
			error = wave(b, i, &i);
			if (error) {
				ring_give_up(&b->ring, error);
				return;
			}
		}
	}
}

int irqstat_batch_read(struct irqstat_batch *b)
{
	unsigned int i;
	int n_failed = 0;

	for (i = 0; i < b->n; i++)
		input_begin(&b->inputs[i]);
	if (ring_is_there(&b->ring))
		read_by_uring(b);
	for (i = 0; i < b->n; i++) {
		input_finish(&b->inputs[i], &b->ring.info.n_calls);
		n_failed += b->inputs[i].error != 0;
	}
	return n_failed;
}

int irqstat_batch_errno(const struct irqstat_batch *b, unsigned int index)
{
	return index < b->n ? b->inputs[index].error : EINVAL;
}

const void *irqstat_batch_bytes(const struct irqstat_batch *b, unsigned int index, size_t *len)
{
	int error = irqstat_batch_errno(b, index);

	if (!error && b->inputs[index].is)
		error = EINVAL;
	if (error) {
		errno = error;
		return NULL;
	}
	*len = b->inputs[index].file.len;
	return b->inputs[index].file.data;
}

const struct irqstat_uring_info *irqstat_batch_info(const struct irqstat_batch *b)
{
	return &b->ring.info;
}
