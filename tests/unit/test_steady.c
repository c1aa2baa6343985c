/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What a sample takes where nothing grows: one read, whatever is done with it.
 * Of text it is two: only one that gives nothing tells the end of a file in /proc.
 */
#define _GNU_SOURCE

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent.h"
#include "alloc.h"
#include "fake.h"
#include "nodes.h"
#include "suite.h"

#define WARM_UP 4

static struct agent agent;

static void setup(void)
{
	nodes_begin();
	nodes_add(0, "0\n", NULL);
	ck_assert(agent_open(&agent, irqstat_fdopen(fake_open()), nodes_root()));
	nodes_end();
}

static void teardown(void)
{
	agent_close(&agent);
}

/* Of the text, and of the module's file: three counts more each time, two of them selected. */
static void next_text(unsigned int i)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "           CPU0       CPU1       \n"
		 " 30: %10u          0   PCI-MSI 1-edge      eth0\n"
		 " 31: %10u          0   PCI-MSI 1-edge      usb0\n"
		 "LOC:          0 %10u   Local timer interrupts\n", i, i, i);
	fake.n_snapshots = 0;
	fake.at = 0;
	fake_add(stream_text(text));
}

static void make_stream(void)
{
	static const struct irqbin_irq_desc plain = { 0 };
	struct stream *counters = stream_counters(2, 3), *descs = stream_descs();

	stream_irq(counters, 30, CELLS({ 0, 0 }));
	stream_irq(counters, 31, CELLS({ 0, 0 }));
	stream_irq(counters, 40, CELLS({ 1, 0 }));
	stream_end(counters);
	fake_add(counters);
	stream_layout(descs, (struct irqbin_layout){ 3, 8, 2, 4, 1, 0 });
	stream_irq_desc(descs, 30, plain, STRINGS("PCI-MSI", "edge", "eth0"));
	stream_irq_desc(descs, 31, plain, STRINGS("PCI-MSI", "edge", "usb0"));
	stream_irq_desc(descs, 40, plain, STRINGS("PCI-MSI", "edge", "eth1"));
	stream_end(descs);
	fake.descs = descs;
}

static void next_stream(unsigned int i)
{
	struct stream *s;
	unsigned int j;

	if (i == 1)
		make_stream();
	s = (struct stream *)fake.snapshots[0];
	stream_head(s)->time_ns = i;
	for (j = 1; j <= 3; j++)
		((struct irqbin_count *)(stream_record(s, j) + 1))->count = i;
}

static const struct {
	void (*next)(unsigned int i);
	unsigned int n_reads;
} sources[] = {
	{ next_text, 2 },
	{ next_stream, 1 },
};

START_TEST(steady_state_allocates_nothing)
{
	unsigned int i, n_before, n_calls = 0;
	uint64_t counted;

	for (i = 1; i <= 10000; i++) {
		sources[_i].next(i);
		n_before = alloc.n_calls;
		counted = agent_sample(&agent);
		if (i > WARM_UP)
			n_calls += alloc.n_calls - n_before;
		ck_assert_uint_eq(counted, i > 1 ? 2 : 0);
	}
	ck_assert_uint_eq(n_calls, 0);
}
END_TEST

/* Where there is no vDSO, asking the clock is a call. */
static bool forbid_all_but_the_clock(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* The fake answers its reads without the kernel: for any other call we are killed. */
static bool sample_alone(void (*next)(unsigned int), unsigned int n_reads)
{
	const unsigned int n = 100;
	unsigned int i;

	for (i = 1; i <= n; i++) {
		next(i);
		if (agent_sample(&agent) != (i > 1 ? 2 : 0))
			return false;
		if (i == WARM_UP && !forbid_all_but_the_clock())
			return false;
		if (i == WARM_UP)
			fake.n_calls = 0;
	}
	return fake.n_calls == (n - WARM_UP) * n_reads;
}

/* Not by _exit(): before what doesn't return, ASan makes calls of its own. */
START_TEST(steady_state_calls_nothing_but_reads)
{
	const pid_t pid = fork();
	int status;

	if (!pid)
		syscall(SYS_exit_group, !sample_alone(sources[_i].next, sources[_i].n_reads));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(!WIFSIGNALED(status), "killed by signal %d", WTERMSIG(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

static Suite *steady_suite(void)
{
	Suite *suite = suite_create("steady");
	TCase *each = tcase_create("sources");

	tcase_set_timeout(each, 60);
	tcase_add_checked_fixture(each, setup, teardown);
	tcase_add_loop_test(each, steady_state_allocates_nothing, 0, 2);
	tcase_add_loop_test(each, steady_state_calls_nothing_but_reads, 0, 2);
	suite_add_tcase(suite, each);
	return suite;
}

UNIT_SUITE(steady_suite);
