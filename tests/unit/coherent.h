/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What the header promises of every snapshot and all descriptors. */
#ifndef COHERENT_H
#define COHERENT_H

#include <irqstat.h>

/* Return NULL, or what is wrong. */
const char *snapshot_fault(const struct irqstat_snapshot *snap);
const char *descs_fault(const struct irqstat_descs *descs);

#endif /* COHERENT_H */
