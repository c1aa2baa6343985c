/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A file that snapshots are recorded into. */
#ifndef RECORDING_H
#define RECORDING_H

#include "cmd.h"

struct recording {
	const char *path;
	const char *name;	/* what messages call it */
	char *beside;		/* the name until the first snapshot is there; NULL: its own */
	int fd;			/* -1: not open */
	struct irqstat_capture *capture;
	uint64_t n;
	bool is_new;		/* the file is of our making */
};

/* What becomes of a file that is there. */
enum recording_mode { RECORDING_KEEP, RECORDING_APPEND, RECORDING_REPLACE };

/* @path: "-" is standard output. */
int recording_open(struct recording *r, const char *path, enum recording_mode mode);
/* The last snapshot of a handle. */
int recording_add(struct recording *r, struct irqstat *is);
/* The exit code: @code, or that of what can still go wrong. */
int recording_close(struct recording *r, int code);

#endif /* RECORDING_H */
