/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The library's two sources of one kernel say the same.
 *
 * sources same NAME SECONDS	text, module, text again: the module's counts lie between
 *				those of the text, cell by cell, and are the same where it
 *				did not move; both describe each row that the text has alike
 * sources lose NAME		a handle that chose the module, while that is unloaded
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include <irqstat.h>

#include "report.h"

#define MIN_ROUNDS 5
#define LATER_READS 5

static struct irqstat *module, *text_before, *text_after;
static unsigned long cells, still, moved, in_flight;

static const struct irqstat_snapshot *last(const struct irqstat *is)
{
	return irqstat_snapshot_get(is);
}

static uint64_t cell(const struct irqstat *is, uint32_t kind, uint32_t id, uint32_t cpu)
{
	const struct irqstat_snapshot *snap = last(is);
	const struct irqstat_row *row = irqstat_snapshot_find(snap, kind, id);
	size_t i;

	for (i = 0; row && i < row->n; i++)
		if (snap->cpu[row->first + i] == cpu)
			return snap->count[row->first + i];
	return 0;
}

/* An increment under way may be in a cell before it is in our copy of it. */
static bool shows_later(uint32_t kind, uint32_t id, uint32_t cpu, uint32_t before, uint32_t ours)
{
	int i;

	if (kind != IRQSTAT_IRQ || before - ours != 1)
		return false;
	for (i = 0; i < LATER_READS; i++) {
		usleep(20000);
		if (!irqstat_read(module) &&
		    (int32_t)((uint32_t)cell(module, kind, id, cpu) - before) >= 0)
			return ++in_flight;
	}
	return false;
}

static const char *cell_check(const struct irqstat_desc *d, uint32_t cpu, unsigned int flags)
{
	uint32_t before = (uint32_t)cell(text_before, d->kind, d->id, cpu);
	uint32_t after = (uint32_t)cell(text_after, d->kind, d->id, cpu);
	uint32_t ours = (uint32_t)cell(module, d->kind, d->id, cpu);

	cells++;
	if (flags & IRQSTAT_ROW_TEXT_ZERO)
		return before ? why("%u/%u: the text has counts", d->kind, d->id) : NULL;
	if (flags & IRQSTAT_ROW_CACHED)
		return ours > after ? why("%u/%u: ahead of the text", d->kind, d->id) : NULL;
	/* Function calls are a difference there, which may step back. */
	if ((int32_t)(after - before) < 0)
		return NULL;
	still += before == after;
	moved += before != after;
	if (ours - before <= after - before || shows_later(d->kind, d->id, cpu, before, ours))
		return NULL;
	return why("%u/%u CPU %d: %u before, %u in ours, %u after", d->kind, d->id, (int)cpu, before,
		   ours, after);
}

static const char *row_check(const struct irqstat_desc *d)
{
	const struct irqstat_snapshot *snap = last(text_before);
	const struct irqstat_row *row = irqstat_snapshot_find(last(module), d->kind, d->id);
	unsigned int flags = row ? row->flags : 0;
	const char *wrong = NULL;
	uint32_t cpu;

	if (flags & IRQSTAT_ROW_UNAVAILABLE)
		return NULL;
	if (d->flags & IRQSTAT_DESC_SINGLE)
		return cell_check(d, IRQSTAT_CPU_NONE, flags);
	for (cpu = 0; !wrong && cpu < snap->nr_cpu_ids; cpu++)
		if (irqstat_snapshot_is_online(snap, cpu))
			wrong = cell_check(d, cpu, flags);
	return wrong;
}

/* What counted for the module has a row in the text, if one is shown. */
static const char *shown_check(const struct irqstat_descs *ours, const struct irqstat_descs *theirs)
{
	size_t i;

	for (i = 0; i < ours->n_descs; i++) {
		const struct irqstat_desc *d = &ours->descs[i];

		if (d->flags & IRQSTAT_DESC_SHOWN && !irqstat_descs_find(theirs, d->kind, d->id))
			return why("%u/%u is not in the text", d->kind, d->id);
	}
	return NULL;
}

