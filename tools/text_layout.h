/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A snapshot and its descriptors as the text of /proc/interrupts. */
#ifndef TEXT_LAYOUT_H
#define TEXT_LAYOUT_H

#include <irqstat.h>

#include "output.h"

/*
 * Do these belong together: same generation, every row with the descriptor of
 * its own instance?
 */
bool text_is_coherent(const struct irqstat_descs *descs,
		      const struct irqstat_snapshot *snap);

/*
 * Why the text can't be made of these, in a few words; NULL if it can. They
 * must be coherent.
 */
const char *text_why_not(const struct irqstat_descs *descs,
			 const struct irqstat_snapshot *snap);

/*
 * Writes the text, all but what is still in @out's buffer: output_flush(). To
 * be asked only if it can be made. Returns 0, or -1 with the errno of write(2)
 * or ENOMEM.
 */
int text_write(const struct irqstat_descs *descs,
	       const struct irqstat_snapshot *snap, struct output *out);

#endif /* TEXT_LAYOUT_H */
