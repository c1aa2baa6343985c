/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The labels of each descriptor as text, made once per generation. No two
 * descriptors have the same: a second one that would gets the label row="2".
 */
#ifndef LABELS_H
#define LABELS_H

#include <irqstat.h>

#include "page.h"

/* As irq="24",name="nvme0q1",chip="PCI-MSI": where in the text, len 0: none. */
struct label_set {
	size_t at;
	size_t len;
};

/* Puts the labels of @desc, or nothing if it has no place in this style. */
typedef void label_style(struct page *page, const struct irqstat_descs *descs,
			 const struct irqstat_desc *desc);

label_style labels_of_row;		/* irq, name and chip; or softirq */
label_style labels_of_node_exporter;	/* type, info and devices; or type */

struct labels {
	label_style *style;
	struct page text;
	struct label_set *sets;		/* by index of the descriptor */
	size_t cap;

	const struct irqstat_desc *descs;	/* what they were made for */
	size_t n_descs;
	uint64_t generation;
	uint64_t time_ns;
};

void labels_free(struct labels *labels);

/* labels_make - bring them up to date: 0, or -1 with ENOMEM */
int labels_make(struct labels *labels, const struct irqstat_descs *descs);

static inline const char *labels_at(const struct labels *labels,
				    const struct label_set *set)
{
	return labels->text.bytes + set->at;
}

#endif /* LABELS_H */