static const char *online_check(void)
{
	const struct irqstat_snapshot *a = last(text_before), *b = last(module);
	uint32_t cpu;

	for (cpu = 0; cpu < a->nr_cpu_ids || cpu < b->nr_cpu_ids; cpu++)
		if (irqstat_snapshot_is_online(a, cpu) != irqstat_snapshot_is_online(b, cpu))
			return why("CPU %u is online in one only", cpu);
	return NULL;
}

static const char *read_all(void)
{
	if (irqstat_read(text_before) || irqstat_read(module) || irqstat_read(text_after))
		return why_errno("read");
	return NULL;
}

static const char *counts_round(void)
{
	const struct irqstat_descs *theirs, *ours;
	const char *wrong = read_all();
	size_t i;

	if (wrong)
		return wrong;
	theirs = irqstat_descs_get(text_before);
	ours = irqstat_descs_get(module);
	if (!theirs || !ours)
		return why_errno("descriptors");
	wrong = online_check();
	wrong = wrong ? wrong : shown_check(ours, theirs);
	for (i = 0; !wrong && i < theirs->n_descs; i++)
		wrong = row_check(&theirs->descs[i]);
	return wrong;
}

static const char *counts_check(long seconds)
{
	time_t end = time(NULL) + seconds;
	const char *wrong = NULL;
	int rounds = 0;

	while (!wrong && (time(NULL) < end || rounds < MIN_ROUNDS)) {
		wrong = counts_round();
		rounds++;
	}
	if (!wrong && (!still || !moved))
		wrong = why("%lu cells stood still, %lu moved", still, moved);
	printf("# %d rounds, %lu cells, %lu moved, %lu in flight\n", rounds, cells, moved, in_flight);
	return wrong;
}

/* What the text shows of a string that may not be there. */
static bool is_same(const struct irqstat_string *a, const struct irqstat_string *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->bytes, b->bytes, a->len));
}

static char *joined(const struct irqstat_desc *d)
{
	char *all = strdup(""), *longer;
	size_t i;

	for (i = 0; all && i < d->n_actions; i++) {
		const struct irqstat_string *s = &d->actions[i];

		if (asprintf(&longer, "%s%s%.*s", all, i ? ", " : "", (int)s->len,
			     s->bytes ? s->bytes : "") < 0)
			longer = NULL;
		free(all);
		all = longer;
	}
	return all;
}

static const char *irq_check(const struct irqstat_desc *theirs, const struct irqstat_desc *ours,
			     bool hwirq_is_int)
{
	uint64_t hwirq = hwirq_is_int ? (uint32_t)ours->hwirq : ours->hwirq;
	char *a = joined(theirs), *b = joined(ours);
	struct irqstat_string chip = ours->chip;

	/* One that its driver has set itself may begin with what parts columns. */
	for (; chip.len && *chip.bytes == ' '; chip.bytes++)
		chip.len--;
	if (!is_same(&theirs->chip, &chip))
		return why("IRQ %u: chip '%s', not '%s'", ours->id, theirs->chip.bytes, chip.bytes);
	if ((theirs->flags ^ ours->flags) & IRQSTAT_DESC_HWIRQ || theirs->hwirq != hwirq)
		return why("IRQ %u: hwirq %" PRIu64 ", not %" PRIu64, ours->id, theirs->hwirq, hwirq);
	if (!is_same(&theirs->flow, &ours->flow))
		return why("IRQ %u: flow '%s', not '%s'", ours->id, theirs->flow.bytes,
			   ours->flow.bytes);
	if (strcmp(a, b))
		return why("IRQ %u: actions '%s', not '%s'", ours->id, a, b);
	free(a);
	free(b);
	return NULL;
}

