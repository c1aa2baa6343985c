/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * bench_text [PARSER ROUNDS]: what it costs to make arrays of a text of 256 CPUs
 * and 560 interrupts, of which 4 % of the cells are not 0, with the library and
 * with the loop over strtoull() that most readers have. Two texts are seen in
 * turn, so that each has other counts than the one before; and, as "first",
 * one is seen by a parser that has never seen any. With arguments it does only
 * that, for a count of the instructions: see run. With "text 0" or "text 1" it
 * prints that text.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "times.h"

#define N_CPUS 256
#define N_IRQS 560
#define N_ROUNDS 101
#define ROOM ((size_t)4 << 20)

struct input {
	char *text;
	size_t len;
};

static struct input inputs[2];

static uint32_t draw(uint32_t below)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005U + 1442695040888963407U;
	return (uint32_t)((state >> 33) % below);
}

/* Of 1 to 9 digits, all as likely. */
static uint32_t draw_count(void)
{
	uint32_t n = 1 + draw(9), digits = draw(9);

	while (digits--)
		n = n * 10 + draw(10);
	return n;
}

__attribute__((format(printf, 2, 3)))
static void put(struct input *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	to->len += (size_t)vsnprintf(to->text + to->len, ROOM - to->len, format, args);
	va_end(args);
}

/* A row that counts on @n CPUs, by as much again in the second text. */
static void put_row(const char *label, unsigned int n, const char *tail)
{
	uint32_t counts[N_CPUS] = { 0 };
	unsigned int i, j;

	while (n--)
		counts[n < N_CPUS / 2 ? draw(N_CPUS) : n] = draw_count();
	for (j = 0; j < 2; j++) {
		put(&inputs[j], "%4s:", label);
		for (i = 0; i < N_CPUS; i++) {
			put(&inputs[j], " %10u", counts[i]);
			counts[i] += counts[i] ? draw_count() : 0;
		}
		put(&inputs[j], "%s\n", tail);
	}
}

/* Most interrupts are a queue's and count on few CPUs, some counters on all. */
static void generate(void)
{
	static const unsigned int spread[] = { 0, 0, 1, 1, 2, 4, 8, 32 };
	static const char *const counters[] = {
		"NMI", "LOC", "PMI", "IWI", "RES", "CAL", "TLB", "MCP"
	};
	char label[16], tail[64];
	unsigned int i, j;

	for (j = 0; j < 2; j++) {
		put(&inputs[j], "%12s", "");
		for (i = 0; i < N_CPUS; i++)
			put(&inputs[j], "CPU%-8u", i);
		put(&inputs[j], "\n");
	}
	for (i = 0; i < N_IRQS; i++) {
		snprintf(label, sizeof(label), "%u", i);
		snprintf(tail, sizeof(tail), "  PCI-MSIX-0000:%02x:00.0 %4u-edge      nvme%uq%u", i / 16,
			 i % 16, i / 16, i % 16);
		put_row(label, i % 64 ? spread[draw(8)] : N_CPUS, tail);
	}
	for (i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		put_row(counters[i], N_CPUS, "  Some interrupts");
}

static struct text parser;
static struct snapshot snap;

static size_t parse_library(const struct input *in)
{
	if (text_parse(&parser, in->text, in->len, &snap)) {
		perror("bench_text");
		exit(1);
	}
	return snap.pub.n_entries;
}

static size_t parse_first(const struct input *in)
{
	text_free(&parser);
	memset(&parser, 0, sizeof(parser));
	return parse_library(in);
}

/* As in other readers, but for names, of which it takes no notice. */
static size_t parse_strtoull(const struct input *in)
{
	uint32_t *cpu = snap.cpu;
	uint64_t *count = snap.count;
	char *line = strchr(in->text, '\n') + 1;
	size_t n = 0;

	while (*line) {
		char *end = strchr(line, ':') + 1;
		uint32_t i;

		for (i = 0; i < N_CPUS; i++) {
			count[n] = strtoull(end, &end, 10);
			cpu[n] = i;
			n += count[n] != 0;
		}
		line = strchr(end, '\n') + 1;
	}
	return n;
}

static const struct {
	const char *name;
	size_t (*parse)(const struct input *in);
} parsers[] = {
	{ "library", parse_library },
	{ "first", parse_first },
	{ "strtoull", parse_strtoull },
};

#define N_PARSERS (sizeof(parsers) / sizeof(parsers[0]))

static uint64_t lowest_ns(size_t (*parse)(const struct input *in))
{
	uint64_t lowest = UINT64_MAX;
	int i;

	for (i = 0; i < N_ROUNDS; i++) {
		uint64_t begin = now_ns(), ns;

		parse(&inputs[i % 2]);
		ns = now_ns() - begin;
		if (ns < lowest)
			lowest = ns;
	}
	return lowest;
}

static int compare(void)
{
	uint64_t ns[N_PARSERS];
	size_t i, n = 0;

	for (i = 0; i < 2; i++) {
		n = parse_library(&inputs[i]);
		if (parse_strtoull(&inputs[i]) != n) {
			fprintf(stderr, "bench_text: the parsers differ\n");
			return 1;
		}
	}
	for (i = 0; i < N_PARSERS; i++)
		ns[i] = lowest_ns(parsers[i].parse);
	printf("%d CPUs, %d interrupts, %zu counts not 0: %.0f us; first %.1f x, strtoull %.1f x\n",
	       N_CPUS, N_IRQS, n, (double)ns[0] / 1000, (double)ns[1] / (double)ns[0],
	       (double)ns[2] / (double)ns[0]);
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;
	int round;

	for (i = 0; i < 2; i++) {
		inputs[i].text = malloc(ROOM);
		if (!inputs[i].text)
			return 1;
	}
	generate();
	if (argc == 1)
		return compare();
	if (argc == 3 && !strcmp(argv[1], "text"))
		return fputs(inputs[atoi(argv[2]) & 1].text, stdout) < 0;
	parse_library(&inputs[1]);
	for (i = 0; argc == 3 && i < N_PARSERS; i++) {
		if (strcmp(argv[1], parsers[i].name))
			continue;
		for (round = 0; round < atoi(argv[2]); round++)
			parsers[i].parse(&inputs[round % 2]);
		return 0;
	}
	fprintf(stderr, "usage: bench_text [library|first|strtoull ROUNDS | text 0|1]\n");
	return 2;
}
