/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef ACCEPT_H
#define ACCEPT_H

#include <stdbool.h>

/*
 * accept_wants_openmetrics - which of the two formats a client would rather have
 * @accept: the header's value, NULL if there is none
 *
 * OpenMetrics only if it is named, and not with a lower q than text/plain.
 */
bool accept_wants_openmetrics(const char *accept);

#endif /* ACCEPT_H */
