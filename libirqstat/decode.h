/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What the decoders of both windows share: a walk over records. */
#ifndef IRQSTAT_DECODE_H
#define IRQSTAT_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/interrupts_bin.h>

struct reader {
	const struct irqbin_header *header;
	const uint64_t *next;
	const uint64_t *end;
	uint32_t n_left;
	bool has_end;
};

/* Checks the header and stands before the first record; or -1 and errno. */
int reader_begin(struct reader *r, const void *data, size_t len,
		 unsigned int window);

/* The next record, its payload at rec + 1; NULL at the end or if malformed. */
static inline const struct irqbin_record *reader_next(struct reader *r)
{
	const void *rec = r->next;
	size_t n_words;

	if (r->next == r->end || !r->n_left || r->has_end)
		return NULL;
	n_words = ((const struct irqbin_record *)rec)->n_words;
	if (n_words >= (size_t)(r->end - r->next))
		return NULL;
	r->next += n_words + 1;
	r->n_left--;
	return rec;
}

static inline bool reader_take_end(struct reader *r,
				   const struct irqbin_record *rec)
{
	r->has_end = true;
	return !rec->id && rec->n_words &&
	       *(const uint64_t *)(rec + 1) == r->header->sequence;
}

/* Was everything read, as many records as the header says and END the last? */
static inline bool reader_is_done(const struct reader *r)
{
	return r->has_end && r->next == r->end && !r->n_left;
}

#endif /* IRQSTAT_DECODE_H */
