// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the running kernel sets /proc/interrupts, found out from its own text and
 * from what is known of the interrupts: of the styles there are, the one that
 * gives every row back to the byte. The version number is not asked.
 *
 * All styles agree on a number or label, a colon and 11 bytes for each CPU. What
 * follows, the tail, is where they differ. In kernels from 7.2 on the chips are
 * set as wide as the widest that ever was, which can only be observed: on a row
 * whose chip is shorter than that.
 */
#include "layout.h"

#define CELL_WIDTH	11
#define TAIL_MAX	(4 * IRQBIN_NAME_MAX)

static const struct style {
	u16 chip_gap;
	u16 no_hwirq_extra;	/* blanks instead of a hwirq, more than irq_width */
	bool chip_right;
	bool chip_widens;
} styles[] = {
	{ .chip_gap = 2, .no_hwirq_extra = 2, .chip_widens = true },	/* 7.2 */
	{ .chip_gap = 2, .no_hwirq_extra = 1, .chip_right = true },	/* to 6.12 */
	{ .chip_gap = 1, .no_hwirq_extra = 1, .chip_right = true },	/* 6.13 to 7.1 */
};

/* One interrupt, out of its record. */
struct desc_view {
	const struct irqbin_irq_desc *desc;
	const u16 *len;
	const char *bytes;
};

static void view_set(const u64 *record, struct desc_view *view)
{
	view->desc = (const void *)(record + 1);
	view->len = (const u16 *)(view->desc + 1);
	view->bytes = (const char *)(view->len + view->desc->n_strings);
}

static int put(char *buf, size_t *used, const char *bytes, size_t len)
{
	if (len > TAIL_MAX - *used)
		return -E2BIG;
	memcpy(buf + *used, bytes, len);
	*used += len;
	return 0;
}

static int put_blanks(char *buf, size_t *used, int num)
{
	if (num > (int)(TAIL_MAX - *used))
		return -E2BIG;
	if (num > 0) {
		memset(buf + *used, ' ', num);
		*used += num;
	}
	return 0;
}

static int put_hwirq(char *buf, size_t *used, const struct irqbin_layout *layout, u64 hwirq)
{
	char digits[24];
	int len;

	len = layout->flags & IRQBIN_LAYOUT_HWIRQ_INT ?
	      snprintf(digits, sizeof(digits), " %*d", layout->irq_width, (int)hwirq) :
	      snprintf(digits, sizeof(digits), " %*llu", layout->irq_width, hwirq);
	return put(buf, used, digits, len);
}

static int put_names(char *buf, size_t *used, const struct desc_view *view, const char *bytes)
{
	unsigned int i;
	int err;

	for (i = 2; i < view->desc->n_strings; i++) {
		err = put(buf, used, i == 2 ? "  " : ", ", 2);
		if (!err && view->len[i] == IRQBIN_STRING_NONE)
			err = put(buf, used, "(null)", 6);
		else if (!err)
			err = put(buf, used, bytes, view->len[i]);
		if (err)
			return err;
		bytes += view->len[i] == IRQBIN_STRING_NONE ? 0 : view->len[i];
	}
	return 0;
}

