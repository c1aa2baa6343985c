/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The counter window. Nothing in it is trusted: lengths are checked before what
 * they span is looked at, and all that the contract promises is held against
 * it. Known records come by rising type and, within one, by rising id, so one
 * comparison finds every record that is out of order or there twice.
 */
#include <errno.h>
#include <string.h>

#include <linux/interrupts_bin.h>

#include "decode.h"
#include "internal.h"

#define HEADER_WORDS (sizeof(struct irqbin_header) / 8)
#define NR_CPU_IDS_MAX (1U << 20)

_Static_assert(HEADER_WORDS == 16, "the header of version 1");
_Static_assert(DESC_OFFSET_DEFAULT == IRQBIN_DESC_OFFSET, "same place");
_Static_assert(IRQSTAT_CPU_NONE == IRQBIN_CPU_NONE, "same number");
_Static_assert(IRQSTAT_X86_PMN == IRQBIN_X86_PMN, "same ids");
_Static_assert(IRQSTAT_ROW_CACHED == IRQBIN_CNT_CACHED &&
	       IRQSTAT_ROW_UNAVAILABLE == IRQBIN_CNT_UNAVAILABLE &&
	       IRQSTAT_ROW_TEXT_ZERO == IRQBIN_CNT_TEXT_ZERO, "same flags");

bool decode_is_stream(const void *data, size_t len)
{
	const struct irqbin_header *h = data;

	return len >= sizeof(h->magic) &&
	       (h->magic == IRQBIN_MAGIC ||
		h->magic == __builtin_bswap32(IRQBIN_MAGIC));
}

int decode_length(const void *data, size_t len, size_t *need)
{
	const struct irqbin_header *h = data;

	*need = sizeof(*h);
	if (len < 8)
		return 0;
	if (h->magic == __builtin_bswap32(IRQBIN_MAGIC))
		goto unsupported;
	if (h->magic != IRQBIN_MAGIC)
		goto malformed;
	if (h->version_major != IRQBIN_VERSION_MAJOR)
		goto unsupported;
	if (len < sizeof(*h))
		return 0;
	if (h->window_bytes % 8 || h->window_bytes > IRQBIN_DESC_OFFSET ||
	    h->header_words < HEADER_WORDS ||
	    h->window_bytes / 8 < h->header_words)
		goto malformed;
	*need = h->window_bytes;
	return 0;

malformed:
	errno = EBADMSG;
	return -1;
unsupported:
	errno = EPROTONOSUPPORT;
	return -1;
}

int reader_begin(struct reader *r, const void *data, size_t len,
		 unsigned int window)
{
	const struct irqbin_header *h = data;
	size_t need;

	if (decode_length(data, len, &need))
		return -1;
	if (need != len || h->window != window ||
	    h->n_records > len / 8 - h->header_words) {
		errno = EBADMSG;
		return -1;
	}
	r->header = h;
	r->next = (const uint64_t *)data + h->header_words;
	r->end = (const uint64_t *)data + len / 8;
	r->n_left = h->n_records;
	r->has_end = false;
	return 0;
}

struct counters {
	struct snapshot *s;
	uint64_t floor;		/* lowest type and id that may come now */
	size_t n_rows;
	size_t n_entries;
	bool has_online;
};

static bool decode_online(struct counters *c, const struct irqbin_header *h,
			  const uint64_t *words, size_t n)
{
	uint32_t n_online = 0;
	size_t i;

	if (n != ((size_t)h->nr_cpu_ids + 63) / 64)
		return false;
	for (i = 0; i < n; i++) {
		c->s->online[i] = words[i];
		n_online += (uint32_t)__builtin_popcountll(words[i]);
	}
	if (h->nr_cpu_ids % 64 && words[n - 1] >> h->nr_cpu_ids % 64)
		return false;
	c->has_online = true;
	return n_online == h->nr_cpus_online;
}

static inline bool decode_cells(const struct irqbin_count *cells, size_t n,
				uint32_t nr_cpu_ids, uint32_t *restrict cpu,
				uint64_t *restrict count, uint64_t *total)
{
	uint64_t floor = 0, sum = 0;
	unsigned int bad = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cpu[i] = cells[i].cpu;
		count[i] = cells[i].count;
		sum += cells[i].count;
		bad |= (cells[i].cpu < floor) | (cells[i].count == 0);
		floor = (uint64_t)cells[i].cpu + 1;
	}
	*total = sum;
	if (floor > nr_cpu_ids)
		bad |= cells[0].cpu != IRQBIN_CPU_NONE;
	return !bad;
}

