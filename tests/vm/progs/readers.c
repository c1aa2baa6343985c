/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * readers NAME COMMAND...: reads the file in every way, by several processes, while
 * COMMAND runs, and kills them in mid-read when it has ended. Reports check NAME: all
 * that was read was valid, no count ever went back, no reader got stuck, and COMMAND
 * succeeded. The module may come and go.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "ring.h"
#include "valid.h"

#define READERS		8
#define REASON		256
#define STUCK_S		20

#define COUNTERS	IRQBIN_WINDOW_COUNTERS
#define DESCRIPTORS	IRQBIN_WINDOW_DESCRIPTORS

struct way {
	unsigned int window;
	ssize_t (*piece)(int fd, size_t size, off_t at);
	bool small;		/* in pieces of any size */
	bool reopens;
};

struct shared {
	unsigned long snapshots[READERS];
	char reason[READERS][REASON];
};

static struct shared *shared;
static struct raw *raw, *old;

/* The module has gone, or is just coming: not the reader's fault. */
static bool is_gone(void)
{
	return errno == EIO || errno == ENOENT;
}

/* No cell of an instance that is in both may count less than before. */
static const char *record_moved_on(const struct record *rec, const struct record *was)
{
	unsigned int i, j = 0;

	for (i = 0; i < record_n_counts(was); i++) {
		const struct irqbin_count before = record_count(was, i);

		while (j < record_n_counts(rec) && record_count(rec, j).cpu < before.cpu)
			j++;
		if (j == record_n_counts(rec) || record_count(rec, j).cpu != before.cpu ||
		    (int32_t)(record_count(rec, j).count - before.count) < 0)
			return why("type %u id %u CPU %u: went back", rec->head.type, rec->head.id,
				   before.cpu);
	}
	return NULL;
}

static const char *moved_on(void)
{
	struct record rec, was;
	size_t at = 0;
	const char *wrong = NULL;

	if (!old->bytes || raw->header.sequence != old->header.sequence + 1)
		return NULL;
	if (raw->header.instance_base != old->header.instance_base)
		return "instance_base has changed";
	if (raw->header.generation < old->header.generation)
		return "the generation went back";
	while (!wrong && raw_next(raw, &at, &rec)) {
		if (rec.head.type != IRQBIN_REC_IRQ && rec.head.type != IRQBIN_REC_X86)
			continue;
		if (raw_find(old, rec.head.type, rec.head.id, &was) &&
		    record_instance(raw, &rec) == record_instance(old, &was))
			wrong = record_moved_on(&rec, &was);
	}
	return wrong;
}

/* From 1 byte to some thousand, small ones as likely as large. */
static size_t random_size(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return 1 + (state >> 16) % (1U << (state >> 8) % 14);
}

static ssize_t read_piece(int fd, size_t size, off_t at)
{
	(void)at;
	return read(fd, raw->byte + raw->bytes, size);
}

static ssize_t pread_piece(int fd, size_t size, off_t at)
{
	return pread(fd, raw->byte + raw->bytes, size, at);
}

static ssize_t splice_piece(int fd, size_t size, off_t at)
{
	static int pipes[2];
	loff_t from = at;
	ssize_t n;

	if (!pipes[1] && pipe(pipes))
		return -1;
	n = splice(fd, &from, pipes[1], NULL, size, 0);
	return n > 0 ? read(pipes[0], raw->byte + raw->bytes, (size_t)n) : n;
}

static ssize_t uring_piece(int fd, size_t size, off_t at)
{
	static struct ring ring;
	int n;

	if (!ring.sqe && ring_open(&ring))
		return -1;
	/* EAGAIN is an answer to who does not want to wait. */
	n = ring_read(&ring, fd, raw->byte + raw->bytes, size, at, size % 2 ? RWF_NOWAIT : 0);
	if (n == -EAGAIN)
		n = ring_read(&ring, fd, raw->byte + raw->bytes, size, at, 0);
	errno = n < 0 ? -n : 0;
	return n < 0 ? -1 : n;
}

