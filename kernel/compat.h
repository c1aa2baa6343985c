/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that this module knows about kernel versions. The other files are written
 * for the newest kernel; here the older ones are made to look like it. Each
 * block names the change in the mainline and what it is for.
 *
 * Kbuild includes this in front of every file, so that a kernel which it is not for
 * stops at the first line, and not somewhere in its headers.
 */
#ifndef IRQBIN_COMPAT_H
#define IRQBIN_COMPAT_H

#include <linux/version.h>

#ifndef CONFIG_X86_64
#error "interrupts_bin is for x86-64"
#endif
#ifndef CONFIG_SPARSE_IRQ
#error "interrupts_bin needs CONFIG_SPARSE_IRQ"
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0)
#error "interrupts_bin needs Linux 5.10 or later"
#endif

#include <linux/fs.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/mount.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <asm/hardirq.h>

#include <linux/interrupts_bin.h>

/*
 * 7.2: "x86/irq: Make irqstats array based": irq_stat.counts[], which also took
 * in MCE, MCP, ERR and MIS. Before, named members and four counters elsewhere.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#define IRQBIN_HAVE_STAT_ARRAY 1
#endif

/* 6.9: CONFIG_HAVE_KVM gave way to CONFIG_KVM. */
#if defined(CONFIG_HAVE_KVM) || IS_ENABLED(CONFIG_KVM)
#define IRQBIN_HAVE_POSTED_INTR 1
#endif

/* 6.13: the variable nr_irqs became private. */
static inline unsigned int irqbin_nr_irqs(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	return irq_get_nr_irqs();
#else
	return nr_irqs;
#endif
}

/* 6.10: struct irqstat around the counter of a CPU. */
static inline u32 irqbin_desc_cell(const struct irq_desc *desc, unsigned int cpu)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
	return READ_ONCE(per_cpu_ptr(desc->kstat_irqs, cpu)->cnt);
#else
	return READ_ONCE(*per_cpu_ptr(desc->kstat_irqs, cpu));
#endif
}

/* 7.2: the text prints zeros for a line whose total is 0, whatever its cells. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#define IRQBIN_TEXT_ZERO_BY_TOTAL 1
#endif

/*
 * What the text shows: from 7.2 on the lines that the core has flagged; before,
 * those with an action that is not a chained handler's; and before 6.10 also all
 * that are not hidden and have counts. Returns IRQBIN_DESC_SHOWN* or 0.
 */
static inline u32 irqbin_text_shows(const struct irq_desc *desc, bool chained)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
	return desc->status_use_accessors & IRQ_RESERVED ? IRQBIN_DESC_SHOWN : 0;
#else
	if (desc->status_use_accessors & IRQ_HIDDEN)
		return 0;
	if (desc->action && !chained)
		return IRQBIN_DESC_SHOWN;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
	return IRQBIN_DESC_SHOWN_ONLINE;
#else
	return 0;
#endif
#endif
}

/* 5.16: the hwirq is printed as what it is, an unsigned long. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0)
#define IRQBIN_TEXT_HWIRQ_INT 1
#endif

/* 5.13: file_open_root_mnt(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 13, 0)
static inline struct file *file_open_root_mnt(struct vfsmount *mnt, const char *name, int flags,
					      umode_t mode)
{
	return file_open_root(mnt->mnt_root, mnt, name, flags, mode);
}
#endif

#endif /* IRQBIN_COMPAT_H */
