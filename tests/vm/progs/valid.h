/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Everything that the contract demands of one window, whatever the machine. */
#ifndef VALID_H
#define VALID_H

#include "raw.h"

#define HEADER_FLAGS	(IRQBIN_F_COUNTS_32 | IRQBIN_F_GENERATION_INEXACT | IRQBIN_F_LAYOUT_UNKNOWN)
#define ANY_DESC_FLAGS	(IRQBIN_DESC_SHOWN | IRQBIN_DESC_SHOWN_ONLINE | IRQBIN_DESC_SHOWN_COUNTED | \
			 IRQBIN_DESC_SINGLE)
#define IRQ_DESC_FLAGS	(ANY_DESC_FLAGS | IRQBIN_DESC_HWIRQ | IRQBIN_DESC_PER_CPU | \
			 IRQBIN_DESC_CHAINED | IRQBIN_DESC_CHIP_PRINTED | IRQBIN_DESC_TRUNCATED | \
			 IRQBIN_DESC_UNREADABLE)

static inline const char *header_check(const struct raw *raw, unsigned int window)
{
	const struct irqbin_header *h = &raw->header;
	unsigned int i;

	if (h->version_major != IRQBIN_VERSION_MAJOR || h->version_minor != IRQBIN_VERSION_MINOR)
		return why("version %u.%u", h->version_major, h->version_minor);
	if (h->header_words != 16)
		return why("header of %u words", h->header_words);
	if (h->window != window)
		return why("window %u instead of %u", h->window, window);
	if (h->flags & ~HEADER_FLAGS || !(h->flags & IRQBIN_F_COUNTS_32))
		return why("flags %#x", h->flags);
	if (h->window_bytes % 8)
		return why("length is no multiple of 8");
	if (!h->sequence || !h->generation || !h->instance_base || !h->time_ns)
		return why("sequence, generation, instance_base or time_ns is 0");
	if (h->desc_offset != IRQBIN_DESC_OFFSET)
		return why("desc_offset is %#llx", (unsigned long long)h->desc_offset);
	if (!h->nr_cpu_ids || !h->nr_cpus_online || h->nr_cpus_online > h->nr_cpu_ids)
		return why("%u of %u CPUs online", h->nr_cpus_online, h->nr_cpu_ids);
	if (h->reserved0)
		return why("reserved0 is not zero");
	for (i = 0; i < sizeof(h->reserved) / sizeof(h->reserved[0]); i++)
		if (h->reserved[i])
			return why("reserved[%u] is not zero", i);
	return NULL;
}

/* The walk that needs no knowledge of types. */
static inline const char *records_check(const struct raw *raw)
{
	struct record rec = { 0 };
	size_t at = 0;
	uint32_t n = 0;

	while (raw_next(raw, &at, &rec))
		n++;
	if (at != raw->bytes / 8)
		return why("record %u does not end in the window", n);
	if (n != raw->header.n_records)
		return why("%u records, the header says %u", n, raw->header.n_records);
	if (rec.head.type != IRQBIN_REC_END || rec.head.id || rec.head.flags ||
	    rec.head.n_words != 1)
		return why("the last record is no END");
	if (rec.payload[0] != raw->header.sequence)
		return why("sequence %llu ends as %llu", (unsigned long long)raw->header.sequence,
			   (unsigned long long)rec.payload[0]);
	return NULL;
}

static inline const char *online_check(const struct raw *raw, const struct record *rec)
{
	unsigned int i, online = 0;

	if (rec->head.id || rec->head.flags ||
	    rec->head.n_words != (raw->header.nr_cpu_ids + 63) / 64)
		return why("ONLINE: id %u, flags %#x, %u words", rec->head.id, rec->head.flags,
			   rec->head.n_words);
	for (i = 0; i < rec->head.n_words * 64U; i++) {
		if (!(rec->payload[i / 64] >> i % 64 & 1))
			continue;
		online++;
		if (i >= raw->header.nr_cpu_ids)
			return why("ONLINE: CPU %u", i);
	}
	if (online != raw->header.nr_cpus_online)
		return why("ONLINE: %u CPUs, the header says %u", online,
			   raw->header.nr_cpus_online);
	return NULL;
}

