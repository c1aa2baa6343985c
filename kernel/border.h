/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The border between the collector and the kernel: where an interrupt's counters
 * are and how they are read. collect.c is also compiled in user space, against
 * border_user.h of the unit tests, which has the same names.
 *
 * None of this takes a lock. The descriptor behind a line is pinned by whoever
 * holds the row (table.c).
 */
#ifndef IRQBIN_BORDER_H
#define IRQBIN_BORDER_H

#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include <linux/types.h>

#include <linux/interrupts_bin.h>

#include "compat.h"

struct irqbin_line {
	struct irq_desc *desc;
	irq_flow_handler_t kept_by;	/* a flow handler seen to keep the total */
};

static inline u32 irqbin_line_cell(const struct irqbin_line *line, unsigned int cpu)
{
	return irqbin_desc_cell(line->desc, cpu);
}

static inline u64 irqbin_line_total(const struct irqbin_line *line)
{
	return READ_ONCE(line->desc->tot_count);
}

/*
 * Whether tot_count follows the cells. It does for the flow handlers listed, the
 * last of which counts neither. It does not for per-CPU ones, and of others we
 * can't know. handle_bad_irq() counts in both, but without the lock: once it has,
 * the total proves nothing.
 */
static inline bool irqbin_line_keeps_total(struct irqbin_line *line)
{
	irq_flow_handler_t flow = READ_ONCE(line->desc->handle_irq);

	if (READ_ONCE(line->desc->status_use_accessors) & (IRQ_PER_CPU | IRQ_PER_CPU_DEVID))
		return false;
	if (likely(flow == READ_ONCE(line->kept_by)))
		return true;
	if (flow == handle_bad_irq)
		return !irqbin_line_total(line);
	if (flow != handle_edge_irq && flow != handle_fasteoi_irq && flow != handle_level_irq &&
	    flow != handle_simple_irq && flow != handle_untracked_irq)
		return false;
	WRITE_ONCE(line->kept_by, flow);
	return true;
}

/*
 * The flow handlers count in a cell and in the total under the descriptor's
 * lock. Seen free, after the cells were read: no cell read had an increment
 * whose other half is still to come.
 */
static inline bool irqbin_line_is_quiet(const struct irqbin_line *line)
{
	return !raw_spin_is_locked(&line->desc->lock);
}

/* Whether the kernel's own text prints the counts, not zeros. */
static inline bool irqbin_line_text_counts(const struct irqbin_line *line)
{
#ifdef IRQBIN_TEXT_ZERO_BY_TOTAL
	return irqbin_line_total(line) ||
	       READ_ONCE(line->desc->status_use_accessors) & (IRQ_PER_CPU | IRQ_PER_CPU_DEVID);
#else
	return true;
#endif
}

/* Next possible CPU after @cpu (-1: the first), nr_cpu_ids or more at the end. */
static inline unsigned int irqbin_cpu_next(int cpu)
{
	return cpumask_next(cpu, cpu_possible_mask);
}

/* Seconds since boot. */
static inline u64 irqbin_now_s(void)
{
	return ktime_get_boottime_seconds();
}

/* Orders two reads of counters. */
static inline void irqbin_read_barrier(void)
{
	/* The writer is a flow handler: cell, then total, then unlock. */
	smp_rmb();
}

/* A plain loop, which the compiler does not make a memcpy() of: it is for a few words as a rule. */
static inline void irqbin_words_copy(u64 *to, const u64 *from, size_t num)
{
	while (num--)
		WRITE_ONCE(*to++, *from++);
}

static inline unsigned long irqbin_bits_read(const unsigned long *word)
{
	return READ_ONCE(*word);
}

static inline void irqbin_bit_set(unsigned int bit, unsigned long *words)
{
	set_bit(bit, words);
}

#endif /* IRQBIN_BORDER_H */
