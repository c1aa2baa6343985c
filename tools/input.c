/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The file of --input. What can't be read at offsets, as a pipe, is copied to its end first. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd.h"

static int open_path(const char *path)
{
	return strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) :
				   fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

static int copy(int from)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	char buf[65536];
	ssize_t n = 0;

	while (fd >= 0 && (n = read(from, buf, sizeof(buf)))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || write(fd, buf, (size_t)n) != n) {
			close(fd);
			return -1;
		}
	}
	return fd;
}

static int make_seekable(int fd)
{
	int copied;

	if (fd < 0 || lseek(fd, 0, SEEK_CUR) >= 0 || errno != ESPIPE)
		return fd;
	copied = copy(fd);
	close(fd);
	return copied;
}

struct irqstat *input_open(const char *path)
{
	int fd = make_seekable(open_path(path));
	struct irqstat *is = fd < 0 ? NULL : irqstat_fdopen(fd);

	if (!is && fd >= 0)
		close(fd);
	return is;
}

const char *input_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}
