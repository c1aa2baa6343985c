/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* What stands for a byte that is no character. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The length of the character that @len bytes, at least one, begin with; 0: none. */
size_t utf8_length(const char *bytes, size_t len);

#endif /* UTF8_H */
