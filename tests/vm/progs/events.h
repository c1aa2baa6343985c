/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* How often this thread was at a tracepoint of the kernel, as the kernel counts it; and which kernel. */
#ifndef EVENTS_H
#define EVENTS_H

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static inline bool kernel_is_since(unsigned int major, unsigned int minor)
{
	unsigned int is_major = 0, is_minor = 0;
	struct utsname name;

	uname(&name);
	sscanf(name.release, "%u.%u", &is_major, &is_minor);
	return is_major > major || (is_major == major && is_minor >= minor);
}

/* A counter of @name, as "io_uring/io_uring_queue_async_work", or -1 and errno. */
static inline int event_open(const char *name)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	char path[200], id[20] = "";
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (read(fd, id, sizeof(id) - 1) < 0)
		id[0] = 0;
	close(fd);
	attr.config = strtoull(id, NULL, 10);
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static inline uint64_t event_count(int fd)
{
	uint64_t count;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : UINT64_MAX;
}

/* Threads of this process that are io_uring's workers. */
static inline unsigned int workers_count(void)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	unsigned int n = 0;

	while (dir && (entry = readdir(dir))) {
		char path[300], comm[32] = "";
		int fd;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (read(fd, comm, sizeof(comm) - 1) > 0 && !strncmp(comm, "iou-wrk", 7))
			n++;
		close(fd);
	}
	if (dir)
		closedir(dir);
	return n;
}

#endif
