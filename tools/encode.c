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

/* The length of the character of UTF-8 that @s starts with; 0: it is none. */
static size_t utf8_length(const unsigned char *s, size_t len)
{
	static const struct {
		unsigned char mask, lead, least, most; /* of the second byte */
	} forms[] = {
		{ 0xe0, 0xc0, 0x80, 0xbf }, { 0xff, 0xe0, 0xa0, 0xbf }, { 0xff, 0xed, 0x80, 0x9f },
		{ 0xf0, 0xe0, 0x80, 0xbf }, { 0xff, 0xf0, 0x90, 0xbf }, { 0xff, 0xf4, 0x80, 0x8f },
		{ 0xf8, 0xf0, 0x80, 0xbf },
	};
	size_t i, n, k;

	if (s[0] < 0x80)
		return s[0] ? 1 : 0;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	for (i = 0; (s[0] & forms[i].mask) != forms[i].lead; i++)
		;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (len < n || s[1] < forms[i].least || s[1] > forms[i].most)
		return 0;
	for (k = 2; k < n; k++) {
		if ((s[k] & 0xc0) != 0x80)
			return 0;
	}
	return n;
}

void text_add_utf8(struct text *text, const char *bytes, size_t len)
{
	while (len) {
		size_t n = utf8_length((const unsigned char *)bytes, len);

		if (n)
			text_add(text, bytes, n);
		else
			text_add(text, "\xef\xbf\xbd", 3);
		bytes += n ? n : 1;
		len -= n ? n : 1;
	}
}
