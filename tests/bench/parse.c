/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The text's side of the comparison: as fast as a parser in plain C gets that
 * knows the format, one pass over the bytes, no copies and no library calls but
 * for the ends of lines.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static int grow(void *array, size_t *max, size_t need, size_t size)
{
	void **p = array;
	void *larger;

	if (need <= *max)
		return 0;
	larger = realloc(*p, 2 * need * size);
	if (!larger)
		return -1;
	*p = larger;
	*max = 2 * need;
	return 0;
}

static const char *skip_blanks(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

static const char *number(const char *s, uint64_t *value)
{
	uint64_t v = 0;

	for (; (unsigned char)(*s - '0') < 10; s++)
		v = v * 10 + (unsigned char)(*s - '0');
	*value = v;
	return s;
}

/* The CPU of each column: those that are offline have none. */
static const char *parse_header(const char *s, struct parsed *p)
{
	uint64_t cpu;

	p->n_columns = 0;
	for (s = skip_blanks(s); !strncmp(s, "CPU", 3); s = skip_blanks(s)) {
		s = number(s + 3, &cpu);
		if (grow(&p->column_cpu, &p->columns_max, p->n_columns + 1, sizeof(uint32_t)))
			return NULL;
		p->column_cpu[p->n_columns++] = (uint32_t)cpu;
	}
	return s;
}

static int reserve_entries(struct parsed *p)
{
	size_t need = p->n_entries + p->n_columns, max = p->entries_max;

	return grow(&p->cpu, &max, need, sizeof(uint32_t)) ||
	       grow(&p->count, &p->entries_max, need, sizeof(uint64_t));
}

static int reserve_row(struct parsed *p)
{
	size_t need = p->n_rows + 1, max = p->rows_max;

	return grow(&p->row_label, &max, need, sizeof(char *)) ||
	       grow(&p->row_first, &p->rows_max, need, sizeof(uint32_t));
}

/* A row may have fewer numbers than there are columns: ERR has one. */
static const char *parse_row(const char *s, struct parsed *p)
{
	size_t i, n = p->n_entries;
	uint64_t count;

	if (reserve_row(p) || reserve_entries(p))
		return NULL;
	p->row_first[p->n_rows] = (uint32_t)n;
	p->row_label[p->n_rows++] = skip_blanks(s);
	while (*s != ':' && *s != '\n')
		s++;
	s += *s == ':';
	for (i = 0; i < p->n_columns; i++) {
		s = skip_blanks(s);
		if ((unsigned char)(*s - '0') >= 10)
			break;
		s = number(s, &count);
		p->cpu[n] = p->column_cpu[i];
		p->count[n] = count;
		n += count != 0;
	}
	p->n_entries = n;
	return s;
}

int parse_text(const char *text, size_t len, struct parsed *p)
{
	const char *s = text, *end = text + len;

	if (!len || end[-1] != '\n') {
		errno = EBADMSG;
		return -1;
	}
	p->n_rows = 0;
	p->n_entries = 0;
	s = parse_header(s, p);
	while (s) {
		s = memchr(s, '\n', (size_t)(end - s));
		if (!s || ++s == end)
			return s ? 0 : -1;
		s = parse_row(s, p);
	}
	return -1;
}

void parsed_free(struct parsed *p)
{
	free(p->column_cpu);
	free(p->cpu);
	free(p->count);
	free(p->row_first);
	free(p->row_label);
}
