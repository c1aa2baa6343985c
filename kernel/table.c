// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of the interrupts that exist, by rising number: looking up every
 * possible number on each read would cost more than reading the counters.
 *
 * A row pins its descriptor by a reference on the descriptor's kobject. While
 * pinned, the descriptor and its counters stay, even when the kernel has freed
 * the interrupt, and no other descriptor can come to stand at its address: a
 * changed address is a changed instance. Nothing but counters is read from a
 * descriptor on these grounds; names are looked at by describe.c, in other ways.
 *
 * Readers use the current table under SRCU; a new one replaces it when the
 * generation has moved. Rows of interrupts that are still there move over.
 */
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/srcu.h>

#include "irqbin.h"

/* Lookups under one RCU read lock. */
#define LOOKUP_BATCH	64

/* Changes that were not noticed (disarmed probes) are found after this time. */
#define CHECK_S		30

static struct srcu_struct table_srcu;
static DEFINE_MUTEX(refresh_lock);
static struct irqbin_table __rcu *current_table;
static struct workqueue_struct *free_wq;

/* Guarded by refresh_lock. */
static unsigned long *known_irqs;	/* numbers that ever had a row */
static unsigned int known_size;
static u64 instance_base;
static u64 instance_last;
static u64 tables;			/* made since the module came */
static u64 lookups;			/* the same */

u64 irqbin_instance_base(void)
{
	return instance_base;
}

u64 irqbin_table_lookups(void)
{
	return READ_ONCE(lookups);
}

static void row_put(struct irqbin_row *row)
{
	lockdep_assert_held(&refresh_lock);
	if (--row->refs)
		return;
	kobject_put(&row->line.desc->kobj);
	kvfree(row);
}

static void table_free(struct irqbin_table *table)
{
	unsigned int i;

	for (i = 0; i < table->n; i++)
		row_put(table->row[i]);
	kvfree(table);
}

static void table_free_work(struct work_struct *work)
{
	mutex_lock(&refresh_lock);
	table_free(container_of(work, struct irqbin_table, work));
	mutex_unlock(&refresh_lock);
}

/* Rows are put where sleeping is allowed. */
static void table_free_rcu(struct rcu_head *rcu)
{
	struct irqbin_table *table = container_of(rcu, struct irqbin_table, rcu);

	INIT_WORK(&table->work, table_free_work);
	queue_work(free_wq, &table->work);
}

/* Finds and pins the descriptors of numbers @from up to @end; returns how many. */
static unsigned int descs_get(unsigned int from, unsigned int end, struct irq_desc **desc)
{
	unsigned int irq, n = 0;

	rcu_read_lock();
	for (irq = from; irq < end; irq++) {
		struct irq_data *data = irq_get_irq_data(irq);

		if (!data)
			continue;
		desc[n] = irq_data_to_desc(data);
		if (kobject_get_unless_zero(&desc[n]->kobj))
			n++;
	}
	rcu_read_unlock();
	return n;
}

static int known_irqs_grow(unsigned int nr_irqs)
{
	unsigned int size = round_up(nr_irqs, BITS_PER_LONG);
	unsigned long *bits;

	if (size <= known_size)
		return 0;
	bits = kvzalloc(size / 8, GFP_KERNEL);
	if (!bits)
		return -ENOMEM;
	if (known_irqs)
		memcpy(bits, known_irqs, known_size / 8);
	kvfree(known_irqs);
	known_irqs = bits;
	known_size = size;
	return 0;
}

/* Takes over the caller's reference on @desc. */
static struct irqbin_row *row_new(struct irq_desc *desc)
{
	struct irqbin_row *row = kvzalloc(irqbin_row_size(nr_cpu_ids), GFP_KERNEL);

	if (!row)
		return NULL;
	row->line.desc = desc;
	row->irq = desc->irq_data.irq;
	row->instance = test_and_set_bit(row->irq, known_irqs) ? ++instance_last : instance_base;
	return row;
}

/* Appends a row for @desc: that of the old table if it is the same instance. */
static int table_add(struct irqbin_table *table, const struct irqbin_table *old,
		     unsigned int *next, struct irq_desc *desc)
{
	unsigned int irq = desc->irq_data.irq;
	struct irqbin_row *row;

	while (old && *next < old->n && old->row[*next]->irq < irq)
		(*next)++;
	if (old && *next < old->n && old->row[*next]->line.desc == desc) {
		row = old->row[*next];
		kobject_put(&desc->kobj);
	} else {
		row = row_new(desc);
		if (!row)
			return -ENOMEM;
	}
	row->refs++;
	table->row[table->n++] = row;
	return 0;
}

static struct irqbin_table *table_grow(struct irqbin_table *table, unsigned int room)
{
	struct irqbin_table *larger = kvzalloc(struct_size(larger, row, room), GFP_KERNEL);

	if (!larger)
		return NULL;
	if (table)
		memcpy(larger, table, struct_size(table, row, table->n));
	kvfree(table);
	return larger;
}

/* A table of what the kernel has now. */
static struct irqbin_table *table_build(const struct irqbin_table *old)
{
	const u64 generation = irqbin_generation();
	const unsigned int nr_irqs = irqbin_nr_irqs();
	unsigned int room = LOOKUP_BATCH + (old ? old->n : 0);
	struct irq_desc *desc[LOOKUP_BATCH];
	struct irqbin_table *table, *larger;
	unsigned int from, i, n, next = 0;
	int err = 0;

