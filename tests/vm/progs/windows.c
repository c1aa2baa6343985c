/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Both windows against the contract and against what the kernel says of itself
 * elsewhere: /sys/devices/system/cpu, /sys/kernel/irq.
 *
 * windows		checks the module's file
 * windows FILE [DESCS]	checks a copy of the counter window, and of the other
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <time.h>

#include "text.h"
#include "valid.h"

#define SYS_CPU	"/sys/devices/system/cpu/"
#define SYS_IRQ	"/sys/kernel/irq"
#define TRIES	20

static struct raw *counters, *descs;
static int fd;

static const char *counter_window_is_valid(void)
{
	return raw_get(fd, IRQBIN_WINDOW_COUNTERS, counters);
}

static const char *descriptor_window_is_valid(void)
{
	return raw_get(fd, IRQBIN_WINDOW_DESCRIPTORS, descs);
}

static uint64_t boottime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static const char *time_is_boottime_of_the_pass(void)
{
	const uint64_t before = boottime_ns();
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, counters);
	const uint64_t after = boottime_ns(), start = counters->header.time_ns;

	if (wrong)
		return wrong;
	if (start < before || start + counters->header.duration_ns > after)
		return why("%llu for %llu, read between %llu and %llu", (unsigned long long)start,
			   (unsigned long long)counters->header.duration_ns,
			   (unsigned long long)before, (unsigned long long)after);
	return NULL;
}

/* A file of a line. */
static const char *line_read(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	bool there = file && fgets(line, (int)size, file);

	if (file)
		fclose(file);
	if (!there)
		*line = '\0';
	line[strcspn(line, "\n")] = '\0';
	return there ? NULL : why("%s can't be read", path);
}

/* Sets mask[cpu] for each CPU of a list such as 0-2,5; returns the highest. */
static unsigned int cpulist_parse(const char *list, bool *mask, unsigned int size)
{
	unsigned int cpu = 0, end;
	char *at;

	while (*list) {
		cpu = (unsigned int)strtoul(list, &at, 10);
		end = *at == '-' ? (unsigned int)strtoul(at + 1, &at, 10) : cpu;
		for (; cpu <= end && cpu < size; cpu++)
			mask[cpu] = true;
		cpu = end;
		list = *at ? at + 1 : at;
	}
	return cpu;
}

static const char *online_matches_sysfs(void)
{
	bool online[1024] = { 0 }, possible[1024] = { 0 };
	char line[256];
	struct record rec;
	unsigned int cpu, highest;
	const char *wrong = line_read(SYS_CPU "possible", line, sizeof(line));

	if (!wrong) {
		highest = cpulist_parse(line, possible, 1024);
		if (counters->header.nr_cpu_ids != highest + 1)
			return why("nr_cpu_ids %u", counters->header.nr_cpu_ids);
		wrong = line_read(SYS_CPU "online", line, sizeof(line));
	}
	if (wrong)
		return wrong;
	cpulist_parse(line, online, 1024);
	if (!raw_find(counters, IRQBIN_REC_ONLINE, 0, &rec))
		return "no ONLINE";
	for (cpu = 0; cpu < counters->header.nr_cpu_ids; cpu++)
		if (online[cpu] != (rec.payload[cpu / 64] >> cpu % 64 & 1))
			return why("CPU %u", cpu);
	return NULL;
}

/* Reads both until neither changed in between. */
static const char *both_read(void)
{
	const char *wrong;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		wrong = raw_get(fd, IRQBIN_WINDOW_DESCRIPTORS, descs);
		if (!wrong)
			wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, counters);
		if (wrong)
			return wrong;
		if (counters->header.generation == descs->header.generation)
			return NULL;
	}
	return "the generation never stands still";
}

