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

/* All functions: 0, or -1 with the errno of write(2) or ENOMEM. */
int output_init(struct output *out, int fd);
void output_free(struct output *out);

/* Makes room for @n bytes at out->buf + out->len. */
int output_reserve(struct output *out, size_t n);
int output_put(struct output *out, const void *bytes, size_t n);
int output_flush(struct output *out);

/* Aligned within at least @width bytes; what is longer is not cut. */
int output_blanks(struct output *out, size_t n);
int output_left(struct output *out, const char *s, size_t len, size_t width);
int output_right(struct output *out, const char *s, size_t len, size_t width);
int output_number(struct output *out, uint64_t n, size_t width);
int output_int(struct output *out, int32_t n, size_t width);

#define DIGITS_MAX 20

/* Sets the digits of @n in front of @end; returns where they begin. */
char *digits_before(char *end, uint64_t n);

#endif /* OUTPUT_H */