	if (known_irqs_grow(nr_irqs))
		return NULL;
	table = table_grow(NULL, room);
	for (from = 0; table && from < nr_irqs && !err; from += LOOKUP_BATCH) {
		if (table->n + LOOKUP_BATCH > room) {
			room = 2 * room;
			larger = table_grow(table, room);
			if (!larger)
				break;
			table = larger;
		}
		n = descs_get(from, min(from + LOOKUP_BATCH, nr_irqs), desc);
		for (i = 0; i < n && !err; i++)
			err = table_add(table, old, &next, desc[i]);
		for (i -= !!err; err && i < n; i++)
			kobject_put(&desc[i]->kobj);
		cond_resched();
	}
	WRITE_ONCE(lookups, lookups + min(from, nr_irqs));
	if (!table)
		return NULL;
	if (from < nr_irqs || err) {
		table_free(table);
		return NULL;
	}
	table->generation = generation;
	table->serial = ++tables;
	table->checked_s = irqbin_now_s();
	return table;
}

static bool table_is_same(const struct irqbin_table *a, const struct irqbin_table *b)
{
	return a->n == b->n && !memcmp(a->row, b->row, a->n * sizeof(a->row[0]));
}

static struct irqbin_table *table_locked(void)
{
	return rcu_dereference_protected(current_table, lockdep_is_held(&refresh_lock));
}

/* Called with refresh_lock held. */
static int table_refresh(void)
{
	struct irqbin_table *old, *table;

	old = table_locked();
	table = table_build(old);
	if (!table)
		return -ENOMEM;
	if (old && table->generation == old->generation) {
		if (table_is_same(old, table)) {
			WRITE_ONCE(old->checked_s, table->checked_s);
			table_free(table);
			return 0;
		}
		if (irqbin_generation_bump() == table->generation + 1)
			table->generation++;
	}
	rcu_assign_pointer(current_table, table);
	if (old)
		call_srcu(&table_srcu, &old->rcu, table_free_rcu);
	return 0;
}

static bool table_is_stale(const struct irqbin_table *table)
{
	return !irqbin_generation_is_exact() || table->generation != irqbin_generation();
}

/**
 * irqbin_table_update - bring the table up to date
 * @nowait: fail with -EAGAIN instead of waiting
 *
 * Return: 0, -ENOMEM, -EAGAIN or -ERESTARTSYS
 */
int irqbin_table_update(bool nowait)
{
	bool stale;
	int token, err = 0;

	token = srcu_read_lock(&table_srcu);
	stale = table_is_stale(irqbin_table_current());
	srcu_read_unlock(&table_srcu, token);
	if (!stale)
		return 0;
	if (nowait)
		return -EAGAIN;
	if (mutex_lock_interruptible(&refresh_lock))
		return -ERESTARTSYS;
	if (table_is_stale(table_locked()))
		err = table_refresh();
	mutex_unlock(&refresh_lock);
	return err;
}

/* Until irqbin_table_leave(), the current table and its rows stay. */
int irqbin_table_enter(void)
	__acquires(&table_srcu)
{
	return srcu_read_lock(&table_srcu);
}

const struct irqbin_table *irqbin_table_current(void)
{
	return srcu_dereference(current_table, &table_srcu);
}

void irqbin_table_leave(int token)
	__releases(&table_srcu)
{
	srcu_read_unlock(&table_srcu, token);
}

/* Whether it is time to look for what no probe has noticed. */
bool irqbin_table_is_unchecked(void)
{
	bool unchecked;
	int token = srcu_read_lock(&table_srcu);

	unchecked = irqbin_now_s() - READ_ONCE(irqbin_table_current()->checked_s) > CHECK_S;
	srcu_read_unlock(&table_srcu, token);
	return unchecked;
}

/* Makes the table anew even if nothing is known to have changed. */
void irqbin_table_check(void)
{
	mutex_lock(&refresh_lock);
	table_refresh();
	mutex_unlock(&refresh_lock);
}

int irqbin_table_init(void)
{
	int err;

	instance_base = ktime_get_boottime_ns();
	instance_last = instance_base;
	free_wq = alloc_workqueue("interrupts_bin_free", WQ_UNBOUND, 0);
	if (!free_wq)
		return -ENOMEM;
	err = init_srcu_struct(&table_srcu);
	if (err)
		goto err_wq;
	mutex_lock(&refresh_lock);
	err = table_refresh();
	mutex_unlock(&refresh_lock);
	if (err)
		goto err_srcu;
	return 0;

err_srcu:
	cleanup_srcu_struct(&table_srcu);
	kvfree(known_irqs);
err_wq:
	destroy_workqueue(free_wq);
	return err;
}

/* Called when there are no readers any more. */
void irqbin_table_exit(void)
{
	srcu_barrier(&table_srcu);
	destroy_workqueue(free_wq);
	mutex_lock(&refresh_lock);
	table_free(table_locked());
	mutex_unlock(&refresh_lock);
	cleanup_srcu_struct(&table_srcu);
	kvfree(known_irqs);
}
