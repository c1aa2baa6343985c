/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Texts of random machines, and what becomes of them when bytes are changed or
 * missing: the parser and the slow one of reference.h agree on every count, or
 * on that there are none, whatever text came before.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "coherent.h"
#include "reference.h"
#include "suite.h"

#define ROOM 400000

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 16) % below);
}

static char text[ROOM];
static size_t len;

__attribute__((format(printf, 1, 2)))
static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	len += (size_t)vsnprintf(text + len, ROOM - len, format, args);
	va_end(args);
	ck_assert_uint_lt(len, ROOM);
}

struct machine {
	size_t n_cpus;
	unsigned int width;	/* of numbers */
	bool blank_first;	/* before each count, or behind */
	unsigned int zeros;	/* of 10 rows, and of 10 cells */
	uint64_t most;		/* below the counts */
};

static uint64_t draw_count(const struct machine *m)
{
	uint64_t n = 1;
	unsigned int bits = draw(64);

	while (bits--)
		n = n * 2 + draw(2);
	return n % m->most;
}

static void put_header(const struct machine *m)
{
	size_t i;
	uint32_t cpu = 0;

	len = 0;
	put("%*s", m->width + 8, "");
	for (i = 0; i < m->n_cpus; i++) {
		cpu += draw(8) ? 0 : draw(20);
		put("CPU%-8u", cpu++);
	}
	put("\n");
}

static void put_counts(const struct machine *m)
{
	bool is_zero = draw(10) < m->zeros;
	size_t i;

	if (!m->blank_first)
		put(" ");
	for (i = 0; i < m->n_cpus; i++) {
		uint64_t count = is_zero || draw(10) < m->zeros ? 0 : draw_count(m);

		put(m->blank_first ? " %10llu" : "%10llu ", (unsigned long long)count);
	}
}

static void put_rows(const struct machine *m)
{
	static const char *const tails[] = {
		"  IO-APIC   1-edge      i8042", "  4b10000.gpio   5 Edge      9lives",
		"  GICv3  27 Level     arch_timer", "  PCI-MSI 5-edge      a, b, c", "",
		"  Local timer interrupts", "   [EXT] Clock", "  12", "  xen-dyn    -event     x",
	};
	static const char *const labels[] = {
		"NMI", "LOC", "IPI0", "EXT", "ERR", "Err", "FIQ", "I/O", "BAD", "IPI0", "HI",
	};
	unsigned int irq = 0;

	while (draw(12)) {
		put("%*u:", m->width, irq);
		put_counts(m);
		put("%s\n", tails[draw(9)]);
		irq += draw(5) ? 1 : draw(3) * 100;
	}
	while (draw(5)) {
		put("%*s:", m->width, labels[draw(11)]);
		if (draw(4))
			put_counts(m);
		else if (draw(2))
			put(" %10u", draw(3));
		put("%s\n", tails[draw(9)]);
	}
}

static void generate(void)
{
	static const size_t cpus[] = { 1, 2, 3, 8, 9, 16, 40, 64, 100, 300 };
	struct machine m = {
		.n_cpus = cpus[draw(10)],
		.width = 3 + draw(3),
		.blank_first = draw(2),
		.zeros = draw(11),
		.most = draw(4) ? 4294967295U : ~0ULL,
	};

	put_header(&m);
	put_rows(&m);
}

static void change(void)
{
	static const char bytes[] = " 0123456789:\n-CPU,a\0\xff";
	size_t n = 1 + draw(3), at;

	while (n-- && len) {
		at = draw((uint32_t)len);
		switch (draw(4)) {
		case 0:
			memmove(text + at, text + at + 1, --len - at);
			break;
		case 1:
			memmove(text + at + 1, text + at, len++ - at);
			/* fall through */
		default:
			text[at] = bytes[draw(sizeof(bytes) - 1)];
		}
	}
}

static struct text parser;
static struct snapshot snap;
static struct descs descs;

static void setup(void)
{
	seed = 88172645463325252U;
	memset(&parser, 0, sizeof(parser));
	memset(&snap, 0, sizeof(snap));
	memset(&descs, 0, sizeof(descs));
}

static void teardown(void)
{
	text_free(&parser);
	snapshot_free(&snap);
	descs_free(&descs);
}

/* The text lies in memory of exactly its size. Returns whether it is one. */
static bool compare(void)
{
	char *copy = memcpy(malloc(len ? len : 1), text, len);
	struct reference want = reference_of_text(copy, len), got;
	int ret;

	errno = 0;
	ret = text_parse(&parser, copy, len, &snap);
	ck_assert_int_eq(ret ? errno : 0, want.error);
	free(copy);
	if (ret)
		return false;
	ck_assert_ptr_null(snapshot_fault(&snap.pub));
	if (descs.pub.generation != snap.pub.generation) {
		descs_free(&descs);
		ck_assert_int_eq(text_descs(&parser, &descs), 0);
		ck_assert_ptr_null(descs_fault(&descs.pub));
	}
	got = reference_of_snapshot(&snap.pub, &descs.pub);
	ck_assert_int_eq(got.error, 0);
	ck_assert_uint_eq(got.n_entries, want.n_entries);
	ck_assert_uint_eq(got.sum, want.sum);
	return true;
}

START_TEST(random_texts_are_as_the_slow_parser_says)
{
	size_t i, n = 0;

	for (i = 0; i < 1500; i++) {
		generate();
		n += compare();
		n += compare();
	}
	ck_assert_uint_gt(n, 1000);
	ck_assert_uint_lt(n, 3000);
}
END_TEST

START_TEST(changed_texts_are_as_the_slow_parser_says)
{
	size_t i, j, n = 0;

	for (i = 0; i < 1000; i++) {
		generate();
		compare();
		for (j = 0; j < 10; j++) {
			change();
			n += compare();
		}
	}
	ck_assert_uint_gt(n, 500);
	ck_assert_uint_lt(n, 10000);
}
END_TEST

START_TEST(cut_texts_are_as_the_slow_parser_says)
{
	size_t i;

	for (i = 0; i < 8; i++) {
		do
			generate();
		while (len > 6000 || len < 1000);
		for (compare(); len; len--)
			compare();
	}
}
END_TEST

static Suite *text_model_suite(void)
{
	const TTest *const tests[] = {
		random_texts_are_as_the_slow_parser_says,
		changed_texts_are_as_the_slow_parser_says,
		cut_texts_are_as_the_slow_parser_says,
		NULL
	};
	Suite *suite = suite_create("text_model");

	suite_add_with(suite, "model", tests, setup, teardown);
	return suite;
}

UNIT_SUITE(text_model_suite);
