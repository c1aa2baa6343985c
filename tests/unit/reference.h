/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A second parser of text, slow and plain, of which the only thing that is
 * asked is which count is of which label and CPU.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <irqstat.h>

struct reference {
	int error;		/* 0, EBADMSG or EAGAIN */
	size_t n_entries;	/* counts that are not 0 */
	uint64_t sum;		/* over (label, CPU, count), in any order */
};

struct reference reference_of_text(const char *text, size_t len);
struct reference reference_of_snapshot(const struct irqstat_snapshot *snap,
				       const struct irqstat_descs *descs);

#endif /* REFERENCE_H */
