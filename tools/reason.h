/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef REASON_H
#define REASON_H

/* An errno of the library in words. */
const char *reason_of(int err);

#endif /* REASON_H */
