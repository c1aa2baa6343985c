/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The C locale's digits and point, whatever the user's locale: what was written
 * into a script on one machine is to mean the same on the next.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "parse.h"

#define FRACTION_DIGITS 9
#define FRACTION	1000000000ULL

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The decimal number that *@s starts with, as 0.5 or .5: a whole and a fraction of 10^-9. */
static int take_decimal(const char **s, uint64_t *whole, uint64_t *fraction)
{
	const char *p = *s;
	uint64_t n = 0, unit = FRACTION / 10;

	if (!is_digit(*p) && *p != '.')
		return -1;
	for (; is_digit(*p); p++) {
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return -1;
	}
	*whole = n;
	*fraction = 0;
	if (*p == '.') {
		if (!is_digit(*++p))
			return -1;
		for (; is_digit(*p); p++, unit /= 10)
			*fraction += (uint64_t)(*p - '0') * unit;
	}
	*s = p;
	return 0;
}

static int scale(uint64_t whole, uint64_t fraction, uint64_t unit, uint64_t *value)
{
	uint64_t part = (uint64_t)((unsigned __int128)fraction * unit / FRACTION);

	if (__builtin_mul_overflow(whole, unit, &whole) ||
	    __builtin_add_overflow(whole, part, &whole))
		return -1;
	*value = whole;
	return 0;
}

int parse_count(const char *s, uint64_t *count)
{
	static const char prefixes[] = "KMGTP";
	uint64_t whole, fraction, unit = 1, base = 1024;
	const char *prefix;

	if (take_decimal(&s, &whole, &fraction))
		return -1;
	if (!*s)
		return fraction ? -1 : scale(whole, 0, 1, count);
	prefix = strchr(prefixes, *s == 'k' ? 'K' : *s);
	if (!prefix)
		return -1;
	if (!strcmp(s + 1, "B"))
		base = 1000;
	else if (s[1] && strcmp(s + 1, "iB"))
		return -1;
	for (; prefix >= prefixes; prefix--)
		unit *= base;
	return scale(whole, fraction, unit, count);
}

int parse_number(const char *s, uint64_t least, uint64_t most, uint64_t *number)
{
	uint64_t whole, fraction;

	if (strchr(s, '.') || take_decimal(&s, &whole, &fraction) || *s || whole < least ||
	    whole > most)
		return -1;
	*number = whole;
	return 0;
}

int parse_thousandths(const char *s, uint64_t *thousandths)
{
	uint64_t whole, fraction, value;

	if (take_decimal(&s, &whole, &fraction) || *s || scale(whole, fraction, 1000, &value) ||
	    !value || value > UINT32_MAX)
		return -1;
	*thousandths = value;
	return 0;
}

int parse_time(const char *s, uint64_t *time_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1000000000 }, { "s", 1000000000 },      { "ms", 1000000 },
		{ "us", 1000 },	    { "m", 60 * 1000000000ULL },
	};
	uint64_t whole, fraction, value;
	size_t i;

	if (take_decimal(&s, &whole, &fraction))
		return -1;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(s, units[i].name))
			continue;
		if (scale(whole, fraction, units[i].ns, &value) || !value || value > INT64_MAX)
			return -1;
		*time_ns = value;
		return 0;
	}
	return -1;
}
