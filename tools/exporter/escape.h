/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef ESCAPE_H
#define ESCAPE_H

#include "page.h"

/*
 * escape_put - bytes of a driver's choosing as the value of a label
 *
 * Backslashes, quotes and newlines are escaped. Each byte that is not part of
 * valid UTF-8, and each 0, becomes U+FFFD.
 */
void escape_put(struct page *page, const char *bytes, size_t len);

#endif /* ESCAPE_H */
