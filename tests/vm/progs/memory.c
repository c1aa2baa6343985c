/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What opens and reads cost in the kernel's memory, and that all of it comes back. */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "raw.h"

#define OPENS		10000
#define AT_ONCE		10000
#define OPEN_MAX_KB	64	/* both windows of this small machine, twice */
#define NOISE_KB	3000
#define SLAB_NOISE_KB	1000	/* 100 bytes for each open */

static struct raw *raw;

/* A value of /proc/meminfo, in kB. */
static long meminfo(const char *key)
{
	char line[256];
	long value = -1;
	FILE *file = fopen("/proc/meminfo", "re");

	while (file && value < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)) && line[strlen(key)] == ':')
			value = atol(line + strlen(key) + 1);
	if (file)
		fclose(file);
	return value;
}

static const char *open_and_read(int *fd)
{
	const char *wrong;

	*fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return why_errno("open");
	wrong = raw_read(*fd, 0, raw);
	return wrong ? wrong : raw_read(*fd, IRQBIN_DESC_OFFSET, raw);
}

static const char *opens(int n)
{
	const char *wrong = NULL;
	int fd;

	while (!wrong && n--) {
		wrong = open_and_read(&fd);
		close(fd);
	}
	/* Files are freed after a grace period. */
	usleep(200000);
	return wrong;
}

static const char *opens_leave_nothing(void)
{
	const char *wrong = opens(1000);
	const long slab = meminfo("SUnreclaim"), available = meminfo("MemAvailable");

	if (!wrong)
		wrong = opens(OPENS);
	if (wrong)
		return wrong;
	if (meminfo("SUnreclaim") - slab > SLAB_NOISE_KB ||
	    available - meminfo("MemAvailable") > NOISE_KB)
		return why("%d opens: slab from %ld to %ld kB, available from %ld to %ld", OPENS,
			   slab, meminfo("SUnreclaim"), available, meminfo("MemAvailable"));
	return NULL;
}

static const char *opens_cost_little_and_give_it_back(void)
{
	const struct rlimit files = { AT_ONCE + 100, AT_ONCE + 100 };
	const long before = meminfo("MemAvailable");
	const char *wrong = NULL;
	static int fd[AT_ONCE];
	long cost;
	int i;

	setrlimit(RLIMIT_NOFILE, &files);
	for (i = 0; !wrong && i < AT_ONCE; i++)
		wrong = open_and_read(&fd[i]);
	cost = before - meminfo("MemAvailable");
	for (i = 0; i < AT_ONCE; i++)
		close(fd[i]);
	usleep(200000);
	if (wrong)
		return wrong;
	if (cost > AT_ONCE * OPEN_MAX_KB)
		return why("%d open files take %ld kB", AT_ONCE, cost);
	if (before - meminfo("MemAvailable") > NOISE_KB)
		return why("available from %ld to %ld kB", before, meminfo("MemAvailable"));
	return NULL;
}

/* No allocation in steady state: a kept open does not grow. */
static const char *reads_leave_nothing(void)
{
	const char *wrong;
	long slab, available;
	int fd, i;

	wrong = open_and_read(&fd);
	slab = meminfo("SUnreclaim");
	available = meminfo("MemAvailable");
	for (i = 0; !wrong && i < OPENS; i++)
		wrong = raw_read(fd, i & 1 ? IRQBIN_DESC_OFFSET : 0, raw);
	close(fd);
	if (wrong)
		return wrong;
	if (meminfo("SUnreclaim") - slab > SLAB_NOISE_KB ||
	    available - meminfo("MemAvailable") > NOISE_KB)
		return why("%d reads: slab from %ld to %ld kB, available from %ld to %ld",
			   OPENS, slab, meminfo("SUnreclaim"), available,
			   meminfo("MemAvailable"));
	return NULL;
}

int main(void)
{
	static const struct check checks[] = {
		{ "opens_leave_no_memory_behind", opens_leave_nothing },
		{ "opens_at_once_cost_little_and_give_it_back", opens_cost_little_and_give_it_back },
		{ "reads_leave_no_memory_behind", reads_leave_nothing },
	};

	raw = raw_new();
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
