/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef SELF_H
#define SELF_H

#include "exporter.h"

/* self_put - what the exporter has to say of its sources and of itself */
void self_put(const struct exporter *exporter, struct exposition *e);

#endif /* SELF_H */
