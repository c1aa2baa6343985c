/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>

#include "escape.h"
#include "suite.h"

#define FFFD "\xef\xbf\xbd"

static void assert_escaped(const char *bytes, size_t len, const char *expected)
{
	struct page page = { 0 };
	/* At the end of its memory, for the sanitizer to see what is read. */
	char *copy = malloc(len + 1);

	memcpy(copy + 1, bytes, len);
	escape_put(&page, copy + 1, len);
	ck_assert(!page.failed);
	ck_assert_uint_eq(page.len, strlen(expected));
	ck_assert_mem_eq(page.bytes, expected, page.len);
	page_free(&page);
	free(copy);
}

#define ASSERT_ESCAPED(literal, expected) \
	assert_escaped(literal, sizeof(literal) - 1, expected)

START_TEST(escape_keeps_plain_text)
{
	ASSERT_ESCAPED("eth0-TxRx-2 {a=b},#\t", "eth0-TxRx-2 {a=b},#\t");
}
END_TEST

START_TEST(escape_marks_quote_backslash_and_newline)
{
	ASSERT_ESCAPED("a\"b\\c\nd", "a\\\"b\\\\c\\nd");
}
END_TEST

START_TEST(escape_keeps_characters_of_each_length)
{
	ASSERT_ESCAPED("\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf");
	ASSERT_ESCAPED("\xe0\xa0\x80\xef\xbf\xbf", "\xe0\xa0\x80\xef\xbf\xbf");
	ASSERT_ESCAPED("\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80");
	ASSERT_ESCAPED("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
		       "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
}
END_TEST

START_TEST(escape_replaces_stray_bytes_one_by_one)
{
	ASSERT_ESCAPED("a\x80\xbf z", "a" FFFD FFFD " z");
	ASSERT_ESCAPED("\xfe\xff", FFFD FFFD);
}
END_TEST

START_TEST(escape_replaces_overlong_forms)
{
	ASSERT_ESCAPED("\xc0\x80", FFFD FFFD);
	ASSERT_ESCAPED("\xc1\xbf", FFFD FFFD);
	ASSERT_ESCAPED("\xe0\x9f\xbf", FFFD FFFD FFFD);
	ASSERT_ESCAPED("\xf0\x8f\xbf\xbf", FFFD FFFD FFFD FFFD);
}
END_TEST

START_TEST(escape_replaces_surrogates_and_what_is_beyond_unicode)
{
	ASSERT_ESCAPED("\xed\xa0\x80", FFFD FFFD FFFD);
	ASSERT_ESCAPED("\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD);
	ASSERT_ESCAPED("\xf5\x80\x80\x80", FFFD FFFD FFFD FFFD);
}
END_TEST

START_TEST(escape_replaces_characters_cut_short)
{
	ASSERT_ESCAPED("\xc3", FFFD);
	ASSERT_ESCAPED("\xe2\x82", FFFD FFFD);
	ASSERT_ESCAPED("\xf0\x9f\x92", FFFD FFFD FFFD);
	ASSERT_ESCAPED("\xe2\x82" "a", FFFD FFFD "a");
}
END_TEST

START_TEST(escape_replaces_zero)
{
	ASSERT_ESCAPED("a\0b", "a" FFFD "b");
}
END_TEST

START_TEST(escape_of_what_drivers_have_registered)
{
	ASSERT_ESCAPED("ab\xc0\x1c\"\\\nc", "ab" FFFD "\x1c\\\"\\\\\\nc");
}
END_TEST

static Suite *escape_suite(void)
{
	const TTest *const tests[] = {
		escape_keeps_plain_text,
		escape_marks_quote_backslash_and_newline,
		escape_keeps_characters_of_each_length,
		escape_replaces_stray_bytes_one_by_one,
		escape_replaces_overlong_forms,
		escape_replaces_surrogates_and_what_is_beyond_unicode,
		escape_replaces_characters_cut_short,
		escape_replaces_zero,
		escape_of_what_drivers_have_registered,
		NULL
	};
	Suite *suite = suite_create("escape");

	suite_add(suite, "escape", tests);
	return suite;
}
UNIT_SUITE(escape_suite);
