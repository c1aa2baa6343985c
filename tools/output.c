/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"

#define CAP ((size_t)256 * 1024)

int output_init(struct output *out, int fd)
{
	out->fd = fd;
	out->len = 0;
	out->cap = CAP;
	out->buf = malloc(CAP);
	return out->buf ? 0 : -1;
}

void output_free(struct output *out)
{
	free(out->buf);
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

int output_flush(struct output *out)
{
	size_t n = out->len;

	out->len = 0;
	return write_all(out->fd, out->buf, n);
}

int output_reserve(struct output *out, size_t n)
{
	char *buf;

	if (n <= out->cap - out->len)
		return 0;
	if (output_flush(out))
		return -1;
	if (n <= out->cap)
		return 0;
	buf = malloc(n);
	if (!buf)
		return -1;
	free(out->buf);
	out->buf = buf;
	out->cap = n;
	return 0;
}

int output_put(struct output *out, const void *bytes, size_t n)
{
	if (output_reserve(out, n))
		return -1;
	memcpy(out->buf + out->len, bytes, n);
	out->len += n;
	return 0;
}

char *digits_before(char *end, uint64_t n)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324"
		"25262728293031323334353637383940414243444546474849"
		"50515253545556575859606162636465666768697071727374"
		"75767778798081828384858687888990919293949596979899";

	while (n >= 100) {
		end -= 2;
		memcpy(end, pairs + n % 100 * 2, 2);
		n /= 100;
	}
	if (n >= 10) {
		end -= 2;
		memcpy(end, pairs + n * 2, 2);
	} else {
		*--end = (char)('0' + n);
	}
	return end;
}

int output_blanks(struct output *out, size_t n)
{
	if (output_reserve(out, n))
		return -1;
	memset(out->buf + out->len, ' ', n);
	out->len += n;
	return 0;
}

int output_right(struct output *out, const char *s, size_t len, size_t width)
{
	if (len < width && output_blanks(out, width - len))
		return -1;
	return output_put(out, s, len);
}

int output_left(struct output *out, const char *s, size_t len, size_t width)
{
	if (output_put(out, s, len))
		return -1;
	return len < width ? output_blanks(out, width - len) : 0;
}

int output_number(struct output *out, uint64_t n, size_t width)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits);
	char *begin = digits_before(end, n);

	return output_right(out, begin, (size_t)(end - begin), width);
}

int output_int(struct output *out, int32_t n, size_t width)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits);
	char *begin = digits_before(end, n < 0 ? -(uint64_t)n : (uint64_t)n);

	if (n < 0)
		*--begin = '-';
	return output_right(out, begin, (size_t)(end - begin), width);
}
