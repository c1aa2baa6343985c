/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>

#include "../output.h"
#include "page.h"

#define CAP_MIN 4096

void page_free(struct page *page)
{
	free(page->bytes);
	*page = (struct page){ 0 };
}

void page_clear(struct page *page)
{
	page->len = 0;
	page->failed = false;
}

static bool reserve(struct page *page, size_t room)
{
	size_t cap = page->cap ? page->cap : CAP_MIN;
	char *bytes;

	if (room > SIZE_MAX / 4 - page->len) {
		page->failed = true;
		return false;
	}
	while (cap - page->len < room)
		cap += cap / 2;
	bytes = realloc(page->bytes, cap);
	if (!bytes) {
		page->failed = true;
		return false;
	}
	page->bytes = bytes;
	page->cap = cap;
	return true;
}

char *page_begin(struct page *page, size_t room)
{
	if (page->cap - page->len < room && !reserve(page, room))
		return NULL;
	return page->bytes + page->len;
}

void page_end(struct page *page, const char *end)
{
	page->len = (size_t)(end - page->bytes);
}

void page_put(struct page *page, const char *bytes, size_t len)
{
	char *to = page_begin(page, len);

	if (to)
		page_end(page, put(to, bytes, len));
}

void page_puts(struct page *page, const char *string)
{
	page_put(page, string, strlen(string));
}

char *put_number(char *to, uint64_t n)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits);
	char *begin = digits_before(end, n);

	return put(to, begin, (size_t)(end - begin));
}

void page_put_number(struct page *page, uint64_t n)
{
	char *to = page_begin(page, DIGITS_MAX);

	if (to)
		page_end(page, put_number(to, n));
}

void page_put_seconds(struct page *page, uint64_t ns)
{
	char *to = page_begin(page, DIGITS_MAX + 1);
	char fraction[DIGITS_MAX];

	if (!to)
		return;
	to = put_number(to, ns / 1000000000);
	/* The 1 in front keeps the zeros behind it. */
	put_number(fraction, ns % 1000000000 + 1000000000);
	*to++ = '.';
	page_end(page, put(to, fraction + 1, 9));
}
