/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdarg.h>
#include <string.h>

#include "cmd.h"

void text_clear(struct text *text)
{
	text->len = 0;
}

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

static bool reserve(struct text *text, size_t n)
{
	size_t cap = text->cap ? text->cap : 128;
	char *bytes;

	if (n <= text->cap - text->len)
		return true;
	while (cap - text->len < n)
		cap *= 2;
	bytes = realloc(text->bytes, cap);
	if (!bytes) {
		text->failed = true;
		return false;
	}
	text->bytes = bytes;
	text->cap = cap;
	return true;
}

void text_add(struct text *text, const char *bytes, size_t len)
{
	if (!len || !reserve(text, len))
		return;
	memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
}

void text_add_string(struct text *text, struct irqstat_string string)
{
	if (string.bytes)
		text_add(text, string.bytes, string.len);
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (!reserve(text, 64))
		return;
	va_start(args, format);
	n = vsnprintf(text->bytes + text->len, text->cap - text->len, format, args);
	va_end(args);
	if (n < 0) {
		text->failed = true;
		return;
	}
	if ((size_t)n >= text->cap - text->len) {
		if (!reserve(text, (size_t)n + 1))
			return;
		va_start(args, format);
		vsnprintf(text->bytes + text->len, text->cap - text->len, format, args);
		va_end(args);
	}
	text->len += (size_t)n;
}
