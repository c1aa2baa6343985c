// SPDX-License-Identifier: GPL-2.0-only
/*
 * A counter window for one open. There are two buffers: the one being served,
 * and the one that the next snapshot is written to, which takes over from the
 * first the records that did not change. In steady state nothing is allocated.
 *
 * interrupts_bin(4) says how much memory that is.
 */
#include <linux/debugfs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "irqbin.h"

#define HEADER_WORDS	(sizeof(struct irqbin_header) / sizeof(u64))
#define WINDOW_WORDS	(IRQBIN_DESC_OFFSET / sizeof(u64))

/* Cells, if all have to be read, between two chances for others to run. */
#define CELLS_BATCH	(64U << 10)

/* What goes into a record's n_words. */
static_assert(CONFIG_NR_CPUS + 1 <= U16_MAX);
static_assert(sizeof(struct irqbin_header) == 128);
static_assert(sizeof(struct irqbin_record) == sizeof(u64));
static_assert(sizeof(struct irqbin_count) == sizeof(u64));

static bool verify;
module_param(verify, bool, 0644);
MODULE_PARM_DESC(verify, "check every snapshot against a full scan; see debugfs interrupts_bin/stats");

/* Sums over all opens, for debugfs. */
struct stats {
	u64 passes;
	u64 irqs;
	u64 arch_cells;
	struct irqbin_cost cost;
};

static struct stats __percpu *stats;

/* Words of the largest window so far: what a new open starts with. */
static size_t size_hint;

static struct dentry *debug_dir;

static gfp_t gfp_of(bool nowait)
{
	return nowait ? GFP_NOWAIT | __GFP_NOWARN | __GFP_ACCOUNT : GFP_KERNEL_ACCOUNT;
}

/*
 * What an open needs, at the expense of who reads it; to be freed with kvfree(). A page
 * or less is had without waiting, if at all.
 */
void *irqbin_alloc(size_t bytes, bool nowait)
{
	return nowait ? kmalloc(bytes, gfp_of(true)) : kvmalloc(bytes, gfp_of(false));
}

/* Makes room for @words more. */
static int reserve(struct irqbin_out *out, size_t words, bool nowait)
{
	size_t size = max(out->used + out->used / 2 + words, READ_ONCE(size_hint));
	u64 *larger;

	if (out->used + words > WINDOW_WORDS)
		return -ENOMEM;
	if (words <= out->size - out->used)
		return 0;
	larger = irqbin_alloc(size * sizeof(u64), nowait);
	if (!larger)
		return nowait ? -EAGAIN : -ENOMEM;
	if (out->word)
		memcpy(larger, out->word, out->used * sizeof(u64));
	kvfree(out->word);
	out->word = larger;
	out->size = size;
	return 0;
}

static int marks_reserve(struct irqbin_marks *marks, unsigned int num, bool nowait)
{
	struct irqbin_mark *larger;

	marks->n = 0;
	if (num <= marks->max)
		return 0;
	num += num / 4;
	larger = irqbin_alloc(num * sizeof(*larger), nowait);
	if (!larger)
		return nowait ? -EAGAIN : -ENOMEM;
	kvfree(marks->mark);
	marks->mark = larger;
	marks->max = num;
	return 0;
}

/*
 * What is remembered, and where to write what will be: to the same place if it is of
 * the same rows. A pass that fails in the middle then leaves nothing remembered.
 */
static int marks_begin(struct irqbin_snapshot *snap, const struct irqbin_table *table,
		       struct irqbin_pass *pass, bool nowait)
{
	struct irqbin_marks *marks = &snap->marks[snap->marked];
	int err;

	pass->old_marks = marks->mark;
	if (pass->now_s - snap->taken_s < IRQBIN_PROOF_VALID_S)
		pass->n_old_marks = marks->n;
	if (marks->table != table->serial) {
		marks = &snap->marks[!snap->marked];
		err = marks_reserve(marks, table->n, nowait);
		if (err)
			return err;
		marks->table = table->serial;
	}
	marks->n = 0;
	pass->marks = marks->mark;
	return 0;
}

/* All rows were done: these marks are of the snapshot that is shown from now on. */
static void marks_end(struct irqbin_snapshot *snap, const struct irqbin_table *table)
{
	if (snap->marks[snap->marked].table != table->serial)
		snap->marked = !snap->marked;
	snap->marks[snap->marked].n = table->n;
}

