/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The descriptor window, in two passes: the first checks all of it and counts
 * what to allocate, the second copies.
 */
#include <errno.h>
#include <string.h>

#include <linux/interrupts_bin.h>

#include "decode.h"
#include "internal.h"

_Static_assert(IRQSTAT_DESC_SHOWN == IRQBIN_DESC_SHOWN &&
	       IRQSTAT_DESC_SHOWN_ONLINE == IRQBIN_DESC_SHOWN_ONLINE &&
	       IRQSTAT_DESC_SHOWN_COUNTED == IRQBIN_DESC_SHOWN_COUNTED &&
	       IRQSTAT_DESC_SINGLE == IRQBIN_DESC_SINGLE &&
	       IRQSTAT_DESC_HWIRQ == IRQBIN_DESC_HWIRQ &&
	       IRQSTAT_DESC_PER_CPU == IRQBIN_DESC_PER_CPU &&
	       IRQSTAT_DESC_CHAINED == IRQBIN_DESC_CHAINED &&
	       IRQSTAT_DESC_CHIP_PRINTED == IRQBIN_DESC_CHIP_PRINTED &&
	       IRQSTAT_DESC_TRUNCATED == IRQBIN_DESC_TRUNCATED &&
	       IRQSTAT_DESC_UNREADABLE == IRQBIN_DESC_UNREADABLE, "same flags");
_Static_assert(IRQSTAT_TRIGGER_RISING == IRQBIN_TRIGGER_RISING &&
	       IRQSTAT_TRIGGER_FALLING == IRQBIN_TRIGGER_FALLING &&
	       IRQSTAT_TRIGGER_HIGH == IRQBIN_TRIGGER_HIGH &&
	       IRQSTAT_TRIGGER_LOW == IRQBIN_TRIGGER_LOW, "same triggers");
_Static_assert(IRQSTAT_LAYOUT_CHIP_RIGHT == IRQBIN_LAYOUT_CHIP_RIGHT &&
	       IRQSTAT_LAYOUT_HWIRQ_INT == IRQBIN_LAYOUT_HWIRQ_INT,
	       "same flags");

/* The strings of one descriptor: a table of lengths, then the bytes. */
struct strings {
	const uint16_t *lens;
	const char *bytes;
	size_t n;
	size_t n_bytes;
};

static bool strings_find(struct strings *s, const struct irqbin_record *rec,
			 size_t fixed, uint32_t n)
{
	const char *payload = (const char *)(rec + 1);
	size_t room = (size_t)rec->n_words * 8 - fixed;
	size_t i;

	if (n < 2 || n > room / 2)
		return false;
	s->lens = (const uint16_t *)(payload + fixed);
	s->bytes = payload + fixed + (size_t)n * 2;
	s->n = n;
	s->n_bytes = 0;
	for (i = 0; i < n; i++) {
		if (s->lens[i] != IRQBIN_STRING_NONE)
			s->n_bytes += s->lens[i];
	}
	return s->n_bytes <= room - (size_t)n * 2;
}

static bool strings_of(struct strings *s, const struct irqbin_record *rec)
{
	size_t room = (size_t)rec->n_words * 8;

	if (rec->type == IRQBIN_REC_IRQ_DESC) {
		const struct irqbin_irq_desc *d = (const void *)(rec + 1);

		return room >= sizeof(*d) &&
		       strings_find(s, rec, sizeof(*d), d->n_strings);
	} else {
		const struct irqbin_x86_desc *d = (const void *)(rec + 1);

		return room >= sizeof(*d) &&
		       strings_find(s, rec, sizeof(*d), d->n_strings);
	}
}

struct sizes {
	size_t n_irqs;
	size_t n_descs;
	size_t n_actions;
	size_t n_bytes;
	uint64_t irq_floor;	/* lowest number that may come now */
	uint8_t type_floor;
	bool has_layout;
};

static bool check_desc(struct sizes *z, const struct irqbin_record *rec)
{
	struct strings s;

	if (!strings_of(&s, rec))
		return false;
	z->n_descs++;
	z->n_actions += s.n - 2;
	z->n_bytes += s.n_bytes + s.n;
	if (rec->type == IRQBIN_REC_IRQ_DESC) {
		if (rec->id < z->irq_floor)
			return false;
		z->irq_floor = (uint64_t)rec->id + 1;
		z->n_irqs++;
	}
	return true;
}

