/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What is recorded can be read at any time, also when the program was killed or
 * the disk is full. A file that is replaced stays what it was until the new one
 * has its first snapshot; one that never got any does not stay.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording.h"

static int open_beside(struct recording *r)
{
	struct text name = { 0 };

	text_printf(&name, "%s.%ld", r->path, (long)getpid());
	text_add(&name, "", 1);
	if (name.failed) {
		errno = ENOMEM;
		return -1;
	}
	r->beside = name.bytes;
	return open(r->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* What is appended has to follow something that is whole. */
static int check_whole(const struct recording *r)
{
	struct irqstat *is = irqstat_open(r->path);
	int ret, err, code = EXIT_SUCCESS;

	if (!is)
		return complain_errno(r->name);
	do
		ret = irqstat_read(is);
	while (!ret && irqstat_source_get(is) == IRQSTAT_SOURCE_CAPTURE);
	err = errno;
	if (irqstat_source_get(is) != IRQSTAT_SOURCE_CAPTURE)
		code = complain(r->name, "not a capture");
	else if (ret < 0)
		code = complain(r->name, reason_of(err));
	else if (err)
		code = complain(r->name, "cut short: 'record --input' makes a whole one of it");
	irqstat_close(is);
	return code;
}

/* Two at once would write over each other. Not every file system has locks. */
static int lock(const struct recording *r)
{
	struct stat st;

	if (!fstat(r->fd, &st) && S_ISREG(st.st_mode) && flock(r->fd, LOCK_EX | LOCK_NB) &&
	    errno == EWOULDBLOCK)
		return complain(r->name, "being recorded into by another");
	return EXIT_SUCCESS;
}

static int open_file(struct recording *r, enum recording_mode mode)
{
	struct stat st;
	bool exists = !stat(r->path, &st);

	if (!strcmp(r->path, "-")) {
		r->name = "standard output";
		r->fd = dup(STDOUT_FILENO);
	} else if (exists && !S_ISREG(st.st_mode)) {
		r->fd = open(r->path, O_WRONLY | O_CLOEXEC);
	} else if (exists && mode == RECORDING_APPEND) {
		r->fd = open(r->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	} else if (exists && mode == RECORDING_REPLACE) {
		r->fd = open_beside(r);
		r->is_new = r->fd >= 0;
	} else {
		r->fd = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		r->is_new = r->fd >= 0;
	}
	if (r->fd < 0)
		return complain_errno(r->name);
	if (lock(r))
		return EXIT_FAILURE;
	return exists && mode == RECORDING_APPEND && S_ISREG(st.st_mode) ? check_whole(r) :
									   EXIT_SUCCESS;
}

int recording_open(struct recording *r, const char *path, enum recording_mode mode)
{
	*r = (struct recording){ .path = path, .name = path, .fd = -1 };
	if (open_file(r, mode))
		return EXIT_FAILURE;
	r->capture = irqstat_capture_new(r->fd);
	return r->capture ? EXIT_SUCCESS : complain_errno(r->name);
}

/* The new file takes the place of the old one. */
static int take_place(struct recording *r)
{
	if (!r->beside)
		return EXIT_SUCCESS;
	if (rename(r->beside, r->path))
		return complain_errno(r->name);
	free(r->beside);
	r->beside = NULL;
	return EXIT_SUCCESS;
}

int recording_add(struct recording *r, struct irqstat *is)
{
	if (irqstat_capture_add(r->capture, is))
		return errno == EPIPE ? EXIT_FAILURE : complain_errno(r->name);
	r->n++;
	return r->n == 1 ? take_place(r) : EXIT_SUCCESS;
}

int recording_close(struct recording *r, int code)
{
	irqstat_capture_free(r->capture);
	/* Pipes and devices can't be synced, which is no failure. */
	if (!code && r->fd >= 0 && fsync(r->fd) && errno != EINVAL && errno != EROFS)
		code = complain_errno(r->name);
	if (r->fd >= 0 && close(r->fd) && !code)
		code = complain_errno(r->name);
	if (r->is_new && !r->n)
		unlink(r->beside ? r->beside : r->path);
	free(r->beside);
	return code;
}
