/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "stream.h"

#define N_STREAMS 8

static struct stream *fresh(void)
{
	static struct stream streams[N_STREAMS];
	static size_t next;
	struct stream *s = &streams[next++ % N_STREAMS];

	memset(s, 0, sizeof(*s));
	return s;
}

struct irqbin_header *stream_head(struct stream *s)
{
	return (struct irqbin_header *)s->words;
}

struct irqbin_record *stream_record(struct stream *s, size_t index)
{
	return (struct irqbin_record *)&s->words[s->records[index]];
}

size_t stream_len(const struct stream *s)
{
	return s->n_words * 8 - s->n_cut;
}

struct stream *stream_text(const char *text)
{
	struct stream *s = fresh();
	size_t len = strlen(text);

	if (len > sizeof(s->words))
		abort();
	memcpy(s->words, text, len);
	s->n_words = (len + 7) / 8;
	s->n_cut = s->n_words * 8 - len;
	return s;
}

struct stream *stream_header(unsigned int window)
{
	struct stream *s = fresh();
	struct irqbin_header *h = stream_head(s);

	h->magic = IRQBIN_MAGIC;
	h->version_major = IRQBIN_VERSION_MAJOR;
	h->version_minor = IRQBIN_VERSION_MINOR;
	h->header_words = sizeof(*h) / 8;
	h->window = (uint16_t)window;
	h->flags = IRQBIN_F_COUNTS_32;
	h->sequence = 7;
	h->generation = 3;
	h->time_ns = 1000000007;
	h->duration_ns = 250000;
	h->instance_base = 100;
	h->desc_offset = IRQBIN_DESC_OFFSET;
	h->nr_cpu_ids = 1;
	h->nr_cpus_online = 1;
	s->n_words = sizeof(*h) / 8;
	return s;
}

uint64_t *stream_add(struct stream *s, unsigned int type, unsigned int flags,
		     uint32_t id, size_t n_words)
{
	struct irqbin_record *rec;

	if (s->n_records == STREAM_MAX_RECORDS ||
	    s->n_words + 1 + n_words > STREAM_MAX_WORDS)
		abort();
	s->records[s->n_records++] = s->n_words;
	rec = (struct irqbin_record *)&s->words[s->n_words];
	rec->type = (uint8_t)type;
	rec->flags = (uint8_t)flags;
	rec->id = id;
	rec->n_words = (uint16_t)n_words;
	s->n_words += 1 + n_words;
	return (uint64_t *)(rec + 1);
}

void stream_online(struct stream *s, const uint64_t *mask, size_t n_words)
{
	memcpy(stream_add(s, IRQBIN_REC_ONLINE, 0, 0, n_words), mask,
	       n_words * 8);
}

struct stream *stream_counters(uint32_t nr_cpu_ids, uint64_t online)
{
	struct stream *s = stream_header(IRQBIN_WINDOW_COUNTERS);

	stream_head(s)->nr_cpu_ids = nr_cpu_ids;
	stream_head(s)->nr_cpus_online =
		(uint32_t)__builtin_popcountll(online);
	stream_add(s, IRQBIN_REC_ONLINE, 0, 0, (nr_cpu_ids + 63) / 64)[0] =
		online;
	return s;
}

struct stream *stream_descs(void)
{
	return stream_header(IRQBIN_WINDOW_DESCRIPTORS);
}

void stream_cells(struct stream *s, unsigned int type, unsigned int flags,
		  uint32_t id, const struct irqbin_count *cells, size_t n)
{
	uint64_t *words = stream_add(s, type, flags, id, n);

	if (n)
		memcpy(words, cells, n * sizeof(*cells));
}

void stream_irq(struct stream *s, uint32_t irq,
		const struct irqbin_count *cells, size_t n)
{
	stream_cells(s, IRQBIN_REC_IRQ, 0, irq, cells, n);
}

void stream_x86(struct stream *s, uint32_t id, unsigned int flags,
		const struct irqbin_count *cells, size_t n)
{
	stream_cells(s, IRQBIN_REC_X86, flags, id, cells, n);
}

void stream_instance(struct stream *s, uint32_t irq, uint64_t instance,
		     const struct irqbin_count *cells, size_t n)
{
	uint64_t *words;

	words = stream_add(s, IRQBIN_REC_IRQ, IRQBIN_CNT_INSTANCE, irq, n + 1);
	words[0] = instance;
	if (n)
		memcpy(words + 1, cells, n * sizeof(*cells));
}

void stream_layout(struct stream *s, struct irqbin_layout layout)
{
	memcpy(stream_add(s, IRQBIN_REC_LAYOUT, 0, 0, sizeof(layout) / 8),
	       &layout, sizeof(layout));
}

