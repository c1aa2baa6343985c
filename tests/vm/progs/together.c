/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Batches: the same as by pread, by one system call, without a worker thread.
 *
 * together			checks them in a quiet machine
 * together --forbidden ERROR	checks that it is done without io_uring, for this reason
 * together --while NAME CMD	reports check NAME: batches were right all the while CMD ran,
 *				which may take the module away
 */
#define _GNU_SOURCE
#include <sys/wait.h>

#include <irqstat_uring.h>

#include "arrays.h"
#include "events.h"

#define HANDLES 64
#define ROUNDS	50

static struct irqstat_batch *batch;
static const struct irqstat_uring_info *info;
static struct irqstat *handles[HANDLES], *text;

static const char *handles_open(int n)
{
	int i;

	for (i = 0; i < n; i++) {
		handles[i] = irqstat_open_source(IRQSTAT_SOURCE_MODULE, NULL);
		if (!handles[i] || irqstat_batch_add(batch, handles[i]) < 0)
			return why_errno(IRQSTAT_PATH);
	}
	return NULL;
}

static const char *new_batch(int n_handles)
{
	batch = irqstat_batch_new(0);
	if (!batch)
		return why_errno("irqstat_batch_new");
	info = irqstat_batch_info(batch);
	return handles_open(n_handles);
}

static void free_batch(void)
{
	int i;

	irqstat_batch_free(batch);
	for (i = 0; i < HANDLES; i++) {
		irqstat_close(handles[i]);
		handles[i] = NULL;
	}
	irqstat_close(text);
	text = NULL;
}

static const char *add_text(void)
{
	text = irqstat_open_source(IRQSTAT_SOURCE_TEXT, NULL);
	return text && irqstat_batch_add(batch, text) >= 0 ? NULL : why_errno(IRQSTAT_TEXT_PATH);
}

static const char *add_file(const char *path)
{
	return irqstat_batch_add_file(batch, path) < 0 ? why_errno(path) : NULL;
}

static const char *read_batch(void)
{
	unsigned int i = 0;

	if (!irqstat_batch_read(batch))
		return NULL;
	while (!irqstat_batch_errno(batch, i))
		i++;
	return why("source %u: %s", i, strerror(irqstat_batch_errno(batch, i)));
}

static const char *warm_up(void)
{
	const char *wrong = NULL;
	int i;

	for (i = 0; !wrong && i < 5; i++)
		wrong = read_batch();
	return wrong;
}

static const char *is_as_by_pread(struct irqstat *is, struct irqstat *other)
{
	struct irqstat_snapshot *before, *ours;
	const char *wrong;

	if (irqstat_read(other))
		return why_errno("irqstat_read");
	before = copy_of(other);
	wrong = read_batch();
	if (wrong)
		return wrong;
	ours = copy_of(is);
	if (irqstat_read(other))
		return why_errno("irqstat_read");
	wrong = lies_between(before, ours, irqstat_snapshot_get(other));
	irqstat_snapshot_free(before);
	irqstat_snapshot_free(ours);
	return wrong;
}

static const char *all_are_as_by_pread(struct irqstat *is, enum irqstat_source source)
{
	struct irqstat *other = irqstat_open_source(source, NULL);
	const char *wrong = NULL;
	uint64_t first;
	int i;

	if (!other)
		return why_errno("open");
	wrong = read_batch();
	first = wrong ? 0 : irqstat_snapshot_get(is)->sequence;
	for (i = 0; !wrong && i < ROUNDS; i++)
		wrong = is_as_by_pread(is, other);
	if (!wrong && irqstat_snapshot_get(is)->sequence != first + ROUNDS)
		wrong = "a snapshot was taken and not given";
	irqstat_close(other);
	return wrong;
}

