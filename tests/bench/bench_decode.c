/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * bench_decode [--json]: what it costs to make arrays of a stream of 256 CPUs
 * and 560 interrupts, for each count that is not 0. Two machines: one where 8 interrupts and 7 counters count on
 * all CPUs and 320 interrupts on two; and one where all count on one CPU, so that almost
 * all of the cost is that of rows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/interrupts_bin.h>

#include "internal.h"

#define N_CPUS 256
#define N_IRQS 560
#define N_COUNTERS 7
#define N_ROUNDS 2001
#define ROOM 65536

/* Two that are decoded in turn: the same cells with other counts. */
static uint64_t windows[2][ROOM], *word;
static size_t used;
static uint32_t n_records;

static void put_word(const void *bytes)
{
	memcpy(&word[used++], bytes, sizeof(*word));
}

static void put_record(uint8_t type, uint32_t id, uint16_t n_words)
{
	const struct irqbin_record rec = { .id = id, .type = type, .n_words = n_words };

	put_word(&rec);
	n_records++;
}

/* A row that counts on @n CPUs, as far from each other as they can be. */
static void put_row(uint8_t type, uint32_t id, unsigned int n)
{
	unsigned int i;

	put_record(type, id, (uint16_t)n);
	for (i = 0; i < n; i++) {
		const struct irqbin_count count = {
			.cpu = i * (N_CPUS / n), .count = (1 + id * 7919 + i) << (word == windows[1]),
		};

		put_word(&count);
	}
}

static void generate(uint64_t *window, bool is_spread)
{
	const uint64_t online = UINT64_MAX, sequence = 1;
	struct irqbin_header header = {
		.magic = IRQBIN_MAGIC,
		.version_major = IRQBIN_VERSION_MAJOR,
		.version_minor = IRQBIN_VERSION_MINOR,
		.header_words = sizeof(header) / 8,
		.window = IRQBIN_WINDOW_COUNTERS,
		.flags = IRQBIN_F_COUNTS_32,
		.sequence = sequence,
		.desc_offset = IRQBIN_DESC_OFFSET,
		.nr_cpu_ids = N_CPUS,
		.nr_cpus_online = N_CPUS,
	};
	uint32_t i;

	word = window;
	used = sizeof(header) / 8;
	n_records = 0;
	put_record(IRQBIN_REC_ONLINE, 0, N_CPUS / 64);
	for (i = 0; i < N_CPUS / 64; i++)
		put_word(&online);
	for (i = 0; i < N_IRQS; i++) {
		if (!is_spread)
			put_row(IRQBIN_REC_IRQ, i, 1);
		else if (i % 70 == 0)
			put_row(IRQBIN_REC_IRQ, i, N_CPUS);
		else if (i % 7 < 4)
			put_row(IRQBIN_REC_IRQ, i, 2);
	}
	for (i = 0; i < N_COUNTERS && is_spread; i++)
		put_row(IRQBIN_REC_X86, i + 1, N_CPUS);
	put_record(IRQBIN_REC_END, 0, 1);
	put_word(&sequence);
	header.window_bytes = used * 8;
	header.n_records = n_records;
	memcpy(word, &header, sizeof(header));
}

static double monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median, in ns. */
static double measure(struct snapshot *snap)
{
	static double ns[N_ROUNDS];
	uint64_t desc_offset;
	unsigned int i;

	for (i = 0; i < N_ROUNDS; i++) {
		ns[i] = monotonic_ns();
		if (decode_counters(windows[i % 2], used * 8, snap, &desc_offset)) {
			perror("bench_decode");
			exit(1);
		}
		ns[i] = monotonic_ns() - ns[i];
	}
	qsort(ns, N_ROUNDS, sizeof(*ns), compare);
	return ns[N_ROUNDS / 2];
}

int main(int argc, char **argv)
{
	const bool json = argc == 2 && !strcmp(argv[1], "--json");
	static struct snapshot snap;
	unsigned int i;

	if (argc > 1 && !json) {
		fputs("usage: bench_decode [--json]\n", stderr);
		return 2;
	}
	for (i = 0; i < 2; i++) {
		double ns;

		generate(windows[0], i == 0);
		generate(windows[1], i == 0);
		ns = measure(&snap);
		if (json)
			printf("%s{\"name\":\"native_decode_ns_per_nonzero\",\"kernel\":\"native\","
			       "\"smp\":%d,\"irqs\":%d,\"nonzero\":%zu,\"value\":%.2f,\"unit\":\"ns\"}",
			       i ? ",\n " : "[", N_CPUS, N_IRQS, snap.pub.n_entries,
			       ns / (double)snap.pub.n_entries);
		else
			printf("decode: %zu rows, %zu counts, %zu bytes: %.0f ns, %.2f ns for each count\n",
			       snap.pub.n_rows, snap.pub.n_entries, used * 8, ns,
			       ns / (double)snap.pub.n_entries);
	}
	if (json)
		puts("]");
	return 0;
}
