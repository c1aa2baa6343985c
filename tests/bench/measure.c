/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * measure PHASE [ROUNDS [CAT]]: runs in the guest of tests/bench/run, after
 * irqload. Times what reading the interrupt counters costs, the text file and
 * the binary file in turn, and prints a line for each figure:
 *
 *	PHASE NAME MEDIAN LOWEST UNIT
 *
 * Kernel time is taken around the system calls, user time around what makes
 * arrays of the bytes. `cat` and `irqstat-text` are whole processes, writing
 * to /dev/null, so that the cost of whatever takes the text is in neither, and
 * to a file in memory (cat_file, irqstat_text_file); irqstat_text_start is one
 * that reads nothing, what any such program costs before it does its work.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "times.h"

#define TEXT "/proc/interrupts"
#define STATS "/sys/kernel/debug/interrupts_bin/stats"
#define BUFFER ((size_t)16 << 20)
#define WARM_UP 3
#define ROUNDS_MAX 1000

extern char **environ;

struct series {
	const char *name;
	unsigned int n;
	uint64_t ns[ROUNDS_MAX];
};

static const char *phase;
static char *text_buf, *bin_buf;

enum { TEXT_READ, TEXT_PARSE, BIN_READ, BIN_DECODE, BIN_OPEN, BIN_READ_FIRST, BIN_CLOSE,
       BIN_READ_FRESH, CAT, IRQSTAT_TEXT, IRQSTAT_TEXT_START, CAT_FILE, IRQSTAT_TEXT_FILE, N_SERIES };

static struct series series[N_SERIES] = {
	[TEXT_READ] = { .name = "text_read" },
	[TEXT_PARSE] = { .name = "text_parse" },
	[BIN_READ] = { .name = "bin_read" },
	[BIN_DECODE] = { .name = "bin_decode" },
	[BIN_OPEN] = { .name = "bin_open" },
	[BIN_READ_FIRST] = { .name = "bin_read_first" },
	[BIN_CLOSE] = { .name = "bin_close" },
	[BIN_READ_FRESH] = { .name = "bin_read_fresh" },
	[CAT] = { .name = "cat" },
	[IRQSTAT_TEXT] = { .name = "irqstat_text" },
	[IRQSTAT_TEXT_START] = { .name = "irqstat_text_start" },
	[CAT_FILE] = { .name = "cat_file" },
	[IRQSTAT_TEXT_FILE] = { .name = "irqstat_text_file" },
};

