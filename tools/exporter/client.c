/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>
#include <sys/socket.h>

#include "client.h"

#define for_each_client(c, clients) \
	for ((c) = (clients)->head.next; (c) != &(clients)->head; (c) = (c)->next)

void clients_init(struct clients *clients)
{
	*clients = (struct clients){ 0 };
	clients->head.prev = &clients->head;
	clients->head.next = &clients->head;
}

static void unlink_client(struct client *client)
{
	client->prev->next = client->next;
	client->next->prev = client->prev;
}

static void put_last(struct clients *clients, struct client *client)
{
	client->prev = clients->head.prev;
	client->next = &clients->head;
	client->prev->next = client;
	client->next->prev = client;
}

struct client *client_new(struct clients *clients, int fd)
{
	struct client *client = calloc(1, sizeof(*client));

	if (!client)
		return NULL;
	client->fd = fd;
	put_last(clients, client);
	clients->n++;
	return client;
}

void client_free(struct clients *clients, struct client *client)
{
	client_end(clients, client);
	unlink_client(client);
	clients->n--;
	free(client);
}

void client_begin(struct clients *clients, struct client *client, uint64_t page,
		  uint64_t now_ns)
{
	clients->n_busy += !client->page;
	client->page = page;
	client->since_ns = now_ns;
}

void client_end(struct clients *clients, struct client *client)
{
	clients->n_busy -= client->page != 0;
	client->page = 0;
	unlink_client(client);
	put_last(clients, client);
}

void clients_end_oldest(struct clients *clients)
{
	struct client *c;

	for_each_client(c, clients) {
		if (!c->page)
			break;
	}
	if (c == &clients->head)
		c = c->next;
	if (c != &clients->head)
		shutdown(c->fd, SHUT_RDWR);
}

void clients_end_page(struct clients *clients)
{
	uint64_t oldest = UINT64_MAX;
	struct client *c;

	for_each_client(c, clients) {
		if (c->page && c->page < oldest)
			oldest = c->page;
	}
	for_each_client(c, clients) {
		if (c->page == oldest)
			shutdown(c->fd, SHUT_RDWR);
	}
}

void clients_end_late(struct clients *clients, uint64_t since_ns)
{
	struct client *c;

	for_each_client(c, clients) {
		if (c->page && c->since_ns < since_ns)
			shutdown(c->fd, SHUT_RDWR);
	}
}