/* The tail of an interrupt's row, newline included, under @layout. */
static ssize_t tail_set(const struct desc_view *view, const struct irqbin_layout *layout,
			char *buf)
{
	const u16 chip = view->len[0], flow = view->len[1];
	const bool right = layout->flags & IRQBIN_LAYOUT_CHIP_RIGHT;
	const bool printed = view->desc->flags & IRQBIN_DESC_CHIP_PRINTED;
	const int pad = printed ? 0 : max(layout->chip_width - chip, 0);
	const char *bytes = view->bytes;
	size_t used = 0;
	int err;

	/* A chip that prints itself gets no blank of the field's own either. */
	err = put_blanks(buf, &used, layout->chip_gap - (printed && right) + (right ? pad : 0)) ?:
	      put(buf, &used, bytes, chip) ?:
	      put_blanks(buf, &used, right ? 0 : pad);
	bytes += chip;
	if (!err && view->desc->flags & IRQBIN_DESC_HWIRQ)
		err = put_hwirq(buf, &used, layout, view->desc->hwirq);
	else if (!err)
		err = put_blanks(buf, &used, layout->no_hwirq_blanks);
	if (!err && flow != IRQBIN_STRING_NONE) {
		err = put(buf, &used, "-", 1) ?: put(buf, &used, bytes, flow) ?:
		      put_blanks(buf, &used, 8 - flow);
		bytes += flow;
	}
	err = err ?: put_names(buf, &used, view, bytes) ?: put(buf, &used, "\n", 1);
	return err ?: (ssize_t)used;
}

/*
 * The width of the chip column as the row at @tail shows it: what is between the
 * chip and the hwirq, less what belongs to the hwirq.
 */
static int chip_width_measure(const char *tail, const struct desc_view *view,
			      const struct irqbin_layout *layout)
{
	const char *at = tail + layout->chip_gap + view->len[0];
	int blanks = 0, own = layout->no_hwirq_blanks;
	char digits[24];

	while (at[blanks] == ' ')
		blanks++;
	if (view->desc->flags & IRQBIN_DESC_HWIRQ)
		own = 1 + max_t(int, 0, layout->irq_width -
				snprintf(digits, sizeof(digits), "%llu", view->desc->hwirq));
	return view->len[0] + max(blanks - own, 0);
}

/* One row under one style; returns the tail's length, or an error. */
static ssize_t row_match(const char *tail, const struct desc_view *view, struct style const *style,
			 struct irqbin_layout *layout, char *buf)
{
	ssize_t len;
	int width;

	if (style->chip_widens && !layout->chip_width &&
	    !(view->desc->flags & IRQBIN_DESC_CHIP_PRINTED) &&
	    strnlen(tail, layout->chip_gap + view->len[0]) == layout->chip_gap + view->len[0]) {
		width = chip_width_measure(tail, view, layout);
		if (width > view->len[0])
			layout->chip_width = width;
	}
	len = tail_set(view, layout, buf);
	if (len > 0 && strncmp(tail, buf, len))
		return -EINVAL;
	return len;
}

/* The record of interrupt @irq, from @descs on; NULL if there is none. */
static const u64 *record_find(const u64 *descs, const u64 *end, u32 irq)
{
	struct irqbin_record rec;

	for (; descs < end; descs += 1 + rec.n_words) {
		memcpy(&rec, descs, sizeof(rec));
		if (rec.type == IRQBIN_REC_IRQ_DESC && rec.id >= irq)
			return rec.id == irq ? descs : NULL;
	}
	return NULL;
}

/* Goes over the rows of interrupts in @text; all must match. */
static int style_try(const char *row, unsigned int n_cpus, const u64 *descs, const u64 *end,
		     const struct style *style, struct irqbin_layout *layout, char *buf)
{
	const size_t cells = 1 + (size_t)n_cpus * CELL_WIDTH;
	const u64 *record;
	struct desc_view view;
	unsigned int rows = 0;
	const char *colon;
	ssize_t len;
	int used;
	u32 irq;

	layout->chip_gap = style->chip_gap;
	layout->no_hwirq_blanks = layout->irq_width + style->no_hwirq_extra;
	layout->chip_width = style->chip_widens ? 0 : IRQBIN_CHIP_WIDTH_MIN;
	layout->flags = style->chip_right ? IRQBIN_LAYOUT_CHIP_RIGHT : 0;
#ifdef IRQBIN_TEXT_HWIRQ_INT
	layout->flags |= IRQBIN_LAYOUT_HWIRQ_INT;
#endif

	for (; *row; row += len, rows++) {
		if (sscanf(row, " %u%n", &irq, &used) != 1 || row[used] != ':')
			break;
		colon = row + used;
		if (strnlen(colon, cells) != cells || !strchr(colon + cells, '\n'))
			break;
		record = record_find(descs, end, irq);
		if (!record)
			return -ENOENT;
		view_set(record, &view);
		row = colon + cells;
		len = row_match(row, &view, style, layout, buf);
		if (len < 0)
			return len;
		descs = record;
	}
	return rows ? 0 : -EINVAL;
}

