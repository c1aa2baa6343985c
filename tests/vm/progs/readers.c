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

#include "valid.h"

#define READERS		5
#define REASON		256
#define STUCK_S		20

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

static const char *get_whole(int fd, unsigned int window)
{
	struct raw *last = old;
	ssize_t n = pread(fd, raw->byte, RAW_MAX, window_offset(window));
	const char *wrong;

	raw->bytes = n > 0 ? (size_t)n : 0;
	if (n <= 0)
		return why_errno("pread");
	wrong = raw_check(raw, window);
	if (!wrong && window == IRQBIN_WINDOW_COUNTERS) {
		wrong = moved_on();
		old = raw;
		raw = last;
	}
	return wrong;
}

static const char *get_counters(int fd)
{
	return get_whole(fd, IRQBIN_WINDOW_COUNTERS);
}

static const char *get_descriptors(int fd)
{
	return get_whole(fd, IRQBIN_WINDOW_DESCRIPTORS);
}

static const char *get_in_pieces(int fd)
{
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return why_errno("lseek");
	for (raw->bytes = 0; (n = read(fd, raw->byte + raw->bytes, 61)) > 0;)
		raw->bytes += (size_t)n;
	return n < 0 ? why_errno("read") : raw_check(raw, IRQBIN_WINDOW_COUNTERS);
}

static const char *get_by_splice(int fd)
{
	const char *wrong = NULL;
	loff_t at = 0;
	int pipes[2];
	ssize_t n;

	if (pipe(pipes))
		return why_errno("pipe");
	for (raw->bytes = 0; (n = splice(fd, &at, pipes[1], NULL, 30000, 0)) > 0;)
		raw->bytes += (size_t)read(pipes[0], raw->byte + raw->bytes, (size_t)n);
	if (n < 0)
		wrong = why_errno("splice");
	close(pipes[0]);
	close(pipes[1]);
	return wrong ? wrong : raw_check(raw, IRQBIN_WINDOW_COUNTERS);
}

/* Each time with a new open. */
static const char *get_fresh(int fd)
{
	const char *wrong;
	int own = open(BIN_PATH, O_RDONLY | O_CLOEXEC);

	(void)fd;
	if (own < 0)
		return why_errno("open");
	wrong = get_whole(own, IRQBIN_WINDOW_COUNTERS);
	old->bytes = 0;
	close(own);
	return wrong;
}

static void read_on(int reader)
{
	static const char *(*const get[READERS])(int) = {
		get_counters, get_descriptors, get_in_pieces, get_by_splice, get_fresh,
	};
	const char *wrong = NULL;
	int fd = -1;

	while (!wrong) {
		if (fd < 0)
			fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
		errno = 0;
		wrong = fd < 0 ? NULL : get[reader](fd);
		shared->snapshots[reader] += fd >= 0 && !wrong;
		/* A seek on what has gone is an invalid one. */
		if (wrong && (is_gone() || (errno == EINVAL && !strncmp(wrong, "lseek", 5)))) {
			wrong = NULL;
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