/* All of a window, by whatever reads a piece of it. */
static const char *get(int fd, const struct way *way)
{
	const off_t start = window_offset(way->window);
	size_t size = RAW_MAX;
	ssize_t n = 0;

	if (way->piece == read_piece && lseek(fd, start, SEEK_SET) < 0)
		return why_errno("lseek");
	raw->bytes = 0;
	do {
		if (way->small)
			size = random_size();
		n = way->piece(fd, size, start + (off_t)raw->bytes);
		raw->bytes += n > 0 ? (size_t)n : 0;
	} while (n > 0 && (way->small || way->piece == splice_piece));
	return n < 0 ? why_errno("read") : raw_check(raw, way->window);
}

static const char *get_and_compare(int fd, const struct way *way)
{
	const char *wrong = get(fd, way);
	struct raw *last = old;

	if (!wrong && way->window == IRQBIN_WINDOW_COUNTERS) {
		wrong = moved_on();
		old = raw;
		raw = last;
	}
	return wrong;
}

static void read_on(int reader)
{
	static const struct way ways[READERS] = {
		{ COUNTERS, pread_piece, false, false },
		{ DESCRIPTORS, pread_piece, false, false },
		{ COUNTERS, pread_piece, false, true },
		{ COUNTERS, read_piece, true, false },
		{ DESCRIPTORS, pread_piece, true, false },
		{ COUNTERS, splice_piece, true, false },
		{ COUNTERS, uring_piece, false, false },
		{ COUNTERS, uring_piece, true, false },
	};
	const struct way *way = &ways[reader];
	const char *wrong = NULL;
	bool gone;
	int fd = -1;

	while (!wrong) {
		if (fd < 0)
			fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
		errno = 0;
		wrong = fd < 0 ? NULL : get_and_compare(fd, way);
		shared->snapshots[reader] += fd >= 0 && !wrong;
		/* A seek on what has gone is an invalid one. */
		gone = wrong && (is_gone() || (errno == EINVAL && !strncmp(wrong, "lseek", 5)));
		if (gone)
			wrong = NULL;
		if (gone || way->reopens) {
			close(fd);
			fd = -1;
			old->bytes = 0;
		}
		/* Two never rest, the others leave some of the machine to the command. */
		if (fd < 0 || reader > 1)
			usleep(1000);
	}
	snprintf(shared->reason[reader], REASON, "reader %d: %s", reader, wrong);
}

/* Whether all have got on since; whoever is stuck does not. */
static bool all_moved(const unsigned long *before)
{
	int i;

	for (i = 0; i < READERS; i++)
		if (*(volatile unsigned long *)&shared->snapshots[i] == before[i] &&
		    !*(volatile char *)shared->reason[i])
			return false;
	return true;
}

static const char *run(char **argv)
{
	unsigned long before[READERS];
	pid_t pid[READERS], command;
	const char *wrong = NULL;
	int i, status;

	for (i = 0; i < READERS; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			/* The command is to get on too. */
			setpriority(PRIO_PROCESS, 0, 10);
			read_on(i);
			_exit(1);
		}
	}
	command = fork();
	if (command == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(command, &status, 0);
	if (status)
		wrong = "the command failed";

	memcpy(before, shared->snapshots, sizeof(before));
	for (i = 0; !wrong && !all_moved(before) && i < STUCK_S * 100; i++)
		usleep(10000);
	for (i = 0; i < READERS; i++) {
		if (!wrong && shared->reason[i][0])
			wrong = why("%s", shared->reason[i]);
		if (!wrong && shared->snapshots[i] == before[i])
			wrong = why("reader %d is stuck after %lu snapshots", i, before[i]);
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
		if (getenv("VERBOSE"))
			fprintf(stderr, "reader %d: %lu snapshots\n", i, shared->snapshots[i]);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: readers NAME COMMAND...\n", stderr);
		return 2;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		return report(argv[1], why_errno("mmap"));
	raw = raw_new();
	old = raw_new();
	return report(argv[1], run(argv + 2));
}
