/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Sets of numbers, as in "0-3,8,12-". */
#ifndef IRQSTAT_RANGES_H
#define IRQSTAT_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint32_t first;
	uint32_t last;
};

struct ranges {
	struct range *v;	/* rising, with numbers between them */
	size_t n;
};

/*
 * One range from @len bytes at @text: a number, or two of them with a dash
 * between them. None is above @max. If @open, the second may be missing: @max.
 */
bool range_parse(struct range *range, const char *text, size_t len,
		 uint32_t max, bool open);

/* Returns -1 with ENOMEM; @r is then as before. */
int ranges_add(struct ranges *r, struct range range);

/* All of a list with commas; -1 with EINVAL or ENOMEM, and @r as before. */
int ranges_add_list(struct ranges *r, const char *list, uint32_t max,
		    bool open);

int ranges_copy(struct ranges *to, const struct ranges *from);
bool ranges_has(const struct ranges *r, uint32_t number);
void ranges_free(struct ranges *r);

#endif /* IRQSTAT_RANGES_H */