static inline bool decode_row(struct counters *c, const struct irqbin_header *h,
			      const struct irqbin_record *rec,
			      const uint64_t *words)
{
	struct irqstat_row *row = &c->s->rows[c->n_rows++];
	const unsigned int empty = IRQBIN_CNT_CACHED | IRQBIN_CNT_UNAVAILABLE;
	size_t n = rec->n_words;

	row->instance = h->instance_base;
	if (rec->flags & IRQBIN_CNT_INSTANCE) {
		if (!n)
			return false;
		row->instance = *words++;
		n--;
	}
	if (!n && !(rec->flags & empty))
		return false;
	if (n && (rec->flags & IRQBIN_CNT_UNAVAILABLE))
		return false;
	row->id = rec->id;
	row->kind = rec->type == IRQBIN_REC_IRQ ? IRQSTAT_IRQ : IRQSTAT_X86;
	row->flags = rec->flags & ~IRQBIN_CNT_INSTANCE;
	row->first = (uint32_t)c->n_entries;
	row->n = (uint32_t)n;
	c->n_entries += n;
	return decode_cells((const struct irqbin_count *)words, n,
			    h->nr_cpu_ids, c->s->cpu + row->first,
			    c->s->count + row->first, &row->total);
}

static inline bool decode_record(struct counters *c, struct reader *r,
				 const struct irqbin_record *rec)
{
	const uint64_t *words = (const uint64_t *)(rec + 1);
	uint64_t key = (uint64_t)rec->type << 32 | rec->id;

	if (rec->type - 1U >= IRQBIN_REC_END)
		return rec->type < IRQBIN_REC_LAYOUT ||
		       rec->type > IRQBIN_REC_X86_DESC;
	if (key < c->floor)
		return false;
	c->floor = key + 1;
	switch (rec->type) {
	case IRQBIN_REC_ONLINE:
		return !rec->id &&
		       decode_online(c, r->header, words, rec->n_words);
	case IRQBIN_REC_END:
		return reader_take_end(r, rec);
	default:
		return decode_row(c, r->header, rec, words);
	}
}

static bool decode_records(struct counters *c, struct reader *r)
{
	const struct irqbin_record *rec;

	while ((rec = reader_next(r))) {
		if (!decode_record(c, r, rec))
			return false;
	}
	return c->has_online && reader_is_done(r);
}

static void publish(struct counters *c, const struct irqbin_header *h)
{
	struct irqstat_snapshot *pub = &c->s->pub;

	pub->time_ns = h->time_ns;
	pub->duration_ns = h->duration_ns;
	pub->sequence = h->sequence;
	pub->generation = h->generation;
	pub->generation_exact = !(h->flags & IRQBIN_F_GENERATION_INEXACT);
	pub->count_bits = h->flags & IRQBIN_F_COUNTS_32 ? 32 : 64;
	pub->nr_cpu_ids = h->nr_cpu_ids;
	pub->n_online = h->nr_cpus_online;
	pub->online = c->s->online;
	pub->n_rows = c->n_rows;
	pub->n_entries = c->n_entries;
	pub->rows = c->s->rows;
	pub->cpu = c->s->cpu;
	pub->count = c->s->count;
	pub->cell_flags = NULL;
	pub->realtime_ns = 0;
	pub->source = IRQSTAT_SOURCE_MODULE;
	pub->boot = 0;
	pub->stream_major = h->version_major;
	pub->stream_minor = h->version_minor;
}

int decode_counters(const void *data, size_t len, struct snapshot *s,
		    uint64_t *desc_offset)
{
	struct counters c = { .s = s };
	const struct irqbin_header *h = data;
	struct reader r;

	if (reader_begin(&r, data, len, IRQBIN_WINDOW_COUNTERS))
		return -1;
	if (!h->nr_cpu_ids || h->nr_cpu_ids > NR_CPU_IDS_MAX ||
	    !h->nr_cpus_online || h->desc_offset < len ||
	    h->desc_offset > INT64_MAX / 2)
		goto malformed;
	if (snapshot_reserve(s, h->n_records, len / 8,
			     ((size_t)h->nr_cpu_ids + 63) / 64))
		return -1;
	if (!decode_records(&c, &r))
		goto malformed;
	publish(&c, h);
	*desc_offset = h->desc_offset;
	return 0;

malformed:
	errno = EBADMSG;
	return -1;
}
