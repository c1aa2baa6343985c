/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * failing WHAT NTH MODULE: loads MODULE and reads its file while one thing after the
 * other fails, as writing numbers to the file NTH brings it about (tests/kernel/failnth.c,
 * or fail-nth of a kernel with fault injection). WHAT it is that fails is for the names
 * of the checks. What has failed must say so by an allowed error, and all must be well
 * again afterwards. The module is not loaded before or after; irqload is. With "reads",
 * nothing fails while it is loaded.
 */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "valid.h"

#define NTH_MAX		2000
#define PATIENCE_MS	10000
#define CONTROL		"/sys/kernel/debug/irqload/control"
#define STATS		"/sys/kernel/debug/interrupts_bin/stats"

static const char *nth_path, *module;
static struct raw *raw;
static int kept = -1;
static const char *wrong;

static const char *file_write(const char *path, const char *line)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	bool written = file >= 0 && write(file, line, strlen(line)) > 0;

	if (file >= 0)
		close(file);
	return written ? NULL : why_errno(path);
}

static int nth_open(void)
{
	int file = open(nth_path, O_RDWR | O_CLOEXEC);

	if (file < 0) {
		fprintf(stderr, "%s: %s\n", nth_path, strerror(errno));
		exit(2);
	}
	return file;
}

/* Where copies from user memory fail too, it may come to the first of these. */
static void nth_write(int file, unsigned int nth)
{
	char line[16];

	snprintf(line, sizeof(line), "%u", nth);
	if (pwrite(file, line, strlen(line), 0) < 0 && pwrite(file, line, strlen(line), 0) < 0)
		exit(2);
}

static unsigned int nth_left(int file)
{
	char line[16] = "";

	return pread(file, line, sizeof(line) - 1, 0) > 0 ? (unsigned int)atoi(line) : 0;
}

static int module_load(void)
{
	int file = open(module, O_RDONLY | O_CLOEXEC), err;

	if (file < 0)
		return errno;
	err = syscall(SYS_finit_module, file, "verify=1", 0) ? errno : 0;
	close(file);
	return err;
}

static int module_unload(void)
{
	return syscall(SYS_delete_module, "interrupts_bin", O_NONBLOCK) ? errno : 0;
}

/* The interrupts change: all that is kept of them has to be made again. */
static void interrupts_change(void)
{
	static bool added;
	char line[32];
	int irq = 0;

	if (!added) {
		wrong = file_write(CONTROL, "add name=failing chip=Short seed=1@0");
	} else {
		FILE *file = fopen(CONTROL, "re");

		if (!file || fscanf(file, "%d", &irq) != 1)
			wrong = why_errno(CONTROL);
		if (file)
			fclose(file);
		snprintf(line, sizeof(line), "free %d", irq);
		wrong = wrong ? wrong : file_write(CONTROL, line);
	}
	added = !added;
}

/* Returns 0, an error, or sets wrong. */
static int window_read(int fd, unsigned int window, int flags)
{
	struct iovec vec = { raw->byte, RAW_MAX };
	ssize_t n = preadv2(fd, &vec, 1, window_offset(window), flags);

	if (n < 0)
		return errno;
	raw->bytes = (size_t)n;
	wrong = raw_check(raw, window);
	return 0;
}

static int window_open_and_read(unsigned int window, int flags)
{
	int fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC), err = errno;

	if (fd < 0)
		return err;
	err = window_read(fd, window, flags);
	close(fd);
	return err;
}

static int counters_read(void)
{
	return window_open_and_read(IRQBIN_WINDOW_COUNTERS, 0);
}

static int counters_read_kept(void)
{
	return window_read(kept, IRQBIN_WINDOW_COUNTERS, 0);
}

static int descriptors_read(void)
{
	return window_open_and_read(IRQBIN_WINDOW_DESCRIPTORS, 0);
}

static int nowait_read(void)
{
	return window_open_and_read(IRQBIN_WINDOW_COUNTERS, RWF_NOWAIT);
}

