/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Rows of counters come before those of interrupts: they are few, and the limit
 * of series is not to take those. What it takes does not change from page to
 * page: all rows from the first that has no room.
 */
#include "../output.h"
#include "families.h"

struct family;

/* What is put now. */
struct sink {
	struct families *f;
	struct exposition *e;
	const struct view *view;
	const struct metric *metric;
	struct labels *labels;
	bool is_full;
};

struct family {
	enum series series;
	struct metric metrics[2];	/* by enum subject */
	int (*put)(struct sink *s);	/* 0, or -1 with ENOMEM */
};

static bool has_room(struct sink *s, uint64_t n)
{
	if (s->is_full || n > s->f->max - s->f->put) {
		s->is_full = true;
		s->f->omitted += n;
		return false;
	}
	s->f->put += n;
	return true;
}

/* NAME_total{ and room for @room more */
static char *begin_line(struct sink *s, size_t room)
{
	const char *name = s->metric->name;
	size_t len = strlen(name);
	char *to = page_begin(&s->e->page, len + 16 + DIGITS_MAX + room);

	return to ? put(put(to, name, len), "_total{", 7) : NULL;
}

static void end_line(struct sink *s, char *to, uint64_t count)
{
	to = put_number(put(to, "} ", 2), count);
	*to++ = '\n';
	page_end(&s->e->page, to);
}

static char *put_set(const struct sink *s, char *to, const struct label_set *set)
{
	return put(to, labels_at(s->labels, set), set->len);
}

/* A sample with @part, as cpu=", of one CPU or node, and of a row if @set. */
static void put_part(struct sink *s, const char *part, uint32_t id,
		     const struct label_set *set, uint64_t count)
{
	char *to = begin_line(s, 16 + DIGITS_MAX + (set ? set->len : 0));

	if (!to)
		return;
	to = put(to, part, strlen(part));
	to = id == UINT32_MAX ? put(to, "none", 4) : put_number(to, id);
	*to++ = '"';
	if (set) {
		*to++ = ',';
		to = put_set(s, to, set);
	}
	end_line(s, to, count);
}

static bool is_wanted(const struct sink *s, const struct irqstat_sum *sum)
{
	return sum->count || s->f->with_zeros;
}

static int put_sums(struct sink *s, const char *part,
		    const struct label_set *set, const struct irqstat_sums *sums)
{
	uint64_t n = 0;
	size_t i;

	if (!sums)
		return -1;
	for (i = 0; i < sums->n_sums; i++)
		n += is_wanted(s, &sums->sums[i]);
	if (!has_room(s, n))
		return 0;
	for (i = 0; i < sums->n_sums; i++) {
		const struct irqstat_sum *sum = &sums->sums[i];

		if (is_wanted(s, sum))
			put_part(s, part, sum->id, set, sum->count);
	}
	return 0;
}

static int put_by_cpu(struct sink *s)
{
	return put_sums(s, "cpu=\"", NULL,
			irqstat_sums_by_cpu(s->f->adder, s->view->snap));
}

static int put_by_node(struct sink *s)
{
	return put_sums(s, "node=\"", NULL,
			irqstat_sums_by_node(s->f->adder, s->view->snap,
					     s->f->nodes.topology));
}

/* Puts each row that is shown and has labels. */
static int put_rows(struct sink *s, int (*put_row)(struct sink *s, size_t i))
{
	const struct irqstat_descs *descs = s->view->descs;
	size_t k, n_others = descs->n_descs - descs->n_irqs;

	for (k = 0; k < descs->n_descs; k++) {
		size_t i = k < n_others ? descs->n_irqs + k : k - n_others;

		if (!s->labels->sets[i].len ||
		    !view_is_shown(s->view, i, s->f->with_zeros))
			continue;
		if (put_row(s, i))
			return -1;
	}
	return 0;
}

static int put_total(struct sink *s, size_t i)
{
	const struct label_set *set = &s->labels->sets[i];
	const struct irqstat_row *row = s->view->rows[i];
	char *to;

	if (!has_room(s, 1))
		return 0;
	to = begin_line(s, set->len);
	if (to)
		end_line(s, put_set(s, to, set), row ? row->total : 0);
	return 0;
}

static int put_totals(struct sink *s)
{
	return put_rows(s, put_total);
}

static int put_row_by_node(struct sink *s, size_t i)
{
	static const struct irqstat_row zero;
	struct irqstat_snapshot one = *s->view->snap;

	one.rows = s->view->rows[i] ? s->view->rows[i] : &zero;
	one.n_rows = 1;
	return put_sums(s, "node=\"", &s->labels->sets[i],
			irqstat_sums_by_node(s->f->adder, &one,
					     s->f->nodes.topology));
}

