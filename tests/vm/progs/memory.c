/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What opens and reads cost in the kernel's memory, and that all of it comes back. */
#define _GNU_SOURCE
#include <limits.h>
#include <sys/resource.h>

#include "raw.h"

#define OPENS		10000
#define AT_ONCE		10000
#define OPEN_MAX_KB	64	/* both windows of this small machine, twice */
#define NOISE_KB	3000
#define SLAB_NOISE_KB	1000	/* 100 bytes for each open */

/* What is freed comes back after grace periods, long ones on a busy or checking kernel. */
#define WAIT_US		100000
#define WAITS		600

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

struct memory {
	long slab;		/* in kB, both */
	long available;
};

static struct memory memory_now(void)
{
	const struct memory now = { meminfo("SUnreclaim"), meminfo("MemAvailable") };

	return now;
}

/* What is wrong if, since @before, @slab_kb of slab or NOISE_KB of all are gone and stay so. */
static const char *all_comes_back(struct memory before, long slab_kb)
{
	struct memory now = memory_now();
	int i;

	for (i = 0; now.slab - before.slab > slab_kb ||
		    before.available - now.available > NOISE_KB; i++) {
		if (i == WAITS)
			return why("slab from %ld to %ld kB, available from %ld to %ld",
				   before.slab, now.slab, before.available, now.available);
		usleep(WAIT_US);
		now = memory_now();
	}
	return NULL;
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
	return wrong;
}

static const char *opens_leave_nothing(void)
{
	const char *wrong = opens(1000);
	struct memory before;

	/* Measured too early, it would miss what is yet to come back. */
	usleep(2 * WAIT_US);
	before = memory_now();
	if (!wrong)
		wrong = opens(OPENS);
	return wrong ? wrong : all_comes_back(before, SLAB_NOISE_KB);
}

static const char *opens_cost_little_and_give_it_back(void)
{
	const struct rlimit files = { AT_ONCE + 100, AT_ONCE + 100 };
	const struct memory before = memory_now();
	const char *wrong = NULL;
	static int fd[AT_ONCE];
	long cost;
	int i;

	setrlimit(RLIMIT_NOFILE, &files);
	for (i = 0; !wrong && i < AT_ONCE; i++)
		wrong = open_and_read(&fd[i]);
	cost = before.available - meminfo("MemAvailable");
	for (i = 0; i < AT_ONCE; i++)
		close(fd[i]);
	if (!wrong && cost > AT_ONCE * OPEN_MAX_KB)
		wrong = why("%d open files take %ld kB", AT_ONCE, cost);
	/* The kernel's caches stay larger for having held that many. */
	return wrong ? wrong : all_comes_back(before, LONG_MAX);
}

/* No allocation in steady state: a kept open does not grow. */
static const char *reads_leave_nothing(void)
{
	const char *wrong;
	struct memory before;
	int fd, i;

	wrong = open_and_read(&fd);
	before = memory_now();
	for (i = 0; !wrong && i < OPENS; i++)
		wrong = raw_read(fd, i & 1 ? IRQBIN_DESC_OFFSET : 0, raw);
	if (!wrong)
		wrong = all_comes_back(before, SLAB_NOISE_KB);
	close(fd);
	return wrong;
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
