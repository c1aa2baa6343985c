/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * How a test program reports: a line for each check, "ok NAME" or "not ok NAME:
 * reason". A check is a function that returns NULL, or why it failed.
 */
#ifndef REPORT_H
#define REPORT_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check {
	const char *name;
	const char *(*run)(void);
};

/* A reason. It is never freed: a program that has one soon ends. */
__attribute__((format(printf, 1, 2))) static inline const char *why(const char *format, ...)
{
	char *reason;
	va_list args;

	va_start(args, format);
	if (vasprintf(&reason, format, args) < 0)
		reason = NULL;
	va_end(args);
	return reason ? reason : "out of memory";
}

static inline const char *why_errno(const char *what)
{
	return why("%s: %s", what, strerror(errno));
}

/* Returns 1 if there is a reason. */
static inline int report(const char *name, const char *reason)
{
	if (reason)
		printf("not ok %s: %s\n", name, reason);
	else
		printf("ok %s\n", name);
	fflush(stdout);
	return !!reason;
}

static inline int run_checks(const struct check *checks, size_t n)
{
	int failed = 0;
	size_t i;

	for (i = 0; i < n; i++)
		failed |= report(checks[i].name, checks[i].run());
	return failed;
}

#endif