static const char *irqs_have_descriptors(void)
{
	struct record rec, desc;
	size_t at = 0;
	const char *wrong = both_read();

	if (wrong)
		return wrong;
	if (counters->header.instance_base != descs->header.instance_base ||
	    counters->header.nr_cpu_ids != descs->header.nr_cpu_ids)
		return "the headers differ";
	while (raw_next(counters, &at, &rec)) {
		if (rec.head.type == IRQBIN_REC_X86 &&
		    !raw_find(descs, IRQBIN_REC_X86_DESC, rec.head.id, &desc))
			return why("no X86_DESC %u", rec.head.id);
		if (rec.head.type != IRQBIN_REC_IRQ)
			continue;
		if (!raw_find(descs, IRQBIN_REC_IRQ_DESC, rec.head.id, &desc))
			return why("no IRQ_DESC %u", rec.head.id);
		if (irq_desc_of(&desc).instance != record_instance(counters, &rec))
			return why("IRQ %u: two instances", rec.head.id);
	}
	return NULL;
}

static const char *generation_is_exact(void)
{
	return counters->header.flags & IRQBIN_F_GENERATION_INEXACT ? "it is not" : NULL;
}

static const char *layout_is_known(void)
{
	return descs->header.flags & IRQBIN_F_LAYOUT_UNKNOWN ? "it is not" : NULL;
}

/* Compares a string with a file of sysfs, where nothing is an empty line. */
static const char *string_check(uint32_t irq, const char *file, const char *string, size_t len)
{
	char path[64], line[4096];
	const char *wrong;

	snprintf(path, sizeof(path), SYS_IRQ "/%u/%s", irq, file);
	wrong = line_read(path, line, sizeof(line));
	if (wrong && len)
		return wrong;
	if (strlen(line) != len || memcmp(line, string, len))
		return why("IRQ_DESC %u: %s is \"%.*s\", sysfs has \"%s\"", irq, file, (int)len,
			   string, line);
	return NULL;
}

/* As this kernel prints it. */
static void hwirq_set(char *string, size_t size, uint64_t hwirq)
{
	struct irqbin_layout layout = { 0 };
	struct record rec;

	if (raw_find(descs, IRQBIN_REC_LAYOUT, 0, &rec))
		memcpy(&layout, rec.payload, sizeof(layout));
	if (layout.flags & IRQBIN_LAYOUT_HWIRQ_INT)
		snprintf(string, size, "%d", (int)hwirq);
	else
		snprintf(string, size, "%llu", (unsigned long long)hwirq);
}

static const char *irq_check(const struct record *rec)
{
	const struct irqbin_irq_desc desc = irq_desc_of(rec);
	const bool level = desc.trigger & (IRQBIN_TRIGGER_HIGH | IRQBIN_TRIGGER_LOW);
	char hwirq[24], actions[4096];
	struct strings s;
	const char *wrong = strings_get(rec, sizeof(desc) / 8, desc.n_strings, &s);
	size_t used = 0;
	unsigned int i;

	for (i = 2; !wrong && i < s.n; i++)
		used += (size_t)snprintf(actions + used, sizeof(actions) - used, "%s%.*s",
					 i > 2 ? "," : "", s.at[i] ? (int)s.len[i] : 6,
					 s.at[i] ? s.at[i] : "(null)");
	hwirq_set(hwirq, sizeof(hwirq), desc.hwirq);
	/* A dash stands for no name. */
	if (!wrong && !(desc.flags & IRQBIN_DESC_CHIP_PRINTED))
		wrong = string_check(rec->head.id, "chip_name", s.at[0],
				     s.len[0] == 1 && *s.at[0] == '-' ? 0 : s.len[0]);
	if (!wrong)
		wrong = string_check(rec->head.id, "hwirq", hwirq,
				     desc.flags & IRQBIN_DESC_HWIRQ ? strlen(hwirq) : 0);
	if (!wrong)
		wrong = string_check(rec->head.id, "name", s.at[1], s.at[1] ? s.len[1] : 0);
	if (!wrong)
		wrong = string_check(rec->head.id, "actions", actions, used);
	/* One that was never set up has no trigger, but may be marked as level. */
	if (!wrong && desc.trigger)
		wrong = string_check(rec->head.id, "type", level ? "level" : "edge", 4 + level);
	return wrong;
}