static void add_desc(struct stream *s, unsigned int type, uint32_t id,
		     const void *fixed, size_t n_fixed,
		     const char *const *strings, size_t n)
{
	size_t bytes = n_fixed + n * 2, i;
	uint16_t *lens;
	char *payload;

	for (i = 0; i < n; i++)
		bytes += strings[i] ? strlen(strings[i]) : 0;
	payload = (char *)stream_add(s, type, 0, id, (bytes + 7) / 8);
	memcpy(payload, fixed, n_fixed);
	lens = (uint16_t *)(payload + n_fixed);
	payload += n_fixed + n * 2;
	for (i = 0; i < n; i++) {
		lens[i] = IRQBIN_STRING_NONE;
		if (!strings[i])
			continue;
		lens[i] = (uint16_t)strlen(strings[i]);
		memcpy(payload, strings[i], lens[i]);
		payload += lens[i];
	}
}

void stream_irq_desc(struct stream *s, uint32_t irq,
		     struct irqbin_irq_desc desc, const char *const *strings,
		     size_t n)
{
	if (!desc.instance)
		desc.instance = stream_head(s)->instance_base;
	desc.n_strings = (uint32_t)n;
	add_desc(s, IRQBIN_REC_IRQ_DESC, irq, &desc, sizeof(desc), strings, n);
}

void stream_x86_desc(struct stream *s, uint32_t id, uint32_t flags,
		     const char *label, const char *text)
{
	const struct irqbin_x86_desc desc = { flags, 2 };

	add_desc(s, IRQBIN_REC_X86_DESC, id, &desc, sizeof(desc),
		 STRINGS(label, text));
}

void stream_close(struct stream *s)
{
	stream_head(s)->n_records = (uint32_t)s->n_records;
	stream_head(s)->window_bytes = stream_len(s);
}

void stream_end(struct stream *s)
{
	stream_add(s, IRQBIN_REC_END, 0, 0, 1)[0] = stream_head(s)->sequence;
	stream_close(s);
}

void *stream_copy(const struct stream *s, size_t len)
{
	void *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	memcpy(copy, s->words, len);
	return copy;
}

struct stream *stream_rich_counters(void)
{
	struct stream *s = stream_counters(70, 0x8000000000000003U);

	stream_irq(s, 1, CELLS({ 0, 9 }));
	stream_irq(s, 24, CELLS({ 0, 5 }, { 1, 4294967295U }, { 69, 2 }));
	stream_add(s, 200, 0xff, 12345, 3);
	stream_instance(s, 1030, 555, CELLS({ 63, 3 }, { 64, 1 }));
	stream_x86(s, IRQBIN_X86_LOC, 0, CELLS({ 0, 1000 }, { 1, 2000 }));
	stream_x86(s, IRQBIN_X86_MCE, IRQBIN_CNT_UNAVAILABLE, NULL, 0);
	stream_x86(s, IRQBIN_X86_ERR, IRQBIN_CNT_CACHED,
		   CELLS({ IRQBIN_CPU_NONE, 4 }));
	stream_x86(s, IRQBIN_X86_MIS, IRQBIN_CNT_CACHED, NULL, 0);
	stream_end(s);
	return s;
}

struct stream *stream_rich_descs(void)
{
	struct stream *s = stream_descs();

	stream_layout(s, (struct irqbin_layout){ 3, 8, 2, 4, 1, 0 });
	stream_irq_desc(s, 1, (struct irqbin_irq_desc){
			.hwirq = 1, .trigger = IRQBIN_TRIGGER_RISING,
			.flags = IRQBIN_DESC_SHOWN | IRQBIN_DESC_HWIRQ },
			STRINGS("IO-APIC", "edge", "i8042"));
	stream_irq_desc(s, 24, (struct irqbin_irq_desc){
			.flags = IRQBIN_DESC_SHOWN },
			STRINGS("PCI-MSI", NULL, "PCIe PME", NULL, ""));
	stream_irq_desc(s, 1030, (struct irqbin_irq_desc){
			.instance = 555 }, STRINGS("None", NULL));
	stream_add(s, 77, 0xff, 1, 2);
	stream_x86_desc(s, IRQBIN_X86_LOC, IRQBIN_DESC_SHOWN, "LOC",
			"   Local timer interrupts");
	stream_x86_desc(s, IRQBIN_X86_PIN, IRQBIN_DESC_SHOWN, "PIN",
			"   Posted-interrupt notification event");
	stream_x86_desc(s, IRQBIN_X86_ERR,
			IRQBIN_DESC_SHOWN | IRQBIN_DESC_SINGLE, "ERR", "");
	stream_end(s);
	return s;
}
