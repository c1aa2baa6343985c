/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

#define INEXACT_NS 5000000000U

int descs_alloc(struct descs *d, size_t n_descs, size_t n_strings,
		size_t n_bytes)
{
	d->descs = calloc(n_descs + 1, sizeof(*d->descs));
	d->strings = calloc(n_strings + 1, sizeof(*d->strings));
	d->by_key = calloc(n_descs + 1, sizeof(*d->by_key));
	d->bytes = malloc(n_bytes + 1);
	if (d->descs && d->strings && d->by_key && d->bytes)
		return 0;
	descs_free(d);
	errno = ENOMEM;
	return -1;
}

void descs_free(struct descs *d)
{
	free(d->descs);
	free(d->strings);
	free(d->by_key);
	free(d->bytes);
	*d = (struct descs){ 0 };
}

static uint64_t key_of(uint32_t kind, uint32_t id)
{
	return (uint64_t)kind << 32 | id;
}

static int rising(const void *a, const void *b)
{
	uint64_t x = ((const struct desc_key *)a)->key;
	uint64_t y = ((const struct desc_key *)b)->key;

	return (x > y) - (x < y);
}

bool descs_sort(struct descs *d)
{
	size_t n = d->pub.n_descs - d->pub.n_irqs;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct irqstat_desc *desc = &d->descs[d->pub.n_irqs + i];

		d->by_key[i].key = key_of(desc->kind, desc->id);
		d->by_key[i].index = d->pub.n_irqs + i;
	}
	qsort(d->by_key, n, sizeof(*d->by_key), rising);
	for (i = 1; i < n; i++) {
		if (d->by_key[i].key == d->by_key[i - 1].key)
			return false;
	}
	return true;
}

static int read_descs(struct irqstat *is, struct descs *d)
{
	if (source_ready(is) || (!is->source && handle_peek(is)))
		return -1;
	return is->source->describe(is, d);
}

const struct irqstat_descs *irqstat_descs_read(struct irqstat *is)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);
	struct descs fresh = { 0 };

	while (read_descs(is, &fresh)) {
		if (!source_change(is))
			return NULL;
	}
	descs_free(&is->descs);
	is->descs = fresh;
	if (fresh.pub.layout)
		is->descs.pub.layout = &is->descs.layout;
	is->is_proven = true;
	is->has_descs = true;
	is->descs_read_ns = snap ? snap->time_ns : 0;
	return &is->descs.pub;
}

static bool are_stale(const struct irqstat *is)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);

	if (!is->has_descs)
		return true;
	if (!snap)
		return false;
	if (snap->generation != is->descs.pub.generation)
		return true;
	return !snap->generation_exact &&
	       snap->time_ns - is->descs_read_ns >= INEXACT_NS;
}

const struct irqstat_descs *irqstat_descs_get(struct irqstat *is)
{
	return are_stale(is) ? irqstat_descs_read(is) : &is->descs.pub;
}

static const struct irqstat_desc *find_irq(const struct irqstat_descs *descs,
					   uint32_t id)
{
	size_t lo = 0, hi = descs->n_irqs;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (descs->descs[mid].id == id)
			return &descs->descs[mid];
		if (descs->descs[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static const struct irqstat_desc *find_other(const struct irqstat_descs *descs,
					     uint64_t key)
{
	const struct descs *d = (const struct descs *)descs;
	size_t lo = 0, hi = descs->n_descs - descs->n_irqs;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct desc_key *at = &d->by_key[mid];

		if (at->key == key)
			return &descs->descs[at->index];
		if (at->key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

const struct irqstat_desc *irqstat_descs_find(const struct irqstat_descs *descs,
					      unsigned int kind, uint32_t id)
{
	return kind == IRQSTAT_IRQ ? find_irq(descs, id) :
				     find_other(descs, key_of(kind, id));
}

const struct irqstat_desc *irqstat_descs_row(const struct irqstat_descs *descs,
					     const struct irqstat_row *row)
{
	const struct irqstat_desc *desc;

	desc = irqstat_descs_find(descs, row->kind, row->id);
	if (desc && row->kind == IRQSTAT_IRQ && desc->instance != row->instance)
		return NULL;
	return desc;
}
