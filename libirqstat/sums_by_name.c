/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Sums by name: which rows have which names is found out once for each reading
 * of the descriptors, and kept as a list of members in the order of the rows of
 * a snapshot, so that one pass over both adds up.
 */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "sums.h"

/* A row that has the name of a sum. */
struct member {
	uint64_t key;
	uint64_t instance;
	size_t sum;
};

void by_name_free(struct by_name *by)
{
	free(by->sums);
	free(by->members);
	free(by->bytes);
}

/* A name that a descriptor gives its row, while names are put together. */
struct naming {
	const char *bytes;
	size_t len;
	struct member member;
};

/* The namings of all descriptors, and the names that had to be made. */
struct namings {
	struct naming *v;
	size_t n;
	char *made;
	size_t n_made;
};

static void put_naming(struct namings *to, const struct irqstat_desc *desc,
		       const char *bytes, size_t len)
{
	struct naming *naming = &to->v[to->n++];

	naming->bytes = bytes;
	naming->len = len;
	naming->member.key = (uint64_t)desc->kind << 32 | desc->id;
	naming->member.instance = desc->instance;
}

static struct irqstat_string name_of(const struct irqstat_string *action)
{
	static const struct irqstat_string missing = { "(null)", 6 };

	return action->bytes ? *action : missing;
}

static void name_actions(struct namings *to, const struct irqstat_desc *desc)
{
	size_t i;

	for (i = 0; i < desc->n_actions; i++) {
		struct irqstat_string name = name_of(&desc->actions[i]);

		put_naming(to, desc, name.bytes, name.len);
	}
}

static void make(struct namings *to, const char *bytes, size_t len)
{
	memcpy(to->made + to->n_made, bytes, len);
	to->n_made += len;
}

static void name_label(struct namings *to, const struct irqstat_desc *desc)
{
	size_t i, start = to->n_made;

	if (desc->kind != IRQSTAT_IRQ) {
		if (desc->label.bytes)
			put_naming(to, desc, desc->label.bytes, desc->label.len);
		return;
	}
	for (i = 0; i < desc->n_actions; i++) {
		struct irqstat_string name = name_of(&desc->actions[i]);

		if (i)
			make(to, ", ", 2);
		make(to, name.bytes, name.len);
	}
	put_naming(to, desc, to->made + start, to->n_made - start);
}

static int by_bytes(const void *a, const void *b)
{
	const struct naming *x = a, *y = b;
	int order = memcmp(x->bytes, y->bytes, x->len < y->len ? x->len : y->len);

	if (order || x->len != y->len)
		return order ? order : (x->len > y->len) - (x->len < y->len);
	return (x->member.key > y->member.key) - (x->member.key < y->member.key);
}

static int by_row(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? 1 : -1;
	return (x->sum > y->sum) - (x->sum < y->sum);
}

