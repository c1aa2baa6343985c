/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What can't be understood of a header is passed over, range by range. */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "accept.h"

#define BLANKS " \t"

/* A piece of the header, not ended by a 0. */
struct piece {
	const char *at;
	size_t len;
};

/* What is in front of @separator is cut off, with the blanks around it. */
static struct piece take(struct piece *rest, char separator)
{
	const char *end = memchr(rest->at, separator, rest->len);
	struct piece piece = { rest->at, end ? (size_t)(end - rest->at) :
					       rest->len };

	rest->at += piece.len + (end != NULL);
	rest->len -= piece.len + (end != NULL);
	while (piece.len && strchr(BLANKS, piece.at[0])) {
		piece.at++;
		piece.len--;
	}
	while (piece.len && strchr(BLANKS, piece.at[piece.len - 1]))
		piece.len--;
	return piece;
}

static bool is(struct piece piece, const char *word)
{
	return piece.len == strlen(word) &&
	       !strncasecmp(piece.at, word, piece.len);
}

static struct piece unquoted(struct piece piece)
{
	if (piece.len > 1 && piece.at[0] == '"' &&
	    piece.at[piece.len - 1] == '"')
		return (struct piece){ piece.at + 1, piece.len - 2 };
	return piece;
}

/* As "0.75", in thousandths; -1 if malformed. */
static int parse_q(struct piece q)
{
	int value, scale = 1000;
	size_t i;

	if (!q.len || q.len > 5 || (q.at[0] != '0' && q.at[0] != '1') ||
	    (q.len > 1 && q.at[1] != '.'))
		return -1;
	value = (q.at[0] - '0') * scale;
	for (i = 2; i < q.len; i++) {
		if (q.at[i] < '0' || q.at[i] > '9')
			return -1;
		scale /= 10;
		value += (q.at[i] - '0') * scale;
	}
	return value > 1000 ? -1 : value;
}

/* The q of a range with these parameters, -1 if it is not for us. */
static int weigh(struct piece params, bool is_openmetrics)
{
	int q = 1000;

	while (params.len) {
		struct piece value = take(&params, ';');
		struct piece name = take(&value, '=');

		value = unquoted(take(&value, ';'));
		if (is(name, "q"))
			q = parse_q(value);
		else if (is_openmetrics && is(name, "version") &&
			 !is(value, "1.0.0") && !is(value, "0.0.1"))
			return -1;
	}
	return q;
}

bool accept_wants_openmetrics(const char *accept)
{
	static const char *const texts[] = { "text/plain", "text/*", "*/*" };
	struct piece rest = { accept, accept ? strlen(accept) : 0 };
	int text[] = { -1, -1, -1 }, openmetrics = -1;
	size_t i;

	while (rest.len) {
		struct piece params = take(&rest, ',');
		struct piece range = take(&params, ';');
		int *best = NULL;
		int q = weigh(params, is(range, "application/openmetrics-text"));

		if (is(range, "application/openmetrics-text"))
			best = &openmetrics;
		for (i = 0; i < 3; i++) {
			if (is(range, texts[i]))
				best = &text[i];
		}
		if (best && q > *best)
			*best = q;
	}
	/* The range that says most is the one that counts. */
	for (i = 0; i < 3 && text[i] < 0; i++)
		;
	return openmetrics > 0 && (i == 3 || openmetrics >= text[i]);
}