__attribute__((noreturn, format(printf, 1, 2)))
static void die(const char *format, ...)
{
	int err = errno;
	va_list args;

	va_start(args, format);
	fprintf(stderr, "measure: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, ": %s\n", strerror(err));
	va_end(args);
	exit(1);
}

static void add(struct series *s, uint64_t ns)
{
	if (s->n < ROUNDS_MAX)
		s->ns[s->n++] = ns;
}

static void print(const char *name, uint64_t median, uint64_t lowest, const char *unit)
{
	printf("%s %s %" PRIu64 " %" PRIu64 " %s\n", phase, name, median, lowest, unit);
}

static void print_one(const char *name, uint64_t value, const char *unit)
{
	print(name, value, value, unit);
}

static void print_series(void)
{
	struct series *s;

	for (s = series; s < series + N_SERIES; s++) {
		qsort(s->ns, s->n, sizeof(s->ns[0]), by_value);
		if (s->n)
			print(s->name, s->ns[s->n / 2], s->ns[0], "ns");
	}
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		die("%s", path);
	return fd;
}

/* Up to the end of the file; returns the bytes. */
static size_t read_all(int fd, char *buf, unsigned int *calls)
{
	size_t len = 0;
	ssize_t n;

	*calls = 0;
	do {
		n = pread(fd, buf + len, BUFFER - len, (off_t)len);
		++*calls;
		if (n < 0)
			die("read");
		len += (size_t)n;
	} while (n);
	return len;
}

static size_t read_window(int fd)
{
	ssize_t n = pread(fd, bin_buf, BUFFER, 0);

	if (n <= 0)
		die("%s", IRQSTAT_PATH);
	return (size_t)n;
}

struct stats {
	uint64_t snapshots;
	uint64_t lookups;
	uint64_t cells;
	uint64_t arch_cells;
	uint64_t scans;
	uint64_t copies;
};

static uint64_t stat_of(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static struct stats stats_get(void)
{
	char text[4096] = "\n";
	int fd = open_file(STATS, O_RDONLY);
	struct stats s;

	if (read(fd, text + 1, sizeof(text) - 2) <= 0)
		die("%s", STATS);
	close(fd);
	s.snapshots = stat_of(text, "\nsnapshots ");
	s.lookups = stat_of(text, "\nlookups ");
	s.cells = stat_of(text, "\ncells ");
	s.arch_cells = stat_of(text, "\narch_cells ");
	s.scans = stat_of(text, "\nscans ");
	s.copies = stat_of(text, "\ncopies ");
	return s;
}

static void print_stats(const struct stats *old, const struct stats *new)
{
	uint64_t n = new->snapshots - old->snapshots;

	print_one("cells", (new->cells - old->cells) / n, "cells/read");
	print_one("arch_cells", (new->arch_cells - old->arch_cells) / n, "cells/read");
	print_one("lookups", (new->lookups - old->lookups) / n, "lookups/read");
	print_one("scans", (new->scans - old->scans) / n, "rows/read");
	print_one("copies", (new->copies - old->copies) / n, "rows/read");
}

static void print_shape(const struct irqstat_snapshot *snap, size_t bytes)
{
	uint64_t pairs = 0, i;

	for (i = 0; i < snap->n_rows; i++)
		if (snap->rows[i].kind == IRQSTAT_IRQ)
			pairs += snap->rows[i].n;
	print_one("nonzero", pairs, "cells");
	print_one("pairs", snap->n_entries, "cells");
	print_one("records", snap->n_rows, "records");
	print_one("bin_bytes", bytes, "bytes");
}

struct sizes {
	size_t text_bytes;
	size_t bin_bytes;
	unsigned int text_calls;
};

static void measure_text(int fd, struct text *text, struct snapshot *snap, struct sizes *sizes)
{
	uint64_t t[3];

	t[0] = now_ns();
	sizes->text_bytes = read_all(fd, text_buf, &sizes->text_calls);
	t[1] = now_ns();
	if (text_parse(text, text_buf, sizes->text_bytes, snap))
		die("text");
	t[2] = now_ns();
	add(&series[TEXT_READ], t[1] - t[0]);
	add(&series[TEXT_PARSE], t[2] - t[1]);
}

static void measure_bin(int fd, struct snapshot *snap, struct sizes *sizes)
{
	uint64_t t[3], desc_offset;

	t[0] = now_ns();
	sizes->bin_bytes = read_window(fd);
	t[1] = now_ns();
	if (decode_counters(bin_buf, sizes->bin_bytes, snap, &desc_offset))
		die("decode");
	t[2] = now_ns();
	add(&series[BIN_READ], t[1] - t[0]);
	add(&series[BIN_DECODE], t[2] - t[1]);
}

/* What a program that runs once pays: the module's memory is warm, ours is not. */
static void measure_fresh(void)
{
	uint64_t t[4];
	int fd;

	t[0] = now_ns();
	fd = open_file(IRQSTAT_PATH, O_RDONLY);
	t[1] = now_ns();
	read_window(fd);
	t[2] = now_ns();
	close(fd);
	t[3] = now_ns();
	add(&series[BIN_OPEN], t[1] - t[0]);
	add(&series[BIN_READ_FIRST], t[2] - t[1]);
	add(&series[BIN_CLOSE], t[3] - t[2]);
	add(&series[BIN_READ_FRESH], t[3] - t[0]);
}

static void forget(unsigned int from)
{
	for (; from < N_SERIES; from++)
		series[from].n = 0;
}

static void measure_reads(unsigned int rounds)
{
	int text_fd = open_file(TEXT, O_RDONLY), bin_fd = open_file(IRQSTAT_PATH, O_RDONLY);
	struct snapshot snap = { 0 }, text_snap = { 0 };
	struct text text = { 0 };
	struct sizes sizes = { 0 };
	struct stats old, new;
	unsigned int i;

	for (i = 0; i < rounds + WARM_UP; i++) {
		if (i == WARM_UP)
			forget(0);
		measure_text(text_fd, &text, &text_snap, &sizes);
		measure_bin(bin_fd, &snap, &sizes);
		measure_fresh();
	}
	print_shape(&snap.pub, sizes.bin_bytes);
	print_one("text_bytes", sizes.text_bytes, "bytes");
	print_one("text_calls", sizes.text_calls, "calls");
	print_one("bin_calls", 1, "calls");

	old = stats_get();
	for (i = 0; i < rounds; i++)
		read_window(bin_fd);
	new = stats_get();
	print_stats(&old, &new);

	text_free(&text);
	snapshot_free(&text_snap);
	snapshot_free(&snap);
	close(text_fd);
	close(bin_fd);
}

/* Runs a program with its output in a file; returns how long it took. */
static uint64_t run(const char *program, const char *arg, const char *out)
{
	char *argv[] = { (char *)(uintptr_t)program, (char *)(uintptr_t)arg, NULL };
	posix_spawn_file_actions_t actions;
	uint64_t begin = now_ns();
	int err, status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	err = posix_spawnp(&pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err) {
		errno = err;
		die("%s", program);
	}
	if (waitpid(pid, &status, 0) < 0 || status)
		die("%s failed", program);
	return now_ns() - begin;
}

static size_t load(const char *path, char *buf)
{
	int fd = open_file(path, O_RDONLY);
	unsigned int calls;
	size_t len = read_all(fd, buf, &calls);

	close(fd);
	return len;
}

static bool is_digit_or_blank(char c)
{
	return c == ' ' || (c >= '0' && c <= '9');
}

/*
 * Where two runs of cat around irqstat-text wrote the same row, it must have
 * written that row too; where they did not, at least one of the same form.
 */
static bool row_is_alike(const char *a, const char *b, const char *ours, size_t len)
{
	size_t i;

	if (!memcmp(a, b, len))
		return !memcmp(a, ours, len);
	for (i = 0; i < len; i++)
		if (a[i] != ours[i] && !(is_digit_or_blank(a[i]) && is_digit_or_blank(ours[i])))
			return false;
	return true;
}

static bool texts_are_alike(void)
{
	size_t len[3], at, n;
	char *buf[3];
	bool alike;

	buf[0] = text_buf;
	buf[1] = text_buf + BUFFER / 2;
	buf[2] = bin_buf;
	len[0] = load("/tmp/cat.0", buf[0]);
	len[1] = load("/tmp/cat.1", buf[1]);
	len[2] = load("/tmp/ours", buf[2]);
	alike = len[0] == len[1] && len[0] == len[2];
	for (at = 0; alike && at < len[0]; at += n) {
		char *end = memchr(buf[0] + at, '\n', len[0] - at);

		n = end ? (size_t)(end + 1 - (buf[0] + at)) : len[0] - at;
		alike = row_is_alike(buf[0] + at, buf[1] + at, buf[2] + at, n);
	}
	return alike;
}

static void measure_programs(unsigned int rounds, const char *cat)
{
	unsigned int i, alike = 0;

	for (i = 0; i <= rounds; i++) {
		if (i == 1) /* the first warmed up */
			forget(CAT);
		add(&series[CAT], run(cat, TEXT, "/dev/null"));
		add(&series[IRQSTAT_TEXT], run("irqstat-text", NULL, "/dev/null"));
		add(&series[IRQSTAT_TEXT_START], run("irqstat-text", "--version", "/dev/null"));
		add(&series[CAT_FILE], run(cat, TEXT, "/tmp/cat.0"));
		add(&series[IRQSTAT_TEXT_FILE], run("irqstat-text", NULL, "/tmp/ours"));
		run(cat, TEXT, "/tmp/cat.1");
		alike += texts_are_alike();
	}
	print_one("identical", alike == rounds + 1, "yes/no");
}

/* One CPU for all: not the first, which has the machine's chores. */
static void stay_on_one_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(1, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : 51;

	if (argc < 2 || !rounds || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: measure PHASE [ROUNDS [CAT]]\n");
		return 2;
	}
	phase = argv[1];
	text_buf = malloc(BUFFER);
	bin_buf = malloc(BUFFER);
	if (!text_buf || !bin_buf)
		die("memory");
	memset(text_buf, 1, BUFFER);
	memset(bin_buf, 1, BUFFER);
	stay_on_one_cpu();
	measure_reads(rounds);
	if (argc > 3)
		measure_programs(rounds / 3 + 2, argv[3]);
	print_series();
	return 0;
}
