/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>

#include "machine_text.h"
#include "suite.h"

#define TEXT								      \
	"            CPU0       CPU1       \n"				      \
	"AAA:          1          2   first\n"				      \
	"BBB:          3          4   second\n"

/* As when memory was short just after they were begun again. */
START_TEST(feed_without_totals_begins_again)
{
	struct machine m;

	machine_start(&m, SERIES_ROWS);
	machine_set(&m, TEXT);
	ck_assert(!feed_read(&m.feed));
	irqstat_totals_free(m.feed.totals);
	m.feed.totals = irqstat_totals_new();
	m.feed.error = ENOMEM;
	ck_assert(!feed_read(&m.feed));
	ck_assert_uint_eq(feed_totals(&m.feed)->n_rows, 2);
	machine_stop(&m);
}
END_TEST

static Suite *feed_suite(void)
{
	const TTest *const tests[] = { feed_without_totals_begins_again, NULL };
	Suite *suite = suite_create("feed");

	suite_add(suite, "feed", tests);
	return suite;
}
UNIT_SUITE(feed_suite);
