/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef IRQSTAT_INTERNAL_H
#define IRQSTAT_INTERNAL_H

#include "capture.h"
#include "irqstat.h"
#include "text.h"

/* window.c: bytes that were read, in a buffer that is kept */

struct window {
	void *data;
	size_t cap;
	size_t len;
	size_t n_last;		/* bytes of the last read */
	uint64_t offset;	/* where it begins in its file */
	uint64_t time_ns;	/* CLOCK_BOOTTIME of the first read */
	unsigned int n_reads;	/* that it took: above 1, it may be torn */
	uint32_t n_changes;	/* so many times is data other memory or the file another */
};

uint64_t boottime_ns(void);	/* CLOCK_BOOTTIME */
uint64_t realtime_of(uint64_t time_ns);

/* Returns as pread(2), or -errno. */
ssize_t io_pread(const struct irqstat_io *io);

/* A window is begun, then prepared and added to for each read. */
void window_begin(struct window *w, uint64_t offset);
int window_prepare(struct window *w, int fd, struct irqstat_io *io);
/* Returns 0, 1 when nothing was read yet, or -1. */
int window_add(struct window *w, ssize_t res, uint64_t time_ns);
/* Room for @cap bytes; begins again. */
int window_grow(struct window *w, size_t cap);
/* Room for @cap bytes; keeps what there is. */
int window_extend(struct window *w, size_t cap);
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
/* Room for @n_more entries behind the first @n, which are kept. */
int snapshot_extend(struct snapshot *s, size_t n, size_t n_more);
void snapshot_free(struct snapshot *s);

/* desc.c: the table of descriptors */

struct desc_key {
	uint64_t key;		/* kind << 32 | id */
	size_t index;
};

struct descs {
	struct irqstat_descs pub;
	struct irqstat_layout layout;
	struct irqstat_desc *descs;
	struct irqstat_string *strings;
	char *bytes;
	struct desc_key *by_key;	/* of those that are no interrupts, rising */
};

int descs_alloc(struct descs *d, size_t n_descs, size_t n_strings,
		size_t n_bytes);
/* Returns false when two that are no interrupts have the same kind and id. */
bool descs_sort(struct descs *d);
void descs_free(struct descs *d);

/* decode.c, decode_desc.c: bytes to arrays; here alone is the contract known */

/* Does it begin as a stream does, be it one of another version or byte order? */
bool decode_is_stream(const void *data, size_t len);

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

/* source_*.c: one kind of source each */

struct source {
	enum irqstat_source id;
	const char *path;	/* when none is named; or NULL */
	bool (*begins)(const void *data, size_t len);
	/*
	 * Looks at is->window after each read. Returns 0 with a snapshot; 1 when
	 * more is to be read; 2 at the end; -1 and errno, EAGAIN when another
	 * try may do. Contents of @s are lost if not 0.
	 */
	int (*take)(struct irqstat *is, struct snapshot *s);
	/* The descriptors; on failure *d is as before. */
	int (*describe)(struct irqstat *is, struct descs *d);
};

extern const struct source source_bin;
extern const struct source source_text;
extern const struct source source_capture;

/* source.c: which one it is */

/* So many bytes tell what a file is. */
#define SOURCE_ENOUGH 64

/* Ready to be read: if need be, chooses. */
int source_ready(struct irqstat *is);
/* Finds out, from the first bytes of its file. Returns 1 when it takes more. */
int source_find(struct irqstat *is);
/* After a failure: is there another source now, to try the same with? */
bool source_change(struct irqstat *is);

/* handle.c */

/* At most this many tries for a file that changes while it is read. */
#define READ_TRIES 16

struct irqstat {
	int fd;			/* -1: to be chosen */
	const struct source *source;	/* NULL: not known yet */
	int source_errno;
	bool chooses;
	bool is_proven;		/* the source has given something */
	bool has_snapshot;
	bool has_previous;	/* so the other of snaps is whole */
	bool has_descs;
	bool is_reading;	/* between irqstat_read_prepare() and its end */
	uint8_t cur;		/* index of the last snapshot */
	uint8_t n_tries;	/* at the snapshot that is being read */
	uint64_t desc_offset;
	uint64_t descs_read_ns;	/* time of the snapshot they were read for */
	size_t row;		/* irqstat_next() */
	size_t entry;
	struct window window;
	struct window descriptors;
	struct span raw;	/* in window: what the last snapshot was made of */
	struct span raw_descs;	/* in descriptors; at is NULL: lost */
	struct snapshot snaps[2];
	struct descs descs;
	struct text text;
	struct capture_reader capture;
};

/*
 * Makes a snapshot of what there is to be read, but not the handle's last. -1 if
 * there is none: with ENODATA at the end of a capture.
 */
int handle_peek(struct irqstat *is);

#endif /* IRQSTAT_INTERNAL_H */
