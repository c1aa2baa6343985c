/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A file that is there as a whole or not at all: written under another name
 * beside it, and renamed when all is on disk. What is no regular file (a pipe, a
 * terminal) is written to as it is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

static int open_beside(struct replacement *r, const char *path)
{
	struct text name = { 0 };
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	text_printf(&name, "%s.XXXXXX", path);
	text_add(&name, "", 1);
	if (name.failed) {
		errno = ENOMEM;
		return -1;
	}
	fd = mkostemp(name.bytes, O_CLOEXEC);
	if (fd >= 0 && fchmod(fd, 0666 & ~mask)) {
		close(fd);
		unlink(name.bytes);
		fd = -1;
	}
	if (fd < 0)
		text_free(&name);
	r->beside = name.bytes;
	return fd;
}

int replace_begin(struct replacement *r, const char *path)
{
	int fd;

	*r = (struct replacement){ .path = path };
	fd = is_special(path) ? open(path, O_WRONLY | O_CLOEXEC) : open_beside(r, path);
	if (fd >= 0)
		r->file = fdopen(fd, "w");
	if (r->file)
		return EXIT_SUCCESS;
	complain_errno(path);
	if (fd >= 0)
		close(fd);
	replace_abandon(r);
	return EXIT_FAILURE;
}

int replace_end(struct replacement *r)
{
	bool failed = ferror(r->file);

	if (fflush(r->file) || failed || (r->beside && fsync(fileno(r->file))))
		goto failed;
	failed = fclose(r->file);
	r->file = NULL;
	if (failed || (r->beside && rename(r->beside, r->path)))
		goto failed;
	free(r->beside);
	r->beside = NULL;
	return EXIT_SUCCESS;

failed:
	if (errno != EPIPE)
		complain_errno(r->path);
	replace_abandon(r);
	return EXIT_FAILURE;
}

void replace_abandon(struct replacement *r)
{
	if (r->file)
		fclose(r->file);
	if (r->beside)
		unlink(r->beside);
	free(r->beside);
	r->file = NULL;
	r->beside = NULL;
}
