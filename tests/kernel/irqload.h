/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * irqload: interrupts that no device raises, for tests and measurements.
 *
 *	line.c		one interrupt: its descriptor, chip, actions and counts
 *	seed.c		many of them, counted like those of a real machine
 *	fire.c		raises them, on every CPU at a rate
 *	churn.c		requests, releases, moves and replaces them at a rate
 *	control.c	does single things on command
 */
#ifndef IRQLOAD_H
#define IRQLOAD_H

#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

#include "compat.h"

#define IRQLOAD_LINES_MAX	16384
#define IRQLOAD_CPU_ANY		(-1)

/* line.c */
struct irqload_flow {
	const char *name;
	irq_flow_handler_t handler;
	unsigned int status;	/* IRQ_* */
	unsigned long request;	/* IRQF_* */
	bool total;		/* keeps one */
	bool chained;
};

struct irqload_line {
	struct rcu_head rcu;
	raw_spinlock_t lock;		/* held while it is fired */
	bool live;			/* may be fired */
	int cpu;			/* where it is fired, or IRQLOAD_CPU_ANY */
	unsigned int irq;
	unsigned int slot;
	struct irq_desc *desc;
	const struct irqload_flow *flow;
	struct list_head actions;
	unsigned int n_actions;
	bool mapped;			/* it has a hwirq */
	bool still;			/* is not fired by timers */
	bool extra;			/* came by churn, goes by churn */
};

typedef void (*irqload_print_t)(struct irq_data *data, struct seq_file *seq);

/* What irqload_line_new() makes; names may be NULL. */
struct irqload_recipe {
	int irq;			/* the number, or -1 for any */
	unsigned int from;		/* the lowest, for any */
	const struct irqload_flow *flow;
	const char *flow_name;
	const char *chip;
	bool chip_none;			/* no chip at all */
	irqload_print_t chip_print;	/* the chip prints itself */
	bool has_hwirq;
	unsigned long hwirq;
	unsigned int trigger;		/* IRQ_TYPE_* */
	bool hidden;
	bool still;
	bool extra;
	int cpu;
};

extern struct mutex irqload_mutex;

/* Read under RCU, or the mutex; the first irqload_num_slots() may be set. */
extern struct irqload_line __rcu *irqload_lines[IRQLOAD_LINES_MAX];

int irqload_line_init(void);
void irqload_line_exit(void);
unsigned int irqload_num_slots(void);
const struct irqload_flow *irqload_flow_find(const char *name);
struct irqload_line *irqload_line_new(const struct irqload_recipe *recipe);
void irqload_line_free(struct irqload_line *line);
struct irqload_line *irqload_line_at(unsigned int slot);
struct irqload_line *irqload_line_find(unsigned int irq);
void irqload_line_start(struct irqload_line *line);
int irqload_line_request(struct irqload_line *line, const char *name, size_t room);
int irqload_line_release(struct irqload_line *line);
int irqload_line_rename(struct irqload_line *line, const char *name);
void irqload_print(struct irq_data *data, struct seq_file *seq);
void irqload_print_fickle(struct irq_data *data, struct seq_file *seq);
int irqload_line_set_chip(struct irqload_line *line, const char *name, irqload_print_t print);
int irqload_line_remap(struct irqload_line *line, const char *name);
int irqload_line_set_flow(struct irqload_line *line, const struct irqload_flow *flow,
			  const char *name);
void irqload_line_count(struct irqload_line *line, unsigned int cpu, u32 count, bool in_total);
void irqload_line_move(struct irqload_line *line, int cpu);

/* seed.c */
int irqload_seed(void);
u32 irqload_random(u32 below);
unsigned int irqload_random_cpu(void);

/* fire.c */
int irqload_fire_init(void);
void irqload_fire_exit(void);
void irqload_fire_update(unsigned int rate);
int irqload_fire(struct irqload_line *line, unsigned int cpu, unsigned int times);

/* churn.c: how many of each in a second */
struct irqload_rates {
	unsigned int lines;
	unsigned int actions;
	unsigned int moves;
};

int irqload_churn_init(void);
void irqload_churn_exit(void);
void irqload_churn_update(const struct irqload_rates *rates);

/* control.c */
void irqload_control_init(void);
void irqload_control_exit(void);

#endif /* IRQLOAD_H */
