/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What kernel/snapshot.c does for an open, as far as the collector sees it: two
 * buffers in turn, and the marks of what is in the older one. Marks of the same
 * rows are brought up to date where they are.
 */
#ifndef READER_H
#define READER_H

#include "collect.h"

struct reader {
	struct irqbin_out out[2];
	struct irqbin_mark *marks;	/* of the last pass */
	unsigned int n_marks;
	unsigned int max_rows;
	unsigned int shown;		/* the buffer of the last pass */
	u64 taken_s;
	u32 *cells;			/* set: passes verify */
	struct irqbin_pass pass;	/* the last one, with its cost */
};

/* Instance of rows that carry none in their record. */
#define INSTANCE_BASE 1000

struct irqbin_row *row_new(struct line *line, u32 irq, u64 instance);

void reader_init(struct reader *reader, unsigned int max_rows, bool verify);
void reader_free(struct reader *reader);

/* A pass over @rows, which rise by interrupt. */
void reader_take(struct reader *reader, struct irqbin_row *const *rows, unsigned int num,
		 u64 now_s);

/* The same in pieces: some of these rows at a time. */
void reader_begin(struct reader *reader, struct irqbin_row *const *rows, unsigned int num,
		  u64 now_s);
void reader_rows(struct reader *reader, struct irqbin_row *const *rows, unsigned int num);

/* Of the last snapshot, or the one being made: what it remembers of its row @i. */
const struct irqbin_mark *reader_mark(const struct reader *reader, unsigned int i);

/* Its record, header first; NULL if it has none. */
const u64 *reader_record(const struct reader *reader, unsigned int i);

/* The header of a record, and the count with this index in it. */
struct irqbin_record record_header(const u64 *record);
unsigned int record_num(const u64 *record);
struct irqbin_count record_count(const u64 *record, unsigned int i);

/* The count of @cpu in that record, 0 if it is not there. */
u32 reader_count(const struct reader *reader, unsigned int i, u32 cpu);

#endif /* READER_H */
