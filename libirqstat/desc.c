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
	d->by_id = calloc(n_descs + 1, sizeof(*d->by_id));
	d->bytes = malloc(n_bytes + 1);
	if (d->descs && d->strings && d->by_id && d->bytes)
		return 0;
	descs_free(d);
	errno = ENOMEM;
	return -1;
}

void descs_free(struct descs *d)
{
	free(d->descs);
	free(d->strings);
	free(d->by_id);
	free(d->bytes);
	*d = (struct descs){ 0 };
}

static int rising(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

bool descs_sort(struct descs *d)
{
	size_t n = d->pub.n_descs - d->pub.n_irqs;
	size_t i;

	for (i = 0; i < n; i++) {
		size_t index = d->pub.n_irqs + i;

		d->by_id[i] = (uint64_t)d->descs[index].id << 32 | index;
	}
	qsort(d->by_id, n, sizeof(*d->by_id), rising);
	for (i = 1; i < n; i++) {
		if (d->by_id[i] >> 32 == d->by_id[i - 1] >> 32)
			return false;
	}
	return true;
}

static int read_descs(struct irqstat *is, struct descs *d)
{
	struct window *w = &is->descriptors;

	if (window_read(w, is->fd, is->desc_offset))
		return -1;
	return decode_descs(w->data, w->len, d);
}

const struct irqstat_descs *irqstat_descs_read(struct irqstat *is)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);
	struct descs fresh = { 0 };
	unsigned int tries = 0;

	while (read_descs(is, &fresh)) {
		if (errno != EBADMSG || is->descriptors.n_reads == 1 ||
		    ++tries == WINDOW_TRIES)
			return NULL;
	}
	descs_free(&is->descs);
	is->descs = fresh;
	if (fresh.pub.layout)
		is->descs.pub.layout = &is->descs.layout;
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

static const struct irqstat_desc *find_x86(const struct irqstat_descs *descs,
					   uint32_t id)
{
	const struct descs *d = (const struct descs *)descs;
	size_t lo = 0, hi = descs->n_descs - descs->n_irqs;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		uint64_t key = d->by_id[mid];

		if (key >> 32 == id)
			return &descs->descs[(uint32_t)key];
		if (key >> 32 < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

const struct irqstat_desc *irqstat_descs_find(const struct irqstat_descs *descs,
					      unsigned int kind, uint32_t id)
{
	switch (kind) {
	case IRQSTAT_IRQ:
		return find_irq(descs, id);
	case IRQSTAT_X86:
		return find_x86(descs, id);
	default:
		return NULL;
	}
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
