/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"
#include "suite.h"

#define N 3

static struct clients clients;
static struct client *client[N];
static int peer[N];

static void start(void)
{
	size_t i;

	clients_init(&clients);
	for (i = 0; i < N; i++) {
		int fds[2];

		ck_assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds));
		client[i] = client_new(&clients, fds[0]);
		ck_assert_ptr_nonnull(client[i]);
		peer[i] = fds[1];
	}
}

static void stop(void)
{
	size_t i;

	for (i = 0; i < N; i++) {
		close(client[i]->fd);
		close(peer[i]);
		client_free(&clients, client[i]);
	}
	ck_assert_uint_eq(clients.n, 0);
	ck_assert_uint_eq(clients.n_busy, 0);
}

/* As a string of which clients were ended: "02". */
static const char *ended(void)
{
	static char which[N + 1];
	char byte, *to = which;
	size_t i;

	for (i = 0; i < N; i++) {
		if (read(peer[i], &byte, 1) == 0)
			*to++ = (char)('0' + i);
	}
	*to = '\0';
	return which;
}

START_TEST(oldest_is_the_first_to_have_come)
{
	clients_end_oldest(&clients);
	ck_assert_str_eq(ended(), "0");
}
END_TEST

START_TEST(oldest_is_not_one_that_is_sent_a_page)
{
	client_begin(&clients, client[0], 1, 10);
	clients_end_oldest(&clients);
	ck_assert_str_eq(ended(), "1");
}
END_TEST

START_TEST(oldest_is_any_if_all_are_sent_pages)
{
	client_begin(&clients, client[0], 1, 10);
	client_begin(&clients, client[1], 2, 11);
	client_begin(&clients, client[2], 2, 12);
	clients_end_oldest(&clients);
	ck_assert_str_eq(ended(), "0");
}
END_TEST

START_TEST(oldest_is_not_one_that_was_served_since)
{
	client_begin(&clients, client[0], 1, 10);
	client_end(&clients, client[0]);
	clients_end_oldest(&clients);
	ck_assert_str_eq(ended(), "1");
}
END_TEST

START_TEST(page_that_is_oldest_loses_its_readers)
{
	client_begin(&clients, client[0], 2, 10);
	client_begin(&clients, client[1], 1, 11);
	client_begin(&clients, client[2], 1, 12);
	clients_end_page(&clients);
	ck_assert_str_eq(ended(), "12");
}
END_TEST

START_TEST(page_of_nobody_ends_nobody)
{
	clients_end_page(&clients);
	ck_assert_str_eq(ended(), "");
}
END_TEST

START_TEST(late_are_those_that_began_before)
{
	client_begin(&clients, client[1], 1, 10);
	client_begin(&clients, client[2], 1, 11);
	clients_end_late(&clients, 11);
	ck_assert_str_eq(ended(), "1");
}
END_TEST

START_TEST(late_is_nobody_who_was_served)
{
	client_begin(&clients, client[1], 1, 10);
	client_end(&clients, client[1]);
	clients_end_late(&clients, 11);
	ck_assert_str_eq(ended(), "");
}
END_TEST

static Suite *client_suite(void)
{
	const TTest *const tests[] = {
		oldest_is_the_first_to_have_come,
		oldest_is_not_one_that_is_sent_a_page,
		oldest_is_any_if_all_are_sent_pages,
		oldest_is_not_one_that_was_served_since,
		page_that_is_oldest_loses_its_readers,
		page_of_nobody_ends_nobody,
		late_are_those_that_began_before,
		late_is_nobody_who_was_served,
		NULL
	};
	Suite *suite = suite_create("client");

	suite_add_with(suite, "client", tests, start, stop);
	return suite;
}
UNIT_SUITE(client_suite);
