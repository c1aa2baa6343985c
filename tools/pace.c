/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Ticks are at fixed times, whatever the work between them takes; those that are
 * over already are left out. Signals are let in while it waits and at no other
 * time, so none is lost and none cuts anything short.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

#include "cmd.h"

static volatile sig_atomic_t is_stopped;
static sigset_t waiting;

static void stop(int signal)
{
	(void)signal;
	is_stopped = 1;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define N_SIGNALS (sizeof(signals) / sizeof(*signals))

void pace_catch(void)
{
	struct sigaction action = { .sa_handler = stop }, old;
	size_t i;

	for (i = 0; i < N_SIGNALS; i++) {
		/* As nohup(1) wants it. */
		if (sigaction(signals[i], NULL, &old) || old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

bool pace_is_stopped(void)
{
	return is_stopped;
}

void pace_set(struct pace *pace, uint64_t interval_ns)
{
	pace->interval_ns = interval_ns;
	pace->next_ns = now_ns() + interval_ns;
}

void pace_start(struct pace *pace, uint64_t interval_ns)
{
	sigset_t blocked;
	size_t i;

	pace_catch();
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGWINCH);
	for (i = 0; i < N_SIGNALS; i++)
		sigaddset(&blocked, signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, &waiting);
	sigdelset(&waiting, SIGWINCH);
	pace->is_held = false;
	pace_set(pace, interval_ns);
}

void pace_follow(struct pace *pace, uint64_t interval_ns)
{
	pace->next_ns += interval_ns - pace->interval_ns;
	pace->interval_ns = interval_ns;
}

static void go_on(struct pace *pace, uint64_t now)
{
	pace->next_ns += pace->interval_ns;
	if (pace->next_ns <= now)
		pace->next_ns = now + pace->interval_ns;
}

enum pace_event pace_wait(struct pace *pace, int fd)
{
	struct pollfd poll = { .fd = fd, .events = POLLIN };

	while (!is_stopped) {
		uint64_t now = now_ns(), left = pace->next_ns > now ? pace->next_ns - now : 0;
		struct timespec timeout = { (time_t)(left / NS_PER_S), (long)(left % NS_PER_S) };
		int n = ppoll(&poll, 1, pace->is_held ? NULL : &timeout, &waiting);

		/* A terminal that is gone: no signal would be let in while it can be "read". */
		if (n > 0)
			return poll.revents & (POLLHUP | POLLERR | POLLNVAL) ? PACE_STOPPED : PACE_KEY;
		if (n < 0 && errno == EINTR && !is_stopped)
			return PACE_RESIZED;
		now = now_ns();
		if (!n && now >= pace->next_ns) {
			go_on(pace, now);
			return PACE_TICK;
		}
	}
	return PACE_STOPPED;
}

void pace_change(struct pace *pace, bool is_longer)
{
	uint64_t ns = is_longer ? pace->interval_ns * 2 : pace->interval_ns / 2;

	if (ns >= NS_PER_S / 100 && ns <= 3600 * NS_PER_S)
		pace_set(pace, ns);
}

void text_add_time(struct text *text, uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / NS_PER_S);
	struct tm tm;
	char s[40];
	size_t n;

	if (!localtime_r(&seconds, &tm))
		return;
	n = strftime(s, sizeof(s), "%Y-%m-%dT%H:%M:%S%z", &tm);
	if (n > 2)
		text_printf(text, "%.*s:%s", (int)n - 2, s, s + n - 2);
}
