/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Sums by number: every count is added where its CPU's number says, and those
 * places that have something are then listed.
 */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "sums.h"
#include "topology.h"

struct irqstat_adder *irqstat_adder_new(void)
{
	return calloc(1, sizeof(struct irqstat_adder));
}

void irqstat_adder_free(struct irqstat_adder *adder)
{
	if (!adder)
		return;
	free(adder->cpus.sums);
	free(adder->nodes.sums);
	by_name_free(&adder->actions);
	by_name_free(&adder->labels);
	free(adder->counts);
	free(adder);
}

static int reserve_counts(struct irqstat_adder *adder, size_t n)
{
	uint64_t *counts;

	if (n > adder->counts_cap) {
		counts = realloc(adder->counts, n * sizeof(*counts));
		if (!counts)
			return -1;
		adder->counts = counts;
		adder->counts_cap = n;
	}
	memset(adder->counts, 0, n * sizeof(*counts));
	return 0;
}

/* The sums returned before stay if this fails. */
static int reserve_sums(struct by_number *by, size_t n)
{
	struct irqstat_sum *sums;

	if (n <= by->cap)
		return 0;
	sums = malloc(n * sizeof(*sums));
	if (!sums)
		return -1;
	free(by->sums);
	by->sums = sums;
	by->cap = n;
	return 0;
}

static void put_sum(struct by_number *by, uint32_t id, uint64_t count)
{
	by->sums[by->pub.n_sums++] =
		(struct irqstat_sum){ .id = id, .count = count };
	by->pub.total += count;
}

static void begin(struct by_number *by)
{
	by->pub.sums = by->sums;
	by->pub.n_sums = 0;
	by->pub.total = 0;
}

/* counts[] by CPU; the last is of IRQSTAT_CPU_NONE. */
static int add_cells(struct irqstat_adder *adder,
		     const struct irqstat_snapshot *snap)
{
	const size_t none = snap->nr_cpu_ids;
	uint64_t *counts;
	size_t i;
	uint32_t j;

	if (reserve_counts(adder, none + 1))
		return -1;
	counts = adder->counts;
	for (i = 0; i < snap->n_rows; i++) {
		const struct irqstat_row *row = &snap->rows[i];

		if (row->flags & IRQSTAT_ROW_AGGREGATE)
			continue;
		for (j = row->first; j < row->first + row->n; j++)
			counts[snap->cpu[j] < none ? snap->cpu[j] : none] +=
				snap->count[j];
	}
	return 0;
}

const struct irqstat_sums *irqstat_sums_by_cpu(struct irqstat_adder *adder,
					       const struct irqstat_snapshot *snap)
{
	struct by_number *by = &adder->cpus;
	uint32_t cpu, none = snap->nr_cpu_ids;

	if (add_cells(adder, snap) || reserve_sums(by, (size_t)none + 1))
		return NULL;
	begin(by);
	for (cpu = 0; cpu < none; cpu++) {
		if (adder->counts[cpu] || irqstat_snapshot_is_online(snap, cpu))
			put_sum(by, cpu, adder->counts[cpu]);
	}
	if (adder->counts[none])
		put_sum(by, IRQSTAT_CPU_NONE, adder->counts[none]);
	return &by->pub;
}

static struct irqstat_sum *find_node(struct by_number *by, uint32_t node)
{
	size_t lo = 0, hi = by->pub.n_sums - 1;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (by->sums[mid].id < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &by->sums[lo];
}

const struct irqstat_sums *
irqstat_sums_by_node(struct irqstat_adder *adder,
		     const struct irqstat_snapshot *snap,
		     const struct irqstat_topology *topology)
{
	struct by_number *by = &adder->nodes;
	uint32_t cpu;
	size_t i;

	if (add_cells(adder, snap) || reserve_sums(by, topology->n_nodes + 1))
		return NULL;
	begin(by);
	for (i = 0; i < topology->n_nodes; i++)
		put_sum(by, topology->nodes[i], 0);
	put_sum(by, IRQSTAT_NODE_NONE, 0);
	for (cpu = 0; cpu <= snap->nr_cpu_ids; cpu++) {
		uint64_t count = adder->counts[cpu];

		find_node(by, cpu < snap->nr_cpu_ids ?
			      irqstat_topology_node(topology, cpu) :
			      IRQSTAT_NODE_NONE)->count += count;
		by->pub.total += count;
	}
	if (!by->sums[topology->n_nodes].count)
		by->pub.n_sums--;
	return &by->pub;
}
