/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The kernel's own counts, ours, the kernel's again: before <= ours <= after,
 * modulo 2^32, for every cell of every row that either of them has.
 *
 * bracket NAME SECONDS		against /proc/interrupts: CPUs that are online
 * bracket --sysfs NAME SECONDS	against /sys/kernel/irq: all CPUs and all interrupts,
 *				whether or not the text shows them
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <time.h>

#include "text.h"
#include "valid.h"

#define SYS_IRQ		"/sys/kernel/irq"
#define LATER_READS	5
#define MIN_ROUNDS	5
#define PATIENCE_S	15	/* for the first count to move, on a busy host */

struct pass {
	struct raw *first, *ours, *last;	/* of the same open, one after the other */
	struct raw *descs;
	struct text before, after;
};

static struct pass pass;
static int fd;
static unsigned long cells, moved, nonzero, in_flight, skipped;

static bool between(uint32_t before, uint32_t ours, uint32_t after)
{
	return ours - before <= after - before;
}

/*
 * One increment may be in a cell before it is in the total, and then shows in our
 * next read only: it must show there.
 */
static bool shows_later(uint8_t type, uint32_t id, uint32_t cpu, uint32_t before, uint32_t ours)
{
	static struct raw *later;
	int i;

	if (type != IRQBIN_REC_IRQ || before - ours != 1)
		return false;
	if ((int32_t)(raw_cell(pass.last, type, id, cpu) - before) >= 0)
		return true;
	later = later ? later : raw_new();
	for (i = 0; i < LATER_READS; i++) {
		usleep(20000);
		if (!raw_get(fd, IRQBIN_WINDOW_COUNTERS, later) &&
		    (int32_t)(raw_cell(later, type, id, cpu) - before) >= 0)
			return true;
	}
	return false;
}

static const char *cell_check(uint8_t type, uint32_t id, uint32_t cpu, uint32_t before,
			      uint32_t after)
{
	const uint32_t ours = raw_cell(pass.ours, type, id, cpu);

	cells++;
	moved += after != before;
	nonzero += ours != 0;
	if (between(before, ours, after))
		return NULL;
	if (shows_later(type, id, cpu, before, ours)) {
		in_flight++;
		return NULL;
	}
	return why("%s %u CPU %d: %u before, %u in ours, %u after",
		   type == IRQBIN_REC_IRQ ? "IRQ" : "X86", id, (int)cpu, before, ours, after);
}

static unsigned int row_flags(uint8_t type, uint32_t id)
{
	struct record rec;

	return raw_find(pass.ours, type, id, &rec) ? rec.head.flags : 0;
}

static const char *row_check(const struct text_row *before, const struct text_row *after)
{
	const char *label = before->label + strspn(before->label, " ");
	const size_t len = before->label_len - (size_t)(label - before->label);
	const uint8_t type = before->irq >= 0 ? IRQBIN_REC_IRQ : IRQBIN_REC_X86;
	const uint32_t id = before->irq >= 0 ? (uint32_t)before->irq : x86_id(label, len);
	const unsigned int flags = row_flags(type, id);
	const bool single = before->n_cells < pass.before.n_cpus;
	const char *wrong = NULL;
	unsigned int i;

	if (!id && type == IRQBIN_REC_X86)
		return why("no id for %.*s", (int)len, label);
	if (flags & IRQBIN_CNT_UNAVAILABLE)
		return why("X86 %u is not available", id);
	for (i = 0; !wrong && i < before->n_cells; i++) {
		const uint32_t cpu = single ? IRQBIN_CPU_NONE : pass.before.cpu[i];
		const uint32_t low = text_count(before, i), high = text_count(after, i);

		if (flags & IRQBIN_CNT_TEXT_ZERO)
			wrong = low ? why("IRQ %u: the text prints no zeros", id) : NULL;
		else if (flags & IRQBIN_CNT_CACHED)
			wrong = raw_cell(pass.ours, type, id, cpu) > high ?
				why("X86 %u: ahead of the text", id) : NULL;
		else
			wrong = cell_check(type, id, cpu, low, high);
	}
	return wrong;
}