static const char *desc_check(const struct irqstat_desc *theirs, const struct irqstat_descs *all)
{
	const struct irqstat_desc *ours = irqstat_descs_find(all, theirs->kind, theirs->id);
	const unsigned int cut = IRQSTAT_DESC_TRUNCATED | IRQSTAT_DESC_UNREADABLE;

	if (!ours)
		return why("%u/%u '%s' has no descriptor", theirs->kind, theirs->id,
			   theirs->label.bytes ? theirs->label.bytes : "");
	if (ours->flags & cut)
		return NULL;
	if (theirs->kind == IRQSTAT_IRQ)
		return irq_check(theirs, ours, all->layout &&
				 all->layout->flags & IRQSTAT_LAYOUT_HWIRQ_INT);
	if ((theirs->flags ^ ours->flags) & IRQSTAT_DESC_SINGLE)
		return why("%s is single in one only", ours->label.bytes);
	if (!is_same(&theirs->label, &ours->label) || !is_same(&theirs->text, &ours->text))
		return why("%s: '%s', not '%s'", ours->label.bytes, theirs->text.bytes,
			   ours->text.bytes);
	return NULL;
}

static const char *descs_check(void)
{
	const struct irqstat_descs *theirs = irqstat_descs_get(text_before);
	const struct irqstat_descs *ours = irqstat_descs_get(module);
	const char *wrong = NULL;
	size_t i;

	if (!theirs || !ours)
		return why_errno("descriptors");
	for (i = 0; !wrong && i < theirs->n_descs; i++)
		wrong = desc_check(&theirs->descs[i], ours);
	return wrong;
}

static int same(const char *name, long seconds)
{
	const char *wrong;
	char test[256];
	int failed;

	module = irqstat_open_source(IRQSTAT_SOURCE_MODULE, NULL);
	text_before = irqstat_open_source(IRQSTAT_SOURCE_TEXT, NULL);
	text_after = irqstat_open_source(IRQSTAT_SOURCE_TEXT, NULL);
	if (!module || !text_before || !text_after)
		return report(name, why_errno("open"));
	wrong = counts_check(seconds);
	snprintf(test, sizeof(test), "%s_counts", name);
	failed = report(test, wrong);
	snprintf(test, sizeof(test), "%s_descriptors", name);
	return failed | report(test, descs_check());
}

static const char *lose_check(void)
{
	struct irqstat *is = irqstat_open(NULL);
	uint64_t loc;

	if (!is || irqstat_read(is))
		return why_errno("read");
	if (irqstat_source_get(is) != IRQSTAT_SOURCE_MODULE || irqstat_source_errno(is))
		return why("not the module: %s", strerror(irqstat_source_errno(is)));
	loc = cell(is, IRQSTAT_X86, IRQSTAT_X86_LOC, 0);
	if (system("rmmod interrupts_bin"))
		return "the module could not be unloaded";
	if (irqstat_read(is) != -1 || errno != EIO)
		return why_errno("read of the module that is gone");
	if (cell(is, IRQSTAT_X86, IRQSTAT_X86_LOC, 0) != loc)
		return "the last snapshot was lost";
	if (irqstat_read(is))
		return why_errno("read of the text");
	if (irqstat_source_get(is) != IRQSTAT_SOURCE_TEXT || irqstat_source_errno(is) != ENOENT)
		return why("source %d: %s", irqstat_source_get(is), strerror(irqstat_source_errno(is)));
	if (cell(is, IRQSTAT_X86, IRQSTAT_X86_LOC, 0) < loc)
		return "the text counts less";
	if (!irqstat_descs_get(is))
		return why_errno("descriptors");
	irqstat_close(is);
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "same"))
		return same(argv[2], atol(argv[3]));
	if (argc == 3 && !strcmp(argv[1], "lose"))
		return report(argv[2], lose_check());
	fprintf(stderr, "usage: sources same NAME SECONDS | lose NAME\n");
	return 2;
}
