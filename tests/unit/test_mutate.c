/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Streams cut at every byte, and with every field of every size set to what
 * hurts: each is refused, or gives arrays that hold together. The bytes lie in
 * memory of exactly their size, so that the sanitizers see a read beyond it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "coherent.h"
#include "stream.h"
#include "suite.h"

static void assert_refused(int ret)
{
	ck_assert_int_eq(ret, -1);
	ck_assert(errno == EBADMSG || errno == EPROTONOSUPPORT);
}

static bool decode_bytes(const struct stream *s, size_t len)
{
	static struct snapshot snap;
	void *copy = stream_copy(s, len);
	uint64_t desc_offset;
	int ret = decode_counters(copy, len, &snap, &desc_offset);

	if (ret)
		assert_refused(ret);
	else
		ck_assert_ptr_null(snapshot_fault(&snap.pub));
	free(copy);
	return !ret;
}

static bool decode_desc_bytes(const struct stream *s, size_t len)
{
	struct descs descs = { 0 };
	void *copy = stream_copy(s, len);
	int ret = decode_descs(copy, len, &descs);

	if (ret) {
		assert_refused(ret);
	} else {
		ck_assert_ptr_null(descs_fault(&descs.pub));
		descs_free(&descs);
	}
	free(copy);
	return !ret;
}

typedef bool decode_fn(const struct stream *s, size_t len);

static void cut(const struct stream *s, decode_fn *decode)
{
	size_t len;

	for (len = 0; len < stream_len(s); len++)
		ck_assert(!decode(s, len));
	ck_assert(decode(s, len));
}

START_TEST(counters_cut_at_every_byte)
{
	cut(stream_rich_counters(), decode_bytes);
}
END_TEST

START_TEST(descriptors_cut_at_every_byte)
{
	cut(stream_rich_descs(), decode_desc_bytes);
}
END_TEST

static uint64_t get(const char *p, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, p, size);
	return value;
}

/* Every aligned field of 1, 2, 4 and 8 bytes; returns how many were refused. */
static size_t sweep(struct stream *s, decode_fn *decode)
{
	size_t size, at, i, n_refused = 0;

	for (size = 1; size <= 8; size *= 2) {
		for (at = 0; at < stream_len(s); at += size) {
			char *p = (char *)s->words + at;
			const uint64_t was = get(p, size);
			const uint64_t values[] = {
				0, 1, was + 1, was - 1, ~0ULL, ~0ULL >> 1, ~was,
				1ULL << (size * 8 - 1), was << 8, was >> 8,
			};

			for (i = 0; i < sizeof(values) / 8; i++) {
				memcpy(p, &values[i], size);
				n_refused += !decode(s, stream_len(s));
			}
			memcpy(p, &was, size);
		}
	}
	return n_refused;
}

START_TEST(counters_with_every_field_changed)
{
	ck_assert_uint_gt(sweep(stream_rich_counters(), decode_bytes), 2000);
}
END_TEST

START_TEST(descriptors_with_every_field_changed)
{
	ck_assert_uint_gt(sweep(stream_rich_descs(), decode_desc_bytes), 1000);
}
END_TEST

/* Several bytes at once, from a fixed seed. */
static void scramble(const struct stream *valid, decode_fn *decode)
{
	static struct stream s;
	uint64_t seed = 88172645463325252U;
	unsigned int round, i;

	for (round = 0; round < 20000; round++) {
		memcpy(s.words, valid->words, stream_len(valid));
		s.n_words = valid->n_words;
		for (i = 0; i < 1 + round % 4; i++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			((unsigned char *)s.words)[seed % stream_len(&s)] =
				(unsigned char)(seed >> 40);
		}
		decode(&s, stream_len(&s));
	}
}

START_TEST(counters_scrambled)
{
	scramble(stream_rich_counters(), decode_bytes);
}
END_TEST

START_TEST(descriptors_scrambled)
{
	scramble(stream_rich_descs(), decode_desc_bytes);
}
END_TEST

static Suite *mutate_suite(void)
{
	const TTest *const tests[] = {
		counters_cut_at_every_byte,
		descriptors_cut_at_every_byte,
		counters_with_every_field_changed,
		descriptors_with_every_field_changed,
		counters_scrambled,
		descriptors_scrambled,
		NULL
	};
	Suite *suite = suite_create("mutate");

	suite_add(suite, "both windows", tests);
	return suite;
}

UNIT_SUITE(mutate_suite);
