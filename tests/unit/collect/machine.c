/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "machine.h"

struct machine machine;

void machine_start(unsigned int nr_cpus, size_t stride)
{
	unsigned int cpu;

	memset(&machine, 0, sizeof(machine));
	machine.nr_cpus = nr_cpus;
	machine.map_bytes = nr_cpus * stride;
	machine.map = mmap(NULL, machine.map_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (machine.map == MAP_FAILED)
		abort();
	madvise(machine.map, machine.map_bytes, MADV_NOHUGEPAGE);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		machine.memory[cpu] = (char *)machine.map + cpu * stride;
		machine.possible[cpu / 64] |= UINT64_C(1) << cpu % 64;
	}
}

void machine_stop(void)
{
	munmap(machine.map, machine.map_bytes);
	memset(&machine, 0, sizeof(machine));
}

void machine_cpu_remove(unsigned int cpu)
{
	machine.possible[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

void line_start(struct line *line, enum flow flow, size_t cells)
{
	unsigned int cpu;

	*line = (struct line){ .flow = flow, .cells = cells };
	for (cpu = 0; cpu < machine.nr_cpus; cpu++)
		__atomic_store_n(line_cell(line, cpu), 0, __ATOMIC_RELEASE);
}

static void total_add(struct line *line, uint32_t count)
{
	uint64_t total = line_total_read(line) + count;

	if (!machine.total_is_64)
		total = (uint32_t)total;
	__atomic_store_n(&line->total, total, __ATOMIC_RELEASE);
}

/* Only the CPU itself writes to its cells. */
static void count_add(struct line *line, unsigned int cpu, uint32_t count)
{
	__atomic_store_n(line_cell(line, cpu), line_cell_read(line, cpu) + count,
			 __ATOMIC_RELEASE);
}

void line_seed(struct line *line, unsigned int cpu, uint32_t count)
{
	count_add(line, cpu, count);
	if (line->flow != LINE_PER_CPU)
		total_add(line, count);
}

bool line_trylock(struct line *line)
{
	return !__atomic_exchange_n(&line->lock, 1, __ATOMIC_SEQ_CST);
}

void line_unlock(struct line *line)
{
	__atomic_store_n(&line->lock, 0, __ATOMIC_RELEASE);
}

void line_count_cell(struct line *line, unsigned int cpu)
{
	count_add(line, cpu, 1);
}

void line_count_total(struct line *line)
{
	total_add(line, 1);
}

void line_interrupt(struct line *line, unsigned int cpu)
{
	if (line->flow == LINE_PER_CPU) {
		line_count_cell(line, cpu);
		return;
	}
	while (!line_trylock(line))
		sched_yield();
	if (line->flow == LINE_REVERSED)
		line_count_total(line);
	line_count_cell(line, cpu);
	if (line->flow != LINE_REVERSED)
		line_count_total(line);
	line_unlock(line);
}