static inline const char *counter_check(const struct raw *raw, const struct record *rec)
{
	const bool x86 = rec->head.type == IRQBIN_REC_X86;
	const char *kind = x86 ? "X86" : "IRQ";
	const unsigned int flags = x86 ? IRQBIN_CNT_CACHED | IRQBIN_CNT_UNAVAILABLE :
				   IRQBIN_CNT_INSTANCE | IRQBIN_CNT_TEXT_ZERO;
	struct irqbin_count count;
	int64_t last = -1;
	unsigned int i;

	if (rec->head.flags & ~flags)
		return why("%s %u: flags %#x", kind, rec->head.id, rec->head.flags);
	if (x86 && !x86_label(rec->head.id))
		return why("X86 %u: no such id", rec->head.id);
	if (rec->head.flags & IRQBIN_CNT_INSTANCE &&
	    (!rec->head.n_words || rec->payload[0] == raw->header.instance_base))
		return why("IRQ %u: instance is the base", rec->head.id);
	if (!record_n_counts(rec) &&
	    !(rec->head.flags & (IRQBIN_CNT_CACHED | IRQBIN_CNT_UNAVAILABLE)))
		return why("%s %u: no counts", kind, rec->head.id);
	for (i = 0; i < record_n_counts(rec); i++, last = count.cpu) {
		count = record_count(rec, i);
		if (!count.count)
			return why("%s %u: CPU %u counts 0", kind, rec->head.id, count.cpu);
		if (count.cpu <= last)
			return why("%s %u: CPU %u after %lld", kind, rec->head.id, count.cpu,
				   (long long)last);
		if (count.cpu < raw->header.nr_cpu_ids)
			continue;
		if (!x86 || count.cpu != IRQBIN_CPU_NONE || record_n_counts(rec) != 1)
			return why("%s %u: CPU %u", kind, rec->head.id, count.cpu);
	}
	return NULL;
}

/* With IRQBIN_F_LAYOUT_UNKNOWN */
static inline const char *layout_is_void(const struct record *rec)
{
	static const struct irqbin_layout zeros;

	if (rec->head.n_words * 8 < sizeof(zeros) || memcmp(rec->payload, &zeros, sizeof(zeros)))
		return why("LAYOUT is not zeros");
	return NULL;
}

static inline const char *layout_check(const struct record *rec)
{
	struct irqbin_layout layout;

	if (rec->head.id || rec->head.flags || rec->head.n_words != sizeof(layout) / 8)
		return why("LAYOUT: id %u, flags %#x, %u words", rec->head.id, rec->head.flags,
			   rec->head.n_words);
	memcpy(&layout, rec->payload, sizeof(layout));
	if (layout.irq_width < 3 || layout.irq_width > 10 || layout.chip_width < 8 ||
	    layout.flags & ~(IRQBIN_LAYOUT_CHIP_RIGHT | IRQBIN_LAYOUT_HWIRQ_INT) || layout.reserved)
		return why("LAYOUT: widths %u and %u, flags %#x, reserved %u", layout.irq_width,
			   layout.chip_width, layout.flags, layout.reserved);
	return NULL;
}

static inline const char *irq_desc_check(const struct record *rec)
{
	const unsigned int fixed = sizeof(struct irqbin_irq_desc) / 8;
	struct irqbin_irq_desc desc;
	struct strings strings;
	const char *wrong;

	if (rec->head.flags || rec->head.n_words < fixed)
		return why("IRQ_DESC %u: flags %#x, %u words", rec->head.id, rec->head.flags,
			   rec->head.n_words);
	desc = irq_desc_of(rec);
	if (!desc.instance || desc.reserved || desc.n_strings < 2)
		return why("IRQ_DESC %u: instance %llu, reserved %u, %u strings", rec->head.id,
			   (unsigned long long)desc.instance, desc.reserved, desc.n_strings);
	if (desc.flags & ~IRQ_DESC_FLAGS || desc.flags & IRQBIN_DESC_SINGLE || desc.trigger > 15)
		return why("IRQ_DESC %u: flags %#x, trigger %#x", rec->head.id, desc.flags,
			   desc.trigger);
	if (desc.hwirq && !(desc.flags & IRQBIN_DESC_HWIRQ))
		return why("IRQ_DESC %u: hwirq without its flag", rec->head.id);
	wrong = strings_get(rec, fixed, desc.n_strings, &strings);
	if (wrong)
		return why("IRQ_DESC %u: %s", rec->head.id, wrong);
	if (!strings.at[0])
		return why("IRQ_DESC %u: no chip", rec->head.id);
	return NULL;
}

