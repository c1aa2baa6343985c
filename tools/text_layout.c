/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The rules of the text are in linux/interrupts_bin.h. Almost all of it is
 * cells of zeros: each row starts as a copy of a row of those, and the counts
 * are then set into it.
 */
#include <stdlib.h>
#include <string.h>

#include "text_layout.h"

#define CELL 11
#define BLANKS 16 /* written at once */

#define LAYOUT_FLAGS (IRQSTAT_LAYOUT_CHIP_RIGHT | IRQSTAT_LAYOUT_HWIRQ_INT)
#define ROW_FLAGS (IRQSTAT_ROW_CACHED | IRQSTAT_ROW_UNAVAILABLE | \
		   IRQSTAT_ROW_TEXT_ZERO)
#define DESC_SHOWN (IRQSTAT_DESC_SHOWN | IRQSTAT_DESC_SHOWN_ONLINE | \
		    IRQSTAT_DESC_SHOWN_COUNTED)
#define DESC_FLAGS (DESC_SHOWN | IRQSTAT_DESC_SINGLE | IRQSTAT_DESC_HWIRQ | \
		    IRQSTAT_DESC_PER_CPU | IRQSTAT_DESC_CHAINED | \
		    IRQSTAT_DESC_CHIP_PRINTED)

struct page {
	const struct irqstat_layout *layout;
	const struct irqstat_snapshot *snap;
	struct output *out;
	uint32_t *offset;	/* by CPU: of its cell's end; 0 if offline */
	char *zeros;		/* the cells of a row */
	size_t zeros_len;
};

/* The descriptor of @row; both come by rising number while they are interrupts. */
static const struct irqstat_desc *desc_find(const struct irqstat_descs *descs,
					    const struct irqstat_row *row,
					    size_t *next)
{
	const struct irqstat_desc *desc;

	if (row->kind != IRQSTAT_IRQ)
		return irqstat_descs_row(descs, row);
	while (*next < descs->n_irqs && descs->descs[*next].id < row->id)
		++*next;
	desc = &descs->descs[*next];
	if (*next == descs->n_irqs || desc->id != row->id ||
	    desc->instance != row->instance)
		return NULL;
	return desc;
}

bool text_is_coherent(const struct irqstat_descs *descs,
		      const struct irqstat_snapshot *snap)
{
	size_t i, next = 0;

	if (descs->generation != snap->generation)
		return false;
	for (i = 0; i < snap->n_rows; i++) {
		if (!desc_find(descs, &snap->rows[i], &next))
			return false;
	}
	return true;
}

static bool is_single(const struct irqstat_desc *desc)
{
	return desc->kind == IRQSTAT_X86 &&
	       (desc->flags & IRQSTAT_DESC_SINGLE);
}

static const char *why_not_row(const struct irqstat_desc *desc,
			       const struct irqstat_row *row,
			       const struct irqstat_snapshot *snap)
{
	if (!(desc->flags & DESC_SHOWN))
		return NULL;
	if (row->flags & ~ROW_FLAGS)
		return "a counter has an unknown flag";
	if (row->flags & IRQSTAT_ROW_UNAVAILABLE)
		return "a counter is not available";
	if (row->n && snap->cpu[row->first] == IRQSTAT_CPU_NONE &&
	    !is_single(desc))
		return "a counter has no CPU";
	return NULL;
}

static const char *why_not_desc(const struct irqstat_desc *desc)
{
	if (!(desc->flags & DESC_SHOWN))
		return NULL;
	if (desc->flags & IRQSTAT_DESC_TRUNCATED)
		return "a name is not complete";
	if (desc->flags & IRQSTAT_DESC_UNREADABLE)
		return "a name is not readable";
	if (desc->flags & ~DESC_FLAGS)
		return "a descriptor has an unknown flag";
	if (desc->kind == IRQSTAT_IRQ ? !desc->chip.bytes :
	    !desc->label.bytes || !desc->text.bytes)
		return "a name is missing";
	return NULL;
}

const char *text_why_not(const struct irqstat_descs *descs,
			 const struct irqstat_snapshot *snap)
{
	const char *why = NULL;
	size_t i, next = 0;

	if (!descs->layout)
		return "the layout is unknown";
	if (descs->layout->flags & ~LAYOUT_FLAGS)
		return "the layout has an unknown flag";
	if (snap->count_bits != 32)
		return "the counts are not of 32 bits";
	for (i = 0; i < descs->n_descs && !why; i++)
		why = why_not_desc(&descs->descs[i]);
	for (i = 0; i < snap->n_rows && !why; i++)
		why = why_not_row(desc_find(descs, &snap->rows[i], &next),
				  &snap->rows[i], snap);
	return why;
}

