/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE

#include <errno.h>
#include <liburing.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "suite.h"
#include "world.h"

const struct world worlds[] = {
	{ .name = "as it is" },
	{ .name = "never", .flags = IRQSTAT_URING_NEVER },
	{ .name = "no io_uring", .setup = ENOSYS },
	{ .name = "io_uring forbidden", .setup = EPERM },
	{ .name = "no memory for a ring", .setup = ENOMEM },
	{ .name = "probe forbidden", .probe = EPERM },
	{ .name = "enter forbidden", .enter = EPERM },
	{ .name = "no requests to be had", .enter = EAGAIN },
	{ .name = "no locked memory", .no_memlock = true },
};

const int n_worlds = sizeof(worlds) / sizeof(worlds[0]);

bool uring_is_allowed(int *error)
{
	struct io_uring ring;
	int ret = io_uring_queue_init(4, &ring, 0);

	*error = -ret;
	if (ret)
		return false;
	io_uring_queue_exit(&ring);
	return true;
}

void forbid(long syscall, int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)syscall, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

void world_begin(const struct world *w)
{
	const struct rlimit none = { 0, 0 };

	if (w->no_memlock) {
		ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
		ck_assert(geteuid() != 0 || setresuid(65534, 65534, 65534) == 0);
		/* Otherwise /proc/self would be root's. */
		ck_assert_int_eq(prctl(PR_SET_DUMPABLE, 1), 0);
	}
	if (w->setup)
		forbid(SYS_io_uring_setup, w->setup);
	if (w->probe)
		forbid(SYS_io_uring_register, w->probe);
}

void world_go_on(const struct world *w)
{
	if (w->enter)
		forbid(SYS_io_uring_enter, w->enter);
}

void assert_way(const struct world *w, const struct irqstat_uring_info *info)
{
	int error;

	if (w->flags)
		error = 0;
	else if (w->setup)
		error = w->setup;
	else if (uring_is_allowed(&error))
		error = w->probe ? w->probe : w->enter;
	ck_assert_msg(info->error == error, "%s: %d instead of %d", w->name, info->error, error);
	ck_assert_int_eq(info->way, error || w->flags ? IRQSTAT_URING_WAY_PREAD :
							IRQSTAT_URING_WAY_URING);
	ck_assert(info->way == IRQSTAT_URING_WAY_URING ||
		  (!info->fixed_files && !info->fixed_buffers));
}

int file_make(const void *data, size_t len)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	file_set(fd, data, len);
	return fd;
}

void file_set(int fd, const void *data, size_t len)
{
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(pwrite(fd, data, len, 0), (ssize_t)len);
}

const char *file_path(int fd)
{
	static char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}
