/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What rows there are and what they are is read here, in its own time; counts
 * are only passed over. Each row has as many as the header has CPUs, except:
 * one without a number has none; one that is named and has a single number,
 * nothing behind it, counts for the whole machine. Anything else is a text in
 * which a CPU went or came between two rows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "irqstat.h"
#include "text.h"

#define NR_CPU_IDS_MAX 65536
#define AGGREGATES_MAX 16
#define CELL 11

static int keep(struct shape *s, const char *bytes, size_t len)
{
	if (text_grow(&s->bytes, 1, &s->bytes_cap, s->n_bytes + len))
		return -1;
	memcpy(s->bytes + s->n_bytes, bytes, len);
	s->n_bytes += len;
	return 0;
}

static int malformed(int err)
{
	errno = err;
	return -1;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static int learn_column(struct shape *s, uint64_t cpu)
{
	if (cpu >= NR_CPU_IDS_MAX ||
	    (s->n_cpus && cpu <= s->cpus[s->n_cpus - 1]))
		return malformed(EBADMSG);
	if (text_grow(&s->cpus, sizeof(*s->cpus), &s->cpus_cap, s->n_cpus + 1))
		return -1;
	s->cpus[s->n_cpus++] = (uint32_t)cpu;
	return 0;
}

static int learn_header(struct shape *s, const char *line, const char *newline)
{
	const char *p = skip_blanks(line);
	uint64_t cpu;

	while (p != newline) {
		if (newline - p < 4 || memcmp(p, "CPU", 3) || !is_digit(p[3]) ||
		    !(p = count_parse(p + 3, &cpu)))
			return malformed(EBADMSG);
		if (learn_column(s, cpu))
			return -1;
		p = skip_blanks(p);
	}
	if (!s->n_cpus)
		return malformed(EBADMSG);
	s->header_len = (size_t)(newline + 1 - line);
	return keep(s, line, s->header_len);
}

/* The number of an interrupt, as the kernel prints numbers. */
static bool number_of(const char *label, size_t len, uint32_t *number)
{
	uint64_t n = 0;
	size_t i;

	if (!len || len > 10 || (len > 1 && label[0] == '0'))
		return false;
	for (i = 0; i < len; i++) {
		if (!is_digit(label[i]))
			return false;
		n = n * 10 + (unsigned char)(label[i] - '0');
	}
	*number = (uint32_t)n;
	return n <= UINT32_MAX;
}

/* Of these alone is it certain when there is but one CPU. */
static bool is_error_label(const char *label, size_t len)
{
	static const char labels[][4] = { "ERR", "Err", "MIS", "BAD" };
	size_t i;

	for (i = 0; len == 3 && i < sizeof(labels) / sizeof(*labels); i++) {
		if (!memcmp(label, labels[i], 3))
			return true;
	}
	return false;
}

/* What is behind a word of digits alone; NULL if it is none. */
static const char *skip_number(const char *begin)
{
	const char *p = begin;

	while (is_digit(*p))
		p++;
	return p != begin && (*p == ' ' || *p == '\n') ? p : NULL;
}

/* Is there one more cell, of a CPU that the header does not have? */
static bool has_more(const char *p)
{
	const char *begin = skip_blanks(p), *end = skip_number(begin);

	return end && (end - p == CELL || (end - p > CELL && begin - p == 1));
}

/* What is behind the counts, and how many there are. */
static const char *skip_counts(const struct shape *s, const char *p,
			       const char *end, size_t *n)
{
	struct cells cells = { 0 };
	const char *next = cells_parse(p, end, s->cpus, s->n_cpus, &cells);
	uint64_t count;

	*n = s->n_cpus;
	if (next)
		return next;
	for (*n = 0; *n < s->n_cpus; ++*n, p = next) {
		next = count_parse(p, &count);
		if (!next)
			break;
	}
	return p;
}

/* The row's form and what is behind its counts; NULL if it is torn. */
static const char *learn_counts(const struct shape *s, struct shape_row *row,
				const char *colon, const char *end)
{
	const char *label = colon - row->label_len, *p;
	bool is_named = row->kind != IRQSTAT_IRQ;
	size_t n;

	p = skip_counts(s, colon + 1, end, &n);
	row->form = SHAPE_CPUS;
	if (n == 1 && is_named && *p == '\n' &&
	    (s->n_cpus > 1 || is_error_label(label, row->label_len)))
		row->form = SHAPE_SINGLE;
	else if (n == 0 && is_named && !skip_number(skip_blanks(p)))
		row->form = SHAPE_NONE;
	else if (n < s->n_cpus || has_more(p))
		return NULL;
	return p;
}

static int learn_row(struct shape *s, const char *line, const char *colon,
		     const char *newline, const char *end)
{
	const char *label = skip_blanks(line), *tail;
	struct shape_row *row;

	if (colon - line > UINT16_MAX)
		return malformed(EBADMSG);
	if (text_grow(&s->rows, sizeof(*s->rows), &s->rows_cap, s->n_rows + 1))
		return -1;
	row = &s->rows[s->n_rows];
	*row = (struct shape_row){ .at = s->n_bytes };
	row->prefix_len = (uint32_t)(colon + 1 - line);
	row->label_len = (uint32_t)(colon - label);
	if (number_of(label, row->label_len, &row->id))
		row->kind = IRQSTAT_IRQ;
	tail = learn_counts(s, row, colon, end);
	if (!tail)
		return malformed(EAGAIN);
	row->tail_len = (size_t)(newline + 1 - tail);
	if (keep(s, line, row->prefix_len) || keep(s, tail, row->tail_len))
		return -1;
	s->n_rows++;
	return 0;
}

/* A line without a label is the rest of a name that has a newline in it. */
static int learn_line(struct shape *s, const char *line, const char *newline,
		      const char *end)
{
	const char *label = skip_blanks(line);
	const char *colon = memchr(label, ':', (size_t)(newline - label));

	if (colon && colon != label)
		return learn_row(s, line, colon, newline, end);
	if (!s->n_rows)
		return malformed(EBADMSG);
	s->rows[s->n_rows - 1].tail_len += (size_t)(newline + 1 - line);
	return keep(s, line, (size_t)(newline + 1 - line));
}

static int learn_lines(struct shape *s, const char *text, size_t len)
{
	const char *line = text, *end = text + len, *newline;

	for (; line != end; line = newline + 1) {
		newline = memchr(line, '\n', (size_t)(end - line));
		if (line == text ? learn_header(s, line, newline) :
				   learn_line(s, line, newline, end))
			return -1;
	}
	return 0;
}

static const char *label_of(const struct shape *s, const struct shape_row *row)
{
	return s->bytes + row->at + row->prefix_len - 1 - row->label_len;
}

static bool is_labelled(const struct shape *s, const struct shape_row *row,
			const char *label)
{
	return row->label_len == strlen(label) &&
	       !memcmp(label_of(s, row), label, row->label_len);
}

/* What is behind the counts, from the first that is no blank. */
static const char *text_of(const struct shape *s, const struct shape_row *row)
{
	return skip_blanks(s->bytes + row->at + row->prefix_len);
}

static bool is_blank(const struct shape *s, const struct shape_row *row)
{
	return *text_of(s, row) == '\n';
}

static bool has_text(const struct shape *s, const char *label, const char *text)
{
	size_t i;

	for (i = 0; i < s->n_rows; i++) {
		if (is_labelled(s, &s->rows[i], label))
			return !strncmp(text_of(s, &s->rows[i]), text,
					strlen(text));
	}
	return false;
}

/* Other architectures have some of the labels, none has both of these. */
static bool is_x86(const struct shape *s)
{
	return has_text(s, "NMI", "Non-maskable interrupts\n") &&
	       has_text(s, "LOC", "Local timer interrupts\n");
}

static bool is_softirqs(const struct shape *s)
{
	return s->n_rows && is_labelled(s, &s->rows[0], "HI") &&
	       is_blank(s, &s->rows[0]);
}

static uint32_t x86_id(const struct shape *s, const struct shape_row *row)
{
	static const char labels[][5] = {
		[IRQSTAT_X86_NMI] = "NMI", [IRQSTAT_X86_LOC] = "LOC",
		[IRQSTAT_X86_SPU] = "SPU", [IRQSTAT_X86_PMI] = "PMI",
		[IRQSTAT_X86_IWI] = "IWI", [IRQSTAT_X86_RTR] = "RTR",
		[IRQSTAT_X86_PLT] = "PLT", [IRQSTAT_X86_RES] = "RES",
		[IRQSTAT_X86_CAL] = "CAL", [IRQSTAT_X86_TLB] = "TLB",
		[IRQSTAT_X86_TRM] = "TRM", [IRQSTAT_X86_THR] = "THR",
		[IRQSTAT_X86_DFR] = "DFR", [IRQSTAT_X86_MCE] = "MCE",
		[IRQSTAT_X86_MCP] = "MCP", [IRQSTAT_X86_HYP] = "HYP",
		[IRQSTAT_X86_HRE] = "HRE", [IRQSTAT_X86_HVS] = "HVS",
		[IRQSTAT_X86_ERR] = "ERR", [IRQSTAT_X86_MIS] = "MIS",
		[IRQSTAT_X86_PIN] = "PIN", [IRQSTAT_X86_NPI] = "NPI",
		[IRQSTAT_X86_PIW] = "PIW", [IRQSTAT_X86_VPMI] = "VPMI",
		[IRQSTAT_X86_PMN] = "PMN",
	};
	uint32_t id;

	for (id = 1; id < sizeof(labels) / sizeof(*labels); id++) {
		if (is_labelled(s, row, labels[id]))
			return id;
	}
	return 0;
}

static int name_row(const struct shape *s, struct names *names,
		    struct shape_row *row)
{
	row->kind = IRQSTAT_NAMED;
	return names_next(names, label_of(s, row), row->label_len, &row->id);
}

static int name_rows(struct shape *s, struct names *names)
{
	bool softirqs = is_softirqs(s), x86 = is_x86(s);
	size_t i;

	names_begin(names);
	for (i = 0; i < s->n_rows; i++) {
		struct shape_row *row = &s->rows[i];

		if (row->kind == IRQSTAT_IRQ)
			continue;
		if (softirqs) {
			row->kind = IRQSTAT_SOFTIRQ;
			row->id = (uint32_t)i;
		} else if (x86 && x86_id(s, row)) {
			row->kind = IRQSTAT_X86;
			row->id = x86_id(s, row);
		} else if (name_row(s, names, row)) {
			return -1;
		}
	}
	return 0;
}

static uint64_t key_of(const struct shape_row *row)
{
	return (uint64_t)row->kind << 32 | row->id;
}

static bool is_rising(const struct shape *s)
{
	size_t i;

	for (i = 1; i < s->n_rows; i++) {
		if (key_of(&s->rows[i]) <= key_of(&s->rows[i - 1]))
			return false;
	}
	return true;
}

static int by_key(const void *a, const void *b)
{
	const struct shape_row *x = *(struct shape_row *const *)a;
	const struct shape_row *y = *(struct shape_row *const *)b;

	if (key_of(x) != key_of(y))
		return key_of(x) < key_of(y) ? -1 : 1;
	return (x > y) - (x < y);
}

/* The second row of a number or label is a row of that name. */
static int name_doubles(struct shape *s, struct names *names)
{
	struct shape_row **rows = calloc(s->n_rows, sizeof(*rows));
	uint64_t last = 0;
	size_t i;
	int ret = 0;

	if (!rows)
		return -1;
	for (i = 0; i < s->n_rows; i++)
		rows[i] = &s->rows[i];
	qsort(rows, s->n_rows, sizeof(*rows), by_key);
	for (i = 0; i < s->n_rows && !ret; i++) {
		uint64_t key = key_of(rows[i]);

		if (key == last)
			ret = name_row(s, names, rows[i]);
		last = key;
	}
	free(rows);
	return ret;
}

/* The name in brackets at the beginning of what is behind the counts. */
static size_t tag_of(const struct shape *s, const struct shape_row *row,
		     const char **tag)
{
	const char *text = text_of(s, row);
	const char *end = s->bytes + row->at + row->prefix_len + row->tail_len;
	const char *bracket = memchr(text, ']', (size_t)(end - text));

	*tag = text + 1;
	return *text == '[' && bracket ? (size_t)(bracket - *tag) : 0;
}

/* s390: rows without a text, whose name is the tag of other rows. */
static void find_aggregates(struct shape *s)
{
	struct shape_row *rows[AGGREGATES_MAX];
	size_t i, j, n = 0;

	for (i = 0; i < s->n_rows && n < AGGREGATES_MAX; i++) {
		if (s->rows[i].kind == IRQSTAT_NAMED &&
		    s->rows[i].form == SHAPE_CPUS && is_blank(s, &s->rows[i]))
			rows[n++] = &s->rows[i];
	}
	for (i = 0; n && i < s->n_rows; i++) {
		const char *tag;
		size_t len = tag_of(s, &s->rows[i], &tag);

		for (j = 0; j < n; j++) {
			if (len && len == rows[j]->label_len &&
			    !memcmp(label_of(s, rows[j]), tag, len))
				rows[j]->is_aggregate = true;
		}
	}
}

static void count_irqs(struct shape *s)
{
	size_t i;

	s->n_irqs = 0;
	for (i = 0; i < s->n_rows; i++)
		s->n_irqs += s->rows[i].kind == IRQSTAT_IRQ;
}

int shape_learn(struct shape *s, struct names *names, const char *text,
		size_t len)
{
	s->n_bytes = 0;
	s->n_rows = 0;
	s->n_cpus = 0;
	if (learn_lines(s, text, len) || name_rows(s, names))
		return -1;
	s->is_rising = is_rising(s);
	if (!s->is_rising && name_doubles(s, names))
		return -1;
	find_aggregates(s);
	count_irqs(s);
	return 0;
}

void shape_free(struct shape *s)
{
	free(s->bytes);
	free(s->rows);
	free(s->cpus);
}
