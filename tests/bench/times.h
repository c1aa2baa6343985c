/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Times in nanoseconds, as the programs of the bench take and sort them. */
#ifndef TIMES_H
#define TIMES_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* For qsort(3): rising. */
static inline int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

#endif /* TIMES_H */
