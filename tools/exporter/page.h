/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Text that is made in memory. What fails for lack of memory is remembered, so
 * that a page is looked at once, when it is complete.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct page {
	char *bytes;
	size_t len;
	size_t cap;
	bool failed;	/* something is missing from it */
};

void page_free(struct page *page);

/* page_clear - begin anew, in the same memory */
void page_clear(struct page *page);

/*
 * Where to write at most @room bytes, NULL if there is no memory; then what was
 * written ends at @end.
 */
char *page_begin(struct page *page, size_t room);
void page_end(struct page *page, const char *end);

void page_put(struct page *page, const char *bytes, size_t len);
void page_puts(struct page *page, const char *string);
void page_put_number(struct page *page, uint64_t n);

/* page_put_seconds - nanoseconds as seconds: 1500000 is 0.001500000 */
void page_put_seconds(struct page *page, uint64_t ns);

/* Both write at @to and return what is behind; a number takes DIGITS_MAX. */
static inline char *put(char *to, const char *bytes, size_t len)
{
	memcpy(to, bytes, len);
	return to + len;
}

char *put_number(char *to, uint64_t n);

#endif /* PAGE_H */
