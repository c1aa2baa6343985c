/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A window as it was read, and a walk over its records: written from the contract
 * alone, so that the module is not tested by the library that was made with it.
 */
#ifndef RAW_H
#define RAW_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#include <linux/interrupts_bin.h>

#include "report.h"

#define BIN_PATH	"/proc/interrupts_bin"
#define RAW_MAX		(1U << 20)

struct raw {
	union {
		struct irqbin_header header;
		uint64_t word[RAW_MAX / 8];
		unsigned char byte[RAW_MAX];
	};
	size_t bytes;
};

struct record {
	struct irqbin_record head;
	const uint64_t *payload;
};

/* The strings of a descriptor, in place. */
struct strings {
	unsigned int n;
	uint16_t len[512];
	const char *at[512];
};

static inline struct raw *raw_new(void)
{
	struct raw *raw = calloc(1, sizeof(*raw));

	if (!raw)
		abort();
	return raw;
}

/* By one call; returns why it is not a whole window. */
static inline const char *raw_read(int fd, off_t offset, struct raw *raw)
{
	ssize_t n = pread(fd, raw->byte, sizeof(raw->byte), offset);

	raw->bytes = 0;
	if (n < 0)
		return why_errno("pread");
	if (n < (ssize_t)sizeof(raw->header))
		return why("%zd bytes: less than a header", n);
	raw->bytes = (size_t)n;
	if (raw->header.magic != IRQBIN_MAGIC)
		return why("magic is %#x", raw->header.magic);
	if (raw->header.window_bytes != raw->bytes)
		return why("read %zu bytes of %llu", raw->bytes,
			   (unsigned long long)raw->header.window_bytes);
	return NULL;
}

/*
 * The next record; *at is 0 to begin with. Knows only what every reader must: how
 * to skip. After the last record *at is the number of words, if all is well.
 */
static inline bool raw_next(const struct raw *raw, size_t *at, struct record *rec)
{
	const size_t words = raw->bytes / 8;

	if (!*at)
		*at = raw->header.header_words;
	if (*at >= words)
		return false;
	memcpy(&rec->head, &raw->word[*at], sizeof(rec->head));
	if (rec->head.n_words > words - *at - 1)
		return false;
	rec->payload = &raw->word[*at + 1];
	*at += 1 + (size_t)rec->head.n_words;
	return true;
}

static inline bool raw_find(const struct raw *raw, uint8_t type, uint32_t id, struct record *rec)
{
	size_t at = 0;

	while (raw_next(raw, &at, rec))
		if (rec->head.type == type && rec->head.id == id)
			return true;
	return false;
}

/* The number in the END record; 0 if there is none. */
static inline uint64_t raw_end_sequence(const struct raw *raw)
{
	struct record rec;

	if (!raw_find(raw, IRQBIN_REC_END, 0, &rec) || rec.head.n_words < 1)
		return 0;
	return rec.payload[0];
}

static inline uint64_t record_instance(const struct raw *raw, const struct record *rec)
{
	return rec->head.flags & IRQBIN_CNT_INSTANCE ? rec->payload[0] : raw->header.instance_base;
}

static inline unsigned int record_n_counts(const struct record *rec)
{
	return rec->head.n_words - !!(rec->head.flags & IRQBIN_CNT_INSTANCE);
}

static inline struct irqbin_count record_count(const struct record *rec, unsigned int i)
{
	struct irqbin_count count;

	memcpy(&count, &rec->payload[i + !!(rec->head.flags & IRQBIN_CNT_INSTANCE)], sizeof(count));
	return count;
}

/* What @raw says of one cell. */
static inline uint32_t raw_cell(const struct raw *raw, uint8_t type, uint32_t id, uint32_t cpu)
{
	struct record rec;
	unsigned int i;

	if (!raw_find(raw, type, id, &rec))
		return 0;
	for (i = 0; i < record_n_counts(&rec); i++)
		if (record_count(&rec, i).cpu == cpu)
			return record_count(&rec, i).count;
	return 0;
}

/* Finds the strings behind @fixed_words; returns what is wrong with them. */
static inline const char *strings_get(const struct record *rec, unsigned int fixed_words,
				      unsigned int n, struct strings *strings)
{
	const char *base = (const char *)(rec->payload + fixed_words), *at;
	size_t room = (rec->head.n_words - (size_t)fixed_words) * 8, used = n * sizeof(uint16_t);
	unsigned int i;

	strings->n = n;
	if (n > sizeof(strings->len) / sizeof(strings->len[0]))
		return why("%u strings", n);
	if (used > room)
		return why("the table of %u strings does not fit", n);
	memcpy(strings->len, base, used);
	at = base + used;
	for (i = 0; i < n; i++) {
		strings->at[i] = strings->len[i] == IRQBIN_STRING_NONE ? NULL : at;
		at += strings->at[i] ? strings->len[i] : 0;
	}
	used = (size_t)(at - base);
	if (used > room)
		return why("the strings take %zu bytes of %zu", used, room);
	if (room - used >= 8)
		return why("%zu bytes of padding", room - used);
	for (; used < room; used++)
		if (base[used])
			return why("padding is not zero");
	return NULL;
}

static inline struct irqbin_irq_desc irq_desc_of(const struct record *rec)
{
	struct irqbin_irq_desc desc;

	memcpy(&desc, rec->payload, sizeof(desc));
	return desc;
}

static inline struct irqbin_x86_desc x86_desc_of(const struct record *rec)
{
	struct irqbin_x86_desc desc;

	memcpy(&desc, rec->payload, sizeof(desc));
	return desc;
}

/* The label of an architecture counter, as the contract gives it. */
static inline const char *x86_label(uint32_t id)
{
	static const char *const label[] = {
		[IRQBIN_X86_NMI] = "NMI", [IRQBIN_X86_LOC] = "LOC", [IRQBIN_X86_SPU] = "SPU",
		[IRQBIN_X86_PMI] = "PMI", [IRQBIN_X86_IWI] = "IWI", [IRQBIN_X86_RTR] = "RTR",
		[IRQBIN_X86_PLT] = "PLT", [IRQBIN_X86_RES] = "RES", [IRQBIN_X86_CAL] = "CAL",
		[IRQBIN_X86_TLB] = "TLB", [IRQBIN_X86_TRM] = "TRM", [IRQBIN_X86_THR] = "THR",
		[IRQBIN_X86_DFR] = "DFR", [IRQBIN_X86_MCE] = "MCE", [IRQBIN_X86_MCP] = "MCP",
		[IRQBIN_X86_HYP] = "HYP", [IRQBIN_X86_HRE] = "HRE", [IRQBIN_X86_HVS] = "HVS",
		[IRQBIN_X86_ERR] = "ERR", [IRQBIN_X86_MIS] = "MIS", [IRQBIN_X86_PIN] = "PIN",
		[IRQBIN_X86_NPI] = "NPI", [IRQBIN_X86_PIW] = "PIW", [IRQBIN_X86_VPMI] = "VPMI",
		[IRQBIN_X86_PMN] = "PMN",
	};

	return id < sizeof(label) / sizeof(label[0]) ? label[id] : NULL;
}

/* The id of a label, or 0. */
static inline uint32_t x86_id(const char *label, size_t len)
{
	uint32_t id;

	for (id = 1; x86_label(id); id++)
		if (strlen(x86_label(id)) == len && !memcmp(x86_label(id), label, len))
			return id;
	return 0;
}

#endif
