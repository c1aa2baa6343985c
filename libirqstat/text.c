/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A text that has the shape of the last one is compared with it, and only its
 * counts are parsed; the first byte that differs has the shape learned anew. So
 * each count is of the row and CPU that the shape says, or of none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

bool text_begins(const void *data, size_t len)
{
	const char *p = data, *end = p + len;

	while (p != end && *p == ' ')
		p++;
	return end - p >= 4 && !memcmp(p, "CPU", 3);
}

struct parser {
	const struct shape *shape;
	struct snapshot *s;
	const char *p;
	const char *end;
	struct cells to;
	size_t n_rows;
};

static bool skip(struct parser *r, const char *bytes, size_t len)
{
	if ((size_t)(r->end - r->p) < len || memcmp(r->p, bytes, len))
		return false;
	r->p += len;
	return true;
}

static bool parse_single(struct parser *r)
{
	struct cells *to = &r->to;
	uint64_t count;

	r->p = count_parse(r->p, &count);
	if (!r->p)
		return false;
	to->cpu[to->n] = IRQSTAT_CPU_NONE;
	to->count[to->n] = count;
	to->n += count != 0;
	to->all |= count;
	to->total = count;
	return true;
}

static bool parse_counts(struct parser *r, const struct shape_row *row)
{
	switch (row->form) {
	case SHAPE_CPUS:
		r->p = cells_parse(r->p, r->end, r->shape->cpus,
				   r->shape->n_cpus, &r->to);
		return r->p;
	case SHAPE_SINGLE:
		return parse_single(r);
	default:
		return true;
	}
}

static void add_row(struct parser *r, const struct shape_row *row, size_t first)
{
	struct irqstat_row *to = &r->s->rows[r->n_rows++];

	to->instance = 0;
	to->total = r->to.total;
	to->id = row->id;
	to->first = (uint32_t)first;
	to->n = (uint32_t)(r->to.n - first);
	to->kind = row->kind;
	to->flags = row->is_aggregate ? IRQSTAT_ROW_AGGREGATE : 0;
}

static int reserve(struct parser *r)
{
	if (snapshot_extend(r->s, r->to.n, r->shape->n_cpus))
		return -1;
	r->to.cpu = r->s->cpu;
	r->to.count = r->s->count;
	return 0;
}

static bool parse_row(struct parser *r, const struct shape_row *row)
{
	const char *bytes = r->shape->bytes + row->at;
	size_t first = r->to.n;

	if (!skip(r, bytes, row->prefix_len) || !parse_counts(r, row) ||
	    !skip(r, bytes + row->prefix_len, row->tail_len))
		return false;
	if (r->to.n > first)
		add_row(r, row, first);
	return true;
}

/* Returns 1 if the text is of another shape. */
static int parse_rows(struct parser *r)
{
	size_t i;

	if (snapshot_reserve(r->s, r->shape->n_rows, 0,
			     r->shape->cpus[r->shape->n_cpus - 1] / 64 + 1))
		return -1;
	if (!skip(r, r->shape->bytes, r->shape->header_len))
		return 1;
	for (i = 0; i < r->shape->n_rows; i++) {
		if (reserve(r))
			return -1;
		if (!parse_row(r, &r->shape->rows[i]))
			return 1;
	}
	return r->p != r->end;
}

static int parse(const struct shape *shape, const char *text, size_t len,
		 struct snapshot *s, struct parser *r)
{
	*r = (struct parser){
		.shape = shape, .s = s, .p = text, .end = text + len
	};
	return parse_rows(r);
}

static int rising(const void *a, const void *b)
{
	const struct irqstat_row *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static int reserve_entries(struct text *t, size_t n)
{
	if (n <= t->entries_cap)
		return 0;
	free(t->cpu);
	free(t->count);
	t->entries_cap = 0;
	t->cpu = malloc(n * sizeof(*t->cpu));
	t->count = malloc(n * sizeof(*t->count));
	if (!t->cpu || !t->count)
		return -1;
	t->entries_cap = n;
	return 0;
}

static void swap_entries(struct text *t, struct snapshot *s)
{
	uint32_t *cpu = t->cpu;
	uint64_t *count = t->count;
	size_t cap = t->entries_cap;

	t->cpu = s->cpu;
	t->count = s->count;
	t->entries_cap = s->entries_cap;
	s->cpu = cpu;
	s->count = count;
	s->entries_cap = cap;
}

/* Rows in the order of the text to rows in that of their ids. */
static int sort(struct text *t, struct snapshot *s, size_t n_rows)
{
	size_t i, n = 0;

	if (reserve_entries(t, s->entries_cap))
		return -1;
	qsort(s->rows, n_rows, sizeof(*s->rows), rising);
	for (i = 0; i < n_rows; i++) {
		struct irqstat_row *row = &s->rows[i];

		memcpy(t->cpu + n, s->cpu + row->first,
		       row->n * sizeof(*t->cpu));
		memcpy(t->count + n, s->count + row->first,
		       row->n * sizeof(*t->count));
		row->first = (uint32_t)n;
		n += row->n;
	}
	swap_entries(t, s);
	return 0;
}

static void publish_online(const struct shape *shape, struct snapshot *s)
{
	size_t i, n = shape->cpus[shape->n_cpus - 1] / 64 + 1;

	memset(s->online, 0, n * sizeof(*s->online));
	for (i = 0; i < shape->n_cpus; i++)
		s->online[shape->cpus[i] / 64] |= 1ULL << shape->cpus[i] % 64;
}

static void publish(struct text *t, const struct parser *r)
{
	struct irqstat_snapshot *pub = &r->s->pub;
	const struct shape *shape = r->shape;

	publish_online(shape, r->s);
	t->has_wide |= r->to.all > UINT32_MAX;
	*pub = (struct irqstat_snapshot){
		.sequence = ++t->sequence,
		.generation = t->generation,
		.generation_exact = true,
		.count_bits = t->has_wide ? 64 : 32,
		.nr_cpu_ids = shape->cpus[shape->n_cpus - 1] + 1,
		.n_online = (uint32_t)shape->n_cpus,
		.online = r->s->online,
		.n_rows = r->n_rows,
		.n_entries = r->to.n,
		.rows = r->s->rows,
		.cpu = r->s->cpu,
		.count = r->s->count,
		.source = IRQSTAT_SOURCE_TEXT,
	};
}

int text_parse(struct text *t, const char *text, size_t len, struct snapshot *s)
{
	uint8_t spare = t->cur ^ 1;
	struct parser r;
	int ret = 1;

	if (!len || text[len - 1] != '\n') {
		errno = EBADMSG;
		return -1;
	}
	if (t->has_shape)
		ret = parse(&t->shapes[t->cur], text, len, s, &r);
	if (ret > 0) {
		errno = EBADMSG;
		if (shape_learn(&t->shapes[spare], &t->names, text, len) ||
		    parse(&t->shapes[spare], text, len, s, &r))
			return -1;
	}
	if (ret < 0 || (!r.shape->is_rising && sort(t, s, r.n_rows)))
		return -1;
	if (ret > 0) {
		t->cur = spare;
		t->has_shape = true;
		t->generation++;
	}
	publish(t, &r);
	return 0;
}

void text_free(struct text *t)
{
	shape_free(&t->shapes[0]);
	shape_free(&t->shapes[1]);
	names_free(&t->names);
	free(t->cpu);
	free(t->count);
}
