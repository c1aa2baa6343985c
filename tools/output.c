/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"

/* More would only be more pages to touch. */
#define CAP ((size_t)32 * 1024)

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

char *output_begin(struct output *out, size_t room)
{
	return output_reserve(out, room) ? NULL : out->buf + out->len;
}

void output_end(struct output *out, const char *end)
{
	out->len = (size_t)(end - out->buf);
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
