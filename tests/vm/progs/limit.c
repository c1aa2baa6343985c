/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Readers at the limit of their memory cgroup: they fail, alone, and leave nothing behind. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "valid.h"

#define ROOT		"/sys/fs/cgroup"
#define GROUP		ROOT "/readers"
#define OPENS		3000
#define ROOM		(512 << 10)	/* of the group, for snapshots */
#define AMPLE		(256 << 20)
#define LEFT_MAX	(1 << 20)	/* of it, when all have gone: what CPUs have in stock */
#define PATIENCE_MS	10000

enum outcome { SERVED, NO_MEMORY, AGAIN, FAILED };

static struct raw *raw;
static int fd[OPENS];
static unsigned int window = IRQBIN_WINDOW_COUNTERS;

static const char *file_write(const char *path, const char *line)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	bool written = file >= 0 && write(file, line, strlen(line)) > 0;

	if (file >= 0)
		close(file);
	return written ? NULL : why_errno(path);
}

static long value_read(const char *path, const char *key)
{
	char line[128];
	long value = -1;
	FILE *file = fopen(path, "re");

	while (file && value < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)))
			value = atol(line + strlen(key));
	if (file)
		fclose(file);
	return value;
}

static const char *group_make(void)
{
	const char *wrong = file_write(ROOT "/cgroup.subtree_control", "+memory");

	if (!wrong && mkdir(GROUP, 0755))
		wrong = why_errno(GROUP);
	return wrong;
}

static const char *limit_set(long bytes)
{
	char line[24];

	snprintf(line, sizeof(line), "%ld", bytes);
	return file_write(GROUP "/memory.max", line);
}

/* Reads the window of every file of the group's once, with @flags of preadv2; until one fails. */
static enum outcome reader(int flags)
{
	struct iovec vec = { raw->byte, RAW_MAX };
	int i;

	for (i = 0; i < OPENS; i++) {
		ssize_t n = preadv2(fd[i], &vec, 1, window_offset(window), flags);

		raw->bytes = n > 0 ? (size_t)n : 0;
		if (n < 0)
			return errno == ENOMEM ? NO_MEMORY : errno == EAGAIN ? AGAIN : FAILED;
		if (raw_check(raw, window))
			return FAILED;
	}
	return SERVED;
}

/* In the group: opens the files, waits for the limit to be there, and reads. */
static void child(int flags, int ready, int go)
{
	const struct rlimit files = { OPENS + 100, OPENS + 100 };
	char byte = 0;
	int i;

	if (file_write(GROUP "/cgroup.procs", "0") || setrlimit(RLIMIT_NOFILE, &files))
		_exit(FAILED);
	memset(raw->byte, 0, RAW_MAX);
	for (i = 0; i < OPENS; i++) {
		fd[i] = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
		if (fd[i] < 0)
			_exit(FAILED);
	}
	if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		_exit(FAILED);
	_exit(reader(flags));
}

static const char *run_child(int flags, long room, int *status)
{
	int ready[2], go[2];
	const char *wrong = NULL;
	char byte = 0;
	pid_t pid;

	if (pipe(ready) || pipe(go))
		return why_errno("pipe");
	wrong = limit_set(AMPLE);
	pid = wrong ? -1 : fork();
	if (pid == 0)
		child(flags, ready[1], go[0]);
	if (pid < 0)
		return wrong ? wrong : why_errno("fork");
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		wrong = "the reader failed before the limit";
	if (!wrong)
		wrong = limit_set(value_read(GROUP "/memory.current", "") + room);
	if (write(go[1], &byte, 1) != 1 && !wrong)
		wrong = why_errno("write");
	waitpid(pid, status, 0);
	close(ready[0]);
	close(go[0]);
	close(go[1]);
	return wrong;
}

/* What was charged to the group is given back when its processes have ended. */
static const char *group_is_empty(void)
{
	long left = 0;
	int ms;

	for (ms = 0; ms < PATIENCE_MS; ms += 10) {
		left = value_read(GROUP "/memory.current", "");
		if (left <= LEFT_MAX)
			return NULL;
		usleep(10000);
	}
	return why("%ld bytes are left in the group", left);
}

/* Its result is in @status; whoever is not in the group notices nothing. */
static const char *reader_has_room(int flags, long room, int *status)
{
	const int other = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	const char *wrong = run_child(flags, room, status);

	if (!wrong)
		wrong = group_is_empty();
	if (!wrong)
		wrong = raw_get(other, IRQBIN_WINDOW_COUNTERS, raw);
	close(other);
	return wrong;
}

static const char *ends_as(int flags, long room, enum outcome expected)
{
	int status;
	const char *wrong = reader_has_room(flags, room, &status);

	if (wrong || (WIFEXITED(status) && WEXITSTATUS(status) == expected))
		return wrong;
	return why("status %#x", status);
}

static const char *reader_below_is_served(void)
{
	return ends_as(0, AMPLE, SERVED);
}

static const char *nowait_reader_below_is_served(void)
{
	return ends_as(RWF_NOWAIT, AMPLE, SERVED);
}

static const char *nowait_reader_gets_eagain(void)
{
	return ends_as(RWF_NOWAIT, ROOM, AGAIN);
}

/* Unless the kernel has killed it for want of memory, as it may do at any system call. */
static const char *blocking_reader_gets_enomem(void)
{
	const long hits = value_read(GROUP "/memory.events", "max ");
	int status;
	const char *wrong = reader_has_room(0, ROOM, &status);

	if (!wrong && value_read(GROUP "/memory.events", "max ") <= hits)
		wrong = "the limit was not hit: reads are not charged to the reader";
	if (wrong || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
	    (WIFEXITED(status) && WEXITSTATUS(status) == NO_MEMORY))
		return wrong;
	return why("status %#x", status);
}

/* Those of another generation than the newest would else be nobody's. */
static const char *reader_of_descriptors_gets_enomem(void)
{
	const char *wrong;

	window = IRQBIN_WINDOW_DESCRIPTORS;
	wrong = blocking_reader_gets_enomem();
	window = IRQBIN_WINDOW_COUNTERS;
	return wrong;
}

static const char *group_goes(void)
{
	return rmdir(GROUP) ? why_errno(GROUP) : NULL;
}

int main(void)
{
	static const struct check checks[] = {
		{ "memory_group_is_made", group_make },
		{ "reader_below_its_limit_is_served", reader_below_is_served },
		{ "reader_at_its_limit_gets_enomem", blocking_reader_gets_enomem },
		{ "reader_of_descriptors_at_its_limit_gets_enomem",
		  reader_of_descriptors_gets_enomem },
		{ "nowait_reader_below_its_limit_is_served", nowait_reader_below_is_served },
		{ "nowait_reader_at_its_limit_gets_eagain", nowait_reader_gets_eagain },
		{ "memory_group_goes", group_goes },
	};

	raw = raw_new();
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
