/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Threads with handles of their own: the library has nothing that they share. Meant for TSan. */
#define _GNU_SOURCE

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent.h"
#include "stream.h"
#include "suite.h"

#define N_THREADS 4
#define N_SAMPLES 300

static struct stream streams[N_THREADS], descs;

static bool put(int fd, const void *bytes, size_t len, off_t offset)
{
	return !ftruncate(fd, offset + (off_t)len) &&
	       pwrite(fd, bytes, len, offset) == (ssize_t)len;
}

/* More rows each time, so that all that grows does; each counts one more. */
static bool put_text(int fd, unsigned int i)
{
	char text[8192];
	int len = sprintf(text, "           CPU0       CPU1       \n");
	unsigned int irq;

	for (irq = 0; irq < 50 + i % 10; irq++)
		len += sprintf(text + len, "%3u: %10u %10u   PCI-MSI %u-edge      eth%u\n", irq, i,
			       i, irq, irq);
	return put(fd, text, (size_t)len, 0);
}

/* Its header is the only thing that is not as it was. */
static bool put_stream(int fd, struct stream *s, unsigned int i)
{
	stream_head(s)->time_ns = i;
	return put(fd, s->words, stream_len(s), 0) &&
	       put(fd, descs.words, stream_len(&descs), IRQBIN_DESC_OFFSET);
}

static void *run(void *arg)
{
	const unsigned int self = (unsigned int)(uintptr_t)arg;
	int fd = memfd_create("source", MFD_CLOEXEC);
	bool is_right;
	struct agent agent;
	unsigned int i;

	is_right = agent_open(&agent, irqstat_fdopen(dup(fd)), NULL);
	for (i = 1; is_right && i <= N_SAMPLES; i++) {
		const bool is_text = self % 2;
		const uint64_t want = is_text && i > 1 ? 80 : 0;

		is_right = is_text ? put_text(fd, i) : put_stream(fd, &streams[self % N_THREADS], i);
		is_right = is_right && agent_sample(&agent) == want;
	}
	agent_close(&agent);
	close(fd);
	return is_right ? arg : NULL;
}

START_TEST(threads_with_handles_of_their_own)
{
	pthread_t threads[N_THREADS];
	uintptr_t i;
	void *ret;

	descs = *stream_rich_descs();
	for (i = 0; i < N_THREADS; i++)
		streams[i] = *stream_rich_counters();
	for (i = 0; i < N_THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run, (void *)(i + 2)), 0);
	for (i = 0; i < N_THREADS; i++) {
		ck_assert_int_eq(pthread_join(threads[i], &ret), 0);
		ck_assert_ptr_eq(ret, (void *)(i + 2));
	}
}
END_TEST

static Suite *threads_suite(void)
{
	const TTest *const tests[] = { threads_with_handles_of_their_own, NULL };
	Suite *suite = suite_create("threads");

	suite_add(suite, "threads", tests);
	return suite;
}

UNIT_SUITE(threads_suite);
