/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What is behind the counts of an interrupt, in every kernel:
 *
 *	the chip, which may have single blanks in it;
 *	the hwirq, if it has one;
 *	"Level" or "Edge", padded to 8, on some architectures;
 *	a dash and the flow, padded to 8, if it has one (before hwirqs were
 *	printed, directly behind the chip: "IO-APIC-edge");
 *	two blanks and the actions, with a comma and a blank between them.
 */
#include <string.h>

#include "irqstat.h"
#include "text.h"

#define PAD 8

static const char *skip_blanks(const char *p, const char *end)
{
	while (p != end && *p == ' ')
		p++;
	return p;
}

static const char *skip_word(const char *p, const char *end)
{
	while (p != end && *p != ' ')
		p++;
	return p;
}

/* @p if there are no digits, or too many. */
static const char *skip_number(const char *p, const char *end, uint64_t *number)
{
	const char *begin = p;
	uint64_t n = 0;

	for (; p != end && (unsigned char)(*p - '0') < 10; p++) {
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return begin;
	}
	*number = n;
	return p;
}

/* A number below 0 is one that an older kernel cut to 32 bits. */
static const char *skip_hwirq(const char *p, const char *end, struct tail *t)
{
	size_t sign = p != end && *p == '-';
	const char *next;
	uint64_t n = 0;

	next = skip_number(p + sign, end, &n);
	if (next == p + sign ||
	    (next != end && *next != ' ' && *next != '-'))
		return p;
	t->has_hwirq = true;
	t->hwirq = sign ? (uint32_t)-n : n;
	return next;
}

/* What is behind a word and the blanks up to 8 bytes. */
static const char *skip_padded(const char *p, const char *end)
{
	const char *word_end = skip_word(p, end);
	const char *next = skip_blanks(word_end, end);

	return next - p <= PAD ? next : word_end - p < PAD ? p + PAD : word_end;
}

static bool is_word(const char *p, const char *end, const char *word)
{
	size_t len = strlen(word);

	return skip_word(p, end) == p + len && !memcmp(p, word, len);
}

static const char *skip_trigger(const char *p, const char *end, struct tail *t)
{
	if (is_word(p, end, "Level"))
		t->trigger = IRQSTAT_TRIGGER_LEVEL;
	else if (is_word(p, end, "Edge"))
		t->trigger = IRQSTAT_TRIGGER_EDGE;
	else
		return p;
	return skip_padded(p, end);
}

static const char *skip_flow(const char *p, const char *end, struct tail *t)
{
	const char *word_end;

	if (end - p < 2 || p[0] != '-' || p[1] == ' ')
		return p;
	word_end = skip_word(++p, end);
	t->flow = (struct span){ p, (size_t)(word_end - p) };
	return skip_padded(p, end);
}

/* hwirq, trigger and flow; @p if none of them is here. */
static const char *skip_kind(const char *p, const char *end, struct tail *t)
{
	const char *next = skip_hwirq(p, end, t);

	if (next == p)
		next = skip_trigger(p, end, t);
	else if (next != end && *next == ' ' &&
		 skip_trigger(next + 1, end, t) != next + 1)
		next = skip_trigger(next + 1, end, t);
	return skip_flow(next, end, t);
}

/* The flow behind a chip that has no hwirq: those that x86 and Xen had. */
static void split_chip(struct tail *t)
{
	static const char *const flows[] = {
		"-ioapic-edge", "-ioapic-level", "-edge", "-level", "-fasteoi",
		"-event", "-virq", "-ipi", "-msi-x", "-msi", "-percpu",
	};
	size_t i;

	for (i = 0; i < sizeof(flows) / sizeof(*flows); i++) {
		size_t len = strlen(flows[i]);

		if (t->chip.len <= len ||
		    memcmp(t->chip.at + t->chip.len - len, flows[i], len))
			continue;
		t->chip.len -= len;
		t->flow.at = t->chip.at + t->chip.len + 1;
		t->flow.len = len - 1;
		return;
	}
}

void tail_parse(const char *p, size_t len, struct tail *t)
{
	const char *end = p + len, *next;

	*t = (struct tail){ 0 };
	p = skip_blanks(p, end);
	if (p == end)
		return;
	t->chip.at = p;
	for (;;) {
		p = skip_word(p, end);
		t->chip.len = (size_t)(p - t->chip.at);
		next = skip_blanks(p, end);
		if (next == end)
			break;
		len = (size_t)(next - p);
		p = skip_kind(next, end, t);
		if (p != next || len > 1)
			break;
	}
	if (p == next)
		split_chip(t);
	p = skip_blanks(p, end);
	if (p != end)
		t->actions = (struct span){ p, (size_t)(end - p) };
}
