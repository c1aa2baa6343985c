/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A file whose pread(2) does what a test wants: reads of the file descriptor
 * from fake_open() are answered here and not by the kernel.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "stream.h"

#define FAKE_MAX_SNAPSHOTS 40

/* What opening a file comes to: another file, FAKE_FILE, or an errno. */
struct fake_path {
	const char *file;
	int error;
};

#define FAKE_FILE "what fake_open() opens"

struct fake {
	/* What successive reads at 0 give; the last one again and again. */
	const struct stream *snapshots[FAKE_MAX_SNAPSHOTS];
	size_t n_snapshots;
	const struct stream *descs;	/* at IRQBIN_DESC_OFFSET */
	size_t max;			/* bytes a call, 0: no limit */
	unsigned int n_eintr;		/* so many calls first fail with EINTR */
	unsigned int n_torn;		/* so many reads further on find the next */
	int error;			/* errno of all calls, 0: none */

	bool has_paths;			/* of irqstat_open(NULL) */
	struct fake_path module;
	struct fake_path text;

	size_t at;			/* index of the current snapshot + 1 */
	unsigned int n_calls;
	unsigned int n_desc_calls;
	size_t most_asked;
};

extern struct fake fake;

/* Resets the fake and opens it. */
int fake_open(void);

/* The next snapshot to be given. */
void fake_add(const struct stream *s);

#endif /* FAKE_H */
