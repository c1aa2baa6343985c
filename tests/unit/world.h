/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Ways in which a kernel may treat io_uring. A test that is run in each of them
 * asks for the same results. What is forbidden stays so for the process: these
 * tests need one each, which Check gives them.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>

#include "irqstat_uring.h"

struct world {
	const char *name;
	unsigned int flags;	/* for irqstat_batch_new() and irqstat_burst_new() */
	int setup;		/* errno of io_uring_setup(2) from the start, */
	int probe;		/* of io_uring_register(2) from the start, */
	int enter;		/* and of io_uring_enter(2) in use; 0: as it is */
	bool no_memlock;	/* no right to lock memory */
};

extern const struct world worlds[];
extern const int n_worlds;

/* Does this machine let us use io_uring? If not, @error says why. */
bool uring_is_allowed(int *error);

/* Before something is made, and when it has been made. */
void world_begin(const struct world *w);
void world_go_on(const struct world *w);

/* Is this how it must be read there, and the reason given the right one? */
void assert_way(const struct world *w, const struct irqstat_uring_info *info);

void forbid(long syscall, int error);

/* A file in memory; returns its path, valid until the next call. */
int file_make(const void *data, size_t len);
void file_set(int fd, const void *data, size_t len);
const char *file_path(int fd);

#endif /* WORLD_H */