static bool counted_online(const struct record *rec)
{
	unsigned int i, cpu;

	for (i = 0; i < record_n_counts(rec); i++)
		for (cpu = 0; cpu < pass.before.n_cpus; cpu++)
			if (record_count(rec, i).cpu == pass.before.cpu[cpu])
				return true;
	return false;
}

static const struct text_row *text_row_of(const struct text *text, const struct record *rec)
{
	char label[16];
	size_t i;

	if (rec->head.type == IRQBIN_REC_IRQ || rec->head.type == IRQBIN_REC_IRQ_DESC)
		snprintf(label, sizeof(label), "%u", rec->head.id);
	else
		snprintf(label, sizeof(label), "%s", x86_label(rec->head.id));
	for (i = 0; i < text->n_rows; i++)
		if (text_row_is(&text->row[i], label, strlen(label)))
			return &text->row[i];
	return NULL;
}

/* A descriptor says whether the text has its row, before and after alike. */
static const char *visibility_check(const struct record *desc)
{
	const bool irq = desc->head.type == IRQBIN_REC_IRQ_DESC;
	const uint32_t flags = irq ? irq_desc_of(desc).flags : x86_desc_of(desc).flags;
	const bool shown = text_row_of(&pass.before, desc), still = text_row_of(&pass.after, desc);
	struct record rec = { 0 };
	const bool counted = raw_find(pass.ours, irq ? IRQBIN_REC_IRQ : IRQBIN_REC_X86,
				      desc->head.id, &rec) && record_n_counts(&rec);
	const bool expected = flags & IRQBIN_DESC_SHOWN ||
			      (flags & IRQBIN_DESC_SHOWN_COUNTED && counted) ||
			      (flags & IRQBIN_DESC_SHOWN_ONLINE && counted && counted_online(&rec));

	if (shown == expected || shown != still)
		return NULL;
	return why("%s %u: the text %s it, flags are %#x, %u counts", irq ? "IRQ" : "X86",
		   desc->head.id, shown ? "has" : "hasn't", flags,
		   counted ? record_n_counts(&rec) : 0);
}

static const char *text_compare(void)
{
	struct record rec, desc;
	const char *wrong = NULL;
	size_t i, at = 0;

	for (i = 0; !wrong && i < pass.before.n_rows; i++) {
		const struct text_row *row = &pass.before.row[i], *after = text_find(&pass.after, row);

		if (after)
			wrong = row_check(row, after);
	}
	while (!wrong && raw_next(pass.ours, &at, &rec)) {
		if (rec.head.type != IRQBIN_REC_IRQ && rec.head.type != IRQBIN_REC_X86)
			continue;
		if (!raw_find(pass.descs, rec.head.type == IRQBIN_REC_IRQ ? IRQBIN_REC_IRQ_DESC :
			      IRQBIN_REC_X86_DESC, rec.head.id, &desc))
			wrong = why("type %u id %u: no descriptor", rec.head.type, rec.head.id);
	}
	for (at = 0; !wrong && raw_next(pass.descs, &at, &desc);)
		if (desc.head.type == IRQBIN_REC_IRQ_DESC || desc.head.type == IRQBIN_REC_X86_DESC)
			wrong = visibility_check(&desc);
	return wrong;
}

static bool same_cpus(void)
{
	return pass.before.n_cpus == pass.after.n_cpus &&
	       !memcmp(pass.before.cpu, pass.after.cpu,
		       pass.before.n_cpus * sizeof(pass.before.cpu[0]));
}

static const char *text_round(void)
{
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_DESCRIPTORS, pass.descs);

	if (!wrong)
		wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, pass.first);
	if (!wrong)
		wrong = text_read(TEXT_PATH, &pass.before);
	if (!wrong)
		wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, pass.ours);
	if (!wrong)
		wrong = text_read(TEXT_PATH, &pass.after);
	if (!wrong)
		wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, pass.last);
	if (wrong)
		return wrong;
	if (pass.first->header.generation != pass.last->header.generation ||
	    pass.descs->header.generation != pass.last->header.generation || !same_cpus())
		skipped++;
	else
		wrong = text_compare();
	text_free(&pass.before);
	text_free(&pass.after);
	return wrong;
}

