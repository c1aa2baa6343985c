/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nodes.h"

static char root[64];

void nodes_begin(void)
{
	strcpy(root, "/tmp/irqstat-nodes-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

const char *nodes_root(void)
{
	return root;
}

static void put_file(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

void nodes_add(uint32_t node, const char *cpulist, const char *const *entries)
{
	char path[128];
	int dir;

	snprintf(path, sizeof(path), "%s/node%u", root, node);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	if (cpulist)
		put_file(dir, "cpulist", cpulist);
	for (; entries && *entries; entries++)
		put_file(dir, *entries, "");
	close(dir);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void nodes_end(void)
{
	nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
