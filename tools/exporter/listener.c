/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "listener.h"

#define FIRST_INHERITED 3 /* SD_LISTEN_FDS_START */
#define BACKLOG		128

static const char *put(struct listeners *l, int fd)
{
	if (l->n == LISTENERS_MAX)
		return "too many addresses";
	l->fds[l->n++] = fd;
	return NULL;
}

static bool is_listening(int fd)
{
	int is_accepting = 0, type = 0;
	socklen_t len = sizeof(int);

	return !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &is_accepting, &len) &&
	       !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) &&
	       is_accepting && type == SOCK_STREAM;
}

/* A number of an environment variable, 0 if it is none. */
static long number_of(const char *name)
{
	const char *value = getenv(name);

	return value ? strtol(value, NULL, 10) : 0;
}

const char *listeners_inherit(struct listeners *l)
{
	long i, n = number_of("LISTEN_PID") == getpid() ?
		    number_of("LISTEN_FDS") : 0;
	const char *why = NULL;

	for (i = 0; i < n && !why; i++) {
		int fd = FIRST_INHERITED + (int)i;

		if (!is_listening(fd))
			return "not a listening socket";
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		fcntl(fd, F_SETFL, O_NONBLOCK);
		why = put(l, fd);
	}
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return why;
}

static int listen_on(const struct addrinfo *info)
{
	const int on = 1;
	int fd = socket(info->ai_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int err;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (info->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (!bind(fd, info->ai_addr, info->ai_addrlen) && !listen(fd, BACKLOG))
		return fd;
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

/* A machine may do without one of the protocols. */
static bool is_absent(int err)
{
	return err == EAFNOSUPPORT || err == EADDRNOTAVAIL;
}

/* Names that are in /etc/hosts twice resolve to an address twice. */
static bool is_repeated(const struct addrinfo *first, const struct addrinfo *info)
{
	for (; first != info; first = first->ai_next) {
		if (first->ai_addrlen == info->ai_addrlen &&
		    !memcmp(first->ai_addr, info->ai_addr, info->ai_addrlen))
			return true;
	}
	return false;
}

static const char *listen_on_all(struct listeners *l, const struct addrinfo *first)
{
	const struct addrinfo *info;
	const char *why = NULL, *absent = NULL;
	size_t n = l->n;

	for (info = first; info && !why; info = info->ai_next) {
		int fd;

		if (is_repeated(first, info))
			continue;
		fd = listen_on(info);
		if (fd >= 0)
			why = put(l, fd);
		else if (is_absent(errno))
			absent = strerror(errno);
		else
			why = strerror(errno);
	}
	return why || l->n > n ? why : absent;
}

/* HOST, which may be empty, and PORT; @where is cut up. */
static bool split(char *where, const char **host, const char **port)
{
	char *colon = strrchr(where, ':');

	if (where[0] == '[') {
		char *end = strchr(where, ']');

		if (!end || end[1] != ':')
			return false;
		*end = '\0';
		*host = where + 1;
		*port = end + 2;
	} else if (!colon) {
		*host = "localhost";
		*port = where;
	} else {
		*colon = '\0';
		*host = where;
		*port = colon + 1;
		if (strchr(where, ':'))
			return false;
	}
	return **port && strspn(*port, "0123456789") == strlen(*port) &&
	       strtoul(*port, NULL, 10) <= 65535;
}

static const char *resolve(struct listeners *l, const char *host, const char *port)
{
	const struct addrinfo hints = {
		.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM
	};
	struct addrinfo *info;
	const char *why;
	int err = getaddrinfo(*host ? host : NULL, port, &hints, &info);

	if (err)
		return err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err);
	why = listen_on_all(l, info);
	freeaddrinfo(info);
	return why;
}

const char *listeners_add(struct listeners *l, const char *where)
{
	const char *host, *port, *why = "not HOST:PORT";
	char *copy = strdup(where);

	if (!copy)
		return strerror(errno);
	if (split(copy, &host, &port))
		why = resolve(l, host, port);
	free(copy);
	return why;
}

void listeners_close(struct listeners *l)
{
	while (l->n)
		close(l->fds[--l->n]);
}

/* Not all have a path. */
static void name_local(const struct sockaddr_storage *addr, char *name,
		       size_t size)
{
	const struct sockaddr_un *local = (const struct sockaddr_un *)addr;

	if (local->sun_path[0])
		snprintf(name, size, "%s", local->sun_path);
}

void listener_name(int fd, char *name, size_t size)
{
	struct sockaddr_storage addr = { 0 };
	socklen_t len = sizeof(addr);
	char host[NI_MAXHOST], port[NI_MAXSERV];
	const int numeric = NI_NUMERICHOST | NI_NUMERICSERV;

	snprintf(name, size, "a socket");
	if (getsockname(fd, (struct sockaddr *)&addr, &len))
		return;
	if (addr.ss_family == AF_UNIX) {
		name_local(&addr, name, size);
		return;
	}
	if (getnameinfo((struct sockaddr *)&addr, len, host, sizeof(host), port,
			sizeof(port), numeric))
		return;
	snprintf(name, size, addr.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s",
		 host, port);
}
