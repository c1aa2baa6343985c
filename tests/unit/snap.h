/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Snapshots, built row by row, as no source needs to have read them. */
#ifndef SNAP_H
#define SNAP_H

#include "irqstat.h"

#define SNAP_MAX_ROWS 64
#define SNAP_MAX_ENTRIES 1024
#define SNAP_MAX_CPUS 256

struct snap {
	struct irqstat_snapshot pub;
	struct irqstat_row rows[SNAP_MAX_ROWS];
	uint32_t cpu[SNAP_MAX_ENTRIES];
	uint64_t count[SNAP_MAX_ENTRIES];
	uint64_t online[SNAP_MAX_CPUS / 64];
};

struct snap_cell {
	uint32_t cpu;
	uint64_t count;
};

#define SNAP_CELLS(...)							\
	(const struct snap_cell[]){ __VA_ARGS__ },			\
	sizeof((const struct snap_cell[]){ __VA_ARGS__ }) /		\
	sizeof(struct snap_cell)

/* Without rows, of SNAP_MAX_CPUS possible CPUs; static memory, given out anew. */
struct snap *snap_module(uint64_t seconds, uint64_t online);
struct snap *snap_text(uint64_t seconds, uint64_t online);

/* The next row; in the order of kinds and ids. */
struct irqstat_row *snap_row(struct snap *s, unsigned int kind, uint32_t id,
			     const struct snap_cell *cells, size_t n);
struct irqstat_row *snap_irq(struct snap *s, uint32_t id,
			     const struct snap_cell *cells, size_t n);
struct irqstat_row *snap_x86(struct snap *s, uint32_t id,
			     const struct snap_cell *cells, size_t n);

/* A copy whose arrays are of exactly their size, so that overruns are caught. */
struct irqstat_snapshot *snap_exact(const struct irqstat_snapshot *snap);
void snap_exact_free(struct irqstat_snapshot *copy);

/*
 * The count of a cell; UINT64_MAX if there is no such row, 0 if no such entry.
 */
uint64_t snap_count(const struct irqstat_snapshot *snap, unsigned int kind,
		    uint32_t id, uint32_t cpu);

/* The flags of a row of a delta; UINT32_MAX if there is no such row. */
uint32_t snap_flags(const struct irqstat_snapshot *snap, unsigned int kind,
		    uint32_t id);
uint32_t snap_cell_flags(const struct irqstat_snapshot *snap, unsigned int kind,
			 uint32_t id, uint32_t cpu);

/* Does all that a snapshot has hold together? Fails the test if not. */
void snap_check(const struct irqstat_snapshot *snap);

#endif /* SNAP_H */
