/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * readers N [ROUNDS]: runs in the guest of tests/bench/run. N processes at once,
 * each on a CPU of its own and with a file of its own, read all of the text file
 * and then of the binary file; a line for each says how long a read took then.
 *
 *	quiet text_read_by_N|bin_read_by_N MEDIAN LOWEST ns
 *
 * Where readers wait for each other, that grows with N.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "times.h"

#define BUFFER ((size_t)16 << 20)
#define READERS_MAX 64
#define WARM_UP 3

struct shared {
	unsigned int n_ready;
	uint64_t ns[];		/* of each reader, its rounds */
};

static const char *const files[][2] = {
	{ "text", "/proc/interrupts" },
	{ "bin", "/proc/interrupts_bin" },
};

static void read_all(int fd, char *buf)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = pread(fd, buf + len, BUFFER - len, (off_t)len);
		if (n < 0)
			err(1, "read");
		len += (size_t)n;
	} while (n);
}

static void wait_for_all(struct shared *shared, unsigned int n)
{
	__atomic_add_fetch(&shared->n_ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&shared->n_ready, __ATOMIC_SEQ_CST) < n)
		;
}

static void run(struct shared *shared, unsigned int n, unsigned int self,
		const char *path, unsigned int rounds)
{
	char *buf = malloc(BUFFER);
	int fd = open(path, O_RDONLY);
	unsigned int i;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(self, &set);
	if (!buf || fd < 0 || sched_setaffinity(0, sizeof(set), &set))
		err(1, "%s", path);
	for (i = 0; i < WARM_UP; i++)
		read_all(fd, buf);
	wait_for_all(shared, n);
	for (i = 0; i < rounds; i++) {
		uint64_t start = now_ns();

		read_all(fd, buf);
		shared->ns[self * rounds + i] = now_ns() - start;
	}
	_exit(0);
}

static void measure(const char *const file[2], unsigned int n, unsigned int rounds)
{
	size_t n_ns = (size_t)n * rounds, size = sizeof(struct shared) + n_ns * sizeof(uint64_t);
	struct shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	int status;

	if (shared == MAP_FAILED)
		err(1, "mmap");
	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (!pid)
			run(shared, n, i, file[1], rounds);
	}
	while (wait(&status) > 0) {
		if (status)
			exit(1);
	}
	qsort(shared->ns, n_ns, sizeof(shared->ns[0]), by_value);
	printf("quiet %s_read_by_%u %" PRIu64 " %" PRIu64 " ns\n", file[0], n,
	       shared->ns[n_ns / 2], shared->ns[0]);
	munmap(shared, size);
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? (unsigned int)atoi(argv[1]) : 1;
	unsigned int rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : 51;
	size_t i;

	if (!n || n > READERS_MAX || !rounds)
		errx(2, "usage: readers N [ROUNDS]");
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		measure(files[i], n, rounds);
	return 0;
}
