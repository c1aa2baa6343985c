/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The text of /proc/interrupts, of any kernel and architecture, and that of
 * /proc/softirqs. All of it but the counts is its shape: learned when it is
 * first seen, and from then on only compared.
 */
#ifndef IRQSTAT_TEXT_H
#define IRQSTAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct snapshot;
struct descs;

/* Room for @need elements of @size; -1 with ENOMEM, and all is as before. */
int text_grow(void *array, size_t size, size_t *cap, size_t need);

/* text_names.c: the ids of rows that have none, for as long as the handle is */

struct name {
	size_t at;		/* of its bytes */
	uint32_t len;
	uint32_t nth;		/* of this name in one text, from 0 */
	uint32_t pass;		/* the last in which it was seen */
	uint32_t n_seen;	/* in that one; of the first of its name */
};

struct names {
	struct name *names;	/* by id */
	size_t n, cap;
	uint32_t *slots;	/* a hash table of ids + 1, 0: free */
	size_t n_slots;		/* a power of 2 */
	char *bytes;
	size_t n_bytes, bytes_cap;
	uint32_t pass;
};

/* From here on the first of each name is the first again. */
void names_begin(struct names *n);
/* The id of the next row of this name. */
int names_next(struct names *n, const char *name, size_t len, uint32_t *id);
void names_free(struct names *n);

/* text_shape.c: what a text looks like */

enum shape_form {
	SHAPE_CPUS,		/* a count for each CPU */
	SHAPE_SINGLE,		/* one for all */
	SHAPE_NONE,		/* none: "FIQ:  usb_fiq" */
};

struct shape_row {
	size_t at;		/* in shape.bytes: prefix, then tail */
	size_t tail_len;	/* what is behind the counts, newline included */
	uint32_t prefix_len;	/* up to and including the colon */
	uint32_t label_len;	/* that ends before the colon */
	uint32_t id;
	uint16_t kind;
	uint8_t form;
	bool is_aggregate;
};

struct shape {
	char *bytes;		/* header, then each row's prefix and tail */
	size_t n_bytes, bytes_cap;
	size_t header_len;
	struct shape_row *rows;
	size_t n_rows, rows_cap;
	size_t n_irqs;
	uint32_t *cpus;		/* of the columns */
	size_t n_cpus, cpus_cap;
	bool is_rising;		/* by kind and id */
};

/*
 * @text ends with a newline. -1 with ENOMEM, with EBADMSG if it is no such
 * text, or with EAGAIN if some row has not the columns of the header, as when a
 * CPU went on or off in mid-read. On failure the contents of @shape are lost.
 */
int shape_learn(struct shape *shape, struct names *names, const char *text,
		size_t len);
void shape_free(struct shape *shape);

/* text_counts.c: the numbers */

/* What is behind the number at @p, which has blanks before it; NULL if none. */
const char *count_parse(const char *p, uint64_t *count);

struct cells {
	uint32_t *cpu;		/* NULL: only counted */
	uint64_t *count;
	size_t n;
	uint64_t total;
	uint64_t all;		/* bits that are set in any count */
};

/*
 * Appends those of the @n counts at @p that are not 0; returns what is behind
 * the last, NULL if there are fewer. A newline is before @end.
 */
const char *cells_parse(const char *p, const char *end, const uint32_t *cpus,
			size_t n, struct cells *to);

/* text_tail.c: the attributes of an interrupt */

struct span {
	const char *at;		/* NULL: there is none */
	size_t len;
};

struct tail {
	struct span chip;
	struct span flow;
	struct span actions;	/* all of them */
	uint64_t hwirq;
	uint32_t trigger;
	bool has_hwirq;
};

void tail_parse(const char *p, size_t len, struct tail *t);

/* text.c, text_desc.c */

struct text {
	struct shape shapes[2];
	uint8_t cur;		/* the one of the last snapshot */
	bool has_shape;
	bool has_wide;		/* a count of more than 32 bits was seen */
	uint64_t generation;
	uint64_t sequence;
	struct names names;
	uint32_t *cpu;		/* for entries that must be put in order */
	uint64_t *count;
	size_t entries_cap;
};

/* Does it begin as such a text does? */
bool text_begins(const void *data, size_t len);

/*
 * Fails as shape_learn() does; the contents of @s are then lost. @t is that of
 * the last text that was parsed.
 */
int text_parse(struct text *t, const char *text, size_t len,
	       struct snapshot *s);

/* The descriptors of the last text that was parsed. */
int text_descs(const struct text *t, struct descs *d);
void text_free(struct text *t);

#endif /* IRQSTAT_TEXT_H */
