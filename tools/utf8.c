/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "utf8.h"

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

size_t utf8_length(const char *bytes, size_t len)
{
	const unsigned char *p = (const unsigned char *)bytes;
	const struct lead *lead = find_lead(p[0]);
	size_t i;

	if (p[0] < 0x80)
		return 1;
	if (!lead || len < lead->len || p[1] < lead->low || p[1] > lead->high)
		return 0;
	for (i = 2; i < lead->len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	return lead->len;
}
