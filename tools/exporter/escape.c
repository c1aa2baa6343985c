/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "../utf8.h"
#include "escape.h"

#define ESCAPED_MAX 3 /* of one byte */

static char *put_ascii(char *to, char c)
{
	switch (c) {
	case '\0':
		return put(to, UTF8_REPLACEMENT, 3);
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
		size_t n = utf8_length(bytes, len);

		if (n == 1)
			to = put_ascii(to, *bytes);
		else if (n)
			to = put(to, bytes, n);
		else
			to = put(to, UTF8_REPLACEMENT, 3);
		n += n == 0;
		bytes += n;
		len -= n;
	}
	page_end(page, to);
}
