/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef IRQSTAT_URING_INTERNAL_H
#define IRQSTAT_URING_INTERNAL_H

#include <liburing.h>

#include "irqstat_uring.h"

/* ring.c: a ring, or the reason why there is none */

struct ring {
	struct io_uring uring;	/* if info.way says so */
	struct irqstat_uring_info info;
};

/* @ops: what it must be able to do, ending with IORING_OP_LAST */
void ring_init(struct ring *r, unsigned int n_entries, unsigned int flags, const uint8_t *ops);
void ring_exit(struct ring *r);

/* Nothing must be under way. @error: an errno */
void ring_give_up(struct ring *r, int error);

/*
 * Submits what has been queued, which are @n, and waits for the completions of all. On failure
 * (an errno) nothing is under way, but an unknown part of it was done.
 */
int ring_run(struct ring *r, unsigned int n);

static inline bool ring_is_there(const struct ring *r)
{
	return r->info.way == IRQSTAT_URING_WAY_URING;
}

/* file.c: a file as it is, in a buffer that grows until its end was seen */

struct file {
	int fd;
	uint32_t n_grown;
	char *data;
	size_t len;
	size_t cap;
};

int file_open(struct file *f, const char *path);
void file_close(struct file *f);
void file_begin(struct file *f);
/* As irqstat_read_prepare() and irqstat_read_complete(). */
int file_prepare(struct file *f, struct irqstat_io *io);
int file_complete(struct file *f, ssize_t res);

/* input.c: a handle or a file that is read once */

struct input {
	struct irqstat *is;	/* NULL: it is the file */
	struct file file;

	struct irqstat_io io;	/* what it waits for, if it is prepared */
	bool is_prepared;
	bool is_pending;	/* not read to the end yet, nor failed */
	int error;		/* of the last time that it ended */

	/* What the last time tells of the next. */
	size_t len;		/* 0: not known */
	bool is_window;		/* one read gave all, and that there is no more */

	/* batch.c: on the ring */
	unsigned int slot;	/* among registered files and buffers, */
	uint32_t serial;	/* which are those of this serial */
	bool is_registered;
	bool no_nowait;		/* the file doesn't know RWF_NOWAIT */
	bool must_wait;		/* and for this time don't use it */
	bool is_nowait;
	uint8_t n_queued;
	int res[2];
};

void input_begin(struct input *s);
/* Finds out what it waits for; false if it has failed at that. */
bool input_prepare(struct input *s);
void input_complete(struct input *s, ssize_t res);
/* By pread(2), from wherever it is to its end. */
void input_finish(struct input *s, uint64_t *n_calls);

#endif /* IRQSTAT_URING_INTERNAL_H */
