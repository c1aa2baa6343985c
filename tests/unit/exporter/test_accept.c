/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "accept.h"
#include "suite.h"

#define OM "application/openmetrics-text"

static void assert_openmetrics(const char *accept)
{
	ck_assert_msg(accept_wants_openmetrics(accept), "%s", accept);
}

static void assert_classic(const char *accept)
{
	ck_assert_msg(!accept_wants_openmetrics(accept), "%s", accept);
}

START_TEST(accept_takes_what_prometheus_sends)
{
	assert_openmetrics(OM ",text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
	assert_openmetrics(OM ";version=1.0.0," OM ";version=0.0.1;q=0.75,"
			   "text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
	assert_classic("text/plain;version=0.0.4;q=1,*/*;q=0.1");
}
END_TEST

START_TEST(accept_is_classic_if_openmetrics_is_not_named)
{
	ck_assert(!accept_wants_openmetrics(NULL));
	assert_classic("");
	assert_classic("*/*");
	assert_classic("text/html,application/xhtml+xml,*/*;q=0.8");
	assert_classic("application/*");
	assert_classic("application/json");
}
END_TEST

START_TEST(accept_obeys_q)
{
	assert_classic("text/plain, " OM ";q=0.9");
	assert_openmetrics("text/plain;q=0.5, " OM ";q=0.501");
	assert_openmetrics("text/plain;q=0.5, " OM ";q=0.5");
	assert_classic(OM ";q=0");
	assert_classic(OM ";q=0.000");
}
END_TEST

START_TEST(accept_takes_the_q_of_the_range_that_says_most)
{
	assert_openmetrics("text/plain;q=0.1, */*;q=1, " OM ";q=0.5");
	assert_classic("text/*;q=0.7, */*;q=0.1, " OM ";q=0.5");
	assert_classic("*/*;q=0.7, " OM ";q=0.5");
}
END_TEST

START_TEST(accept_passes_over_other_versions)
{
	assert_openmetrics(OM ";version=\"1.0.0\"");
	assert_openmetrics(OM "; version=0.0.1 ; charset=utf-8");
	assert_classic(OM ";version=2.0.0");
	assert_openmetrics(OM ";version=2.0.0, " OM ";version=1.0.0;q=0.4");
}
END_TEST

START_TEST(accept_ignores_case_and_blanks)
{
	assert_openmetrics("  Application/OpenMetrics-Text ;\tQ=0.5 ");
}
END_TEST

START_TEST(accept_passes_over_what_is_malformed)
{
	assert_classic(OM ";q=");
	assert_classic(OM ";q=x");
	assert_classic(OM ";q=2");
	assert_classic(OM ";q=1.001");
	assert_classic(OM ";q=0.5555");
	assert_classic(OM ";q=-1");
	assert_classic(",,;;,=;q=,\"");
	assert_classic(OM "x");
	assert_openmetrics(";q=0.1,," OM ",");
	assert_openmetrics(OM ";;x=;=y;\"");
}
END_TEST

static Suite *accept_suite(void)
{
	const TTest *const tests[] = {
		accept_takes_what_prometheus_sends,
		accept_is_classic_if_openmetrics_is_not_named,
		accept_obeys_q,
		accept_takes_the_q_of_the_range_that_says_most,
		accept_passes_over_other_versions,
		accept_ignores_case_and_blanks,
		accept_passes_over_what_is_malformed,
		NULL
	};
	Suite *suite = suite_create("accept");

	suite_add(suite, "accept", tests);
	return suite;
}
UNIT_SUITE(accept_suite);
