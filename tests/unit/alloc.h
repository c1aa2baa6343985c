/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Counts what is allocated by all that is linked in, and lets one allocation fail. */
#ifndef ALLOC_H
#define ALLOC_H

struct alloc {
	unsigned int n_calls;	/* of malloc, calloc, realloc, and what has libc call them */
	unsigned int fail_at;	/* the call with this number fails; 0: none */
};

extern struct alloc alloc;

#endif /* ALLOC_H */
