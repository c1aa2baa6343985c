/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A snapshot and its descriptors as one string, a line for each row of the
 * text in its order:
 *
 *	24 PCI-MSI #5 -edge {eth0}{eth1} 0:7 3:1
 *	IPI0 "Rescheduling interrupts" 0:1
 *
 * with "Edge" or "Level" behind the hwirq, "none" where a row has no counts,
 * "sum" where it is one, and "*" for the CPU of a count that has none.
 */
#ifndef RENDER_H
#define RENDER_H

#include <irqstat.h>

/* Static memory, good until it is called again. */
const char *render(const struct irqstat_snapshot *snap,
		   const struct irqstat_descs *descs);

#endif /* RENDER_H */