struct sys_irq {
	unsigned int irq;
	unsigned int n;
	uint32_t count[TEXT_CPUS];
};

/* Reads the counts of every possible CPU, comma between them. */
static bool sys_irq_read(struct sys_irq *irq)
{
	char path[64], line[TEXT_CPUS * 12], *at = line;
	FILE *file;

	snprintf(path, sizeof(path), SYS_IRQ "/%u/per_cpu_count", irq->irq);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	for (irq->n = 0; irq->n < TEXT_CPUS && *at >= '0' && *at <= '9'; at += *at == ',')
		irq->count[irq->n++] = (uint32_t)strtoul(at, &at, 10);
	return irq->n;
}

static unsigned int sys_read(struct sys_irq *irqs, unsigned int max)
{
	DIR *dir = opendir(SYS_IRQ);
	struct dirent *entry;
	unsigned int n = 0;

	while (dir && n < max && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "%u", &irqs[n].irq) == 1 && sys_irq_read(&irqs[n]))
			n++;
	if (dir)
		closedir(dir);
	return n;
}

static const char *sys_round(void)
{
	static struct sys_irq before[TEXT_ROWS], after;
	unsigned int n, i, cpu;
	struct record rec;
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, pass.first);
	size_t at = 0;

	if (wrong)
		return wrong;
	n = sys_read(before, TEXT_ROWS);
	wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, pass.ours);
	for (i = 0; !wrong && i < n; i++) {
		after.irq = before[i].irq;
		if (!sys_irq_read(&after))
			break;
		if (!i)
			wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, pass.last);
		if (pass.first->header.generation != pass.last->header.generation)
			break;
		for (cpu = 0; !wrong && cpu < before[i].n; cpu++)
			wrong = cell_check(IRQBIN_REC_IRQ, after.irq, cpu, before[i].count[cpu],
					   after.count[cpu]);
	}
	if (wrong || i < n) {
		skipped++;
		return pass.first->header.generation == pass.last->header.generation ? wrong : NULL;
	}
	while (!wrong && raw_next(pass.ours, &at, &rec)) {
		for (i = 0; i < n && before[i].irq != rec.head.id; i++)
			;
		if (rec.head.type == IRQBIN_REC_IRQ && i == n)
			wrong = why("IRQ %u: sysfs has none", rec.head.id);
	}
	return wrong;
}

static double elapsed(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

static const char *run(const char *(*round)(void), double seconds)
{
	struct timespec start, now;
	unsigned long rounds = 0;
	const char *wrong;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		wrong = round();
		rounds++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (!wrong && (rounds - skipped < MIN_ROUNDS ||
			    elapsed(&start, &now) < seconds ||
			    (!moved && elapsed(&start, &now) < PATIENCE_S)));
	if (getenv("VERBOSE"))
		fprintf(stderr, "%lu rounds, %lu skipped, %lu cells: %lu moved, %lu non-zero, "
			"%lu in flight\n", rounds, skipped, cells, moved, nonzero, in_flight);
	if (!wrong && (!moved || !nonzero))
		wrong = "nothing moved";
	if (!wrong && in_flight > cells / 1000)
		wrong = why("%lu of %lu cells were one behind", in_flight, cells);
	return wrong;
}

int main(int argc, char **argv)
{
	const bool sysfs = argc == 4 && !strcmp(argv[1], "--sysfs");

	if (argc != 3 + sysfs) {
		fputs("usage: bracket [--sysfs] NAME SECONDS\n", stderr);
		return 2;
	}
	pass.first = raw_new();
	pass.ours = raw_new();
	pass.last = raw_new();
	pass.descs = raw_new();
	fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return report(argv[1 + sysfs], why_errno(BIN_PATH));
	return report(argv[1 + sysfs], run(sysfs ? sys_round : text_round, atof(argv[2 + sysfs])));
}
