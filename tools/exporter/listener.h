/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The sockets that clients connect to. */
#ifndef LISTENER_H
#define LISTENER_H

#include <stddef.h>

#define LISTENERS_MAX 32

struct listeners {
	int fds[LISTENERS_MAX];
	size_t n;
};

/*
 * Both return NULL, or why not: in words that are valid until the next call.
 *
 * listeners_inherit - take over those that systemd passes: LISTEN_FDS
 * listeners_add - listen on "HOST:PORT", "[ADDRESS]:PORT", ":PORT" (any) or
 *	"PORT" (localhost)
 */
const char *listeners_inherit(struct listeners *listeners);
const char *listeners_add(struct listeners *listeners, const char *where);

void listeners_close(struct listeners *listeners);

/* listener_name - as "127.0.0.1:10560" */
void listener_name(int fd, char *name, size_t size);

#endif /* LISTENER_H */
