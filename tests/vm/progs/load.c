/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Makes interrupts of all kinds until it is killed: a disk's on every CPU, timers,
 * rescheduling, TLB shootdowns, and with an ADDRESS a network card's.
 *
 * load [DISK [ADDRESS]]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define BLOCK	4096

static const char *disk, *address;
static long n_cpus;

static void run_on(long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	/* One that is offline is done without. */
	sched_setaffinity(0, sizeof(set), &set);
}

static void *read_disk(void *cpu)
{
	int fd = open(disk, O_RDONLY | O_DIRECT | O_CLOEXEC);
	void *buf = NULL;
	off_t at;

	run_on((long)cpu);
	if (fd < 0 || posix_memalign(&buf, BLOCK, BLOCK))
		return NULL;
	for (at = 0; ; at = (at + BLOCK) % (1 << 24)) {
		if (pread(fd, buf, BLOCK, at) < 0)
			usleep(100000);
		if (at / BLOCK % 16 == 0)
			usleep(2000);
	}
}

/* Unmapping what another CPU may hold in its TLB. */
static void *shoot_down(void *cpu)
{
	run_on((long)cpu);
	for (;;) {
		char *page = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		*page = 1;
		munmap(page, BLOCK);
		usleep(1000);
	}
	return NULL;
}

static void *hop(void *unused)
{
	long cpu;

	for (cpu = 0; ; cpu = (cpu + 1) % n_cpus) {
		run_on(cpu);
		usleep(500);
	}
	return unused;
}

static void *send_packets(void *unused)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	inet_pton(AF_INET, address, &to.sin_addr);
	for (;;) {
		sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof(to));
		usleep(2000);
	}
	return unused;
}

static void start(void *(*run)(void *), long cpu)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, (void *)cpu))
		abort();
}

int main(int argc, char **argv)
{
	long cpu;

	disk = argc > 1 ? argv[1] : NULL;
	address = argc > 2 ? argv[2] : NULL;
	n_cpus = sysconf(_SC_NPROCESSORS_CONF);
	setpriority(PRIO_PROCESS, 0, 5);
	for (cpu = 0; cpu < n_cpus; cpu++) {
		if (disk)
			start(read_disk, cpu);
		if (cpu < 3)
			start(shoot_down, cpu);
	}
	if (address)
		start(send_packets, 0);
	hop(NULL);
	return 0;
}
