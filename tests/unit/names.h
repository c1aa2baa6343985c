/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Descriptors, built one by one, as no source needs to have read them. */
#ifndef NAMES_H
#define NAMES_H

#include "irqstat.h"

#define NAMES_MAX 32

struct names {
	struct irqstat_descs pub;
	struct irqstat_desc descs[NAMES_MAX];
	struct irqstat_string actions[NAMES_MAX][4];
};

/* Static memory, given out anew at each call; of another time each. */
struct names *names_new(void);

/* An interrupt of instance 100, with up to 4 actions; NULL is a missing name. */
struct irqstat_desc *names_irq(struct names *n, uint32_t id, const char *chip,
			       const char *const *actions, size_t n_actions);
struct irqstat_desc *names_counter(struct names *n, unsigned int kind,
				   uint32_t id, const char *label,
				   const char *text);

#define ACTIONS(...)							\
	(const char *const[]){ __VA_ARGS__ },				\
	sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

#endif /* NAMES_H */
