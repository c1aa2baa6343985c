/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The new file is made beside the old one, under a name that node_exporter does
 * not read. It is not synced: after a crash of the machine the counters are
 * others anyway.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "textfile.h"

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* DIR/.NAME.XXXXXX */
static char *name_beside(const char *path)
{
	const char *slash = strrchr(path, '/');
	int dir_len = slash ? (int)(slash - path) + 1 : 0;
	char *name;

	return asprintf(&name, "%.*s.%s.XXXXXX", dir_len, path,
			path + dir_len) < 0 ? NULL : name;
}

static int fill(int fd, const char *bytes, size_t len)
{
	int ret = fchmod(fd, 0644) || write_all(fd, bytes, len) ? -1 : 0;
	int err = errno;

	if (close(fd) && !ret)
		return -1;
	errno = err;
	return ret;
}

static int make_and_rename(char *name, const char *path, const char *bytes,
			   size_t len)
{
	int fd = mkostemp(name, O_CLOEXEC), err;

	if (fd < 0)
		return -1;
	if (!fill(fd, bytes, len) && !rename(name, path))
		return 0;
	err = errno;
	unlink(name);
	errno = err;
	return -1;
}

int textfile_replace(const char *path, const char *bytes, size_t len)
{
	struct stat st;
	char *name;
	int ret;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	name = name_beside(path);
	if (!name)
		return -1;
	ret = make_and_rename(name, path, bytes, len);
	free(name);
	return ret;
}
