// SPDX-License-Identifier: GPL-2.0-only
/*
 * One descriptor into one record: an interrupt's, or an architecture counter's.
 *
 * Only here is desc->lock taken: names, chip and actions are the driver's, and
 * are there as long as the lock is held and the interrupt still exists. They are
 * copied byte by byte in a way that survives a driver which has left without
 * freeing its interrupt.
 */
#include <linux/interrupt.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "layout.h"

#define NAMES_SIZE	(64U << 10)

/* One interrupt's strings while its lock is held. */
struct names {
	unsigned int n;
	size_t used;
	u32 flags;
	u16 len[NAMES_SIZE / 64];
	char bytes[NAMES_SIZE];
};

static struct names *names;	/* the worker's */

/* Takes over one string of a driver's. */
static void name_add(const char *name)
{
	u16 *len = &names->len[names->n];
	char c;

	if (names->n == ARRAY_SIZE(names->len)) {
		names->flags |= IRQBIN_DESC_TRUNCATED;
		return;
	}
	names->n++;
	if (!name) {
		*len = IRQBIN_STRING_NONE;
		return;
	}
	for (*len = 0; ; name++, (*len)++) {
		if (copy_from_kernel_nofault(&c, name, 1)) {
			names->flags |= IRQBIN_DESC_UNREADABLE;
			return;
		}
		if (!c)
			return;
		if (*len == IRQBIN_NAME_MAX || names->used == NAMES_SIZE) {
			names->flags |= IRQBIN_DESC_TRUNCATED;
			return;
		}
		names->bytes[names->used++] = c;
	}
}

/* A chip with a print function of its own says what it likes. */
static void chip_print(struct irq_data *data)
{
	struct seq_file seq = {
		.buf = names->bytes + names->used,
		.size = min_t(size_t, IRQBIN_NAME_MAX, NAMES_SIZE - names->used),
	};

	data->chip->irq_print_chip(data, &seq);
	if (seq_has_overflowed(&seq)) {
		names->flags |= IRQBIN_DESC_TRUNCATED;
		seq.count = 0;
	}
	names->flags |= IRQBIN_DESC_CHIP_PRINTED;
	names->len[names->n++] = seq.count;
	names->used += seq.count;
}

static void chip_add(struct irq_data *data)
{
	if (!data->chip)
		name_add("None");
	else if (data->chip->irq_print_chip)
		chip_print(data);
	else
		name_add(data->chip->name ?: "-");
}

/* Under desc->lock. */
static void desc_read(struct irq_desc *desc, struct irqbin_irq_desc *fixed)
{
	const u32 status = desc->status_use_accessors;
	const bool chained = desc->action && status & IRQ_NOREQUEST;
	struct irqaction *action;

	chip_add(&desc->irq_data);
	name_add(desc->name);
	for (action = desc->action; action; action = action->next)
		name_add(action->name);

	fixed->flags |= irqbin_text_shows(desc, chained);
	fixed->flags |= chained ? IRQBIN_DESC_CHAINED : 0;
	fixed->flags |= status & (IRQ_PER_CPU | IRQ_PER_CPU_DEVID) ? IRQBIN_DESC_PER_CPU : 0;
	fixed->trigger = irqd_get_trigger_type(&desc->irq_data) & IRQ_TYPE_SENSE_MASK;
	if (desc->irq_data.domain) {
		fixed->flags |= IRQBIN_DESC_HWIRQ;
		fixed->hwirq = desc->irq_data.hwirq;
	}
}

/* Reads @row's interrupt into names; false if it is no longer there. */
static bool row_read(const struct irqbin_row *row, struct irqbin_irq_desc *fixed)
{
	struct irq_desc *desc = row->line.desc;
	unsigned long flags;
	bool there;

	names->n = 0;
	names->used = 0;
	names->flags = 0;
	rcu_read_lock();
	there = irq_get_irq_data(row->irq) == &desc->irq_data;
	if (there) {
		raw_spin_lock_irqsave(&desc->lock, flags);
		desc_read(desc, fixed);
		raw_spin_unlock_irqrestore(&desc->lock, flags);
	}
	rcu_read_unlock();
	return there;
}

/* Appends a record of a fixed part, whole words, and the strings in names. */
static int record_put(struct irqbin_out *out, u8 type, u32 id, const void *fixed, size_t size)
{
	const size_t at = out->used, table = names->n * sizeof(u16);
	const size_t words = DIV_ROUND_UP(size + table + names->used, sizeof(u64));
	char *to;

	if (!irqbin_out_reserve(out, 1 + words))
		return -ENOMEM;
	irqbin_record_begin(out, type, id);
	to = (char *)&out->word[out->used];
	memset(to, 0, words * sizeof(u64));
	memcpy(to, fixed, size);
	memcpy(to + size, names->len, table);
	memcpy(to + size + table, names->bytes, names->used);
	out->used += words;
	irqbin_record_end(out, at, 0);
	return 0;
}

/**
 * irqbin_row_describe - append the record of an interrupt
 * @out: where to
 * @row: the interrupt; if it is no longer there, nothing is appended
 *
 * Called by the worker, as is irqbin_arch_describe().
 *
 * Return: 0, or -ENOMEM
 */
int irqbin_row_describe(struct irqbin_out *out, const struct irqbin_row *row)
{
	struct irqbin_irq_desc fixed = { .instance = row->instance };

	if (!row_read(row, &fixed))
		return 0;
	fixed.flags |= names->flags;
	fixed.n_strings = names->n;
	return record_put(out, IRQBIN_REC_IRQ_DESC, row->irq, &fixed, sizeof(fixed));
}

/* How the text would set counter @i's row if it were shown, into names. */
static void arch_tail_add(unsigned int i, const struct irqbin_arch_layout *layout)
{
	const char *nmi = layout->tail[0] ?: "", *at = nmi;
	const char *text = irqbin_arch_counters[i].text;

	if (layout->tail[i]) {
		name_add(layout->tail[i]);
		return;
	}
	while (*at == ' ')
		at++;
	names->used += scnprintf(names->bytes + names->used, NAMES_SIZE - names->used,
				 "%*s%s", (int)(*text ? at - nmi : 0), "", text);
	names->len[1] = names->used - names->len[0];
	names->n = 2;
}

/**
 * irqbin_arch_describe - append the record of an architecture counter
 * @out: where to
 * @i: index in irqbin_arch_counters
 * @layout: what is known of such rows in the text, if anything
 *
 * Return: 0, or -ENOMEM
 */
int irqbin_arch_describe(struct irqbin_out *out, unsigned int i,
			 const struct irqbin_arch_layout *layout)
{
	const struct irqbin_arch_counter *counter = &irqbin_arch_counters[i];
	struct irqbin_x86_desc fixed = { .n_strings = 2 };

	if (layout->tail[i])
		fixed.flags |= IRQBIN_DESC_SHOWN;
	else if (counter->once_counted)
		fixed.flags |= IRQBIN_DESC_SHOWN_COUNTED;
	if (!*counter->text)
		fixed.flags |= IRQBIN_DESC_SINGLE;

	names->n = 0;
	names->used = 0;
	name_add(counter->label);
	arch_tail_add(i, layout);
	return record_put(out, IRQBIN_REC_X86_DESC, counter->id, &fixed, sizeof(fixed));
}

int irqbin_describe_init(void)
{
	names = kvmalloc(sizeof(*names), GFP_KERNEL);
	return names ? 0 : -ENOMEM;
}

void irqbin_describe_exit(void)
{
	kvfree(names);
}