static int scratch_reserve(struct irqbin_snapshot *snap, bool nowait)
{
	const bool verified = READ_ONCE(verify);

	if (!snap->arch) {
		snap->arch = irqbin_alloc(irqbin_arch_scratch_size(), nowait);
		if (snap->arch)
			memset(snap->arch, 0, irqbin_arch_scratch_size());
	}
	if (!snap->cells && verified)
		snap->cells = irqbin_alloc(nr_cpu_ids * sizeof(u32), nowait);
	if (snap->arch && (snap->cells || !verified))
		return 0;
	return nowait ? -EAGAIN : -ENOMEM;
}

/**
 * irqbin_header_set - end a window and fill in its header
 * @out: the window; it has room for the two words of the END record
 * @window: IRQBIN_WINDOW_*
 * @flags: IRQBIN_F_*
 * @sequence: of this window
 * @generation: of the interrupts that it shows
 * @start_ns: boot time at its begin
 * @online: number of online CPUs
 */
void irqbin_header_set(struct irqbin_out *out, u16 window, u32 flags, u64 sequence,
		       u64 generation, u64 start_ns, unsigned int online)
{
	const size_t at = out->used;
	struct irqbin_header header = {
		.magic = IRQBIN_MAGIC,
		.version_major = IRQBIN_VERSION_MAJOR,
		.version_minor = IRQBIN_VERSION_MINOR,
		.header_words = HEADER_WORDS,
		.window = window,
		.flags = flags | IRQBIN_F_COUNTS_32,
		.sequence = sequence,
		.generation = generation,
		.time_ns = start_ns,
		.instance_base = irqbin_instance_base(),
		.desc_offset = IRQBIN_DESC_OFFSET,
		.nr_cpu_ids = nr_cpu_ids,
		.nr_cpus_online = online,
	};

	irqbin_record_begin(out, IRQBIN_REC_END, 0);
	irqbin_record_add(out, sequence);
	irqbin_record_end(out, at, 0);
	header.window_bytes = out->used * sizeof(u64);
	header.n_records = out->n_records;
	if (!irqbin_generation_is_exact())
		header.flags |= IRQBIN_F_GENERATION_INEXACT;
	header.duration_ns = ktime_get_boottime_ns() - start_ns;
	memcpy(out->word, &header, sizeof(header));
}

/* The CPUs online now; all that is said of them in this window is from here. */
static unsigned int online_put(struct irqbin_out *out)
{
	const size_t at = out->used;
	unsigned long *bits;

	irqbin_record_begin(out, IRQBIN_REC_ONLINE, 0);
	bits = (unsigned long *)&out->word[out->used];
	bitmap_copy_clear_tail(bits, cpumask_bits(cpu_online_mask), nr_cpu_ids);
	out->used += BITS_TO_LONGS(nr_cpu_ids);
	irqbin_record_end(out, at, 0);
	return bitmap_weight(bits, nr_cpu_ids);
}

static int rows_put(struct irqbin_snapshot *snap, const struct irqbin_table *table,
		    struct irqbin_pass *pass, bool nowait)
{
	const size_t room = irqbin_record_max(pass->nr_cpus);
	const unsigned int batch = max(CELLS_BATCH / pass->nr_cpus, 1U);
	unsigned int i = 0;
	int err;

	pass->old = snap->out[snap->shown].word;
	if (READ_ONCE(verify))
		pass->cells = snap->cells;

	while (i < table->n) {
		err = reserve(pass->out, room, nowait);
		if (err)
			return err;
		i += irqbin_rows_collect(pass, table->row + i, min(table->n - i, batch));
		cond_resched();
	}
	return 0;
}

static void stats_add(const struct irqbin_cost *cost, unsigned int irqs, unsigned int arch_cells)
{
	this_cpu_inc(stats->passes);
	this_cpu_add(stats->irqs, irqs);
	this_cpu_add(stats->arch_cells, arch_cells);
	this_cpu_add(stats->cost.cells, cost->cells);
	this_cpu_add(stats->cost.scans, cost->scans);
	this_cpu_add(stats->cost.copies, cost->copies);
	this_cpu_add(stats->cost.checked, cost->checked);
	this_cpu_add(stats->cost.mismatches, cost->mismatches);
	this_cpu_add(stats->cost.in_flight, cost->in_flight);
}

