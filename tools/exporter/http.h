/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef HTTP_H
#define HTTP_H

#include "exporter.h"
#include "listener.h"

/*
 * http_serve - answer scrapes until SIGTERM or SIGINT, which must be blocked
 * @said: called after each reading of the feeds
 *
 * Returns 0 after a signal; or -1 with errno if it could not begin. Closes the
 * listeners.
 */
int http_serve(struct exporter *exporter, struct listeners *listeners,
	       void (*said)(void *arg), void *arg);

#endif /* HTTP_H */
