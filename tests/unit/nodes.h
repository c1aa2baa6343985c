/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A directory like /sys/devices/system/node, made of nothing but files. */
#ifndef NODES_H
#define NODES_H

#include <stdint.h>

/* Makes it; one at a time. */
void nodes_begin(void);
const char *nodes_root(void);

/* A node with this cpulist and these entries in its directory, or NULL. */
void nodes_add(uint32_t node, const char *cpulist, const char *const *entries);

/* Removes it. */
void nodes_end(void);

#endif /* NODES_H */
