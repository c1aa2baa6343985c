/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ranges.h"

static bool parse_number(const char **at, const char *end, uint32_t max,
			 uint32_t *number)
{
	const char *start = *at;
	uint64_t n = 0;

	for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
		n = n * 10 + (uint64_t)(**at - '0');
		if (n > max)
			return false;
	}
	*number = (uint32_t)n;
	return *at != start;
}

bool range_parse(struct range *range, const char *text, size_t len,
		 uint32_t max, bool open)
{
	const char *end = text + len;

	if (!parse_number(&text, end, max, &range->first))
		return false;
	range->last = range->first;
	if (text == end)
		return true;
	if (*text++ != '-')
		return false;
	if (text == end) {
		range->last = max;
		return open;
	}
	return parse_number(&text, end, max, &range->last) && text == end &&
	       range->first <= range->last;
}

/* The first of those that @number is not beyond. */
static size_t find(const struct ranges *r, uint32_t number)
{
	size_t lo = 0, hi = r->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->v[mid].last < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool ranges_has(const struct ranges *r, uint32_t number)
{
	size_t i = find(r, number);

	return i < r->n && r->v[i].first <= number;
}

/* Those that the new one touches become one with it. */
int ranges_add(struct ranges *r, struct range range)
{
	size_t i = find(r, range.first ? range.first - 1 : 0), end = i;
	struct range *v = realloc(r->v, (r->n + 1) * sizeof(*v));

	if (!v)
		return -1;
	r->v = v;
	for (; end < r->n && v[end].first <= (uint64_t)range.last + 1; end++) {
		if (v[end].first < range.first)
			range.first = v[end].first;
		if (v[end].last > range.last)
			range.last = v[end].last;
	}
	memmove(&v[i + 1], &v[end], (r->n - end) * sizeof(*v));
	v[i] = range;
	r->n += i + 1 - end;
	return 0;
}

int ranges_copy(struct ranges *to, const struct ranges *from)
{
	struct range *v = malloc((from->n + 1) * sizeof(*v));

	if (!v)
		return -1;
	if (from->n)
		memcpy(v, from->v, from->n * sizeof(*v));
	to->v = v;
	to->n = from->n;
	return 0;
}

int ranges_add_list(struct ranges *r, const char *list, uint32_t max,
		    bool open)
{
	struct ranges fresh;
	struct range range;

	if (ranges_copy(&fresh, r))
		return -1;
	for (;;) {
		size_t len = strcspn(list, ",");

		if (!range_parse(&range, list, len, max, open)) {
			errno = EINVAL;
			goto fail;
		}
		if (ranges_add(&fresh, range))
			goto fail;
		list += len;
		if (!*list++)
			break;
	}
	ranges_free(r);
	*r = fresh;
	return 0;

fail:
	ranges_free(&fresh);
	return -1;
}

void ranges_free(struct ranges *r)
{
	free(r->v);
}
