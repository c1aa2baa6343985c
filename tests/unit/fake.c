/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <irqstat.h>

#include "fake.h"

struct fake fake;

static int fake_fd = -1;

int fake_open(void)
{
	memset(&fake, 0, sizeof(fake));
	fake_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fake_fd;
}

/* The number of the file may be what the fake's was before it was closed. */
static int open_fake(const struct fake_path *to)
{
	bool is_fake = to->file && !strcmp(to->file, FAKE_FILE);
	int fd;

	if (!to->file) {
		errno = to->error;
		return -1;
	}
	fd = open(is_fake ? "/dev/null" : to->file, O_RDONLY | O_CLOEXEC);
	if (is_fake)
		fake_fd = fd;
	else if (fd == fake_fd)
		fake_fd = -1;
	return fd;
}

int open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (fake.has_paths && !strcmp(path, IRQSTAT_PATH))
		return open_fake(&fake.module);
	if (fake.has_paths && !strcmp(path, IRQSTAT_TEXT_PATH))
		return open_fake(&fake.text);
	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

void fake_add(const struct stream *s)
{
	fake.snapshots[fake.n_snapshots++] = s;
}

static const struct stream *current(size_t offset)
{
	if (offset == 0 || fake.n_torn) {
		if (offset)
			fake.n_torn--;
		if (fake.at < fake.n_snapshots)
			fake.at++;
	}
	return fake.at ? fake.snapshots[fake.at - 1] : NULL;
}

static ssize_t fake_pread(char *buf, size_t n, size_t offset)
{
	const struct stream *s;

	fake.n_calls++;
	if (n > fake.most_asked)
		fake.most_asked = n;
	if (fake.error || fake.n_eintr) {
		errno = fake.error ? fake.error : EINTR;
		fake.n_eintr -= fake.n_eintr > 0;
		return -1;
	}
	if (offset >= IRQBIN_DESC_OFFSET) {
		fake.n_desc_calls++;
		offset -= IRQBIN_DESC_OFFSET;
		s = fake.descs;
	} else {
		s = current(offset);
	}
	if (!s || offset >= stream_len(s))
		return 0;
	if (n > stream_len(s) - offset)
		n = stream_len(s) - offset;
	if (fake.max && n > fake.max)
		n = fake.max;
	memcpy(buf, (const char *)s->words + offset, n);
	return (ssize_t)n;
}

ssize_t pread64(int fd, void *buf, size_t n, off64_t offset)
{
	if (fd == fake_fd)
		return fake_pread(buf, n, (size_t)offset);
	return syscall(SYS_pread64, fd, buf, n, offset);
}

ssize_t pread(int fd, void *buf, size_t n, off_t offset)
{
	return pread64(fd, buf, n, offset);
}
