/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What kernel/layout.c takes of the kernel and of the module, in user space. */
#ifndef LAYOUT_USER_H
#define LAYOUT_USER_H

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <linux/interrupts_bin.h>

typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define max_t(type, a, b)	((type)(a) > (type)(b) ? (type)(a) : (type)(b))

#define IRQBIN_NAME_MAX		4096

#define GFP_KERNEL		0
#define kvmalloc(size, flags)	malloc(size)
#define kvfree(memory)		free(memory)
#define kfree(memory)		free(memory)
#define kstrndup(string, len, flags)	strndup(string, len)

static inline const char *skip_spaces(const char *string)
{
	return string + strspn(string, " ");
}

struct irqbin_arch_counter {
	const char *label;
	const char *text;	/* empty: the row has one count and no text */
};

extern const struct irqbin_arch_counter irqbin_arch_counters[];

int irqbin_arch_find(const char *row);

#endif /* LAYOUT_USER_H */
