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

bool text_is_coherent(const struct irqstat_descs *descs,
		      const struct irqstat_snapshot *snap)
{
	size_t i;

	if (descs->generation != snap->generation)
		return false;
	for (i = 0; i < snap->n_rows; i++) {
		if (!irqstat_descs_row(descs, &snap->rows[i]))
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
	size_t i;

	if (!descs->layout)
		return "the layout is unknown";
	if (descs->layout->flags & ~LAYOUT_FLAGS)
		return "the layout has an unknown flag";
	if (snap->count_bits != 32)
		return "the counts are not of 32 bits";
	for (i = 0; i < descs->n_descs && !why; i++)
		why = why_not_desc(&descs->descs[i]);
	for (i = 0; i < snap->n_rows && !why; i++)
		why = why_not_row(irqstat_descs_row(descs, &snap->rows[i]),
				  &snap->rows[i], snap);
	return why;
}

static int put_cells(struct page *p, const struct irqstat_row *row)
{
	struct output *out = p->out;
	char *cells;
	uint32_t i;

	if (output_reserve(out, p->zeros_len))
		return -1;
	cells = out->buf + out->len;
	memcpy(cells, p->zeros, p->zeros_len);
	out->len += p->zeros_len;
	if (!row || (row->flags & IRQSTAT_ROW_TEXT_ZERO))
		return 0;
	for (i = row->first; i < row->first + row->n; i++) {
		uint32_t end = p->offset[p->snap->cpu[i]];

		if (end)
			digits_before(cells + end, p->snap->count[i]);
	}
	return 0;
}

static int put_header(struct page *p)
{
	struct output *out = p->out;
	char digits[DIGITS_MAX], *end = digits + sizeof(digits), *begin;
	uint32_t cpu;

	if (output_blanks(out, p->layout->irq_width + 8))
		return -1;
	for (cpu = 0; cpu < p->snap->nr_cpu_ids; cpu++) {
		if (!p->offset[cpu])
			continue;
		begin = digits_before(end, cpu);
		if (output_put(out, "CPU", 3) ||
		    output_left(out, begin, (size_t)(end - begin), 8))
			return -1;
	}
	return output_put(out, "\n", 1);
}

static int put_chip(struct page *p, const struct irqstat_desc *desc)
{
	const struct irqstat_layout *layout = p->layout;
	const struct irqstat_string *chip = &desc->chip;
	bool is_right = layout->flags & IRQSTAT_LAYOUT_CHIP_RIGHT;

	if (desc->flags & IRQSTAT_DESC_CHIP_PRINTED) {
		uint32_t gap = layout->chip_gap;

		if (is_right && gap)
			gap--;
		if (output_blanks(p->out, gap))
			return -1;
		return output_put(p->out, chip->bytes, chip->len);
	}
	if (output_blanks(p->out, layout->chip_gap))
		return -1;
	if (is_right)
		return output_right(p->out, chip->bytes, chip->len,
				 layout->chip_width);
	return output_left(p->out, chip->bytes, chip->len, layout->chip_width);
}

static int put_hwirq(struct page *p, const struct irqstat_desc *desc)
{
	const struct irqstat_layout *layout = p->layout;

	if (!(desc->flags & IRQSTAT_DESC_HWIRQ))
		return output_blanks(p->out, layout->no_hwirq_blanks);
	if (output_put(p->out, " ", 1))
		return -1;
	if (layout->flags & IRQSTAT_LAYOUT_HWIRQ_INT)
		return output_int(p->out, (int32_t)desc->hwirq, layout->irq_width);
	return output_number(p->out, desc->hwirq, layout->irq_width);
}

static int put_actions(struct page *p, const struct irqstat_desc *desc)
{
	size_t i;

	for (i = 0; i < desc->n_actions; i++) {
		const struct irqstat_string *name = &desc->actions[i];

		if (output_put(p->out, i ? ", " : "  ", 2))
			return -1;
		if (name->bytes ? output_put(p->out, name->bytes, name->len) :
				  output_put(p->out, "(null)", 6))
			return -1;
	}
	return 0;
}

static int put_irq(struct page *p, const struct irqstat_desc *desc,
		   const struct irqstat_row *row)
{
	struct output *out = p->out;

	if (output_number(out, desc->id, p->layout->irq_width) ||
	    output_put(out, ":", 1) || put_cells(p, row) ||
	    put_chip(p, desc) || put_hwirq(p, desc))
		return -1;
	if (desc->flow.bytes &&
	    (output_put(out, "-", 1) ||
	     output_left(out, desc->flow.bytes, desc->flow.len, 8)))
		return -1;
	if (put_actions(p, desc))
		return -1;
	return output_put(out, "\n", 1);
}

static int put_x86(struct page *p, const struct irqstat_desc *desc,
		   const struct irqstat_row *row)
{
	struct output *out = p->out;

	if (output_right(out, desc->label.bytes, desc->label.len,
		      p->layout->irq_width) ||
	    output_put(out, ":", 1))
		return -1;
	if (is_single(desc)) {
		if (output_number(out, row ? row->total : 0, CELL))
			return -1;
	} else if (put_cells(p, row)) {
		return -1;
	}
	if (output_put(out, desc->text.bytes, desc->text.len))
		return -1;
	return output_put(out, "\n", 1);
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

static int put_rows(struct page *p, const struct irqstat_descs *descs)
{
	size_t i;

	for (i = 0; i < descs->n_descs; i++) {
		const struct irqstat_desc *desc = &descs->descs[i];
		const struct irqstat_row *row;

		row = irqstat_snapshot_find(p->snap, desc->kind, desc->id);
		if (!is_shown(p, desc, row))
			continue;
		if (desc->kind == IRQSTAT_IRQ ? put_irq(p, desc, row) :
						put_x86(p, desc, row))
			return -1;
	}
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

	if (!prepare(&page) && !put_header(&page))
		ret = put_rows(&page, descs);
	free(page.offset);
	free(page.zeros);
	return ret;
}
