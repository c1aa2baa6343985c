/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IRQBIN_LAYOUT_H
#define IRQBIN_LAYOUT_H

/* layout.c is also compiled in user space, where its unit tests are. */
#ifdef __KERNEL__
#include <linux/ctype.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "irqbin.h"
#else
#include "layout_user.h"
#endif

#define IRQBIN_CHIP_WIDTH_MIN	8

/* How the architecture's rows are set: learned once, they don't change. */
struct irqbin_arch_layout {
	bool known;
	char *tail[32];		/* by index in irqbin_arch_counters; NULL: no row */
};

int irqbin_layout_learn_arch(const char *text, const char *row, struct irqbin_arch_layout *arch);
void irqbin_layout_free_arch(struct irqbin_arch_layout *arch);
int irqbin_layout_learn(const char *text, const u64 *descs, const u64 *end,
			struct irqbin_layout *layout);

#endif /* IRQBIN_LAYOUT_H */
