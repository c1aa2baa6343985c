/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Each file of tests makes one suite and names it with UNIT_SUITE(function), a
 * function that returns the Suite; main.c runs all that were linked in.
 */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>

void suite_register(Suite *(*make)(void));

#define UNIT_SUITE(make)						\
	__attribute__((constructor)) static void make##_register(void)	\
	{								\
		suite_register(make);					\
	}								\
	typedef int make##_needs_semicolon

/* One test case of the tests in a list that ends with NULL. */
static inline void suite_add_with(Suite *suite, const char *name,
				  const TTest *const *tests,
				  void (*setup)(void), void (*teardown)(void))
{
	TCase *tcase = tcase_create(name);

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tcase, *tests);
	suite_add_tcase(suite, tcase);
}

static inline void suite_add(Suite *suite, const char *name,
			     const TTest *const *tests)
{
	suite_add_with(suite, name, tests, NULL, NULL);
}

#define assert_errno(call, failure, error)				\
	do {								\
		errno = 0;						\
		ck_assert((call) == (failure));				\
		ck_assert_int_eq(errno, error);				\
	} while (0)

#endif /* SUITE_H */
