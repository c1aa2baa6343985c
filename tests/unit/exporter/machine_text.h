/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* A file of text that can be replaced, and what a view of it puts on a page. */
#ifndef MACHINE_TEXT_H
#define MACHINE_TEXT_H

#include "families.h"
#include "feed.h"

struct machine {
	char path[64];
	int fd;
	struct feed feed;
	struct irqstat_select *select;
	struct view view;
	struct families families;
	struct exposition e;
};

void machine_start(struct machine *m, unsigned int series);
void machine_stop(struct machine *m);

/* machine_set - what the file holds from now on */
void machine_set(struct machine *m, const char *text);

/* machine_page - the samples of @subject, read now, without comments */
const char *machine_page(struct machine *m, enum subject subject);

#endif /* MACHINE_TEXT_H */
