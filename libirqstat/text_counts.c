/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Almost every count is a cell of 11 bytes: a blank, then the number aligned to
 * the right of 10. Almost all of them are 0, and eight such cells are eleven
 * words that can be compared with what they must be. Whatever is no such cell,
 * as the first of "IPI0:" or a number of more digits, is parsed digit by digit.
 */
#include <string.h>

#include "text.h"

#define CELL 11
#define FEW 8		/* cells that are whole words */
#define MANY 32

#define EACH 0x0101010101010101ULL

#define ZEROS_8								\
	"          0          0          0          0"			\
	"          0          0          0          0"

static const char zeros[] = ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8;

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

/* Two words at once, where the machine can. */
typedef uint64_t pair __attribute__((vector_size(16)));

static inline pair differ_at(const char *p, size_t i)
{
	pair a, b;

	memcpy(&a, p + i, sizeof(a));
	memcpy(&b, zeros + i, sizeof(b));
	return a ^ b;
}

/* @n is a constant; there is a byte behind them. */
static inline bool is_zeros(const char *p, size_t n)
{
	const size_t last = n * CELL - sizeof(pair);
	pair differ = differ_at(p, last);
	size_t i;

#pragma GCC unroll 32
	for (i = 0; i < last; i += sizeof(pair))
		differ |= differ_at(p, i);
	return !(differ[0] | differ[1]) && is_end(p[n * CELL]);
}

/*
 * The number in a cell: false if it is none or has more than 8 digits. Blanks
 * are all before the digits, so that what differs first is the first digit.
 */
static inline bool cell_parse(const char *p, uint64_t *count)
{
	uint64_t w = load(p + 3) ^ '0' * EACH;
	uint64_t blanks = w ^ (' ' ^ '0') * EACH;

	if (load(p) << 40 != (' ' * EACH) << 40 || !blanks)
		return false;
	w &= ~0ULL << (__builtin_ctzll(blanks) & ~7);
	*count = 0;
	if (!w)
		return true;
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

static inline const char *cell_add(const char *p, const char *end, uint32_t cpu,
				   struct cells *to)
{
	uint64_t count;

	if (end - p > CELL && is_end(p[CELL]) && cell_parse(p, &count)) {
		p += CELL;
		if (!count)
			return p;
	} else {
		p = count_parse(p, &count);
		if (!p)
			return NULL;
	}
	if (to->cpu) {
		to->cpu[to->n] = cpu;
		to->count[to->n] = count;
	}
	to->n += count != 0;
	to->total += count;
	to->all |= count;
	return p;
}

const char *cells_parse(const char *p, const char *end, const uint32_t *cpus,
			size_t n, struct cells *to)
{
	struct cells t = *to;
	size_t i = 0, stop;

	t.total = 0;
	while (i < n) {
		size_t room = (size_t)(end - p - 1) / CELL;

		if (room > n - i)
			room = n - i;
		if (room >= MANY && is_zeros(p, MANY)) {
			p += MANY * CELL;
			i += MANY;
			continue;
		}
		if (room >= FEW && is_zeros(p, FEW)) {
			p += FEW * CELL;
			i += FEW;
			continue;
		}
		stop = n - i < FEW ? n : i + FEW;
		for (; i < stop; i++) {
			p = cell_add(p, end, cpus[i], &t);
			if (!p)
				return NULL;
		}
	}
	*to = t;
	return p;
}
