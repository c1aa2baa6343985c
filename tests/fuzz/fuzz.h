/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What the targets share. Each is a function for libFuzzer, which AFL++ calls
 * too: it aborts on whatever must not be.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "../unit/coherent.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#define MUST(condition)							\
	do {								\
		if (!(condition)) {					\
			fprintf(stderr, "%s:%d: not so: " #condition "\n", \
				__FILE__, __LINE__);			\
			abort();					\
		}							\
	} while (0)

static inline void must_be_sound(const char *fault)
{
	if (fault) {
		fprintf(stderr, "%s\n", fault);
		abort();
	}
}

/* In memory of exactly its size. */
static inline void *fuzz_copy(const void *data, size_t len)
{
	void *copy = malloc(len ? len : 1);

	MUST(copy);
	return memcpy(copy, data, len);
}

#endif /* FUZZ_H */
