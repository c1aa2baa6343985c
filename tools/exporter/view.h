/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What is selected of a feed's totals, with the row of each descriptor. */
#ifndef VIEW_H
#define VIEW_H

#include <irqstat.h>

struct view {
	const struct irqstat_snapshot *snap;
	const struct irqstat_descs *descs;
	const struct irqstat_select *select;
	const struct irqstat_row **rows;	/* by index of the descriptor */
	size_t cap;
	size_t unavailable;	/* rows that could not be read */
	size_t undescribed;	/* rows without a descriptor */
};

void view_free(struct view *view);

/* view_make - 0, or -1 with ENOMEM; valid until any of these change */
int view_make(struct view *view, const struct irqstat_snapshot *totals,
	      const struct irqstat_descs *descs, struct irqstat_select *select);

/* view_is_shown - has the descriptor at @i a row, or with zeros a row of these? */
bool view_is_shown(const struct view *view, size_t i, bool with_zeros);

/*
 * The cells of the row of the descriptor at @i, by rising CPU: those that have
 * counted, with zeros those of all CPUs that are online.
 */
struct view_cell {
	uint32_t cpu;		/* or IRQSTAT_CPU_NONE */
	uint64_t count;
};

struct view_cells {
	const struct view *view;
	uint32_t entry;		/* of the snapshot */
	uint32_t end;
	uint32_t cpu;		/* the next that may be 0 */
	uint32_t n_cpus;
};

void view_cells_begin(struct view_cells *cells, const struct view *view,
		      size_t i, bool with_zeros);
bool view_cells_next(struct view_cells *cells, struct view_cell *cell);

#endif /* VIEW_H */
