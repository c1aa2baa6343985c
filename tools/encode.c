/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Names are bytes, in no encoding that anybody promised. On a terminal they must
 * neither move the cursor nor the text around them: what takes no column of its
 * own (controls, marks that combine, marks of direction) is escaped, as is what
 * the locale can't read.
 */
#define _GNU_SOURCE
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "cmd.h"
#include "utf8.h"

static void add_escaped(struct text *text, const char *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		text_printf(text, "\\x%02x", (unsigned char)bytes[i]);
}

void text_add_visible(struct text *text, const char *bytes, size_t len)
{
	mbstate_t state = { 0 };

	while (len) {
		wchar_t wc;
		size_t n = mbrtowc(&wc, bytes, len, &state);
		bool is_whole = n && n <= len;

		if (!is_whole)
			n = 1;
		/* An escape that was there before is not to be taken for ours. */
		if (!is_whole || !iswprint((wint_t)wc) || wcwidth(wc) < 1 ||
		    (wc == L'\\' && len > 1 && bytes[1] == 'x'))
			add_escaped(text, bytes, n);
		else
			text_add(text, bytes, n);
		if (!is_whole)
			memset(&state, 0, sizeof(state));
		bytes += n;
		len -= n;
	}
}

void text_add_utf8(struct text *text, const char *bytes, size_t len)
{
	while (len) {
		size_t n = *bytes ? utf8_length(bytes, len) : 0;

		if (n)
			text_add(text, bytes, n);
		else
			text_add(text, UTF8_REPLACEMENT, 3);
		bytes += n ? n : 1;
		len -= n ? n : 1;
	}
}