static const char *descriptors_match_sysfs(void)
{
	struct record rec;
	struct dirent *entry;
	unsigned int irq, n = 0;
	size_t at = 0;
	DIR *dir = opendir(SYS_IRQ);
	const char *wrong = dir ? both_read() : why_errno(SYS_IRQ);

	while (!wrong && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, "%u", &irq) != 1)
			continue;
		n++;
		if (!raw_find(descs, IRQBIN_REC_IRQ_DESC, irq, &rec))
			wrong = why("no IRQ_DESC %u", irq);
	}
	while (!wrong && raw_next(descs, &at, &rec)) {
		if (rec.head.type != IRQBIN_REC_IRQ_DESC)
			continue;
		n--;
		wrong = irq_check(&rec);
	}
	if (!wrong && n)
		wrong = "sysfs has not all of them";
	if (dir)
		closedir(dir);
	return wrong;
}

/* Those that the text shows now, in its order; and no others. */
static const char *arch_descriptors_match_text(void)
{
	struct text text;
	struct record rec;
	struct irqbin_x86_desc desc;
	struct strings s;
	size_t at = 0, row;
	const char *wrong = text_read(TEXT_PATH, &text);

	for (row = 0; !wrong && row < text.n_rows && text.row[row].irq >= 0; row++)
		;
	while (!wrong && raw_next(descs, &at, &rec)) {
		if (rec.head.type != IRQBIN_REC_X86_DESC)
			continue;
		desc = x86_desc_of(&rec);
		wrong = strings_get(&rec, sizeof(desc) / 8, desc.n_strings, &s);
		if (wrong || !(desc.flags & IRQBIN_DESC_SHOWN))
			continue;
		if (row == text.n_rows || !text_row_is(&text.row[row], s.at[0], s.len[0]))
			return why("the text has no %s, or in another place",
				   x86_label(rec.head.id));
		if (text.row[row].tail_len != s.len[1] ||
		    memcmp(text.row[row].tail, s.at[1], s.len[1]))
			return why("the tail of %s differs", x86_label(rec.head.id));
		if (!!(desc.flags & IRQBIN_DESC_SINGLE) != (text.row[row].n_cells < text.n_cpus))
			return why("%s: SINGLE", x86_label(rec.head.id));
		row++;
	}
	if (!wrong && row < text.n_rows)
		return why("no X86_DESC for %.*s", (int)text.row[row].label_len,
			   text.row[row].label);
	return wrong;
}

static const char *file_check(const char *path, unsigned int window, struct raw *raw)
{
	const char *wrong;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return why_errno(path);
	wrong = raw_read(fd, 0, raw);
	close(fd);
	return wrong ? wrong : raw_check(raw, window);
}

int main(int argc, char **argv)
{
	static const struct check checks[] = {
		{ "counter_window_is_valid", counter_window_is_valid },
		{ "descriptor_window_is_valid", descriptor_window_is_valid },
		{ "time_is_boottime_of_the_pass", time_is_boottime_of_the_pass },
		{ "online_matches_sysfs", online_matches_sysfs },
		{ "irqs_have_descriptors_of_their_instance", irqs_have_descriptors },
		{ "generation_is_exact", generation_is_exact },
		{ "layout_is_known", layout_is_known },
		{ "irq_descriptors_match_sysfs", descriptors_match_sysfs },
		{ "arch_descriptors_match_text", arch_descriptors_match_text },
	};
	const char *wrong = NULL;

	counters = raw_new();
	descs = raw_new();
	if (argc == 1) {
		fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return report("file_opens", why_errno(BIN_PATH));
		return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
	}
	wrong = file_check(argv[1], IRQBIN_WINDOW_COUNTERS, counters);
	if (!wrong && argc > 2)
		wrong = file_check(argv[2], IRQBIN_WINDOW_DESCRIPTORS, descs);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	return !!wrong;
}
