/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * seeds DIRECTORY TEXT...: what the fuzzers begin with, in DIRECTORY/stream,
 * text and capture: streams that the unit tests have, the texts given, two of
 * them in one, and captures of all of these.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../libirqstat/internal.h"
#include "../unit/stream.h"

static const char *directory;

static int create(const char *kind, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, kind);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/%s", directory, kind, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static void put(int fd, const void *data, size_t len)
{
	if (write(fd, data, len) != (ssize_t)len)
		err(1, "write");
}

static void save(const char *kind, const char *name, const void *data, size_t len)
{
	int fd = create(kind, name);

	put(fd, data, len);
	close(fd);
}

static char *load(const char *path, size_t *len)
{
	char *text = malloc(1 << 20);
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (!text || fd < 0)
		err(1, "%s", path);
	n = read(fd, text, 1 << 20);
	if (n < 0)
		err(1, "%s", path);
	close(fd);
	*len = (size_t)n;
	return text;
}

/* A handle of the file that has these bytes, and others at @offset. */
static struct irqstat *handle(const void *data, size_t len, const struct stream *descs)
{
	int fd = memfd_create("source", MFD_CLOEXEC);

	if (pwrite(fd, data, len, 0) < 0 ||
	    (descs && pwrite(fd, descs->words, stream_len(descs), DESC_OFFSET_DEFAULT) < 0))
		err(1, "memory");
	return irqstat_fdopen(fd);
}

/* As many snapshots of it as @n; the last two bytes are the fuzz target's. */
static void save_capture(const char *name, struct irqstat *is, int n)
{
	int fd = create("capture", name);
	struct irqstat_capture *capture = irqstat_capture_new(fd);

	while (n--) {
		if (!capture || irqstat_read(is) || irqstat_capture_add(capture, is))
			err(1, "%s", name);
	}
	put(fd, "\0", 2);
	irqstat_capture_free(capture);
	irqstat_close(is);
	close(fd);
}

static struct stream *empty_counters(void)
{
	struct stream *s = stream_counters(130, 1);

	stream_end(s);
	return s;
}

static void save_streams(void)
{
	const struct stream *counters = stream_rich_counters(), *descs = stream_rich_descs();
	const struct stream *empty = empty_counters();

	save("stream", "counters", counters->words, stream_len(counters));
	save("stream", "descriptors", descs->words, stream_len(descs));
	save("stream", "empty", empty->words, stream_len(empty));
	save_capture("module", handle(counters->words, stream_len(counters), descs), 2);
}

static void save_text(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char twice[256];
	size_t len;
	char *text = load(path, &len);
	int fd;

	save("text", name, text, len);
	snprintf(twice, sizeof(twice), "%s-twice", name);
	fd = create("text", twice);
	put(fd, text, len);
	put(fd, "\f", 1);
	put(fd, text, len);
	close(fd);
	save_capture(name, handle(text, len, NULL), 1);
	free(text);
}

int main(int argc, char **argv)
{
	int i;

	if (argc < 2) {
		fprintf(stderr, "usage: seeds DIRECTORY TEXT...\n");
		return 2;
	}
	directory = argv[1];
	mkdir(directory, 0777);
	save_streams();
	for (i = 2; i < argc; i++)
		save_text(argv[i]);
	return 0;
}
