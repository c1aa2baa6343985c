/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * One thread. All requests that are waiting at the same time get the same page;
 * so do those that come within a second of it while there are many pages that
 * somebody still reads. How many pages and connections there are is bounded: the
 * slowest lose theirs to those that come later.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "accept.h"
#include "client.h"
#include "http.h"

#define CLIENTS_MAX	200
#define FDS_KEPT	5		/* for epoll, sources, and what is asked of /proc */
#define PAUSE_MS	100		/* when nobody has a descriptor to give up */
#define PAGES_MAX	8		/* in memory, because somebody reads them */
#define PAGE_NS		SECOND		/* so old may one be if there are so many */
#define REQUEST_MAX	((size_t)8192)	/* bytes, with its headers */
#define IDLE_S		120U
#define SEND_NS		(30 * SECOND)
#define LEAVE_NS	(2 * SECOND)	/* what is being sent may take so long */
#define SECOND		((uint64_t)1000000000)

/* The last one made of a format. */
struct last {
	struct MHD_Response *page;
	uint64_t id;
	uint64_t made_ns;
	bool is_of_round;
};

struct http {
	struct exporter *exporter;
	struct listeners *listeners;
	void (*said)(void *arg);
	void *arg;
	struct MHD_Daemon *daemon;
	struct clients clients;
	size_t clients_max;
	struct last last[2];		/* by is_openmetrics */
	struct page spare;		/* memory of a page that was freed */
	uint64_t n_made;		/* pages */
	size_t n_alive;			/* and those that are not freed yet */
};

/* Memory of a response. */
struct body {
	struct http *http;
	struct page page;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static void free_body(void *cls)
{
	struct body *body = cls;
	struct http *http = body->http;

	http->n_alive--;
	if (http->spare.bytes)
		page_free(&body->page);
	else
		http->spare = body->page;
	free(body);
}

static struct MHD_Response *respond_with(struct body *body, const char *type)
{
	struct MHD_Response *response;

	response = MHD_create_response_from_buffer_with_free_callback_cls(
		body->page.len, body->page.bytes, free_body, body);
	if (!response)
		free_body(body);
	else
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
					type);
	return response;
}

static struct MHD_Response *make_page(struct http *http, bool is_openmetrics)
{
	struct exposition e = { .is_openmetrics = is_openmetrics };
	struct body *body = malloc(sizeof(*body));
	int ret;

	if (!body)
		return NULL;
	e.page = http->spare;
	http->spare = (struct page){ 0 };
	page_clear(&e.page);
	ret = exporter_put(http->exporter, &e);
	http->said(http->arg);
	*body = (struct body){ http, e.page };
	http->n_alive++;
	if (ret) {
		free_body(body);
		return NULL;
	}
	return respond_with(body, exposition_type(is_openmetrics));
}

static void drop(struct last *last)
{
	if (last->page)
		MHD_destroy_response(last->page);
	last->page = NULL;
}

static struct last *get_page(struct http *http, bool is_openmetrics)
{
	struct last *last = &http->last[is_openmetrics];
	bool is_crowded = http->n_alive >= PAGES_MAX;
	uint64_t now = now_ns();

	if (last->page && (last->is_of_round ||
			   (is_crowded && now - last->made_ns < PAGE_NS)))
		return last;
	if (is_crowded)
		clients_end_page(&http->clients);
	drop(last);
	*last = (struct last){ make_page(http, is_openmetrics), ++http->n_made,
			       now, true };
	return last->page ? last : NULL;
}

static void end_round(struct http *http)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		http->last[i].is_of_round = false;
		if (http->n_alive < PAGES_MAX)
			drop(&http->last[i]);
	}
}

static enum MHD_Result answer(struct MHD_Connection *connection,
			      unsigned int status, const char *type,
			      const char *text)
{
	struct MHD_Response *response;
	enum MHD_Result ret;

	response = MHD_create_response_from_buffer(strlen(text), (void *)text,
						   MHD_RESPMEM_PERSISTENT);
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW,
					"GET, HEAD");
	ret = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return ret;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection,
				   unsigned int status, const char *text)
{
	return answer(connection, status, "text/plain; charset=utf-8", text);
}

static enum MHD_Result answer_metrics(struct http *http,
				      struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info;
	const char *accept;
	struct last *last;

	accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
					     MHD_HTTP_HEADER_ACCEPT);
	last = get_page(http, accept_wants_openmetrics(accept));
	if (!last)
		return answer_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				   "out of memory\n");
	info = MHD_get_connection_info(connection,
				       MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	if (info && info->socket_context)
		client_begin(&http->clients, info->socket_context, last->id,
			     now_ns());
	return MHD_queue_response(connection, MHD_HTTP_OK, last->page);
}

static const char index_page[] =
	"<!DOCTYPE html>\n"
	"<title>irqstat-exporter</title>\n"
	"<h1>irqstat-exporter</h1>\n"
	"<p><a href=\"metrics\">Metrics</a>\n";

static enum MHD_Result handle(void *cls, struct MHD_Connection *connection,
			      const char *url, const char *method,
			      const char *version, const char *data,
			      size_t *data_size, void **context)
{
	static char has_begun;

	(void)version;
	(void)data;
	if (strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD))
		return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				   "only GET\n");
	/* The headers are there; then comes the body, which nobody wants. */
	if (!*context) {
		*context = &has_begun;
		return MHD_YES;
	}
	if (*data_size) {
		*data_size = 0;
		return MHD_YES;
	}
	if (!strcmp(url, "/metrics"))
		return answer_metrics(cls, connection);
	if (!strcmp(url, "/"))
		return answer(connection, MHD_HTTP_OK,
			      "text/html; charset=utf-8", index_page);
	return answer_text(connection, MHD_HTTP_NOT_FOUND, "see /metrics\n");
}

