/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * libsmartcols makes a document of one table. Here several become members of one,
 * and what it has no way to say is mended: an array without elements.
 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "cmd.h"

static const char *skip_blanks(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* Behind an array that is set as one of nothing: [ null ]; NULL: it is none. */
static const char *skip_nothing(const char *p)
{
	if (*p != '[')
		return NULL;
	p = skip_blanks(p + 1);
	if (strncmp(p, "null", 4))
		return NULL;
	p = skip_blanks(p + 4);
	return *p == ']' ? p + 1 : NULL;
}

/* Copies up to @end, without blanks between the tokens if it is to be one line. */
static void copy(const char *p, const char *end, bool is_line)
{
	bool in_string = false;

	while (p < end) {
		const char *next = in_string ? NULL : skip_nothing(p);

		if (next) {
			fputs("[]", stdout);
			p = next;
			continue;
		}
		if (!in_string && is_line && isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		if (*p == '"')
			in_string = !in_string;
		if (*p == '\\')
			putchar(*p++);
		putchar(*p++);
	}
}

void json_print(const char *json)
{
	copy(json, json + strlen(json), false);
}

void json_begin(struct json *json)
{
	json->has_members = false;
	putchar('{');
}

void json_end(struct json *json)
{
	(void)json;
	puts("}");
}

static void begin_member(struct json *json)
{
	if (json->has_members)
		putchar(',');
	json->has_members = true;
}

void json_string(struct json *json, const char *name, const char *bytes, size_t len)
{
	struct text text = { 0 };
	size_t i;

	text_add_utf8(&text, bytes, len);
	begin_member(json);
	printf("\"%s\":\"", name);
	for (i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.bytes[i];

		if (c < ' ')
			printf("\\u%04x", c);
		else
			printf(c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	putchar('"');
	text_free(&text);
}

void json_value(struct json *json, const char *name, const char *format, ...)
{
	va_list args;

	begin_member(json);
	printf("\"%s\":", name);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

int json_table(struct json *json, struct table *table)
{
	char *s = table_to_string(table);
	const char *begin, *end;

	if (!s)
		return EXIT_FAILURE;
	begin = strchr(s, '{');
	end = strrchr(s, '}');
	begin_member(json);
	if (begin && end)
		copy(begin + 1, end, true);
	free(s);
	return EXIT_SUCCESS;
}
