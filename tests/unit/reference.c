/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

#define MAX_CPUS 65536

struct line {
	const char *at;
	const char *end;
};

static uint64_t mix(uint64_t h, const char *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		h = (h + (unsigned char)bytes[i] + 1) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 29;
}

static void add(struct reference *r, const char *label, size_t len, uint32_t cpu, uint64_t count)
{
	char cell[64];
	int n = snprintf(cell, sizeof(cell), "%" PRIu32 "=%" PRIu64, cpu, count);

	if (!count)
		return;
	r->n_entries++;
	r->sum += mix(mix(1, label, len), cell, (size_t)n);
}

static void skip_blanks(struct line *l)
{
	while (l->at < l->end && *l->at == ' ')
		l->at++;
}

/* The next word, if it is a number; the line is then behind it. */
static bool take_number(struct line *l, uint64_t *number, bool *fits)
{
	struct line word = *l;
	char digits[32] = "";
	const char *begin;
	size_t i;

	skip_blanks(&word);
	begin = word.at;
	while (word.at < word.end && *word.at != ' ')
		word.at++;
	for (i = 0; begin + i < word.at; i++) {
		if (!strchr("0123456789", begin[i]) || !begin[i])
			return false;
	}
	if (!i)
		return false;
	while (i > 1 && *begin == '0') {
		begin++;
		i--;
	}
	*fits = i <= 20;
	if (*fits) {
		memcpy(digits, begin, i);
		errno = 0;
		*number = strtoull(digits, NULL, 10);
		*fits = !errno;
	}
	*l = word;
	return true;
}

static size_t parse_header(struct line l, uint32_t *cpus)
{
	size_t n = 0;

	for (skip_blanks(&l); l.at < l.end; skip_blanks(&l)) {
		uint64_t cpu;
		bool fits;

		if (l.end - l.at < 4 || memcmp(l.at, "CPU", 3) || l.at[3] == ' ')
			return 0;
		l.at += 3;
		if (!take_number(&l, &cpu, &fits) || !fits || cpu >= MAX_CPUS ||
		    (n && cpus[n - 1] >= cpu))
			return 0;
		cpus[n++] = (uint32_t)cpu;
	}
	return n;
}

static bool is_irq(const char *label, size_t len)
{
	char copy[16] = "", again[16];

	if (len > 10 || memchr(label, ' ', len) || memchr(label, '\0', len) ||
	    memchr(label, '-', len) || memchr(label, '+', len))
		return false;
	memcpy(copy, label, len);
	snprintf(again, sizeof(again), "%" PRIu64, (uint64_t)strtoull(copy, NULL, 10));
	return !strcmp(copy, again) && strtoull(copy, NULL, 10) <= UINT32_MAX;
}

static bool is_error(const char *label, size_t len)
{
	return len == 3 && (!memcmp(label, "ERR", 3) || !memcmp(label, "Err", 3) ||
			    !memcmp(label, "BAD", 3) || !memcmp(label, "MIS", 3));
}

/* A number that stands where one more count would. */
static bool has_more(struct line l)
{
	const char *begin = l.at, *word;
	uint64_t number;
	bool fits;

	skip_blanks(&l);
	word = l.at;
	if (!take_number(&l, &number, &fits))
		return false;
	return l.at - begin == 11 || (l.at - begin > 11 && word - begin == 1);
}

static int parse_row(struct reference *r, struct line l, const char *colon, const uint32_t *cpus,
		     size_t n_cpus)
{
	uint64_t *counts = calloc(n_cpus, sizeof(*counts));
	const char *line = l.at, *label;
	size_t n = 0, i, len;
	bool irq, fits = true;

	skip_blanks(&l);
	label = l.at;
	len = (size_t)(colon - label);
	irq = is_irq(label, len);
	l.at = colon + 1;
	while (n < n_cpus && fits) {
		struct line next = l;

		if (!take_number(&next, &counts[n], &fits) || !fits)
			break;
		l = next;
		n++;
	}
	if (colon - line > UINT16_MAX) {
		r->error = EBADMSG;
	} else if (n == 1 && !irq && l.at == l.end && (n_cpus > 1 || is_error(label, len))) {
		add(r, label, len, IRQSTAT_CPU_NONE, counts[0]);
	} else if (n == n_cpus && !has_more(l)) {
		for (i = 0; i < n; i++)
			add(r, label, len, cpus[i], counts[i]);
	} else if (n != 0 || irq || take_number(&l, &counts[0], &fits)) {
		r->error = EAGAIN;
	}
	free(counts);
	return r->error;
}

static void parse_lines(struct reference *r, const char *text, size_t len, uint32_t *cpus)
{
	struct line l = { text, text };
	bool has_row = false;
	size_t n_cpus;

	l.end = memchr(text, '\n', len);
	n_cpus = parse_header(l, cpus);
	r->error = n_cpus ? 0 : EBADMSG;
	while (!r->error && l.end + 1 < text + len) {
		struct line label;
		const char *colon;

		l.at = l.end + 1;
		l.end = memchr(l.at, '\n', (size_t)(text + len - l.at));
		label = l;
		skip_blanks(&label);
		for (colon = label.at; colon < l.end && *colon != ':'; colon++)
			;
		if (colon != l.end && colon != label.at)
			parse_row(r, l, colon, cpus, n_cpus);
		else if (!has_row)
			r->error = EBADMSG;
		has_row = true;
	}
}

struct reference reference_of_text(const char *text, size_t len)
{
	struct reference r = { .error = EBADMSG };
	uint32_t *cpus;

	if (!len || text[len - 1] != '\n')
		return r;
	cpus = calloc(len, sizeof(*cpus));
	parse_lines(&r, text, len, cpus);
	free(cpus);
	return r;
}

static void add_row(struct reference *r, const struct irqstat_snapshot *snap,
		    const struct irqstat_row *row, const struct irqstat_desc *desc)
{
	char number[16];
	const char *label = number;
	size_t i, len = (size_t)snprintf(number, sizeof(number), "%" PRIu32, row->id);

	if (row->kind != IRQSTAT_IRQ) {
		label = desc->label.bytes;
		len = desc->label.len;
	}
	for (i = row->first; i < row->first + row->n; i++)
		add(r, label, len, snap->cpu[i], snap->count[i]);
}

struct reference reference_of_snapshot(const struct irqstat_snapshot *snap,
				       const struct irqstat_descs *descs)
{
	struct reference r = { 0 };
	size_t i;

	for (i = 0; i < snap->n_rows; i++) {
		const struct irqstat_desc *desc = irqstat_descs_row(descs, &snap->rows[i]);

		if (!desc) {
			r.error = ENOENT;
			break;
		}
		add_row(&r, snap, &snap->rows[i], desc);
	}
	return r;
}