static int put_rows_by_node(struct sink *s)
{
	return put_rows(s, put_row_by_node);
}

static uint64_t count_cells(const struct sink *s, size_t i)
{
	struct view_cells cells;
	struct view_cell cell;
	uint64_t n = 0;

	if (!s->f->with_zeros)
		return s->view->rows[i]->n;
	view_cells_begin(&cells, s->view, i, true);
	while (view_cells_next(&cells, &cell))
		n++;
	return n;
}

static int put_row_by_cpu(struct sink *s, size_t i)
{
	const struct label_set *set = &s->labels->sets[i];
	struct view_cells cells;
	struct view_cell cell;

	if (!has_room(s, count_cells(s, i)))
		return 0;
	view_cells_begin(&cells, s->view, i, s->f->with_zeros);
	while (view_cells_next(&cells, &cell))
		put_part(s, "cpu=\"", cell.cpu, set, cell.count);
	return 0;
}

static int put_rows_by_cpu(struct sink *s)
{
	return put_rows(s, put_row_by_cpu);
}

#define COUNTER(name, help) { name, help, METRIC_COUNTER }

static const struct family all[] = {
	{ SERIES_ROWS,
	  { COUNTER("irqstat_interrupts", "Interrupts by row of /proc/interrupts."),
	    COUNTER("irqstat_softirqs", "Softirqs by row of /proc/softirqs.") },
	  put_totals },
	{ SERIES_CPUS,
	  { COUNTER("irqstat_cpu_interrupts", "Interrupts by CPU."),
	    COUNTER("irqstat_cpu_softirqs", "Softirqs by CPU.") },
	  put_by_cpu },
	{ SERIES_NODES,
	  { COUNTER("irqstat_node_interrupts", "Interrupts by NUMA node."),
	    COUNTER("irqstat_node_softirqs", "Softirqs by NUMA node.") },
	  put_by_node },
	{ SERIES_ROWS_BY_NODE,
	  { COUNTER("irqstat_interrupts_by_node", "Interrupts by row and NUMA node."),
	    COUNTER("irqstat_softirqs_by_node", "Softirqs by row and NUMA node.") },
	  put_rows_by_node },
	{ SERIES_ROWS_BY_CPU,
	  { COUNTER("irqstat_interrupts_by_cpu", "Interrupts by row and CPU."),
	    COUNTER("irqstat_softirqs_by_cpu", "Softirqs by row and CPU.") },
	  put_rows_by_cpu },
	{ SERIES_NODE_EXPORTER,
	  { COUNTER("node_interrupts", "Interrupt details."),
	    COUNTER("node_softirqs_functions", "Softirq counts per CPU.") },
	  put_rows_by_cpu },
};

int families_init(struct families *families, unsigned int series)
{
	struct families *f = families;
	size_t i;

	*f = (struct families){ .series = series, .max = UINT64_MAX };
	for (i = 0; i < 2; i++) {
		f->rows[i].style = labels_of_row;
		f->node_exporter[i].style = labels_of_node_exporter;
	}
	f->adder = irqstat_adder_new();
	if (!f->adder)
		return -1;
	if (!(series & (SERIES_NODES | SERIES_ROWS_BY_NODE)))
		return 0;
	return nodes_init(&f->nodes);
}

void families_free(struct families *families)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		labels_free(&families->rows[i]);
		labels_free(&families->node_exporter[i]);
	}
	nodes_free(&families->nodes);
	irqstat_adder_free(families->adder);
}

void families_begin(struct families *families)
{
	families->put = 0;
	families->omitted = 0;
}

static int put_family(const struct family *family, struct sink *s,
		      enum subject subject)
{
	s->metric = &family->metrics[subject];
	s->labels = family->series == SERIES_NODE_EXPORTER ?
		    &s->f->node_exporter[subject] : &s->f->rows[subject];
	s->is_full = false;
	if (labels_make(s->labels, s->view->descs))
		return -1;
	exposition_begin(s->e, s->metric);
	return family->put(s);
}

int families_put(struct families *families, struct exposition *e,
		 enum subject subject, const struct view *view)
{
	struct sink s = { .f = families, .e = e, .view = view };
	size_t i;

	nodes_follow(&families->nodes, view->snap);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if ((families->series & all[i].series) &&
		    put_family(&all[i], &s, subject))
			return -1;
	}
	return 0;
}
