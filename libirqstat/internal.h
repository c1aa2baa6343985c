/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef IRQSTAT_INTERNAL_H
#define IRQSTAT_INTERNAL_H

#include "irqstat.h"

/* source_bin.c: the bytes of one window, in a buffer that is kept */

struct window {
	void *data;
	size_t cap;
	size_t len;
	unsigned int n_reads;	/* that it took: above 1, it may be torn */
	uint32_t n_grown;	/* so many times is data other memory */
};

/* At most this many tries for a window that others keep changing. */
#define WINDOW_TRIES 16

/* Returns as pread(2), or -errno. */
ssize_t io_pread(const struct irqstat_io *io);

/* A window is begun, then prepared and completed for each read until that gives 0 or -1. */
void window_begin(struct window *w);
int window_prepare(struct window *w, int fd, uint64_t offset, struct irqstat_io *io);
int window_complete(struct window *w, ssize_t res);
int window_read(struct window *w, int fd, uint64_t offset);
void window_free(struct window *w);

/* snapshot.c: the arrays of one snapshot, kept and reused */

struct snapshot {
	struct irqstat_snapshot pub;
	struct irqstat_row *rows;
	uint32_t *cpu;
	uint64_t *count;
	uint64_t *online;
	size_t rows_cap;
	size_t entries_cap;
	size_t online_cap;
};

/* Contents are lost. On failure it holds nothing and can be tried again. */
int snapshot_reserve(struct snapshot *s, size_t n_rows, size_t n_entries,
		     size_t n_online_words);
void snapshot_free(struct snapshot *s);

/* desc.c: the table of descriptors */

struct descs {
	struct irqstat_descs pub;
	struct irqstat_layout layout;
	struct irqstat_desc *descs;
	struct irqstat_string *strings;
	char *bytes;
	uint64_t *by_id;	/* of the counters: id << 32 | index, rising */
};

int descs_alloc(struct descs *d, size_t n_descs, size_t n_strings,
		size_t n_bytes);
/* Returns false when two counters have the same id. */
bool descs_sort(struct descs *d);
void descs_free(struct descs *d);

/* decode.c, decode_desc.c: bytes to arrays; here alone is the contract known */

/*
 * Is this the start of a stream? -1 with EBADMSG or EPROTONOSUPPORT if not;
 * 0 and, as soon as there is enough of it, the length that the whole claims to
 * have (before that: of the part needed to know).
 */
int decode_length(const void *data, size_t len, size_t *need);

/*
 * @data is aligned to 8 bytes. On failure (EBADMSG, EPROTONOSUPPORT, ENOMEM)
 * the contents of @s are lost, @d and @desc_offset are as before.
 */
int decode_counters(const void *data, size_t len, struct snapshot *s,
		    uint64_t *desc_offset);
int decode_descs(const void *data, size_t len, struct descs *d);

/* Where the descriptors are until a counter window has said so. */
#define DESC_OFFSET_DEFAULT 0x40000000U

/* handle.c */

struct irqstat {
	int fd;
	bool has_snapshot;
	bool has_descs;
	bool is_reading;	/* between irqstat_read_prepare() and its end */
	uint8_t cur;		/* index of the last snapshot */
	uint8_t n_tries;	/* at the snapshot that is being read */
	uint64_t desc_offset;
	uint64_t descs_read_ns;	/* time of the snapshot they were read for */
	size_t row;		/* irqstat_next() */
	size_t entry;
	struct window counters;
	struct window descriptors;
	struct snapshot snaps[2];
	struct descs descs;
};

#endif /* IRQSTAT_INTERNAL_H */