/* Collects from @table into the buffer that is not being served. */
static int take(struct irqbin_snapshot *snap, const struct irqbin_table *table, u64 start_ns,
		bool nowait)
{
	struct irqbin_out *out = &snap->out[!snap->shown];
	struct irqbin_pass pass = {
		.nr_cpus = nr_cpu_ids,
		.instance_base = irqbin_instance_base(),
		.now_s = irqbin_now_s(),
		.out = out,
	};
	unsigned int online, arch_cells;
	u32 flags = irqbin_layout_is_unknown() ? IRQBIN_F_LAYOUT_UNKNOWN : 0;
	int err;

	out->used = 0;
	out->n_records = 0;
	err = scratch_reserve(snap, nowait) ?: marks_begin(snap, table, &pass, nowait) ?:
	      reserve(out, HEADER_WORDS + 1 + BITS_TO_LONGS(nr_cpu_ids), nowait);
	if (err)
		return err;
	out->used = HEADER_WORDS;
	online = online_put(out);
	err = rows_put(snap, table, &pass, nowait) ?:
	      reserve(out, irqbin_arch_words_max() + 2, nowait);
	if (err)
		return err;
	arch_cells = irqbin_arch_collect(out, snap->arch);
	irqbin_header_set(out, IRQBIN_WINDOW_COUNTERS, flags, ++snap->sequence,
			  table->generation, start_ns, online);
	if (out->size > READ_ONCE(size_hint))
		WRITE_ONCE(size_hint, out->size);
	marks_end(snap, table);
	snap->taken_s = pass.now_s;
	snap->shown = !snap->shown;
	stats_add(&pass.cost, table->n, arch_cells);
	return 0;
}

/**
 * irqbin_snapshot_take - take a new snapshot of the counters
 * @snap: where to; what it held before stays if this fails
 * @nowait: fail with -EAGAIN instead of waiting
 *
 * Return: 0, -ENOMEM, -EAGAIN or -ERESTARTSYS
 */
int irqbin_snapshot_take(struct irqbin_snapshot *snap, bool nowait)
{
	const u64 start_ns = ktime_get_boottime_ns();
	int token, err;

	irqbin_window_check();
	err = irqbin_table_update(nowait);
	if (err == -EAGAIN)
		irqbin_window_kick();
	if (err)
		return err;
	token = irqbin_table_enter();
	err = take(snap, irqbin_table_current(), start_ns, nowait);
	irqbin_table_leave(token);
	return err;
}

void irqbin_snapshot_free(struct irqbin_snapshot *snap)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(snap->out); i++) {
		kvfree(snap->out[i].word);
		kvfree(snap->marks[i].mark);
	}
	kvfree(snap->arch);
	kvfree(snap->cells);
}

static int stats_show(struct seq_file *seq, void *unused)
{
	struct stats sum = { };
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct stats *s = per_cpu_ptr(stats, cpu);

		sum.passes += s->passes;
		sum.irqs += s->irqs;
		sum.arch_cells += s->arch_cells;
		sum.cost.cells += s->cost.cells;
		sum.cost.scans += s->cost.scans;
		sum.cost.copies += s->cost.copies;
		sum.cost.checked += s->cost.checked;
		sum.cost.mismatches += s->cost.mismatches;
		sum.cost.in_flight += s->cost.in_flight;
	}
	seq_printf(seq, "snapshots %llu\n", sum.passes);
	seq_printf(seq, "irqs %llu\n", sum.irqs);
	seq_printf(seq, "lookups %llu\n", irqbin_table_lookups());
	seq_printf(seq, "cells %llu\n", sum.cost.cells);
	seq_printf(seq, "arch_cells %llu\n", sum.arch_cells);
	seq_printf(seq, "scans %llu\n", sum.cost.scans);
	seq_printf(seq, "copies %llu\n", sum.cost.copies);
	seq_printf(seq, "verified %llu\n", sum.cost.checked);
	seq_printf(seq, "mismatches %llu\n", sum.cost.mismatches);
	seq_printf(seq, "in_flight %llu\n", sum.cost.in_flight);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

int irqbin_snapshot_init(void)
{
	stats = alloc_percpu(struct stats);
	if (!stats)
		return -ENOMEM;
	debug_dir = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("stats", 0400, debug_dir, NULL, &stats_fops);
	return 0;
}

void irqbin_snapshot_exit(void)
{
	debugfs_remove_recursive(debug_dir);
	free_percpu(stats);
}
