/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A machine for the collector: up to 8192 CPUs with memory of their own, and
 * lines whose interrupts are counted as the kernel does it, in single steps if a
 * test wants to stop between them. There is one machine, as in a kernel.
 *
 * Stores are releases and the collector's barriers are acquires: the order that
 * x86 gives by itself and that the compiler has to keep.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_MAX_CPUS 8192

enum flow {
	LINE_LOCKED,	/* counts in a cell, then in the total, holding the lock */
	LINE_REVERSED,	/* the same, in the total first */
	LINE_PER_CPU,	/* counts in a cell only, without the lock */
	LINE_UNLISTED,	/* as LINE_LOCKED, but the border does not know it */
};

/* Aligned as descriptors are: no two lines share a cache line. */
struct line {
	uint64_t total;
	uint32_t lock;
	uint8_t flow;		/* enum flow */
	bool per_cpu;		/* the status bit, which a per-CPU flow may lack */
	size_t cells;		/* where in each CPU's memory */
} __attribute__((aligned(128)));

/* What the collector is about to do when machine.step is called. */
enum step {
	STEP_CELL,
	STEP_TOTAL,
	STEP_QUIET,
	STEP_FLOW,
	STEP_BITS_READ,
	STEP_BIT_SET,
};

struct machine {
	unsigned int nr_cpus;
	bool total_is_64;	/* tot_count since 7.2 */
	bool text_zero_by_total;	/* the text since 7.2 */
	void (*step)(enum step step);	/* lets the machine run on inside a pass */
	uint64_t possible[MACHINE_MAX_CPUS / 64];
	char *memory[MACHINE_MAX_CPUS];
	void *map;
	size_t map_bytes;
};

extern struct machine machine;

/* All CPUs are possible at first. Each has @stride bytes, far from the others' if that is much. */
void machine_start(unsigned int nr_cpus, size_t stride);
void machine_stop(void);
void machine_cpu_remove(unsigned int cpu);

/* A new descriptor: everything 0, its cells included. */
void line_start(struct line *line, enum flow flow, size_t cells);

/* As so many interrupts would. */
void line_seed(struct line *line, unsigned int cpu, uint32_t count);

bool line_trylock(struct line *line);
void line_unlock(struct line *line);
void line_count_cell(struct line *line, unsigned int cpu);
void line_count_total(struct line *line);

/* One interrupt from begin to end. */
void line_interrupt(struct line *line, unsigned int cpu);

static inline uint32_t *line_cell(const struct line *line, unsigned int cpu)
{
	return (uint32_t *)(machine.memory[cpu] + line->cells);
}

static inline uint32_t line_cell_read(const struct line *line, unsigned int cpu)
{
	return __atomic_load_n(line_cell(line, cpu), __ATOMIC_RELAXED);
}

static inline uint64_t line_total_read(const struct line *line)
{
	return __atomic_load_n(&line->total, __ATOMIC_RELAXED);
}

/* Next possible CPU, machine.nr_cpus at the end. */
static inline unsigned int machine_cpu_next(int cpu)
{
	unsigned int next = cpu + 1;

	while (next < machine.nr_cpus) {
		uint64_t word = machine.possible[next / 64] >> next % 64;

		if (word)
			return next + __builtin_ctzll(word);
		next = (next | 63) + 1;
	}
	return machine.nr_cpus;
}

/* The benchmark does without steps: MACHINE_NO_STEPS. */
static inline void machine_step(enum step step)
{
#ifndef MACHINE_NO_STEPS
	if (machine.step)
		machine.step(step);
#else
	(void)step;
#endif
}

#endif /* MACHINE_H */
