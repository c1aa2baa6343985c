/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"

struct alloc alloc;

/* The linker makes these two of each: --wrap. Some are what allocates within libc. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_regcomp(regex_t *regex, const char *pattern, int flags);
ssize_t __real_getline(char **line, size_t *cap, FILE *file);
FILE *__real_fdopen(int fd, const char *mode);
DIR *__real_fdopendir(int fd);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_regcomp(regex_t *regex, const char *pattern, int flags);
ssize_t __wrap_getline(char **line, size_t *cap, FILE *file);
FILE *__wrap_fdopen(int fd, const char *mode);
DIR *__wrap_fdopendir(int fd);

static bool fails(void)
{
	if (++alloc.n_calls != alloc.fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

int __wrap_regcomp(regex_t *regex, const char *pattern, int flags)
{
	return fails() ? REG_ESPACE : __real_regcomp(regex, pattern, flags);
}

ssize_t __wrap_getline(char **line, size_t *cap, FILE *file)
{
	return fails() ? -1 : __real_getline(line, cap, file);
}

FILE *__wrap_fdopen(int fd, const char *mode)
{
	return fails() ? NULL : __real_fdopen(fd, mode);
}

DIR *__wrap_fdopendir(int fd)
{
	return fails() ? NULL : __real_fdopendir(fd);
}