static void notice_connection(void *cls, struct MHD_Connection *connection,
			      void **context,
			      enum MHD_ConnectionNotificationCode code)
{
	struct http *http = cls;
	const union MHD_ConnectionInfo *info;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (*context)
			client_free(&http->clients, *context);
		*context = NULL;
		return;
	}
	info = MHD_get_connection_info(connection,
				       MHD_CONNECTION_INFO_CONNECTION_FD);
	*context = info ? client_new(&http->clients, info->connect_fd) : NULL;
}

static void notice_end(void *cls, struct MHD_Connection *connection,
		       void **context, enum MHD_RequestTerminationCode code)
{
	struct http *http = cls;
	const union MHD_ConnectionInfo *info;

	(void)context;
	(void)code;
	info = MHD_get_connection_info(connection,
				       MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	if (info && info->socket_context)
		client_end(&http->clients, info->socket_context);
}

/* How many connections leave enough descriptors: 0 with EMFILE if none does. */
static size_t count_clients(int any)
{
	int first_free = dup(any);
	struct rlimit limit;
	rlim_t used;

	if (first_free < 0 || getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	close(first_free);
	used = (rlim_t)first_free + FDS_KEPT;
	if (limit.rlim_cur <= used) {
		errno = EMFILE;
		return 0;
	}
	return limit.rlim_cur - used < CLIENTS_MAX ? limit.rlim_cur - used :
						     CLIENTS_MAX;
}

static int start(struct http *http, int signals)
{
	http->clients_max = count_clients(signals);
	if (!http->clients_max)
		return -1;
	http->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, handle,
		http, MHD_OPTION_NOTIFY_CONNECTION, notice_connection, http,
		MHD_OPTION_NOTIFY_COMPLETED, notice_end, http,
		MHD_OPTION_CONNECTION_LIMIT, CLIENTS_MAX + 1U,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, REQUEST_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S, MHD_OPTION_END);
	if (http->daemon)
		return 0;
	if (!errno)
		errno = ENOMEM;
	return -1;
}

static bool is_scarce(int err)
{
	return err == EMFILE || err == ENFILE || err == ENOMEM || err == ENOBUFS;
}

/* One at a time: who has to go for it is gone before the next. */
static void accept_one(struct http *http, int fd)
{
	struct sockaddr_storage addr;
	socklen_t len = sizeof(addr);
	int client;

	if (http->clients.n >= http->clients_max) {
		clients_end_oldest(&http->clients);
		return;
	}
	client = accept4(fd, (struct sockaddr *)&addr, &len,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (client >= 0)
		MHD_add_connection(http->daemon, client,
				   (struct sockaddr *)&addr, len);
	else if (is_scarce(errno) && http->clients.n)
		clients_end_oldest(&http->clients);
	else if (is_scarce(errno))
		poll(NULL, 0, PAUSE_MS);
}

/* Until when to wait, in ms. */
static int timeout_of(const struct http *http)
{
	MHD_UNSIGNED_LONG_LONG ms;
	int timeout = http->clients.n_busy ? 1000 : -1;

	if (MHD_get_timeout(http->daemon, &ms) == MHD_YES &&
	    (timeout < 0 || ms < (unsigned int)timeout))
		timeout = ms < 60000 ? (int)ms : 60000;
	return timeout;
}

static void run(struct http *http)
{
	MHD_run(http->daemon);
	end_round(http);
	clients_end_late(&http->clients, now_ns() - SEND_NS);
}

/* [0]: signals, [1]: libmicrohttpd, then the listeners */
static size_t watch(const struct http *http, struct pollfd *fds, int signals)
{
	const union MHD_DaemonInfo *info;
	size_t i;

	info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	fds[0] = (struct pollfd){ signals, POLLIN, 0 };
	fds[1] = (struct pollfd){ info->epoll_fd, POLLIN, 0 };
	for (i = 0; i < http->listeners->n; i++)
		fds[2 + i] = (struct pollfd){ http->listeners->fds[i], POLLIN, 0 };
	return 2 + i;
}

static void serve(struct http *http, int signals)
{
	struct pollfd fds[2 + LISTENERS_MAX];
	size_t i, n = watch(http, fds, signals);

	do {
		int n_ready = poll(fds, n, timeout_of(http));

		for (i = 2; i < n && n_ready > 0; i++) {
			if (fds[i].revents)
				accept_one(http, fds[i].fd);
		}
		run(http);
	} while (!fds[0].revents);
}

/* Nobody new; whoever is being sent a page gets the rest of it. */
static void leave(struct http *http, int signals)
{
	const uint64_t until = now_ns() + LEAVE_NS;
	struct pollfd fds[2 + LISTENERS_MAX];

	listeners_close(http->listeners);
	watch(http, fds, signals);
	while (http->clients.n_busy && now_ns() < until) {
		poll(&fds[1], 1, 100);
		run(http);
	}
}

int http_serve(struct exporter *exporter, struct listeners *listeners,
	       void (*said)(void *arg), void *arg)
{
	struct http http = { .exporter = exporter, .listeners = listeners,
			     .said = said, .arg = arg };
	sigset_t set;
	int signals;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		return -1;
	clients_init(&http.clients);
	if (start(&http, signals)) {
		close(signals);
		return -1;
	}
	serve(&http, signals);
	leave(&http, signals);
	drop(&http.last[0]);
	drop(&http.last[1]);
	MHD_stop_daemon(http.daemon);
	page_free(&http.spare);
	close(signals);
	return 0;
}
