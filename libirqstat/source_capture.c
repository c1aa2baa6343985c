/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A capture is read chunk by chunk up to the next snapshot. What its writer has
 * not finished is the end, and is read by the next try; a snapshot that is all
 * there but malformed is passed over by it. The buffer grows no faster than
 * bytes come in, whatever length a chunk claims; descriptors are read when
 * somebody asks.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "internal.h"

#define LENGTH_MAX ((uint64_t)1 << 30)

_Static_assert(sizeof(struct chunk) % 8 == 0, "payloads are aligned");

static bool begins(const void *data, size_t len)
{
	uint32_t type;

	if (len < sizeof(type))
		return false;
	memcpy(&type, data, sizeof(type));
	return type == CHUNK_START || type == __builtin_bswap32(CHUNK_START);
}

static const struct chunk *chunk_of(const struct window *w)
{
	return w->data;
}

static const void *payload_of(const struct window *w)
{
	return chunk_of(w) + 1;
}

static int malformed(int err)
{
	errno = err;
	return -1;
}

/* No more than this; in the midst of something, if there is any of it. */
static int end(const struct irqstat *is, bool is_cut)
{
	struct stat st;

	if (!is_cut && !fstat(is->fd, &st) && S_ISREG(st.st_mode))
		is_cut = is->capture.now.next > (uint64_t)st.st_size;
	errno = is_cut ? EBADMSG : 0;
	return 2;
}

static uint64_t whole(const struct chunk *chunk)
{
	return sizeof(*chunk) + (chunk->length + 7) / 8 * 8;
}

/* Is all of the chunk there? Returns 1 when not, 2 when it never will be. */
static int is_complete(struct irqstat *is, struct window *w)
{
	uint64_t need = whole(chunk_of(w));

	if (chunk_of(w)->length > LENGTH_MAX)
		return malformed(EBADMSG);
	if (need <= w->len)
		return 0;
	if (w->n_last == 0)
		return end(is, true);
	if (w->len == w->cap &&
	    window_extend(w, need < 4 * w->cap ? need : 4 * w->cap))
		return -1;
	return 1;
}

/* On to the next chunk; always returns 1 or -1. */
static int skip(struct irqstat *is)
{
	struct capture_position *now = &is->capture.now;
	const struct chunk *chunk = chunk_of(&is->window);

	if (chunk->length > INT64_MAX / 2 || now->next > INT64_MAX / 2)
		return malformed(EBADMSG);
	now->next += whole(chunk);
	window_begin(&is->window, now->next);
	return 1;
}

static int take_start(struct irqstat *is, struct window *w)
{
	const struct capture_start *start = payload_of(w);
	struct origin *origin = &is->capture.now.origin;
	size_t length = chunk_of(w)->length;

	if (length < sizeof(start->major) + sizeof(start->minor))
		return malformed(EBADMSG);
	if (start->major != CAPTURE_MAJOR)
		return malformed(EPROTONOSUPPORT);
	if (length < sizeof(*start) || start->n_host > CAPTURE_HOST_MAX ||
	    start->n_host > length - sizeof(*start))
		return malformed(EBADMSG);
	*origin = (struct origin){ 0 };
	memcpy(origin->boot_id, start->boot_id, sizeof(origin->boot_id));
	memcpy(origin->host, start + 1, start->n_host);
	is->capture.now.descs = 0;
	return skip(is);
}

/* 0 if it is not known, and only then. */
static uint64_t boot_of(const struct origin *origin)
{
	uint64_t halves[2], boot;

	memcpy(halves, origin->boot_id, sizeof(halves));
	boot = halves[0] * 0x9e3779b97f4a7c15U ^ halves[1];
	return boot || !(halves[0] | halves[1]) ? boot : 1;
}

static int decode(struct irqstat *is, const struct window *w,
		  struct snapshot *s)
{
	const struct chunk *chunk = chunk_of(w);
	uint64_t desc_offset;

	if (chunk->type == CHUNK_COUNTERS)
		return decode_counters(payload_of(w), chunk->length, s,
				       &desc_offset);
	if (text_parse(&is->text, payload_of(w), chunk->length, s))
		return errno == EAGAIN ? malformed(EBADMSG) : -1;
	s->pub.time_ns = chunk->time_ns;
	s->pub.duration_ns = chunk->duration_ns;
	return 0;
}

static int take_snapshot(struct irqstat *is, const struct window *w,
			 struct snapshot *s)
{
	int ret = decode(is, w, s), err = errno;
	struct span raw = { payload_of(w), chunk_of(w)->length };

	if (ret && err == ENOMEM)
		return -1;
	s->pub.realtime_ns = chunk_of(w)->realtime_ns;
	s->pub.boot = boot_of(&is->capture.now.origin);
	skip(is);
	if (ret) {
		is->capture.next = is->capture.now;
		return malformed(err);
	}
	is->raw = raw;
	return 0;
}

static int take(struct irqstat *is, struct snapshot *s)
{
	struct window *w = &is->window;
	int ret = 0;

	if (w->len < sizeof(struct chunk))
		return w->n_last ? 1 : end(is, w->len);
	if (chunk_of(w)->type == __builtin_bswap32(CHUNK_START))
		return malformed(EPROTONOSUPPORT);
	switch (chunk_of(w)->type) {
	case CHUNK_START:
		ret = is_complete(is, w);
		return ret ? ret : take_start(is, w);
	case CHUNK_COUNTERS:
	case CHUNK_TEXT:
		ret = is_complete(is, w);
		return ret ? ret : take_snapshot(is, w, s);
	case CHUNK_DESCRIPTORS:
		is->capture.now.descs = is->capture.now.next;
		return skip(is);
	default:
		return skip(is);
	}
}

static int read_chunk(struct irqstat *is, struct window *w, uint64_t offset)
{
	struct irqstat_io io;
	int ret;

	window_begin(w, offset);
	do {
		if (window_prepare(w, is->fd, &io))
			return -1;
		ret = window_add(w, io_pread(&io), 0);
		if (ret == 0 && w->len < sizeof(struct chunk))
			ret = w->n_last ? 1 : 2;
		else if (ret == 0)
			ret = is_complete(is, w);
	} while (ret == 1);
	return ret == 2 ? malformed(EBADMSG) : ret;
}

static int describe(struct irqstat *is, struct descs *d)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);
	const struct capture_position *at = &is->capture.last;
	struct window *w = &is->descriptors;

	if (!snap) {
		if (handle_peek(is))
			return -1;
		snap = &is->snaps[is->cur ^ 1].pub;
		at = &is->capture.now;
	}
	if (snap->source == IRQSTAT_SOURCE_TEXT) {
		if (text_descs(&is->text, d))
			return -1;
		d->pub.time_ns = snap->time_ns;
		return 0;
	}
	if (!at->descs)
		return malformed(ENODATA);
	is->raw_descs.at = NULL;
	if (read_chunk(is, w, at->descs) ||
	    decode_descs(payload_of(w), chunk_of(w)->length, d))
		return -1;
	is->raw_descs = (struct span){ payload_of(w), chunk_of(w)->length };
	return 0;
}

const struct source source_capture = {
	.id = IRQSTAT_SOURCE_CAPTURE,
	.begins = begins,
	.take = take,
	.describe = describe,
};

const char *irqstat_capture_host(const struct irqstat *is)
{
	if (is->source != &source_capture || !is->has_snapshot)
		return NULL;
	return is->capture.last.origin.host;
}
