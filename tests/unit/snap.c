/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "snap.h"

#define N_SNAPS 8

static struct snap *fresh(uint64_t seconds, uint64_t online,
			  enum irqstat_source source)
{
	static struct snap snaps[N_SNAPS];
	static size_t next;
	struct snap *s = &snaps[next++ % N_SNAPS];

	memset(s, 0, sizeof(*s));
	s->online[0] = online;
	s->pub.time_ns = seconds * 1000000000;
	s->pub.generation = 1;
	s->pub.generation_exact = true;
	s->pub.count_bits = 32;
	s->pub.nr_cpu_ids = SNAP_MAX_CPUS;
	s->pub.n_online = (uint32_t)__builtin_popcountll(online);
	s->pub.online = s->online;
	s->pub.rows = s->rows;
	s->pub.cpu = s->cpu;
	s->pub.count = s->count;
	s->pub.source = source;
	return s;
}

struct snap *snap_module(uint64_t seconds, uint64_t online)
{
	return fresh(seconds, online, IRQSTAT_SOURCE_MODULE);
}

struct snap *snap_text(uint64_t seconds, uint64_t online)
{
	return fresh(seconds, online, IRQSTAT_SOURCE_TEXT);
}

struct irqstat_row *snap_row(struct snap *s, unsigned int kind, uint32_t id,
			     const struct snap_cell *cells, size_t n)
{
	struct irqstat_row *row = &s->rows[s->pub.n_rows++];
	size_t i;

	ck_assert_uint_le(s->pub.n_rows, SNAP_MAX_ROWS);
	ck_assert_uint_le(s->pub.n_entries + n, SNAP_MAX_ENTRIES);
	row->kind = (uint16_t)kind;
	row->id = id;
	row->instance = s->pub.source == IRQSTAT_SOURCE_MODULE ? 100 : 0;
	row->first = (uint32_t)s->pub.n_entries;
	row->n = (uint32_t)n;
	for (i = 0; i < n; i++) {
		s->cpu[s->pub.n_entries] = cells[i].cpu;
		s->count[s->pub.n_entries++] = cells[i].count;
		row->total += cells[i].count;
	}
	return row;
}

struct irqstat_row *snap_irq(struct snap *s, uint32_t id,
			     const struct snap_cell *cells, size_t n)
{
	return snap_row(s, IRQSTAT_IRQ, id, cells, n);
}

struct irqstat_row *snap_x86(struct snap *s, uint32_t id,
			     const struct snap_cell *cells, size_t n)
{
	return snap_row(s, IRQSTAT_X86, id, cells, n);
}

static void *exact(const void *from, size_t size)
{
	void *copy = malloc(size);

	ck_assert(copy || !size);
	if (size)
		memcpy(copy, from, size);
	return copy;
}

struct irqstat_snapshot *snap_exact(const struct irqstat_snapshot *snap)
{
	struct irqstat_snapshot *copy = exact(snap, sizeof(*snap));

	copy->rows = exact(snap->rows, snap->n_rows * sizeof(*snap->rows));
	copy->cpu = exact(snap->cpu, snap->n_entries * sizeof(*snap->cpu));
	copy->count = exact(snap->count, snap->n_entries * sizeof(*snap->count));
	copy->online = exact(snap->online, (snap->nr_cpu_ids + 63) / 64 * 8);
	return copy;
}

void snap_exact_free(struct irqstat_snapshot *copy)
{
	if (!copy)
		return;
	free((void *)copy->rows);
	free((void *)copy->cpu);
	free((void *)copy->count);
	free((void *)copy->online);
	free(copy);
}

/* The index of an entry, or of the end of its row. */
static size_t find(const struct irqstat_snapshot *snap,
		   const struct irqstat_row *row, uint32_t cpu)
{
	uint32_t i = row->first;

	while (i < row->first + row->n && snap->cpu[i] != cpu)
		i++;
	return i;
}

uint64_t snap_count(const struct irqstat_snapshot *snap, unsigned int kind,
		    uint32_t id, uint32_t cpu)
{
	const struct irqstat_row *row = irqstat_snapshot_find(snap, kind, id);
	size_t i;

	if (!row)
		return UINT64_MAX;
	i = find(snap, row, cpu);
	return i < (size_t)row->first + row->n ? snap->count[i] : 0;
}

uint32_t snap_flags(const struct irqstat_snapshot *snap, unsigned int kind,
		    uint32_t id)
{
	const struct irqstat_row *row = irqstat_snapshot_find(snap, kind, id);

	return row ? row->flags : UINT32_MAX;
}

uint32_t snap_cell_flags(const struct irqstat_snapshot *snap, unsigned int kind,
			 uint32_t id, uint32_t cpu)
{
	const struct irqstat_row *row = irqstat_snapshot_find(snap, kind, id);
	size_t i;

	ck_assert_ptr_nonnull(row);
	i = find(snap, row, cpu);
	return i < (size_t)row->first + row->n ? snap->cell_flags[i] : 0;
}

static void check_row(const struct irqstat_snapshot *snap,
		      const struct irqstat_row *row, size_t first)
{
	uint64_t total = 0;
	uint32_t i;

	ck_assert_uint_eq(row->first, first);
	for (i = row->first; i < row->first + row->n; i++) {
		total += snap->count[i];
		ck_assert(snap->count[i] ||
			  (snap->cell_flags && snap->cell_flags[i]));
		ck_assert(snap->cpu[i] < snap->nr_cpu_ids ||
			  snap->cpu[i] == IRQSTAT_CPU_NONE);
		ck_assert(i == row->first || snap->cpu[i - 1] < snap->cpu[i]);
	}
	ck_assert_uint_eq(row->total, total);
}

void snap_check(const struct irqstat_snapshot *snap)
{
	size_t i, n_entries = 0;

	for (i = 0; i < snap->n_rows; i++) {
		const struct irqstat_row *row = &snap->rows[i];

		check_row(snap, row, n_entries);
		n_entries += row->n;
		ck_assert(!i || row[-1].kind < row->kind ||
			  (row[-1].kind == row->kind && row[-1].id < row->id));
	}
	ck_assert_uint_eq(snap->n_entries, n_entries);
}
