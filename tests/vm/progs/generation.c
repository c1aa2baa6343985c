/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * generation moves|stays NAME COMMAND	   whether the shell COMMAND moves the generation
 * generation renews NAME PREFIX COMMAND   whether, after COMMAND, the interrupts whose
 *					   action begins with PREFIX are other instances,
 *					   and all others with actions what they were
 */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "valid.h"

#define READS	50
#define TRIES	500

static struct raw *counters, *descs, *old;
static int fd;

/* Both windows, of one generation. */
static const char *both_get(void)
{
	const char *wrong;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, counters);
		if (!wrong)
			wrong = raw_get(fd, IRQBIN_WINDOW_DESCRIPTORS, descs);
		if (wrong || counters->header.generation == descs->header.generation)
			return wrong;
	}
	return "the windows never agree";
}

static const char *run(const char *command)
{
	return command && system(command) ? "the command failed" : NULL;
}

static const char *moves(const char *command, bool expected)
{
	const char *wrong = both_get();
	uint64_t before = descs->header.generation;
	int i;

	if (!wrong)
		wrong = run(command);
	for (i = 0; !wrong && i < (expected ? 1 : READS); i++)
		wrong = both_get();
	if (wrong)
		return wrong;
	if ((descs->header.generation > before) != expected)
		return why("from %llu to %llu", (unsigned long long)before,
			   (unsigned long long)descs->header.generation);
	return NULL;
}

static bool is_of(const struct record *desc, const char *prefix)
{
	const size_t len = strlen(prefix);
	struct strings s;

	return !strings_get(desc, sizeof(struct irqbin_irq_desc) / 8, irq_desc_of(desc).n_strings,
			    &s) &&
	       s.n > 2 && s.at[2] && s.len[2] >= len && !memcmp(s.at[2], prefix, len);
}

static bool has_actions(const struct record *desc)
{
	return irq_desc_of(desc).n_strings > 2;
}

static const char *renews(const char *prefix, const char *command)
{
	struct record rec, was;
	unsigned int renewed = 0, kept = 0;
	size_t at = 0;
	const char *wrong = both_get();

	if (!wrong) {
		memcpy(old, descs, sizeof(*old));
		wrong = run(command);
	}
	if (!wrong)
		wrong = both_get();
	while (!wrong && raw_next(descs, &at, &rec)) {
		uint64_t before, after;

		if (rec.head.type != IRQBIN_REC_IRQ_DESC ||
		    !raw_find(old, IRQBIN_REC_IRQ_DESC, rec.head.id, &was))
			continue;
		before = irq_desc_of(&was).instance;
		after = irq_desc_of(&rec).instance;
		if (after < before || (is_of(&rec, prefix) && after == before) ||
		    (after != before && has_actions(&rec) && !is_of(&rec, prefix)))
			wrong = why("IRQ %u: instance %llu after %llu", rec.head.id,
				    (unsigned long long)after, (unsigned long long)before);
		renewed += after != before;
		kept += after == before;
	}
	if (!wrong && (!renewed || !kept))
		wrong = why("%u renewed, %u kept", renewed, kept);
	return wrong;
}

int main(int argc, char **argv)
{
	counters = raw_new();
	descs = raw_new();
	old = raw_new();
	fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return report(argc > 2 ? argv[2] : "file_opens", why_errno(BIN_PATH));
	if (argc == 4 && !strcmp(argv[1], "moves"))
		return report(argv[2], moves(argv[3], true));
	if (argc == 4 && !strcmp(argv[1], "stays"))
		return report(argv[2], moves(argv[3], false));
	if (argc == 5 && !strcmp(argv[1], "renews"))
		return report(argv[2], renews(argv[3], argv[4]));
	fputs("usage: generation moves|stays|renews NAME [PREFIX] COMMAND\n", stderr);
	return 2;
}
