/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * bench_text [PARSER ROUNDS]: what it costs to make arrays of a text of 256 CPUs
 * and 560 interrupts, of which 4 % of the cells are not 0, with the
 * library and with the loop over strtoull() that most readers have. With
 * arguments it does only that, for a count of the instructions: see run.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

#define N_CPUS 256
#define N_IRQS 560
#define N_ROUNDS 101
#define ROOM ((size_t)4 << 20)

static char *text;
static size_t text_len;

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

__attribute__((format(printf, 1, 2)))
static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_len += (size_t)vsnprintf(text + text_len, ROOM - text_len, format, args);
	va_end(args);
}

/* A row that counts on @n CPUs. */
static void put_row(const char *label, unsigned int n, const char *tail)
{
	uint32_t counts[N_CPUS] = { 0 };
	unsigned int i;

	while (n--)
		counts[n < N_CPUS / 2 ? draw(N_CPUS) : n] = draw_count();
	put("%4s:", label);
	for (i = 0; i < N_CPUS; i++)
		put(" %10u", counts[i]);
	put("%s\n", tail);
}

/* Most interrupts are a queue's and count on few CPUs, some counters on all. */
static void generate(void)
{
	static const unsigned int spread[] = { 0, 0, 1, 1, 2, 4, 8, 32 };
	static const char *const counters[] = {
		"NMI", "LOC", "PMI", "IWI", "RES", "CAL", "TLB", "MCP"
	};
	char label[16], tail[64];
	unsigned int i;

	put("%12s", "");
	for (i = 0; i < N_CPUS; i++)
		put("CPU%-8u", i);
	put("\n");
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

static size_t parse_library(void)
{
	if (text_parse(&parser, text, text_len, &snap)) {
		perror("bench_text");
		exit(1);
	}
	return snap.pub.n_entries;
}

/* As in other readers, but for names, of which it takes no notice. */
static size_t parse_strtoull(void)
{
	uint32_t *cpu = snap.cpu;
	uint64_t *count = snap.count;
	char *line = strchr(text, '\n') + 1;
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
	size_t (*parse)(void);
} parsers[] = {
	{ "library", parse_library },
	{ "strtoull", parse_strtoull },
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static uint64_t lowest_ns(size_t (*parse)(void))
{
	uint64_t lowest = UINT64_MAX;
	int i;

	for (i = 0; i < N_ROUNDS; i++) {
		uint64_t begin = now_ns(), ns;

		parse();
		ns = now_ns() - begin;
		if (ns < lowest)
			lowest = ns;
	}
	return lowest;
}

static int compare(void)
{
	size_t n = parse_library();
	uint64_t ns[2];
	int i;

	if (parse_strtoull() != n) {
		fprintf(stderr, "bench_text: the parsers differ\n");
		return 1;
	}
	for (i = 0; i < 2; i++)
		ns[i] = lowest_ns(parsers[i].parse);
	printf("%d CPUs, %d interrupts, %zu counts not 0: %.0f us; strtoull %.1f x\n", N_CPUS,
	       N_IRQS, n, (double)ns[0] / 1000, (double)ns[1] / (double)ns[0]);
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;
	int round;

	text = malloc(ROOM);
	if (!text)
		return 1;
	generate();
	if (argc == 1)
		return compare();
	parse_library();
	for (i = 0; argc == 3 && i < 2; i++) {
		if (strcmp(argv[1], parsers[i].name))
			continue;
		for (round = 0; round < atoi(argv[2]); round++)
			parsers[i].parse();
		return 0;
	}
	fprintf(stderr, "usage: bench_text [library|strtoull ROUNDS]\n");
	return 2;
}
