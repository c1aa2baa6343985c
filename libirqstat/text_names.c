/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Names are numbered as they are first seen, those that one text has twice as
 * often as it has them: a row keeps its id whatever rows come and go.
 */
#include <stdlib.h>
#include <string.h>

#include "text.h"

void names_begin(struct names *n)
{
	n->pass++;
}

void names_free(struct names *n)
{
	free(n->names);
	free(n->slots);
	free(n->bytes);
}

static size_t hash(const char *name, size_t len, uint32_t nth)
{
	uint64_t h = 14695981039346656037ULL ^ nth;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 1099511628211ULL;
	return (size_t)(h ^ h >> 32);
}

/* Where it is, or where it would be. */
static uint32_t *find_slot(const struct names *n, const char *name, size_t len,
			   uint32_t nth)
{
	size_t mask = n->n_slots - 1, i = hash(name, len, nth) & mask;

	for (; n->slots[i]; i = (i + 1) & mask) {
		const struct name *at = &n->names[n->slots[i] - 1];

		if (at->nth == nth && at->len == len &&
		    !memcmp(n->bytes + at->at, name, len))
			break;
	}
	return &n->slots[i];
}

static int grow_slots(struct names *n)
{
	struct names larger = *n;
	size_t i;

	larger.n_slots = n->n_slots ? 2 * n->n_slots : 64;
	larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (i = 0; i < n->n; i++) {
		const struct name *at = &n->names[i];

		*find_slot(&larger, n->bytes + at->at, at->len, at->nth) =
			(uint32_t)i + 1;
	}
	free(n->slots);
	*n = larger;
	return 0;
}

int text_grow(void *array, size_t size, size_t *cap, size_t need)
{
	void **p = array;
	void *larger;

	if (need <= *cap)
		return 0;
	larger = realloc(*p, 2 * need * size);
	if (!larger)
		return -1;
	*p = larger;
	*cap = 2 * need;
	return 0;
}

static int add(struct names *n, const char *name, size_t len, uint32_t nth)
{
	struct name *at;

	if (text_grow(&n->names, sizeof(*n->names), &n->cap, n->n + 1) ||
	    text_grow(&n->bytes, 1, &n->bytes_cap, n->n_bytes + len))
		return -1;
	at = &n->names[n->n];
	*at = (struct name){ n->n_bytes, (uint32_t)len, nth, 0, 0 };
	memcpy(n->bytes + n->n_bytes, name, len);
	*find_slot(n, name, len, nth) = (uint32_t)++n->n;
	n->n_bytes += len;
	return 0;
}

static int get(struct names *n, const char *name, size_t len, uint32_t nth,
	       uint32_t *id)
{
	if (2 * (n->n + 1) > n->n_slots && grow_slots(n))
		return -1;
	if (!*find_slot(n, name, len, nth) && add(n, name, len, nth))
		return -1;
	*id = *find_slot(n, name, len, nth) - 1;
	return 0;
}

int names_next(struct names *n, const char *name, size_t len, uint32_t *id)
{
	struct name *first;
	uint32_t nth;

	if (get(n, name, len, 0, id))
		return -1;
	first = &n->names[*id];
	if (first->pass != n->pass) {
		first->pass = n->pass;
		first->n_seen = 0;
	}
	nth = first->n_seen++;
	return nth ? get(n, name, len, nth, id) : 0;
}