/*
 * The functions that put something write at @to and return what is behind it.
 * The row has room for all of it: row_room().
 */
static char *put(char *to, const char *bytes, size_t n)
{
	memcpy(to, bytes, n);
	return to + n;
}

static char *put_string(char *to, const struct irqstat_string *s)
{
	return put(to, s->bytes, s->len);
}

/* Mostly a few: blanks written beyond them are written over. */
static char *put_blanks(char *to, size_t n)
{
	memset(to, ' ', BLANKS);
	if (n > BLANKS)
		memset(to + BLANKS, ' ', n - BLANKS);
	return to + n;
}

static char *put_right(char *to, const char *s, size_t n, size_t width)
{
	return put(n < width ? put_blanks(to, width - n) : to, s, n);
}

static char *put_left(char *to, const struct irqstat_string *s, size_t width)
{
	to = put_string(to, s);
	return s->len < width ? put_blanks(to, width - s->len) : to;
}

static char *put_number(char *to, uint64_t n, size_t width)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits);
	char *begin = digits_before(end, n);

	return put_right(to, begin, (size_t)(end - begin), width);
}

static char *put_int(char *to, int32_t n, size_t width)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits);
	char *begin = digits_before(end, n < 0 ? -(uint64_t)n : (uint64_t)n);

	if (n < 0)
		*--begin = '-';
	return put_right(to, begin, (size_t)(end - begin), width);
}

static char *put_cells(char *to, const struct page *p,
		       const struct irqstat_row *row)
{
	char *end = put(to, p->zeros, p->zeros_len);
	uint32_t i;

	if (!row || (row->flags & IRQSTAT_ROW_TEXT_ZERO))
		return end;
	for (i = row->first; i < row->first + row->n; i++) {
		uint32_t offset = p->offset[p->snap->cpu[i]];

		if (offset)
			digits_before(to + offset, p->snap->count[i]);
	}
	return end;
}

static char *put_header(char *to, const struct page *p)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits);
	uint32_t cpu;

	to = put_blanks(to, p->layout->irq_width + 8);
	for (cpu = 0; cpu < p->snap->nr_cpu_ids; cpu++) {
		struct irqstat_string number;

		if (!p->offset[cpu])
			continue;
		number.bytes = digits_before(end, cpu);
		number.len = (size_t)(end - number.bytes);
		to = put_left(put(to, "CPU", 3), &number, 8);
	}
	return put(to, "\n", 1);
}

static char *put_chip(char *to, const struct page *p,
		      const struct irqstat_desc *desc)
{
	const struct irqstat_layout *layout = p->layout;
	bool is_right = layout->flags & IRQSTAT_LAYOUT_CHIP_RIGHT;

	if (desc->flags & IRQSTAT_DESC_CHIP_PRINTED) {
		uint32_t gap = layout->chip_gap;

		if (is_right && gap)
			gap--;
		return put_string(put_blanks(to, gap), &desc->chip);
	}
	to = put_blanks(to, layout->chip_gap);
	if (is_right)
		return put_right(to, desc->chip.bytes, desc->chip.len,
				 layout->chip_width);
	return put_left(to, &desc->chip, layout->chip_width);
}

static char *put_hwirq(char *to, const struct page *p,
		       const struct irqstat_desc *desc)
{
	const struct irqstat_layout *layout = p->layout;

	if (!(desc->flags & IRQSTAT_DESC_HWIRQ))
		return put_blanks(to, layout->no_hwirq_blanks);
	*to++ = ' ';
	if (layout->flags & IRQSTAT_LAYOUT_HWIRQ_INT)
		return put_int(to, (int32_t)desc->hwirq, layout->irq_width);
	return put_number(to, desc->hwirq, layout->irq_width);
}

static char *put_actions(char *to, const struct irqstat_desc *desc)
{
	size_t i;

	for (i = 0; i < desc->n_actions; i++) {
		const struct irqstat_string *name = &desc->actions[i];

		to = put(to, i ? ", " : "  ", 2);
		to = name->bytes ? put_string(to, name) : put(to, "(null)", 6);
	}
	return to;
}

static char *put_irq(char *to, const struct page *p,
		     const struct irqstat_desc *desc,
		     const struct irqstat_row *row)
{
	to = put_number(to, desc->id, p->layout->irq_width);
	*to++ = ':';
	to = put_hwirq(put_chip(put_cells(to, p, row), p, desc), p, desc);
	if (desc->flow.bytes) {
		*to++ = '-';
		to = put_left(to, &desc->flow, 8);
	}
	return put(put_actions(to, desc), "\n", 1);
}

