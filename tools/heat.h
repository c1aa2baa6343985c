/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Rows and CPUs as a map of colours. */
#ifndef HEAT_H
#define HEAT_H

#include "cmd.h"

enum heat_scale { HEAT_LOG, HEAT_LINEAR, HEAT_BY_ROW, N_HEAT_SCALES };

/*
 * A cell is what a row counted on a CPU, or on that of several CPUs on which it
 * counted most. Rows are those of a view that counted.
 */
struct heat {
	const struct watch *watch;
	bool is_rate;		/* counts a second; else counts so far */
	enum heat_scale scale;
	unsigned int per_column; /* CPUs */
	size_t n_columns;
	size_t n_rows;
	const struct item **rows;
	double *cells;		/* row by row */
	double *sums;		/* of all rows, for each column */
	double *row_most;
	bool *offline;		/* columns that have no CPU */
	double most;
	double most_sum;
};

/* In @columns columns at most; 0: one for each CPU. */
int heat_fill(struct heat *heat, const struct watch *watch, size_t columns);
void heat_free(struct heat *heat);
/* 0 to 1; @most is the row's own, for HEAT_BY_ROW. */
double heat_share(const struct heat *heat, double value, double most);
const char *heat_scale_name(enum heat_scale scale);
/* Red, green and blue of a share above 0. */
void heat_color(double share, unsigned int rgb[3]);

/* heat_text.c, heat_svg.c, heat_screen.c */
size_t heat_text_columns(void);
int heat_print(const struct heat *heat);
int heat_write_svg(const struct heat *heat, const char *path);
int heat_screen(struct watch *watch, enum heat_scale scale);

#endif /* HEAT_H */
