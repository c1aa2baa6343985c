/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The connections there are, so that slow ones can be ended when they take too
 * long, or when others need their place. The least recently used comes first.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct client {
	struct client *prev;
	struct client *next;
	int fd;
	uint64_t page;		/* which one it is being sent, 0: none */
	uint64_t since_ns;	/* when that began */
};

struct clients {
	struct client head;	/* of a ring */
	size_t n;
	size_t n_busy;		/* those that are being sent a page */
};

void clients_init(struct clients *clients);

/* client_new - of this socket, which is not owned; NULL with ENOMEM */
struct client *client_new(struct clients *clients, int fd);
void client_free(struct clients *clients, struct client *client);

/* A page begins to be sent to it; all of it has been sent, or none will be. */
void client_begin(struct clients *clients, struct client *client, uint64_t page,
		  uint64_t now_ns);
void client_end(struct clients *clients, struct client *client);

/*
 * Shutting down the socket is what ends a connection: the owner notices.
 *
 * clients_end_oldest - the least recently used, those that wait for nothing first
 * clients_end_page - those that are sent the oldest page
 * clients_end_late - those that began before @since_ns
 */
void clients_end_oldest(struct clients *clients);
void clients_end_page(struct clients *clients);
void clients_end_late(struct clients *clients, uint64_t since_ns);

#endif /* CLIENT_H */
