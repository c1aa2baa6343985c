/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the module offer each other. The data flows
 *
 *	table.c		the interrupts that exist, pinned
 *	arch_x86.c	the architecture counters
 *	  -> collect.c	one interrupt into one record
 *	  -> snapshot.c	a counter window, for one open
 *	  -> file.c	/proc/interrupts_bin
 *
 *	text.c		the kernel's own /proc/interrupts, read seldom
 *	layout.c	how it sets its rows
 *	  -> describe.c	one descriptor into one record
 *	  -> window.c	the descriptor window, built once for all opens
 *	  -> file.c
 *
 * with generation.c telling all of them when something has changed.
 */
#ifndef IRQBIN_IRQBIN_H
#define IRQBIN_IRQBIN_H

#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>

#include "collect.h"

/* Longest name taken over from a driver, in bytes. */
#define IRQBIN_NAME_MAX		4096

/* generation.c */
void irqbin_generation_init(void);
void irqbin_generation_exit(void);
u64 irqbin_generation(void);
u64 irqbin_generation_bump(void);
bool irqbin_generation_is_exact(void);

/* table.c */
struct irqbin_table {
	struct rcu_head rcu;
	struct work_struct work;
	u64 generation;
	u64 serial;		/* no two tables have the same */
	u64 checked_s;		/* when last compared with the kernel's, boot time */
	unsigned int n;
	struct irqbin_row *row[];	/* by rising number */
};

int irqbin_table_init(void);
void irqbin_table_exit(void);
u64 irqbin_instance_base(void);
int irqbin_table_update(bool nowait);
int irqbin_table_enter(void);
const struct irqbin_table *irqbin_table_current(void);
void irqbin_table_leave(int token);
bool irqbin_table_is_unchecked(void);
void irqbin_table_check(void);
u64 irqbin_table_lookups(void);

/* arch_x86.c */
enum irqbin_arch_source {
	IRQBIN_FROM_STAT,	/* irq_stat */
	IRQBIN_FROM_BTF,	/* a per-CPU variable found through BTF */
	IRQBIN_FROM_TEXT,	/* one count in the kernel's own text */
};

struct irqbin_arch_counter {
	u16 id;			/* IRQBIN_X86_* */
	u8 source;		/* enum irqbin_arch_source */
	bool once_counted;	/* the text shows it from its first event on */
	unsigned int offset;	/* in irq_stat */
	const char *label;
	const char *text;	/* empty: the row has one count and no text */
};

extern const struct irqbin_arch_counter irqbin_arch_counters[];
extern const unsigned int irqbin_arch_num;

void irqbin_arch_init(void);
int irqbin_arch_find(const char *row);
bool irqbin_arch_is_cached(unsigned int i);
bool irqbin_arch_any_cached(void);
bool irqbin_arch_guess(unsigned int i, unsigned int cpu, u32 *count);
void irqbin_arch_check(unsigned int i, unsigned int cpu, u32 before, u32 count);
size_t irqbin_arch_scratch_size(void);
size_t irqbin_arch_words_max(void);
unsigned int irqbin_arch_collect(struct irqbin_out *out, u64 *blocks);

/* btf.c */
int irqbin_btf_find(const char *const name[], unsigned int n, u32 offset[]);

/* text.c */
void irqbin_text_init(void);
void irqbin_text_exit(void);
int irqbin_text_read(size_t limit, char **text, char **arch);
void irqbin_text_counters_refresh(void);
u64 irqbin_text_counters_age_ns(void);
bool irqbin_text_counters_moved(void);
bool irqbin_text_counter_put(struct irqbin_out *out, unsigned int i);

/* snapshot.c */
struct irqbin_marks {
	struct irqbin_mark *mark;	/* by rising interrupt */
	unsigned int n;
	unsigned int max;
	u64 table;			/* serial of the one that they are of */
};

struct irqbin_snapshot {
	struct irqbin_out out[2];
	unsigned int shown;		/* the one being served */
	struct irqbin_marks marks[2];	/* of its records; the other is for the next table */
	unsigned int marked;
	u64 *arch;			/* scratch of arch_x86.c */
	u32 *cells;			/* scratch of the verification */
	u64 taken_s;
	u64 sequence;			/* 0: none taken yet */
};

void *irqbin_alloc(size_t bytes, bool nowait);
int irqbin_snapshot_init(void);
void irqbin_snapshot_exit(void);
int irqbin_snapshot_take(struct irqbin_snapshot *snap, bool nowait);
void irqbin_snapshot_free(struct irqbin_snapshot *snap);
void irqbin_header_set(struct irqbin_out *out, u16 window, u32 flags, u64 sequence,
		       u64 generation, u64 start_ns, unsigned int online);

/* describe.c */
struct irqbin_arch_layout;	/* layout.h */

int irqbin_describe_init(void);
void irqbin_describe_exit(void);
int irqbin_row_describe(struct irqbin_out *out, const struct irqbin_row *row);
int irqbin_arch_describe(struct irqbin_out *out, unsigned int i,
			 const struct irqbin_arch_layout *layout);

/* window.c */
struct irqbin_window {
	refcount_t refs;
	u64 generation;
	u64 built_s;
	size_t bytes;
	u64 word[];
};

int irqbin_window_init(void);
void irqbin_window_exit(void);
void irqbin_window_check(void);
void irqbin_window_kick(void);
struct irqbin_window *irqbin_window_get(bool nowait);
void irqbin_window_put(struct irqbin_window *window);
bool irqbin_layout_is_unknown(void);
bool irqbin_out_reserve(struct irqbin_out *out, size_t words);

/* file.c */
int irqbin_file_check(void);
int irqbin_file_init(void);
void irqbin_file_exit(void);

#endif /* IRQBIN_IRQBIN_H */
