/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* /proc/interrupts as text, cut into rows and cells but not otherwise understood. */
#ifndef TEXT_H
#define TEXT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "report.h"

#define TEXT_PATH	"/proc/interrupts"
#define TEXT_CPUS	64
#define TEXT_ROWS	2048
#define CELL		11	/* a blank, and a count right-aligned to 10 */

struct text_row {
	const char *label;	/* leading blanks included */
	size_t label_len;
	const char *cells;
	unsigned int n_cells;
	const char *tail;	/* newline not included */
	size_t tail_len;
	int irq;		/* -1: not an interrupt's number */
};

struct text {
	char *buf;
	size_t len;
	size_t header_len;
	unsigned int n_cpus;
	unsigned int cpu[TEXT_CPUS];
	struct text_row row[TEXT_ROWS];
	size_t n_rows;
};

static inline bool cell_is_count(const char *cell)
{
	unsigned int i = 0;

	while (i < CELL && cell[i] == ' ')
		i++;
	if (i < 1 || i == CELL || (cell[i] == '0' && i < CELL - 1))
		return false;
	for (; i < CELL; i++)
		if (cell[i] < '0' || cell[i] > '9')
			return false;
	return true;
}

static inline uint32_t text_count(const struct text_row *row, unsigned int i)
{
	return (uint32_t)strtoul(row->cells + (size_t)i * CELL, NULL, 10);
}

static inline const char *text_header_parse(struct text *text)
{
	const char *at = text->buf;
	char *end;

	at += strspn(at, " ");
	for (text->n_cpus = 0; !strncmp(at, "CPU", 3); text->n_cpus++) {
		if (text->n_cpus == TEXT_CPUS)
			return "too many CPUs";
		text->cpu[text->n_cpus] = (unsigned int)strtoul(at + 3, &end, 10);
		at = end + strspn(end, " ");
	}
	text->header_len = (size_t)(at - text->buf);
	return *at == '\n' && text->n_cpus ? NULL : "the header row is odd";
}

static inline const char *text_row_parse(const struct text *text, const char *at, const char *end,
					 struct text_row *row)
{
	const char *colon = memchr(at, ':', (size_t)(end - at));
	char *digits_end;

	if (!colon)
		return why("row without a colon: %.*s", (int)(end - at), at);
	row->label = at;
	row->label_len = (size_t)(colon - at);
	row->irq = (int)strtol(at, &digits_end, 10);
	if (digits_end != colon)
		row->irq = -1;
	row->cells = at = colon + 1;
	for (row->n_cells = 0; row->n_cells < text->n_cpus; row->n_cells++, at += CELL)
		if (end - at < CELL || !cell_is_count(at))
			break;
	row->tail = at;
	row->tail_len = (size_t)(end - at);
	if (row->n_cells != text->n_cpus && (row->n_cells != 1 || row->tail_len))
		return why("row with %u counts: %.*s", row->n_cells, (int)(end - row->label),
			   row->label);
	return NULL;
}

static inline const char *text_parse(struct text *text)
{
	const char *wrong = text_header_parse(text);
	const char *at = text->buf + text->header_len + 1, *end;

	for (text->n_rows = 0; !wrong && at < text->buf + text->len; at = end + 1) {
		end = strchr(at, '\n');
		if (!end || text->n_rows == TEXT_ROWS)
			return "the last row has no end";
		wrong = text_row_parse(text, at, end, &text->row[text->n_rows++]);
	}
	return wrong;
}

static inline const char *text_read_fd(int fd, struct text *text)
{
	const size_t size = 1U << 20;
	ssize_t n;

	text->buf = malloc(size);
	text->len = 0;
	do {
		n = text->buf ? read(fd, text->buf + text->len, size - 1 - text->len) : -1;
		text->len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	if (n < 0)
		return why_errno("the text can't be read");
	text->buf[text->len] = '\0';
	return text_parse(text);
}

static inline const char *text_read(const char *path, struct text *text)
{
	const char *wrong;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return why_errno(path);
	wrong = text_read_fd(fd, text);
	close(fd);
	return wrong;
}

static inline void text_free(struct text *text)
{
	free(text->buf);
	text->buf = NULL;
}

static inline bool text_row_is(const struct text_row *row, const char *label, size_t len)
{
	const size_t blanks = strspn(row->label, " ");

	return row->label_len - blanks == len && !memcmp(row->label + blanks, label, len);
}

/* The row with the same label, or NULL. */
static inline const struct text_row *text_find(const struct text *text, const struct text_row *row)
{
	size_t i;

	for (i = 0; i < text->n_rows; i++)
		if (text->row[i].label_len == row->label_len &&
		    !memcmp(text->row[i].label, row->label, row->label_len))
			return &text->row[i];
	return NULL;
}

#endif