static bool check_record(struct sizes *z, struct reader *r,
			 const struct irqbin_record *rec)
{
	if (rec->type == IRQBIN_REC_END)
		return reader_take_end(r, rec);
	if (rec->type && rec->type < IRQBIN_REC_END)
		return false;
	if (rec->type < IRQBIN_REC_LAYOUT || rec->type > IRQBIN_REC_X86_DESC)
		return true;
	if (rec->type < z->type_floor)
		return false;
	z->type_floor = rec->type;
	if (rec->type != IRQBIN_REC_LAYOUT)
		return check_desc(z, rec);
	z->type_floor++;
	z->has_layout = true;
	return !rec->id &&
	       (size_t)rec->n_words * 8 >= sizeof(struct irqbin_layout);
}

static bool check_records(struct sizes *z, struct reader *r)
{
	const struct irqbin_record *rec;

	while ((rec = reader_next(r))) {
		if (!check_record(z, r, rec))
			return false;
	}
	return z->has_layout && reader_is_done(r);
}

/* Where the second pass puts things. */
struct sink {
	struct irqstat_desc *desc;
	struct irqstat_string *string;
	char *byte;
};

static struct irqstat_string copy_string(struct sink *to, struct strings *from)
{
	struct irqstat_string string = { 0 };
	size_t len = *from->lens++;

	if (len == IRQBIN_STRING_NONE)
		return string;
	string.bytes = to->byte;
	string.len = len;
	memcpy(to->byte, from->bytes, len);
	to->byte[len] = '\0';
	to->byte += len + 1;
	from->bytes += len;
	return string;
}

static void copy_irq_desc(struct sink *to, const struct irqbin_record *rec)
{
	const struct irqbin_irq_desc *in = (const void *)(rec + 1);
	struct irqstat_desc *out = to->desc++;
	struct strings s;
	size_t i;

	strings_of(&s, rec);
	out->kind = IRQSTAT_IRQ;
	out->id = rec->id;
	out->flags = in->flags;
	out->trigger = in->trigger;
	out->instance = in->instance;
	out->hwirq = in->hwirq;
	out->chip = copy_string(to, &s);
	out->flow = copy_string(to, &s);
	out->actions = to->string;
	out->n_actions = s.n - 2;
	for (i = 0; i < out->n_actions; i++)
		*to->string++ = copy_string(to, &s);
}

static void copy_x86_desc(struct sink *to, const struct irqbin_record *rec)
{
	const struct irqbin_x86_desc *in = (const void *)(rec + 1);
	struct irqstat_desc *out = to->desc++;
	struct strings s;

	strings_of(&s, rec);
	out->kind = IRQSTAT_X86;
	out->id = rec->id;
	out->flags = in->flags;
	out->label = copy_string(to, &s);
	out->text = copy_string(to, &s);
}

static void copy_layout(struct descs *d, const struct irqbin_record *rec)
{
	const struct irqbin_layout *in = (const void *)(rec + 1);

	d->layout.irq_width = in->irq_width;
	d->layout.chip_width = in->chip_width;
	d->layout.chip_gap = in->chip_gap;
	d->layout.no_hwirq_blanks = in->no_hwirq_blanks;
	d->layout.flags = in->flags;
}

static void copy_records(struct descs *d, struct reader *r)
{
	struct sink to = { d->descs, d->strings, d->bytes };
	const struct irqbin_record *rec;

	while ((rec = reader_next(r))) {
		if (rec->type == IRQBIN_REC_LAYOUT)
			copy_layout(d, rec);
		else if (rec->type == IRQBIN_REC_IRQ_DESC)
			copy_irq_desc(&to, rec);
		else if (rec->type == IRQBIN_REC_X86_DESC)
			copy_x86_desc(&to, rec);
	}
}

int decode_descs(const void *data, size_t len, struct descs *d)
{
	struct descs fresh = { 0 };
	struct sizes z = { 0 };
	struct reader start, r;

	if (reader_begin(&start, data, len, IRQBIN_WINDOW_DESCRIPTORS))
		return -1;
	r = start;
	if (!check_records(&z, &r))
		goto malformed;
	if (descs_alloc(&fresh, z.n_descs, z.n_actions, z.n_bytes))
		return -1;
	r = start;
	copy_records(&fresh, &r);
	fresh.pub.generation = start.header->generation;
	fresh.pub.time_ns = start.header->time_ns;
	fresh.pub.n_descs = z.n_descs;
	fresh.pub.n_irqs = z.n_irqs;
	fresh.pub.descs = fresh.descs;
	if (!descs_sort(&fresh)) {
		descs_free(&fresh);
		goto malformed;
	}
	*d = fresh;
	if (!(start.header->flags & IRQBIN_F_LAYOUT_UNKNOWN))
		d->pub.layout = &d->layout;
	return 0;

malformed:
	errno = EBADMSG;
	return -1;
}
