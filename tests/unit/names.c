/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <check.h>
#include <string.h>

#include "names.h"

#define N_NAMES 4

struct names *names_new(void)
{
	static struct names all[N_NAMES];
	static size_t next;
	struct names *n = &all[next++ % N_NAMES];

	memset(n, 0, sizeof(*n));
	n->pub.generation = 1;
	n->pub.time_ns = next;
	n->pub.descs = n->descs;
	return n;
}

static struct irqstat_string string(const char *bytes)
{
	return (struct irqstat_string){ bytes, bytes ? strlen(bytes) : 0 };
}

static struct irqstat_desc *add(struct names *n, unsigned int kind, uint32_t id)
{
	struct irqstat_desc *desc = &n->descs[n->pub.n_descs++];

	ck_assert_uint_le(n->pub.n_descs, NAMES_MAX);
	desc->kind = kind;
	desc->id = id;
	desc->flags = IRQSTAT_DESC_SHOWN;
	return desc;
}

struct irqstat_desc *names_irq(struct names *n, uint32_t id, const char *chip,
			       const char *const *actions, size_t n_actions)
{
	struct irqstat_desc *desc = add(n, IRQSTAT_IRQ, id);
	struct irqstat_string *to = n->actions[n->pub.n_irqs++];
	size_t i;

	desc->instance = 100;
	desc->chip = string(chip);
	desc->actions = to;
	desc->n_actions = n_actions;
	for (i = 0; i < n_actions; i++)
		to[i] = string(actions[i]);
	return desc;
}

struct irqstat_desc *names_counter(struct names *n, unsigned int kind,
				   uint32_t id, const char *label,
				   const char *text)
{
	struct irqstat_desc *desc = add(n, kind, id);

	desc->label = string(label);
	desc->text = string(text);
	return desc;
}
