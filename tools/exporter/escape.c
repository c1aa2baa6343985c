/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "escape.h"

#define REPLACEMENT "\xef\xbf\xbd"
#define ESCAPED_MAX 3 /* of one byte */

/* What the second byte of a character may be, by the first: RFC 3629. */
struct lead {
	unsigned char first, last;	/* of the first byte */
	unsigned char low, high;	/* of the second */
	unsigned char len;
};

static const struct lead leads[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static const struct lead *find_lead(unsigned char c)
{
	size_t i;

	for (i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		if (c >= leads[i].first && c <= leads[i].last)
			return &leads[i];
	}
	return NULL;
}

/* The length of the character at @p, which is no ASCII; 0 if it is none. */
static size_t character_len(const unsigned char *p, size_t len)
{
	const struct lead *lead = find_lead(p[0]);
	size_t i;

	if (!lead || len < lead->len || p[1] < lead->low || p[1] > lead->high)
		return 0;
	for (i = 2; i < lead->len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	return lead->len;
}

static char *put_ascii(char *to, char c)
{
	switch (c) {
	case '\0':
		return put(to, REPLACEMENT, 3);
	case '\n':
		return put(to, "\\n", 2);
	case '"':
	case '\\':
		*to++ = '\\';
		break;
	}
	*to++ = c;
	return to;
}

void escape_put(struct page *page, const char *bytes, size_t len)
{
	char *to = page_begin(page, ESCAPED_MAX * len);

	if (!to)
		return;
	while (len) {
		const unsigned char *p = (const unsigned char *)bytes;
		size_t n = *p < 0x80 ? 1 : character_len(p, len);

		if (*p < 0x80)
			to = put_ascii(to, *bytes);
		else if (n)
			to = put(to, bytes, n);
		else
			to = put(to, REPLACEMENT, 3);
		n += n == 0;
		bytes += n;
		len -= n;
	}
	page_end(page, to);
}
