/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The descriptors of a text, in two passes: room for them, then they. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct sink {
	struct irqstat_desc *desc;
	struct irqstat_string *string;
	char *byte;
};

static struct irqstat_string copy(struct sink *to, const char *bytes,
				  size_t len)
{
	struct irqstat_string string = { to->byte, len };

	memcpy(to->byte, bytes, len);
	to->byte[len] = '\0';
	to->byte += len + 1;
	return string;
}

static struct irqstat_string copy_span(struct sink *to, struct span span)
{
	if (!span.at)
		return (struct irqstat_string){ 0 };
	return copy(to, span.at, span.len);
}

static const char *find_comma(const char *p, const char *end)
{
	for (; (p = memchr(p, ',', (size_t)(end - p))); p++) {
		if (p + 1 != end && p[1] == ' ')
			return p;
	}
	return end;
}

/* A name that is missing is printed so. */
static struct irqstat_string copy_action(struct sink *to, const char *p,
					 const char *end)
{
	if (end - p == 6 && !memcmp(p, "(null)", 6))
		return (struct irqstat_string){ 0 };
	return copy(to, p, (size_t)(end - p));
}

static void copy_actions(struct sink *to, struct irqstat_desc *desc,
			 struct span span)
{
	const char *p, *end, *comma;

	desc->actions = to->string;
	if (!span.at)
		return;
	end = span.at + span.len;
	for (p = span.at;; p = comma + 2) {
		comma = find_comma(p, end);
		*to->string++ = copy_action(to, p, comma);
		desc->n_actions++;
		if (comma == end)
			break;
	}
}

static void copy_irq(struct sink *to, struct irqstat_desc *desc,
		     const char *bytes, size_t len)
{
	struct tail tail;

	tail_parse(bytes, len, &tail);
	desc->chip = copy_span(to, tail.chip);
	desc->flow = copy_span(to, tail.flow);
	desc->trigger = tail.trigger;
	desc->hwirq = tail.hwirq;
	if (tail.has_hwirq)
		desc->flags |= IRQSTAT_DESC_HWIRQ;
	copy_actions(to, desc, tail.actions);
}

static uint32_t flags_of(const struct shape_row *row)
{
	uint32_t flags = IRQSTAT_DESC_SHOWN;

	if (row->form == SHAPE_SINGLE)
		flags |= IRQSTAT_DESC_SINGLE;
	if (row->form == SHAPE_NONE)
		flags |= IRQSTAT_DESC_UNCOUNTED;
	if (row->is_aggregate)
		flags |= IRQSTAT_DESC_AGGREGATE;
	return flags;
}

static void copy_row(struct sink *to, const struct shape *shape,
		     const struct shape_row *row)
{
	const char *tail = shape->bytes + row->at + row->prefix_len;
	size_t len = row->tail_len - 1;
	struct irqstat_desc *desc = to->desc++;

	desc->kind = row->kind;
	desc->id = row->id;
	desc->flags = flags_of(row);
	if (row->kind == IRQSTAT_IRQ) {
		copy_irq(to, desc, tail, len);
		return;
	}
	desc->label = copy(to, tail - 1 - row->label_len, row->label_len);
	desc->text = copy(to, tail, len);
}

static void copy_rows(struct sink *to, const struct shape *shape, bool irqs)
{
	size_t i;

	for (i = 0; i < shape->n_rows; i++) {
		if ((shape->rows[i].kind == IRQSTAT_IRQ) == irqs)
			copy_row(to, shape, &shape->rows[i]);
	}
}

/* At most: every comma parts two actions, each string has a 0 behind it. */
static int reserve(struct descs *d, const struct shape *shape)
{
	size_t i, n_commas = 0, n_bytes = shape->n_bytes;

	for (i = 0; i < shape->n_bytes; i++)
		n_commas += shape->bytes[i] == ',';
	n_bytes += 3 * shape->n_rows + n_commas;
	return descs_alloc(d, shape->n_rows, shape->n_rows + n_commas, n_bytes);
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = ((const struct irqstat_desc *)a)->id;
	uint32_t y = ((const struct irqstat_desc *)b)->id;

	return (x > y) - (x < y);
}

int text_descs(const struct text *t, struct descs *d)
{
	const struct shape *shape = &t->shapes[t->cur];
	struct descs fresh = { 0 };
	struct sink to;

	if (reserve(&fresh, shape))
		return -1;
	to = (struct sink){ fresh.descs, fresh.strings, fresh.bytes };
	copy_rows(&to, shape, true);
	copy_rows(&to, shape, false);
	qsort(fresh.descs, shape->n_irqs, sizeof(*fresh.descs), by_id);
	fresh.pub.generation = t->generation;
	fresh.pub.n_descs = shape->n_rows;
	fresh.pub.n_irqs = shape->n_irqs;
	fresh.pub.descs = fresh.descs;
	descs_sort(&fresh);
	*d = fresh;
	return 0;
}