/* Both windows are right and of one generation, and text can be made of them. */
static const char *is_well(void)
{
	const char *why_not = NULL;
	int ms;

	for (ms = 0; ms < PATIENCE_MS; ms += 10) {
		uint64_t generation;

		wrong = NULL;
		if (descriptors_read())
			return why_errno("afterwards, of the descriptors");
		why_not = wrong;
		if (!why_not && raw->header.flags & IRQBIN_F_LAYOUT_UNKNOWN)
			why_not = "the layout stays unknown";
		generation = raw->header.generation;
		if (!why_not && counters_read())
			return why_errno("afterwards, of the counters");
		if (!why_not)
			why_not = wrong;
		if (!why_not && raw->header.generation != generation)
			why_not = "the windows stay of two generations";
		if (!why_not)
			return NULL;
		usleep(10000);
	}
	return why_not;
}

/* A module that was not loaded has left nothing behind. */
static const char *is_gone(void)
{
	if (!access(BIN_PATH, F_OK) || !access(STATS, F_OK))
		return "its files are still there";
	return access("/sys/module/interrupts_bin", F_OK) ? NULL : "it is still there";
}

static const char *after_load(int err)
{
	const char *why_not = err ? is_gone() : is_well();

	if (!err && module_unload() && !why_not)
		why_not = "it does not unload";
	return why_not ? why_not : is_gone();
}

static const char *after_read(int err)
{
	(void)err;
	return is_well();
}

struct step {
	const char *name;
	void (*prepare)(void);
	int (*run)(void);
	const char *(*after)(int err);
	int allowed;
};

/* One after the other, until there is none left to fail. */
static const char *all_fail(const struct step *step)
{
	const int nth_file = nth_open();
	unsigned int nth, left = 0, failed = 0;
	const char *why_not = NULL;
	int err;

	for (nth = 1; nth < NTH_MAX && !left && !why_not; nth++) {
		wrong = NULL;
		if (step->prepare)
			step->prepare();
		why_not = wrong;
		nth_write(nth_file, nth);
		err = step->run();
		left = nth_left(nth_file);
		nth_write(nth_file, 0);
		failed += err != 0;
		if (!why_not)
			why_not = wrong;
		if (!why_not && err && left)
			why_not = why("error %s, but nothing had failed", strerrorname_np(err));
		if (!why_not && err && err != step->allowed && err != ENOMEM && err != EFAULT)
			why_not = why("error %s", strerrorname_np(err));
		if (!why_not)
			why_not = step->after(err);
	}
	close(nth_file);
	if (why_not)
		return why("number %u: %s", nth - 1, why_not);
	if (!left || nth == 2)
		return why("%u failed, and there are more or none", nth - 1);
	if (getenv("VERBOSE"))
		fprintf(stderr, "%s: %u failed, %u times it told\n", step->name, nth - 2, failed);
	return NULL;
}

static int report_step(const char *what, const struct step *step)
{
	char name[128];

	snprintf(name, sizeof(name), "%s_survives_each_%s_failing", step->name, what);
	return report(name, all_fail(step));
}

int main(int argc, char **argv)
{
	static const struct step load = { "load", NULL, module_load, after_load, ENOMEM };
	static const struct step reads[] = {
		{ "first_read", interrupts_change, counters_read, after_read, ENOMEM },
		{ "kept_read", interrupts_change, counters_read_kept, after_read, ENOMEM },
		{ "descriptor_read", interrupts_change, descriptors_read, after_read, ENOMEM },
		{ "nowait_read", NULL, nowait_read, after_read, EAGAIN },
	};
	int failed;
	size_t i;

	if (argc != 4 && argc != 5) {
		fputs("usage: failing WHAT NTH MODULE [reads]\n", stderr);
		return 2;
	}
	nth_path = argv[2];
	module = argv[3];
	raw = raw_new();
	failed = argc == 4 && report_step(argv[1], &load);
	if (module_load())
		return report("module_loads", why_errno(module));
	kept = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	for (i = 0; i < sizeof(reads) / sizeof(reads[0]); i++)
		failed |= report_step(argv[1], &reads[i]);
	close(kept);
	return failed | report("module_unloads_after_failures", module_unload() ? "it does not" : NULL);
}
