/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * irqstat record: snapshots into a file that can be read at any time, also when
 * this was killed, or the disk is full. A file that is replaced stays what it was
 * until the new one has its first snapshot.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"

struct recording {
	const struct options *options;
	const char *path;
	const char *name;	/* what messages call it */
	char *beside;		/* the name until the first snapshot is there; NULL: its own */
	int fd;
	struct irqstat_capture *capture;
	uint64_t n;
	bool is_new;		/* the file is of our making */
	bool has_progress;
	time_t start;
};

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

static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
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

static int open_file(struct recording *r)
{
	const struct options *o = r->options;
	struct stat st;
	bool exists = !stat(r->path, &st);

	if (!strcmp(r->path, "-")) {
		r->name = "standard output";
		r->fd = dup(STDOUT_FILENO);
	} else if (is_special(r->path)) {
		r->fd = open(r->path, O_WRONLY | O_CLOEXEC);
	} else if (exists && o->is_append) {
		if (check_whole(r))
			return EXIT_FAILURE;
		r->fd = open(r->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	} else if (exists && o->is_forced) {
		r->fd = open_beside(r);
		r->is_new = r->fd >= 0;
	} else {
		r->fd = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		r->is_new = r->fd >= 0;
	}
	return r->fd < 0 ? complain_errno(r->name) : EXIT_SUCCESS;
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

static void show_progress(const struct recording *r)
{
	off_t bytes = lseek(r->fd, 0, SEEK_CUR);
	long seconds = (long)(time(NULL) - r->start);

	if (!r->has_progress)
		return;
	fprintf(stderr, "\r%llu", (unsigned long long)r->n);
	if (r->options->iterations)
		fprintf(stderr, " of %llu", (unsigned long long)r->options->iterations);
	fprintf(stderr, " snapshots, %ld:%02ld:%02ld", seconds / 3600, seconds / 60 % 60,
		seconds % 60);
	if (bytes > 0)
		fprintf(stderr, ", %.1f MB", (double)bytes / 1e6);
	fprintf(stderr, "\033[K");
}

static void end_progress(struct recording *r)
{
	if (r->has_progress && r->n)
		fputc('\n', stderr);
	r->has_progress = false;
}

static int write_snapshot(struct recording *r, struct feed *feed)
{
	if (irqstat_capture_add(r->capture, feed->is)) {
		int err = errno;

		end_progress(r);
		errno = err;
		return err == EPIPE ? EXIT_FAILURE : complain_errno(r->name);
	}
	r->n++;
	show_progress(r);
	return r->n == 1 ? take_place(r) : EXIT_SUCCESS;
}

static int loop(struct recording *r, struct feed *feed)
{
	const struct options *o = r->options;
	bool is_end = false;
	struct pace pace;
	int code;

	pace_start(&pace, o->delay_ns);
	while (true) {
		code = feed_read(feed, &is_end);
		if (code || is_end)
			return code;
		code = write_snapshot(r, feed);
		if (code || r->n == o->iterations)
			return code;
		if (!feed_is_capture(feed) && pace_wait(&pace, -1) == PACE_STOPPED)
			return EXIT_SUCCESS;
	}
}

static int finish(struct recording *r, int code)
{
	end_progress(r);
	irqstat_capture_free(r->capture);
	if (r->fd < 0)
		return code;
	/* Pipes and devices can't be synced, which is no failure. */
	if (!code && fsync(r->fd) && errno != EINVAL && errno != EROFS)
		code = complain_errno(r->name);
	if (close(r->fd) && !code)
		code = complain_errno(r->name);
	if (r->is_new && !r->n)
		unlink(r->beside ? r->beside : r->path);
	free(r->beside);
	return code;
}

int cmd_record(struct options *o)
{
	struct recording r = { .options = o, .fd = -1, .start = time(NULL) };
	struct feed feed;
	int code;

	if (!o->n_operands)
		return misused("FILE", "is missing");
	if (o->is_append && o->is_forced)
		return misused("--append", "can't be used with --force");
	if (!o->delay_ns)
		o->delay_ns = NS_PER_S;
	r.path = r.name = o->operands[0];
	r.has_progress = isatty(STDERR_FILENO);
	code = feed_open(&feed, o);
	if (!code)
		code = open_file(&r);
	if (!code) {
		r.capture = irqstat_capture_new(r.fd);
		if (!r.capture)
			code = complain_errno(r.name);
	}
	if (!code)
		code = loop(&r, &feed);
	code = finish(&r, code);
	return feed_close(&feed, code);
}