static inline const char *x86_desc_check(const struct record *rec)
{
	const unsigned int fixed = sizeof(struct irqbin_x86_desc) / 8;
	struct irqbin_x86_desc desc;
	struct strings strings;
	const char *wrong;

	if (!x86_label(rec->head.id) || rec->head.flags || rec->head.n_words < fixed)
		return why("X86_DESC %u: flags %#x, %u words", rec->head.id, rec->head.flags,
			   rec->head.n_words);
	desc = x86_desc_of(rec);
	if (desc.flags & ~ANY_DESC_FLAGS || desc.n_strings < 2)
		return why("X86_DESC %u: flags %#x, %u strings", rec->head.id, desc.flags,
			   desc.n_strings);
	wrong = strings_get(rec, fixed, desc.n_strings, &strings);
	if (wrong)
		return why("X86_DESC %u: %s", rec->head.id, wrong);
	if (!strings.at[0] || !strings.at[1] ||
	    x86_id(strings.at[0], strings.len[0]) != rec->head.id)
		return why("X86_DESC %u: label is not %s", rec->head.id, x86_label(rec->head.id));
	return NULL;
}

/* The types in their order, each with rising ids where the contract says so. */
static inline const char *counters_check(const struct raw *raw)
{
	struct record rec;
	const char *wrong = NULL;
	uint8_t last_type = 0;
	int64_t last = -1;
	size_t at = 0;

	while (!wrong && raw_next(raw, &at, &rec)) {
		if (rec.head.type != last_type)
			last = -1;
		if (rec.head.type < last_type || (int64_t)rec.head.id <= last)
			return why("type %u id %u after type %u id %lld", rec.head.type, rec.head.id,
				   last_type, (long long)last);
		if (!last_type && rec.head.type != IRQBIN_REC_ONLINE)
			return why("the first record is of type %u", rec.head.type);
		last_type = rec.head.type;
		last = rec.head.id;
		if (rec.head.type == IRQBIN_REC_ONLINE)
			wrong = online_check(raw, &rec);
		else if (rec.head.type == IRQBIN_REC_IRQ || rec.head.type == IRQBIN_REC_X86)
			wrong = counter_check(raw, &rec);
		else if (rec.head.type != IRQBIN_REC_END)
			wrong = why("type %u", rec.head.type);
	}
	return wrong;
}

static inline const char *descs_check(const struct raw *raw)
{
	const bool laid_out = !(raw->header.flags & IRQBIN_F_LAYOUT_UNKNOWN);
	struct record rec;
	const char *wrong = NULL;
	uint32_t seen_x86 = 0;
	uint8_t stage = 0;
	int64_t last = -1;
	size_t at = 0;

	while (!wrong && raw_next(raw, &at, &rec)) {
		const uint8_t type = rec.head.type;
		/* END has the lowest number, and comes last. */
		const uint8_t now = type == IRQBIN_REC_END ? 255 : type;

		if (now < stage)
			return why("type %u after type %u", type, stage);
		if (!stage && type != IRQBIN_REC_LAYOUT)
			return why("no LAYOUT");
		if (now == stage && type == IRQBIN_REC_LAYOUT)
			return why("two LAYOUTs");
		stage = now;
		if (type == IRQBIN_REC_LAYOUT) {
			wrong = laid_out ? layout_check(&rec) : layout_is_void(&rec);
		} else if (type == IRQBIN_REC_IRQ_DESC) {
			wrong = irq_desc_check(&rec);
			if ((int64_t)rec.head.id <= last)
				return why("IRQ_DESC %u after %lld", rec.head.id, (long long)last);
			last = rec.head.id;
		} else if (type == IRQBIN_REC_X86_DESC) {
			wrong = x86_desc_check(&rec);
			if (!wrong && seen_x86 & 1U << rec.head.id)
				return why("X86_DESC %u: twice", rec.head.id);
			seen_x86 |= wrong ? 0 : 1U << rec.head.id;
		} else if (type != IRQBIN_REC_END) {
			return why("type %u", type);
		}
	}
	return wrong;
}

/* NULL, or what is wrong with the window. */
static inline const char *raw_check(const struct raw *raw, unsigned int window)
{
	const char *wrong = header_check(raw, window);

	if (!wrong)
		wrong = records_check(raw);
	if (!wrong)
		wrong = window ? descs_check(raw) : counters_check(raw);
	return wrong;
}

static inline off_t window_offset(unsigned int window)
{
	return window ? (off_t)IRQBIN_DESC_OFFSET : 0;
}

/* Reads a window by one call and checks all of it. */
static inline const char *raw_get(int fd, unsigned int window, struct raw *raw)
{
	const char *wrong = raw_read(fd, window_offset(window), raw);

	return wrong ? wrong : raw_check(raw, window);
}

#endif
