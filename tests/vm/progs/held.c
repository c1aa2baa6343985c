/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * held UNLOAD LOAD: files that are open while the shell command UNLOAD takes the
 * module away can be read no more, even when LOAD has brought it back, and closed.
 */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "valid.h"

#define FILES	4

static struct raw *raw;
static int files[FILES];
static const char *unload, *load;

/* One not read yet, one in the middle of each window, one at the end. */
static const char *files_open(void)
{
	const char *wrong;
	int i;

	for (i = 0; i < FILES; i++) {
		files[i] = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
		if (files[i] < 0)
			return why_errno("open");
	}
	if (read(files[1], raw->byte, 100) != 100 ||
	    lseek(files[2], IRQBIN_DESC_OFFSET, SEEK_SET) != IRQBIN_DESC_OFFSET ||
	    read(files[2], raw->byte, 100) != 100)
		return why_errno("read");
	wrong = raw_get(files[3], IRQBIN_WINDOW_COUNTERS, raw);
	return wrong ? wrong : raw_get(files[3], IRQBIN_WINDOW_DESCRIPTORS, raw);
}

static const char *files_are_dead(void)
{
	static const off_t offsets[] = { 0, 8, 100, IRQBIN_DESC_OFFSET, IRQBIN_DESC_OFFSET + 8 };
	size_t i, j;

	for (i = 0; i < FILES; i++) {
		if (read(files[i], raw->byte, 100) >= 0 || errno != EIO)
			return why_errno("read");
		for (j = 0; j < sizeof(offsets) / sizeof(offsets[0]); j++)
			if (pread(files[i], raw->byte, 100, offsets[j]) >= 0 || errno != EIO)
				return why_errno("pread");
	}
	return NULL;
}

static const char *unloaded_with_files_open(void)
{
	if (system(unload))
		return "it is not";
	return open(BIN_PATH, O_RDONLY) < 0 && errno == ENOENT ? NULL : "the file is still there";
}

static const char *loaded_again(void)
{
	int fd;

	if (system(load))
		return "it is not";
	fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? why_errno("open") : raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);
}

static const char *files_close(void)
{
	int i;

	for (i = 0; i < FILES; i++)
		if (close(files[i]))
			return why_errno("close");
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct check checks[] = {
		{ "files_are_held_open", files_open },
		{ "module_unloads_with_files_open", unloaded_with_files_open },
		{ "held_files_give_eio", files_are_dead },
		{ "module_loads_again", loaded_again },
		{ "held_files_still_give_eio", files_are_dead },
		{ "held_files_can_be_closed", files_close },
	};

	if (argc != 3) {
		fputs("usage: held UNLOAD LOAD\n", stderr);
		return 2;
	}
	unload = argv[1];
	load = argv[2];
	raw = raw_new();
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
