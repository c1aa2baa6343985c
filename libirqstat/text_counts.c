/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Almost every count is a cell of 11 bytes: a blank, then the number aligned to
 * the right of 10. Eight cells are eleven words, which are zero when they are
 * what eight zeros look like. Whatever is no such cell, as the first of "IPI0:"
 * or a number of more digits, is parsed digit by digit.
 */
#include <string.h>

#include "text.h"

#define CELL 11
#define GROUP 8			/* cells */
#define GROUP_LEN (GROUP * CELL)
#define GROUP_WORDS (GROUP_LEN / 8)

#define EACH 0x0101010101010101ULL

static const char zeros[GROUP_LEN + 1] =
	"          0          0          0          0"
	"          0          0          0          0";

/* A number ends before a blank or the end of the line, and nowhere else. */
static bool is_end(char c)
{
	return c == ' ' || c == '\n';
}

/* The first of the bytes is the lowest. */
static uint64_t load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

static bool is_zeros(const char *p)
{
	uint64_t differ = 0, a, b;
	size_t i;

	for (i = 0; i < GROUP_WORDS; i++) {
		memcpy(&a, p + 8 * i, sizeof(a));
		memcpy(&b, zeros + 8 * i, sizeof(b));
		differ |= a ^ b;
	}
	return !differ;
}

/*
 * The number in a cell: false if it is none or has more than 8 digits. Blanks
 * are all before the digits, so that what differs first is the first digit.
 */
static bool cell_parse(const char *p, uint64_t *count)
{
	uint64_t w = load(p + 3) ^ '0' * EACH;
	uint64_t blanks = w ^ (' ' ^ '0') * EACH;

	if (p[0] != ' ' || p[1] != ' ' || p[2] != ' ' || !blanks)
		return false;
	w &= ~0ULL << (__builtin_ctzll(blanks) & ~7);
	if (((w + (0x80 - 10) * EACH) | w) & 0x80 * EACH)
		return false;
	w = w * 10 + (w >> 8);
	*count = ((w & 0xff000000ffULL) * (100 + (1000000ULL << 32)) +
		  (w >> 16 & 0xff000000ffULL) * (1 + (10000ULL << 32))) >> 32;
	return true;
}

const char *count_parse(const char *p, uint64_t *count)
{
	const char *begin;
	uint64_t sum = 0;

	while (*p == ' ')
		p++;
	for (begin = p; (unsigned char)(*p - '0') < 10; p++) {
		unsigned int digit = (unsigned char)(*p - '0');

		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, digit, &sum))
			return NULL;
	}
	if (p == begin || !is_end(*p))
		return NULL;
	*count = sum;
	return p;
}

const char *cells_parse(const char *p, const char *end, const uint32_t *cpus,
			size_t n, struct cells *to)
{
	size_t i = 0, n_to = to->n;

	to->total = 0;
	while (i < n) {
		bool is_near = end - p <= GROUP_LEN;
		uint64_t count;

		if (!is_near && n - i >= GROUP && is_zeros(p) &&
		    is_end(p[GROUP_LEN])) {
			p += GROUP_LEN;
			i += GROUP;
			continue;
		}
		if (!is_near && cell_parse(p, &count) && is_end(p[CELL]))
			p += CELL;
		else if (!(p = count_parse(p, &count)))
			return NULL;
		to->cpu[n_to] = cpus[i++];
		to->count[n_to] = count;
		to->total += count;
		to->all |= count;
		n_to += count != 0;
	}
	to->n = n_to;
	return p;
}
