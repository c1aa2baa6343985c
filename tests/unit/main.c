/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>

#include "suite.h"

#define MAX_SUITES 64

static Suite *(*makers[MAX_SUITES])(void);
static size_t n_makers;

void suite_register(Suite *(*make)(void))
{
	if (n_makers == MAX_SUITES)
		abort();
	makers[n_makers++] = make;
}

int main(void)
{
	SRunner *runner = srunner_create(NULL);
	int n_failed;
	size_t i;

	for (i = 0; i < n_makers; i++)
		srunner_add_suite(runner, makers[i]());
	srunner_run_all(runner, CK_ENV);
	n_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
