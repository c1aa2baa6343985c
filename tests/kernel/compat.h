/* SPDX-License-Identifier: GPL-2.0-only */
/* All that irqload knows about kernel versions: see kernel/compat.h of the module. */
#ifndef IRQLOAD_COMPAT_H
#define IRQLOAD_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/percpu.h>
#include <linux/version.h>

/* 6.10: struct irqstat around the counter of a CPU. */
static inline unsigned int *irqload_cell(const struct irq_desc *desc, unsigned int cpu)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
	return &per_cpu_ptr(desc->kstat_irqs, cpu)->cnt;
#else
	return per_cpu_ptr(desc->kstat_irqs, cpu);
#endif
}

/* 6.13: hrtimer_setup() in place of hrtimer_init() and an assignment. */
static inline void irqload_timer_setup(struct hrtimer *timer,
				       enum hrtimer_restart (*fn)(struct hrtimer *timer))
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = fn;
#endif
}

#endif /* IRQLOAD_COMPAT_H */