static char *put_x86(char *to, const struct page *p,
		     const struct irqstat_desc *desc,
		     const struct irqstat_row *row)
{
	to = put_right(to, desc->label.bytes, desc->label.len,
		       p->layout->irq_width);
	*to++ = ':';
	if (is_single(desc))
		to = put_number(to, row ? row->total : 0, CELL);
	else
		to = put_cells(to, p, row);
	return put(put_string(to, &desc->text), "\n", 1);
}

/* What one row takes at most. */
static size_t row_room(const struct page *p, const struct irqstat_desc *desc)
{
	const struct irqstat_layout *layout = p->layout;
	size_t room = 2 * (layout->irq_width + DIGITS_MAX) + p->zeros_len +
		      layout->chip_gap + layout->chip_width +
		      layout->no_hwirq_blanks + 32 + BLANKS;
	size_t i;

	room += desc->label.len + desc->text.len + desc->chip.len + desc->flow.len;
	for (i = 0; i < desc->n_actions; i++)
		room += desc->actions[i].len + sizeof("(null), ");
	return room;
}

static bool has_online_count(const struct page *p,
			     const struct irqstat_row *row)
{
	uint32_t i;

	for (i = row->first; i < row->first + row->n; i++) {
		uint32_t cpu = p->snap->cpu[i];

		if (cpu == IRQSTAT_CPU_NONE || p->offset[cpu])
			return true;
	}
	return false;
}

static bool is_shown(const struct page *p, const struct irqstat_desc *desc,
		     const struct irqstat_row *row)
{
	if (desc->flags & IRQSTAT_DESC_SHOWN)
		return true;
	if (!row)
		return false;
	if ((desc->flags & IRQSTAT_DESC_SHOWN_COUNTED) && row->n)
		return true;
	return (desc->flags & IRQSTAT_DESC_SHOWN_ONLINE) &&
	       has_online_count(p, row);
}

/* The row of @desc; both come by rising number as long as they are interrupts. */
static const struct irqstat_row *row_find(const struct page *p,
					  const struct irqstat_desc *desc,
					  size_t *next)
{
	const struct irqstat_row *rows = p->snap->rows;

	if (desc->kind != IRQSTAT_IRQ)
		return irqstat_snapshot_find(p->snap, desc->kind, desc->id);
	while (*next < p->snap->n_rows && rows[*next].kind == IRQSTAT_IRQ &&
	       rows[*next].id < desc->id)
		++*next;
	if (*next == p->snap->n_rows || rows[*next].kind != IRQSTAT_IRQ ||
	    rows[*next].id != desc->id)
		return NULL;
	return &rows[*next];
}

static int write_rows(struct page *p, const struct irqstat_descs *descs)
{
	size_t i, next = 0;

	for (i = 0; i < descs->n_descs; i++) {
		const struct irqstat_desc *desc = &descs->descs[i];
		const struct irqstat_row *row = row_find(p, desc, &next);
		char *to;

		if (!is_shown(p, desc, row))
			continue;
		to = output_begin(p->out, row_room(p, desc));
		if (!to)
			return -1;
		if (desc->kind == IRQSTAT_IRQ)
			to = put_irq(to, p, desc, row);
		else
			to = put_x86(to, p, desc, row);
		output_end(p->out, to);
	}
	return 0;
}

static int write_header(struct page *p)
{
	char *to = output_begin(p->out, p->layout->irq_width + 8 +
				p->zeros_len / CELL * (3 + DIGITS_MAX) + 1 + BLANKS);

	if (!to)
		return -1;
	output_end(p->out, put_header(to, p));
	return 0;
}

static int prepare(struct page *p)
{
	static const char zero[] = "          0";
	uint32_t cpu;

	p->offset = calloc(p->snap->nr_cpu_ids, sizeof(*p->offset));
	p->zeros = malloc((size_t)p->snap->n_online * CELL);
	if (!p->offset || !p->zeros)
		return -1;
	for (cpu = 0; cpu < p->snap->nr_cpu_ids; cpu++) {
		if (!irqstat_snapshot_is_online(p->snap, cpu))
			continue;
		memcpy(p->zeros + p->zeros_len, zero, CELL);
		p->zeros_len += CELL;
		p->offset[cpu] = (uint32_t)p->zeros_len;
	}
	return 0;
}

int text_write(const struct irqstat_descs *descs,
	       const struct irqstat_snapshot *snap, struct output *out)
{
	struct page page = {
		.layout = descs->layout,
		.snap = snap,
		.out = out,
	};
	int ret = -1;

	if (!prepare(&page) && !write_header(&page))
		ret = write_rows(&page, descs);
	free(page.offset);
	free(page.zeros);
	return ret;
}
