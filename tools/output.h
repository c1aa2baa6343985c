/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A buffer in front of a file descriptor that never writes less than asked. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include <stdint.h>

struct output {
	int fd;
	char *buf;
	size_t len;
	size_t cap;
};

/* Those that return an int: 0, or -1 with the errno of write(2) or ENOMEM. */
int output_init(struct output *out, int fd);
void output_free(struct output *out);
int output_flush(struct output *out);

/* Makes room for @n bytes at out->buf + out->len. */
int output_reserve(struct output *out, size_t n);

/*
 * Where to write at most @room bytes, NULL with errno as above; then what was
 * written ends at @end.
 */
char *output_begin(struct output *out, size_t room);
void output_end(struct output *out, const char *end);

#define DIGITS_MAX 20

/* Sets the digits of @n in front of @end; returns where they begin. */
char *digits_before(char *end, uint64_t n);

#endif /* OUTPUT_H */