static bool is_same_name(const struct naming *a, const struct naming *b)
{
	return a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

/* A sum for each name, a member for each row of it. */
static void group(struct by_name *by, const struct namings *from)
{
	struct irqstat_sum *sum = NULL;
	char *byte = by->bytes;
	size_t i;

	for (i = 0; i < from->n; i++) {
		const struct naming *naming = &from->v[i];
		const bool known = i && is_same_name(naming, naming - 1);

		if (known && naming->member.key == naming[-1].member.key)
			continue;
		if (!known) {
			sum = &by->sums[by->pub.n_sums++];
			*sum = (struct irqstat_sum){ .name = { byte, naming->len } };
			memcpy(byte, naming->bytes, naming->len);
			byte[naming->len] = '\0';
			byte += naming->len + 1;
		}
		sum->n_rows++;
		by->members[by->n_members] = naming->member;
		by->members[by->n_members++].sum = by->pub.n_sums - 1;
	}
	qsort(by->members, by->n_members, sizeof(*by->members), by_row);
}

/* How many namings and bytes the descriptors can come to. */
static void measure(const struct irqstat_descs *descs, size_t *n, size_t *n_bytes)
{
	size_t i, j;

	*n = 1;
	*n_bytes = 1;
	for (i = 0; i < descs->n_descs; i++) {
		const struct irqstat_desc *desc = &descs->descs[i];

		*n += desc->n_actions + 1;
		*n_bytes += desc->label.len + 1;
		for (j = 0; j < desc->n_actions; j++)
			*n_bytes += name_of(&desc->actions[j]).len + 2;
	}
}

typedef void name_descs(struct namings *to, const struct irqstat_desc *desc);

static int gather(struct namings *to, const struct irqstat_descs *descs,
		  name_descs *name)
{
	size_t i, n, n_bytes;

	measure(descs, &n, &n_bytes);
	to->v = malloc(n * sizeof(*to->v));
	to->made = malloc(n_bytes);
	if (!to->v || !to->made)
		return -1;
	for (i = 0; i < descs->n_descs; i++)
		name(to, &descs->descs[i]);
	qsort(to->v, to->n, sizeof(*to->v), by_bytes);
	return 0;
}

static int build(struct by_name *by, const struct irqstat_descs *descs,
		 name_descs *name)
{
	struct by_name fresh = { .descs = *descs };
	struct namings namings = { 0 };
	size_t n, n_bytes;
	int ret = -1;

	measure(descs, &n, &n_bytes);
	fresh.sums = malloc(n * sizeof(*fresh.sums));
	fresh.members = malloc(n * sizeof(*fresh.members));
	fresh.bytes = malloc(n_bytes + n);
	if (fresh.sums && fresh.members && fresh.bytes &&
	    !gather(&namings, descs, name)) {
		group(&fresh, &namings);
		fresh.pub.sums = fresh.sums;
		by_name_free(by);
		*by = fresh;
		fresh = (struct by_name){ 0 };
		ret = 0;
	}
	by_name_free(&fresh);
	free(namings.v);
	free(namings.made);
	return ret;
}

static bool are_same(const struct irqstat_descs *a,
		     const struct irqstat_descs *b)
{
	return a->descs == b->descs && a->n_descs == b->n_descs &&
	       a->generation == b->generation && a->time_ns == b->time_ns;
}

static void add_rows(struct by_name *by, const struct irqstat_snapshot *snap)
{
	const struct member *m = by->members, *end = m + by->n_members;
	size_t i;

	by->pub.total = 0;
	for (i = 0; i < by->pub.n_sums; i++)
		by->sums[i].count = 0;
	for (i = 0; i < snap->n_rows; i++) {
		const struct irqstat_row *row = &snap->rows[i];

		if (row->flags & IRQSTAT_ROW_AGGREGATE)
			continue;
		by->pub.total += row->total;
		while (m < end && m->key < row_key(row))
			m++;
		for (; m < end && m->key == row_key(row); m++) {
			if (row->kind != IRQSTAT_IRQ ||
			    row->instance == m->instance)
				by->sums[m->sum].count += row->total;
		}
	}
}

static const struct irqstat_sums *sum(struct by_name *by,
				      const struct irqstat_snapshot *snap,
				      const struct irqstat_descs *descs,
				      name_descs *name)
{
	if ((!by->sums || !are_same(&by->descs, descs)) &&
	    build(by, descs, name))
		return NULL;
	add_rows(by, snap);
	return &by->pub;
}

const struct irqstat_sums *
irqstat_sums_by_action(struct irqstat_adder *adder,
		       const struct irqstat_snapshot *snap,
		       const struct irqstat_descs *descs)
{
	return sum(&adder->actions, snap, descs, name_actions);
}

const struct irqstat_sums *
irqstat_sums_by_label(struct irqstat_adder *adder,
		      const struct irqstat_snapshot *snap,
		      const struct irqstat_descs *descs)
{
	return sum(&adder->labels, snap, descs, name_label);
}
