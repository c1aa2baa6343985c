/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * node_exporter takes the text behind the counts apart at blanks: for a number,
 * info is the first field and devices the others with a blank between them; for
 * a name, info is all of them. So does this, after putting the fields of a
 * descriptor together as the text has them.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <stdlib.h>

#include "escape.h"
#include "labels.h"

static const struct irqstat_string missing = { "(null)", 6 };

static const struct irqstat_string *action(const struct irqstat_desc *desc,
					   size_t i)
{
	return desc->actions[i].bytes ? &desc->actions[i] : &missing;
}

static void put_string(struct page *page, const struct irqstat_string *s)
{
	escape_put(page, s->bytes, s->len);
}

static void put_label(struct page *page, const char *name,
		      const struct irqstat_string *value)
{
	if (!value->len)
		return;
	page_puts(page, name);
	put_string(page, value);
	page_puts(page, "\"");
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct irqstat_string trimmed(struct irqstat_string s)
{
	while (s.len && is_blank(s.bytes[0])) {
		s.bytes++;
		s.len--;
	}
	while (s.len && is_blank(s.bytes[s.len - 1]))
		s.len--;
	return s;
}

static void put_actions(struct page *page, const struct irqstat_desc *desc)
{
	size_t i;

	if (!desc->n_actions)
		return;
	page_puts(page, ",name=\"");
	for (i = 0; i < desc->n_actions; i++) {
		if (i)
			page_puts(page, ", ");
		put_string(page, action(desc, i));
	}
	page_puts(page, "\"");
}

void labels_of_row(struct page *page, const struct irqstat_descs *descs,
		   const struct irqstat_desc *desc)
{
	struct irqstat_string text = trimmed(desc->text);

	(void)descs;
	if (desc->kind == IRQSTAT_IRQ) {
		page_puts(page, "irq=\"");
		page_put_number(page, desc->id);
		page_puts(page, "\"");
		put_actions(page, desc);
		put_label(page, ",chip=\"", &desc->chip);
	} else if (desc->kind == IRQSTAT_SOFTIRQ) {
		put_label(page, "softirq=\"", &desc->label);
	} else {
		page_puts(page, "irq=\"");
		put_string(page, &desc->label);
		page_puts(page, "\"");
		put_label(page, ",name=\"", &text);
	}
}

/* The tail of the row, its columns parted by one blank. */
static void put_tail(struct page *tail, const struct irqstat_descs *descs,
		     const struct irqstat_desc *desc)
{
	bool is_int = descs->layout &&
		      (descs->layout->flags & IRQSTAT_LAYOUT_HWIRQ_INT);
	size_t i;

	page_put(tail, desc->chip.bytes, desc->chip.len);
	page_puts(tail, " ");
	if (desc->flags & IRQSTAT_DESC_HWIRQ) {
		bool is_negative = is_int && (int32_t)desc->hwirq < 0;

		page_puts(tail, is_negative ? "-" : "");
		page_put_number(tail, is_negative ? -(uint32_t)desc->hwirq :
				      is_int ? (uint32_t)desc->hwirq :
					       desc->hwirq);
	}
	if (desc->trigger & IRQSTAT_TRIGGER_EDGE)
		page_puts(tail, " Edge ");
	if (desc->trigger & IRQSTAT_TRIGGER_LEVEL)
		page_puts(tail, " Level ");
	if (desc->flow.bytes) {
		page_puts(tail, "-");
		page_put(tail, desc->flow.bytes, desc->flow.len);
	}
	for (i = 0; i < desc->n_actions; i++) {
		page_puts(tail, i ? ", " : " ");
		page_put(tail, action(desc, i)->bytes, action(desc, i)->len);
	}
}

/* The next field of @rest, of len 0 at the end. */
static struct irqstat_string take_field(struct irqstat_string *rest)
{
	struct irqstat_string field = trimmed(*rest);
	size_t len = 0;

	*rest = field;
	while (len < field.len && !is_blank(field.bytes[len]))
		len++;
	field.len = len;
	rest->bytes += len;
	rest->len -= len;
	return field;
}

static void put_fields(struct page *page, struct irqstat_string rest)
{
	struct irqstat_string field;
	bool is_first = true;

	while ((field = take_field(&rest)).len) {
		if (!is_first)
			page_puts(page, " ");
		put_string(page, &field);
		is_first = false;
	}
}

static bool is_number(const struct irqstat_string *s)
{
	size_t i;

	for (i = 0; i < s->len && s->bytes[i] >= '0' && s->bytes[i] <= '9'; i++)
		;
	return s->len && i == s->len;
}

static void put_type(struct page *page, const struct irqstat_desc *desc)
{
	page_puts(page, "type=\"");
	if (desc->kind == IRQSTAT_IRQ)
		page_put_number(page, desc->id);
	else
		put_string(page, &desc->label);
	page_puts(page, "\"");
}

static void put_info(struct page *page, struct irqstat_string tail,
		     bool has_devices)
{
	struct irqstat_string info = tail;

	if (has_devices)
		info = take_field(&tail);
	else
		tail.len = 0;
	page_puts(page, ",info=\"");
	put_fields(page, info);
	page_puts(page, "\",devices=\"");
	put_fields(page, tail);
	page_puts(page, "\"");
}

void labels_of_node_exporter(struct page *page,
			     const struct irqstat_descs *descs,
			     const struct irqstat_desc *desc)
{
	struct page tail = { 0 };
	struct irqstat_string text = trimmed(desc->text);

	if (desc->kind == IRQSTAT_SOFTIRQ) {
		put_type(page, desc);
		return;
	}
	if (desc->kind == IRQSTAT_IRQ) {
		put_tail(&tail, descs, desc);
		text = trimmed((struct irqstat_string){ tail.bytes, tail.len });
	}
	if (text.len && !(desc->flags & IRQSTAT_DESC_SINGLE)) {
		put_type(page, desc);
		put_info(page, text, desc->kind == IRQSTAT_IRQ ||
					     is_number(&desc->label));
	}
	page->failed |= tail.failed;
	page_free(&tail);
}

void labels_free(struct labels *labels)
{
	page_free(&labels->text);
	free(labels->sets);
	labels->sets = NULL;
	labels->descs = NULL;
	labels->cap = 0;
}

static int reserve(struct labels *labels, size_t n)
{
	if (n <= labels->cap)
		return 0;
	free(labels->sets);
	labels->cap = 0;
	labels->sets = malloc(n * sizeof(*labels->sets));
	if (!labels->sets)
		return -1;
	labels->cap = n;
	return 0;
}

static int by_text(const void *a, const void *b, void *arg)
{
	const struct labels *labels = arg;
	const struct label_set *x = &labels->sets[*(const uint32_t *)a];
	const struct label_set *y = &labels->sets[*(const uint32_t *)b];
	size_t len = x->len < y->len ? x->len : y->len;
	int order = len ? memcmp(labels_at(labels, x), labels_at(labels, y), len) : 0;

	if (!order)
		order = (x->len > y->len) - (x->len < y->len);
	/* The first of equals stays the first. */
	return order ? order : (x > y) - (x < y);
}

static bool is_equal(const struct labels *labels, uint32_t a, uint32_t b)
{
	const struct label_set *x = &labels->sets[a], *y = &labels->sets[b];

	return x->len && x->len == y->len &&
	       !memcmp(labels_at(labels, x), labels_at(labels, y), x->len);
}

static void number_row(struct labels *labels, uint32_t i, uint64_t nth)
{
	struct label_set *set = &labels->sets[i];
	size_t at = labels->text.len;
	char *to = page_begin(&labels->text, set->len);

	if (!to)
		return;
	page_end(&labels->text, put(to, labels_at(labels, set), set->len));
	page_puts(&labels->text, ",row=\"");
	page_put_number(&labels->text, nth);
	page_puts(&labels->text, "\"");
	*set = (struct label_set){ at, labels->text.len - at };
}

static int part_equals(struct labels *labels, size_t n)
{
	uint32_t *order = malloc(n * sizeof(*order) + 1);
	size_t i, j;

	if (!order)
		return -1;
	for (i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, n, sizeof(*order), by_text, labels);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && is_equal(labels, order[i], order[j]); j++)
			number_row(labels, order[j], j - i + 1);
	}
	free(order);
	return 0;
}

/* A capture may say what it likes of its generation and time. */
static bool are_made(const struct labels *labels,
		     const struct irqstat_descs *descs)
{
	return labels->descs && labels->descs == descs->descs &&
	       labels->n_descs == descs->n_descs &&
	       labels->generation == descs->generation &&
	       labels->time_ns == descs->time_ns;
}

int labels_make(struct labels *labels, const struct irqstat_descs *descs)
{
	size_t i;

	if (are_made(labels, descs))
		return 0;
	labels->descs = NULL;
	if (reserve(labels, descs->n_descs))
		return -1;
	page_clear(&labels->text);
	for (i = 0; i < descs->n_descs; i++) {
		size_t at = labels->text.len;

		labels->style(&labels->text, descs, &descs->descs[i]);
		labels->sets[i] = (struct label_set){ at, labels->text.len - at };
	}
	if (part_equals(labels, descs->n_descs))
		return -1;
	if (labels->text.failed) {
		errno = ENOMEM;
		return -1;
	}
	labels->descs = descs->descs;
	labels->n_descs = descs->n_descs;
	labels->generation = descs->generation;
	labels->time_ns = descs->time_ns;
	return 0;
}
