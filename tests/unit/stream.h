/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Windows of a stream, built record by record. What stream_end() leaves is
 * valid; a test then breaks the one thing that it is about.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <linux/interrupts_bin.h>

#define STREAM_MAX_WORDS 65536
#define STREAM_MAX_RECORDS 4096

struct stream {
	uint64_t words[STREAM_MAX_WORDS];
	size_t n_words;
	size_t n_cut;		/* bytes of the last word that are not there */
	size_t records[STREAM_MAX_RECORDS];	/* where each begins */
	size_t n_records;
};

/* Streams are large: these are static memory, given out anew at each call. */
struct stream *stream_counters(uint32_t nr_cpu_ids, uint64_t online);
struct stream *stream_descs(void);

/* Only a header; stream_counters() and stream_descs() begin with it. */
struct stream *stream_header(unsigned int window);

struct irqbin_header *stream_head(struct stream *s);

/* The record with this index, counted from 0. */
struct irqbin_record *stream_record(struct stream *s, size_t index);

/* Returns where the payload of n_words zeroes begins. */
uint64_t *stream_add(struct stream *s, unsigned int type, unsigned int flags,
		     uint32_t id, size_t n_words);

#define CELLS(...)							\
	(const struct irqbin_count[]){ __VA_ARGS__ },			\
	sizeof((const struct irqbin_count[]){ __VA_ARGS__ }) /		\
	sizeof(struct irqbin_count)

void stream_online(struct stream *s, const uint64_t *mask, size_t n_words);
void stream_cells(struct stream *s, unsigned int type, unsigned int flags,
		  uint32_t id, const struct irqbin_count *cells, size_t n);
void stream_irq(struct stream *s, uint32_t irq,
		const struct irqbin_count *cells, size_t n);
void stream_x86(struct stream *s, uint32_t id, unsigned int flags,
		const struct irqbin_count *cells, size_t n);
void stream_instance(struct stream *s, uint32_t irq, uint64_t instance,
		     const struct irqbin_count *cells, size_t n);

#define STRINGS(...)							\
	(const char *const[]){ __VA_ARGS__ },				\
	sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

void stream_layout(struct stream *s, struct irqbin_layout layout);
void stream_irq_desc(struct stream *s, uint32_t irq,
		     struct irqbin_irq_desc desc, const char *const *strings,
		     size_t n);
void stream_x86_desc(struct stream *s, uint32_t id, uint32_t flags,
		     const char *label, const char *text);

/* What is no stream but a text. */
struct stream *stream_text(const char *text);

/* Adds END and sets lengths and numbers of the header. */
void stream_end(struct stream *s);

/* Sets the header's lengths and numbers only. */
void stream_close(struct stream *s);

/* The first @len bytes on the heap, so that reading further is caught. */
void *stream_copy(const struct stream *s, size_t len);

size_t stream_len(const struct stream *s);

/* One of everything, of some size. */
struct stream *stream_rich_counters(void);
struct stream *stream_rich_descs(void);

#endif /* STREAM_H */
