/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The border between the collector and a machine in user space: the names of
 * kernel/border.h over machine.h.
 */
#ifndef BORDER_USER_H
#define BORDER_USER_H

#include <string.h>

#include <linux/interrupts_bin.h>

#include "machine.h"

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define noinline __attribute__((noinline))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)

struct irqbin_line {
	struct line *line;
};

static inline u32 irqbin_line_cell(const struct irqbin_line *line, unsigned int cpu)
{
	machine_step(STEP_CELL);
	return line_cell_read(line->line, cpu);
}

static inline u64 irqbin_line_total(const struct irqbin_line *line)
{
	machine_step(STEP_TOTAL);
	return line_total_read(line->line);
}

static inline bool irqbin_line_keeps_total(const struct irqbin_line *line)
{
	u8 flow;

	machine_step(STEP_FLOW);
	flow = READ_ONCE(line->line->flow);
	return !READ_ONCE(line->line->per_cpu) && (flow == LINE_LOCKED || flow == LINE_REVERSED);
}

static inline bool irqbin_line_is_quiet(const struct irqbin_line *line)
{
	machine_step(STEP_QUIET);
	return !READ_ONCE(line->line->lock);
}

static inline bool irqbin_line_text_counts(const struct irqbin_line *line)
{
	return !machine.text_zero_by_total || READ_ONCE(line->line->per_cpu) ||
	       line_total_read(line->line);
}

static inline unsigned int irqbin_cpu_next(int cpu)
{
	return machine_cpu_next(cpu);
}

/*
 * TSan does not know fences, and needs none to find what it looks for: all that
 * is shared is atomic. What is left is the order in which the compiler reads.
 */
static inline void irqbin_read_barrier(void)
{
#if defined(__SANITIZE_THREAD__)
	__atomic_signal_fence(__ATOMIC_ACQUIRE);
#else
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

static inline void irqbin_words_copy(u64 *to, const u64 *from, size_t num)
{
	while (num--)
		*to++ = *from++;
}

static inline unsigned long irqbin_bits_read(const unsigned long *word)
{
	machine_step(STEP_BITS_READ);
	return READ_ONCE(*word);
}

static inline void irqbin_bit_set(unsigned int bit, unsigned long *words)
{
	const unsigned int width = 8 * sizeof(*words);

	machine_step(STEP_BIT_SET);
	__atomic_fetch_or(&words[bit / width], 1UL << bit % width, __ATOMIC_SEQ_CST);
}

#endif /* BORDER_USER_H */
