/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Values of options. Those that return an int: 0, or -1 when it is not such a value. */
#ifndef PARSE_H
#define PARSE_H

#include <stdint.h>

/* As "1200", "1.2K" (1024), "1.2KB" (1000) or "1.2KiB" (1024); K M G T P. */
int parse_count(const char *s, uint64_t *count);

/* Whole and at least @least. */
int parse_number(const char *s, uint64_t least, uint64_t most, uint64_t *number);

/* As "10" or "0.5", in thousandths; more than 0. */
int parse_thousandths(const char *s, uint64_t *thousandths);

/* As "1", "0.5", "100ms", "1us", "2m"; more than 0. */
int parse_time(const char *s, uint64_t *time_ns);

#endif /* PARSE_H */