static const char *file_is_as_by_pread(unsigned int index, const char *path)
{
	static char by_pread[1 << 20];
	const void *bytes;
	size_t len, n = 0;
	ssize_t got;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	do {
		got = pread(fd, by_pread + n, sizeof(by_pread) - n, (off_t)n);
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	close(fd);
	bytes = irqstat_batch_bytes(batch, index, &len);
	if (!bytes)
		return why_errno(path);
	return len == n && !memcmp(bytes, by_pread, n) ? NULL :
	       why("%s: %zu bytes are not the %zu of pread", path, len, n);
}

static const char *batch_is_as_by_pread(void)
{
	/* What doesn't change while we look, and is many pages long. */
	static const char *const files[] = { "/proc/version", "/proc/filesystems",
					     "/sys/kernel/tracing/available_events",
					     "/proc/self/mounts" };
	const unsigned int n = sizeof(files) / sizeof(files[0]);
	const char *wrong = new_batch(1);
	unsigned int i;

	wrong = wrong ? wrong : add_text();
	for (i = 0; !wrong && i < n; i++)
		wrong = add_file(files[i]);
	wrong = wrong ? wrong : all_are_as_by_pread(handles[0], IRQSTAT_SOURCE_MODULE);
	wrong = wrong ? wrong : all_are_as_by_pread(text, IRQSTAT_SOURCE_TEXT);
	for (i = 0; !wrong && i < n; i++)
		wrong = file_is_as_by_pread(2 + i, files[i]);
	free_batch();
	return wrong;
}

static const char *batch_uses_all_of_io_uring(void)
{
	const char *wrong = new_batch(3);

	wrong = wrong ? wrong : warm_up();
	if (!wrong && (info->way != IRQSTAT_URING_WAY_URING || info->error ||
		       !info->fixed_files || !info->fixed_buffers))
		wrong = why("way %d: %s; fixed files %d, buffers %d", info->way,
			    strerror(info->error), info->fixed_files, info->fixed_buffers);
	free_batch();
	return wrong;
}

/* By the kernel's count, and by ours. Reading the clock is no call where it has a vDSO. */
static const char *batch_is_one_call(void)
{
	const int calls = event_open("raw_syscalls/sys_enter");
	const int clocks = event_open("syscalls/sys_enter_clock_gettime");
	const int punts = event_open("io_uring/io_uring_queue_async_work");
	const char *wrong = new_batch(HANDLES);
	uint64_t n_calls, n_clocks, n_ours;
	int i;

	if (calls < 0 || clocks < 0 || punts < 0)
		return why_errno("perf_event_open");
	wrong = wrong ? wrong : add_file("/proc/softirqs");
	wrong = wrong ? wrong : add_file("/proc/filesystems");
	wrong = wrong ? wrong : warm_up();
	n_ours = info->n_calls;
	n_clocks = event_count(clocks);
	n_calls = event_count(calls);
	for (i = 0; !wrong && i < ROUNDS; i++)
		wrong = read_batch();
	n_calls = event_count(calls) - n_calls - 1; /* the one that tells it */
	n_clocks = event_count(clocks) - n_clocks;
	n_ours = info->n_calls - n_ours;
	if (!wrong && (n_calls - n_clocks != ROUNDS || n_ours != ROUNDS))
		wrong = why("%u reads of %u sources: %u system calls, by its own count %u", ROUNDS,
			    HANDLES + 2, (unsigned int)(n_calls - n_clocks), (unsigned int)n_ours);
	if (!wrong && event_count(punts))
		wrong = why("%u punts", (unsigned int)event_count(punts));
	close(calls);
	close(clocks);
	close(punts);
	free_batch();
	return wrong;
}

/* The first read since the module was loaded makes what others find, and may sleep for it. */
static const char *first_read(void)
{
	struct irqstat *is = irqstat_open_source(IRQSTAT_SOURCE_MODULE, NULL);
	const char *wrong = is && !irqstat_read(is) ? NULL : why_errno(IRQSTAT_PATH);

	irqstat_close(is);
	return wrong;
}

/*
 * Also when files become longer, are many pages long, or are read for the first
 * time. Linux 5.10 has a worker go on where a read was shorter than asked for.
 */
static const char *batch_needs_no_worker(void)
{
	const int punts = event_open("io_uring/io_uring_queue_async_work");
	const char *wrong = first_read();
	int i;

	if (punts < 0)
		return why_errno("perf_event_open");
	wrong = wrong ? wrong : new_batch(3);
	if (kernel_is_since(5, 16)) {
		wrong = wrong ? wrong : add_text();
		wrong = wrong ? wrong : add_file("/proc/stat");
		wrong = wrong ? wrong : add_file("/proc/softirqs");
	}
	for (i = 0; !wrong && i < 4 * ROUNDS; i++)
		wrong = read_batch();
	if (!wrong && (event_count(punts) || workers_count()))
		wrong = why("%u punts, %u workers", (unsigned int)event_count(punts),
			    workers_count());
	close(punts);
	free_batch();
	return wrong;
}

static const char *without_io_uring(int error)
{
	const char *wrong = new_batch(3);

	wrong = wrong ? wrong : add_file("/proc/softirqs");
	wrong = wrong ? wrong : all_are_as_by_pread(handles[1], IRQSTAT_SOURCE_MODULE);
	if (!wrong && (info->way != IRQSTAT_URING_WAY_PREAD || info->error != error))
		wrong = why("way %d: %s", info->way, strerror(info->error));
	free_batch();
	return wrong;
}

static struct irqstat_snapshot *last[HANDLES];

/* Where @index is, all is right or gone with the module; no count went back. */
static const char *source_is_right(unsigned int index, unsigned int *n_right)
{
	const struct irqstat_snapshot *now = irqstat_snapshot_get(handles[index]);
	const int error = irqstat_batch_errno(batch, index);
	const char *wrong = NULL;

	if (error == EIO || error == ENOENT)
		return NULL;
	if (error)
		return strerror(error);
	if (last[index] && last[index]->source == now->source &&
	    last[index]->sequence + 1 == now->sequence)
		wrong = lies_between(last[index], now, now);
	irqstat_snapshot_free(last[index]);
	last[index] = copy_of(handles[index]);
	++*n_right;
	return wrong;
}

static const char *right_while(pid_t command)
{
	unsigned int n_right[3] = { 0 }, i;
	const char *wrong = NULL;
	size_t len;
	int status;

	while (!wrong && !waitpid(command, &status, WNOHANG)) {
		irqstat_batch_read(batch);
		for (i = 0; !wrong && i < 3; i++)
			wrong = source_is_right(i, &n_right[i]);
		if (!wrong && (!irqstat_batch_bytes(batch, 3, &len) || len < 100))
			wrong = "/proc/stat was not read";
		usleep(1000);
	}
	if (!wrong && status)
		wrong = "the command failed";
	/* The first two may have lost the module at once; the third finds what there is. */
	if (!wrong && n_right[2] < 5)
		wrong = why("only %u snapshots", n_right[2]);
	if (!wrong && info->way != IRQSTAT_URING_WAY_URING)
		wrong = why("given up: %s", strerror(info->error));
	return wrong;
}

static const char *run_while(char **argv)
{
	const char *wrong = new_batch(2);
	pid_t command;

	handles[2] = irqstat_open(NULL);
	if (!wrong && (!handles[2] || irqstat_batch_add(batch, handles[2]) < 0))
		wrong = why_errno("irqstat_open");
	wrong = wrong ? wrong : add_file("/proc/stat");
	wrong = wrong ? wrong : read_batch();
	if (wrong)
		return wrong;
	command = fork();
	if (command == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	wrong = right_while(command);
	free_batch();
	return wrong;
}

int main(int argc, char **argv)
{
	static const struct check checks[] = {
		{ "batch_needs_no_worker", batch_needs_no_worker },
		{ "batch_uses_all_of_io_uring", batch_uses_all_of_io_uring },
		{ "batch_is_as_by_pread", batch_is_as_by_pread },
		{ "batch_of_66_sources_is_one_call", batch_is_one_call },
	};

	if (argc > 3 && !strcmp(argv[1], "--while"))
		return report(argv[2], run_while(argv + 3));
	if (argc == 3 && !strcmp(argv[1], "--forbidden"))
		return report("batch_without_io_uring", without_io_uring(atoi(argv[2])));
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
