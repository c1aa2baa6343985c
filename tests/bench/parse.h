/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef BENCH_PARSE_H
#define BENCH_PARSE_H

#include <stddef.h>
#include <stdint.h>

/* /proc/interrupts as arrays: the counts that are not 0, row by row. */
struct parsed {
	uint32_t *column_cpu;
	uint32_t *cpu;
	uint64_t *count;
	uint32_t *row_first;
	const char **row_label;	/* in the text, up to a colon */
	size_t n_columns;
	size_t n_rows;
	size_t n_entries;
	size_t columns_max;
	size_t rows_max;
	size_t entries_max;
};

/* Returns 0, or -1 and errno. A newline must end the text. */
int parse_text(const char *text, size_t len, struct parsed *p);
void parsed_free(struct parsed *p);

#endif /* BENCH_PARSE_H */