/* Reads the header row; returns the first row after it, or NULL. */
static const char *header_parse(const char *text, unsigned int *irq_width, unsigned int *n_cpus)
{
	const char *end = strchr(text, '\n'), *cpu = skip_spaces(text);
	unsigned int num = 0;

	if (!end || cpu - text < 8 + 1)
		return NULL;
	*irq_width = cpu - text - 8;
	for (; cpu < end && !strncmp(cpu, "CPU", 3); num++) {
		for (cpu += 3; isdigit(*cpu); cpu++)
			;
		while (*cpu == ' ')
			cpu++;
	}
	*n_cpus = num;
	return num && cpu == end ? end + 1 : NULL;
}

/**
 * irqbin_layout_learn - find out how the kernel sets its rows
 * @text: the start of its text, with some rows of interrupts
 * @descs: the IRQ_DESC records
 * @end: where they end
 * @layout: where to put the answer
 *
 * A chip_width of 0 says that no row there shows it.
 *
 * Return: 0, -ENOMEM, or -EINVAL if the text is not what any style makes of them
 */
int irqbin_layout_learn(const char *text, const u64 *descs, const u64 *end,
			struct irqbin_layout *layout)
{
	unsigned int i, irq_width, n_cpus;
	const char *row = header_parse(text, &irq_width, &n_cpus);
	char *buf = row ? kvmalloc(TAIL_MAX, GFP_KERNEL) : NULL;
	int err = -EINVAL;

	if (!buf)
		return row ? -ENOMEM : -EINVAL;
	for (i = 0; err && i < ARRAY_SIZE(styles); i++) {
		*layout = (struct irqbin_layout){ .irq_width = irq_width };
		err = style_try(row, n_cpus, descs, end, &styles[i], layout, buf);
	}
	kvfree(buf);
	return err;
}

/**
 * irqbin_layout_learn_arch - find out which rows of the architecture there are
 * @text: the start of the kernel's own text
 * @row: the rows of the architecture
 * @arch: where to put what was learned; to be freed with irqbin_layout_free_arch()
 *
 * Return: 0, -ENOMEM, or -EINVAL if there is a row that we don't know
 */
int irqbin_layout_learn_arch(const char *text, const char *row, struct irqbin_arch_layout *arch)
{
	unsigned int irq_width, n_cpus, cells;
	const char *tail, *end;
	int i, last = -1;

	if (!header_parse(text, &irq_width, &n_cpus))
		return -EINVAL;
	for (; *row; row = end + 1, last = i) {
		end = strchr(row, '\n');
		i = irqbin_arch_find(row);
		if (!end || i <= last)
			return -EINVAL;
		cells = *irqbin_arch_counters[i].text ? n_cpus : 1;
		tail = strchr(row, ':') + 1 + (size_t)cells * CELL_WIDTH;
		/* A digit: there is a CPU more than when the header was set. */
		if (tail > end || !isdigit(tail[-1]) || isdigit(*skip_spaces(tail)))
			return -EINVAL;
		arch->tail[i] = kstrndup(tail, end - tail, GFP_KERNEL);
		if (!arch->tail[i])
			return -ENOMEM;
	}
	arch->known = last >= 0;
	return arch->known ? 0 : -EINVAL;
}

void irqbin_layout_free_arch(struct irqbin_arch_layout *arch)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(arch->tail); i++)
		kfree(arch->tail[i]);
	memset(arch, 0, sizeof(*arch));
}
