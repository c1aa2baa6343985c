/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Every allocation fails once: each time the function says ENOMEM, what was
 * there before is as it was, and the same call succeeds when there is memory
 * again.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"
#include "fake.h"
#include "names.h"
#include "nodes.h"
#include "snap.h"
#include "suite.h"

static unsigned int fail_at;	/* the allocation of the round that fails */
static unsigned int n_made;	/* so many were tried in the round */
static bool has_failed;

static void check_nothing(void)
{
}

/* What must be as it was after a failure. */
static void (*check_kept)(void) = check_nothing;

/* Only calls of the library count: Check allocates, too. */
static unsigned int arm(void)
{
	if (!has_failed)
		alloc.fail_at = alloc.n_calls + fail_at - n_made;
	errno = 0;
	return alloc.n_calls;
}

static void disarm(unsigned int n_before)
{
	n_made += alloc.n_calls - n_before;
	alloc.fail_at = 0;
}

static void check_failure(void)
{
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_uint_ge(n_made, fail_at);
	ck_assert(!has_failed);
	has_failed = true;
	check_kept();
}

/* A call that may fail for want of memory once, then succeeds. */
#define survives(call, failure)					\
	({							\
		unsigned int n_before_ = arm();			\
		__auto_type ret_ = (call);			\
								\
		disarm(n_before_);				\
		if (ret_ == (failure)) {			\
			check_failure();			\
			ret_ = (call);				\
			ck_assert(ret_ != (failure));		\
		}						\
		ret_;						\
	})

/* Rounds in which one allocation more succeeds, until none fails any more. */
static void every_allocation(void (*round)(void), unsigned int at_least)
{
	fail_at = 0;
	do {
		fail_at++;
		n_made = 0;
		has_failed = false;
		check_kept = check_nothing;
		round();
		ck_assert(has_failed == (n_made >= fail_at));
	} while (has_failed);
	ck_assert_uint_gt(fail_at, at_least);
}

/* The last of these is larger in every way. */
static const struct irqstat_snapshot *sized(uint64_t seconds, uint32_t n_rows,
					    uint32_t nr_cpu_ids)
{
	struct snap *s = snap_module(seconds, 3);
	uint32_t i;

	s->pub.nr_cpu_ids = nr_cpu_ids;
	for (i = 0; i < n_rows; i++)
		snap_irq(s, i, SNAP_CELLS({ 0, seconds * 10 }, { 1, seconds * 5 }));
	return &s->pub;
}

static struct irqstat_differ *differ;
static const struct irqstat_delta *delta;

static void check_delta(void)
{
	snap_check(delta->counts);
	ck_assert_uint_eq(delta->counts->n_rows, 2);
	ck_assert_uint_eq(snap_count(delta->counts, IRQSTAT_IRQ, 1, 1), 5);
	ck_assert_uint_eq(delta->n_changes, 1);
	ck_assert_uint_eq(delta->changes[0].cpu, 1);
}

static void make_deltas(void)
{
	const struct irqstat_snapshot *second = sized(2, 2, 4);
	const struct irqstat_snapshot *third = sized(3, 60, 4);
	const struct irqstat_snapshot *fourth = sized(4, 60, 200);
	struct snap *from = snap_module(1, 1);

	snap_irq(from, 0, SNAP_CELLS({ 0, 10 }, { 1, 5 }));
	snap_irq(from, 1, SNAP_CELLS({ 0, 10 }, { 1, 5 }));
	from->pub.nr_cpu_ids = 4;
	check_kept = check_nothing;
	differ = survives(irqstat_differ_new(), NULL);
	delta = survives(irqstat_delta_make(differ, &from->pub, second), NULL);
	check_delta();
	check_kept = check_delta;
	delta = survives(irqstat_delta_make(differ, third, fourth), NULL);
	ck_assert_uint_eq(delta->counts->n_rows, 60);
	irqstat_differ_free(differ);
}

START_TEST(delta_survives_each_allocation)
{
	every_allocation(make_deltas, 4);
}
END_TEST

static struct irqstat_totals *totals;

static void check_totals(void)
{
	const struct irqstat_snapshot *sum = irqstat_totals_get(totals);

	snap_check(sum);
	ck_assert_uint_eq(sum->n_rows, 2);
	ck_assert_uint_eq(snap_count(sum, IRQSTAT_IRQ, 1, 0), 20);
	ck_assert(irqstat_snapshot_is_online(sum, 1));
}

static void add_totals(void)
{
	const struct irqstat_snapshot *first = sized(1, 2, 4);
	const struct irqstat_snapshot *second = sized(2, 2, 4);
	const struct irqstat_snapshot *third = sized(3, 60, 200);

	totals = survives(irqstat_totals_new(), NULL);
	survives(irqstat_totals_add(totals, first), -1);
	survives(irqstat_totals_add(totals, second), -1);
	check_totals();
	check_kept = check_totals;
	survives(irqstat_totals_add(totals, third), -1);
	snap_check(irqstat_totals_get(totals));
	ck_assert_uint_eq(snap_count(irqstat_totals_get(totals), IRQSTAT_IRQ, 1,
				     0), 30);
	irqstat_totals_free(totals);
}

START_TEST(totals_survive_each_allocation)
{
	every_allocation(add_totals, 6);
}
END_TEST

static struct irqstat_select *sel;
static const struct irqstat_snapshot *left;

static void check_filtered(void)
{
	snap_check(left);
	ck_assert_uint_eq(left->n_rows, 1);
	ck_assert_uint_eq(snap_count(left, IRQSTAT_IRQ, 1, 0), 10);
}

static void select_rows(void)
{
	const struct irqstat_snapshot *small = sized(1, 2, 4);
	const struct irqstat_snapshot *large = sized(2, 60, 200);
	struct names *names = names_new();

	names_irq(names, 1, "PCI-MSI", ACTIONS("eth0"));
	names_irq(names, 2, "PCI-MSI", ACTIONS("nvme0q0"));
	names_irq(names, 3, "PCI-MSI", ACTIONS("eth1"));
	sel = survives(irqstat_select_new(), NULL);
	survives(irqstat_select_rows(sel, "1-2,LOC"), -1);
	survives(irqstat_select_rows(sel, "9,ERR,5,7"), -1);
	survives(irqstat_select_include(sel, "^eth"), -1);
	survives(irqstat_select_exclude(sel, "^nvme"), -1);
	survives(irqstat_select_cpus(sel, "0,5,9"), -1);
	survives(irqstat_select_resolve(sel, &names->pub), -1);
	left = survives(irqstat_select_filter(sel, small), NULL);
	check_filtered();
	check_kept = check_filtered;
	left = survives(irqstat_select_filter(sel, large), NULL);
	ck_assert_uint_eq(left->n_rows, 1);
	ck_assert_uint_eq(snap_count(left, IRQSTAT_IRQ, 1, 0), 20);
	ck_assert_uint_eq(snap_count(left, IRQSTAT_IRQ, 1, 1), 0);
	irqstat_select_free(sel);
}

START_TEST(selection_survives_each_allocation)
{
	every_allocation(select_rows, 15);
}
END_TEST

static void read_topology(void)
{
	struct irqstat_topology *topology;

	topology = survives(irqstat_topology_new(nodes_root()), NULL);
	ck_assert_uint_eq(irqstat_topology_node(topology, 2), 1);
	irqstat_topology_free(topology);
}

START_TEST(topology_survives_each_allocation)
{
	nodes_begin();
	nodes_add(0, "0-1,4\n", NULL);
	nodes_add(1, "2-3\n", NULL);
	every_allocation(read_topology, 8);
	nodes_end();
}
END_TEST

static const struct irqstat_sums *cpus, *actions;

static void check_sums(void)
{
	ck_assert_uint_eq(cpus->total, 30);
	ck_assert_uint_eq(cpus->sums[0].count, 20);
	ck_assert_uint_eq(actions->total, 30);
	ck_assert_str_eq(actions->sums[0].name.bytes, "eth0");
	ck_assert_uint_eq(actions->sums[0].count, 15);
}

static void add_sums(void)
{
	struct irqstat_topology *topology = irqstat_topology_new(nodes_root());
	struct names *names = names_new(), *others = names_new();
	const struct irqstat_snapshot *large = sized(1, 60, 200);
	const struct irqstat_snapshot *small = sized(1, 2, 4);
	struct irqstat_adder *adder;

	names_irq(names, 0, "PCI-MSI", ACTIONS("eth0", "usb0"));
	names_irq(others, 0, "PCI-MSI", ACTIONS("eth0"));
	names_irq(others, 1, "PCI-MSI", ACTIONS("eth0"));
	adder = survives(irqstat_adder_new(), NULL);
	cpus = survives(irqstat_sums_by_cpu(adder, small), NULL);
	actions = survives(irqstat_sums_by_action(adder, small, &names->pub), NULL);
	check_sums();
	check_kept = check_sums;
	ck_assert_uint_eq(survives(irqstat_sums_by_node(adder, small, topology),
				   NULL)->sums[0].count, 30);
	ck_assert_str_eq(survives(irqstat_sums_by_label(adder, small,
							&names->pub),
				  NULL)->sums[0].name.bytes, "eth0, usb0");
	actions = survives(irqstat_sums_by_action(adder, small, &others->pub),
			   NULL);
	ck_assert_uint_eq(actions->sums[0].count, 30);
	check_kept = check_nothing;
	cpus = survives(irqstat_sums_by_cpu(adder, large), NULL);
	ck_assert_uint_eq(cpus->sums[0].count, 600);
	irqstat_adder_free(adder);
	irqstat_topology_free(topology);
}

START_TEST(sums_survive_each_allocation)
{
	nodes_begin();
	nodes_add(0, "0-1\n", NULL);
	every_allocation(add_sums, 15);
	nodes_end();
}
END_TEST

static void copy_snapshot(void)
{
	const struct irqstat_snapshot *small = sized(1, 2, 4);
	struct irqstat_snapshot *copy;

	copy = survives(irqstat_snapshot_dup(small), NULL);
	snap_check(copy);
	irqstat_snapshot_free(copy);
}

START_TEST(copy_survives_each_allocation)
{
	every_allocation(copy_snapshot, 1);
}
END_TEST

static struct irqstat *is;

/* So that a second try finds the same. */
static int read_at(size_t at)
{
	fake.at = at;
	return irqstat_read(is);
}

static void check_snapshot(void)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);

	ck_assert_uint_eq(snap_count(snap, IRQSTAT_IRQ, 5, 0), 7);
}

/* A small snapshot, then a large one. */
static void read_handle(const struct stream *small, const struct stream *large,
			const struct stream *descs)
{
	int fd = fake_open();

	fake.descs = descs;
	fake_add(small);
	fake_add(large);
	is = survives(irqstat_fdopen(fd), NULL);
	survives(read_at(0), -1);
	check_snapshot();
	check_kept = check_snapshot;
	survives(irqstat_descs_get(is), NULL);
	survives(read_at(1), -1);
	ck_assert_uint_gt(irqstat_snapshot_get(is)->n_rows, 1);
	check_kept = check_nothing;
	survives(irqstat_descs_read(is), NULL);
	irqstat_close(is);
}

static void read_stream(void)
{
	struct stream *small = stream_counters(4, 1);

	stream_irq(small, 5, CELLS({ 0, 7 }));
	stream_end(small);
	read_handle(small, stream_rich_counters(), stream_rich_descs());
}

START_TEST(stream_survives_each_allocation)
{
	every_allocation(read_stream, 12);
}
END_TEST

#define HEADER_1 "           CPU0       \n"
#define HEADER_2 "           CPU0       CPU1       \n"

static void read_text(void)
{
	static char large[20000];
	size_t n = (size_t)sprintf(large, HEADER_2);
	unsigned int i;

	for (i = 200; i; i--)
		n += (size_t)sprintf(large + n, "%3u: %10u %10u   PCI-MSI %u-edge      eth%u\n",
				     i, i, i, i, i);
	read_handle(stream_text(HEADER_1 "  5:          7   PCI-MSI 1-edge      a, b\n"),
		    stream_text(large), NULL);
}

START_TEST(text_survives_each_allocation)
{
	every_allocation(read_text, 20);
}
END_TEST

static void write_and_read_capture(void)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);
	struct irqstat_capture *capture;
	struct irqstat *from;

	is = irqstat_fdopen(fake_open());
	fake_add(stream_text(HEADER_1 "  5:          7   PCI-MSI 1-edge      a\n"));
	ck_assert_int_eq(irqstat_read(is), 0);
	from = is;
	capture = survives(irqstat_capture_new(fd), NULL);
	survives(irqstat_capture_add(capture, from), -1);
	irqstat_capture_free(capture);
	lseek(fd, 0, SEEK_SET);
	is = survives(irqstat_fdopen(fd), NULL);
	survives(irqstat_read(is), -1);
	check_snapshot();
	survives(irqstat_descs_get(is), NULL);
	ck_assert_uint_eq(irqstat_descs_get(is)->n_descs, 1);
	irqstat_close(is);
	irqstat_close(from);
}

START_TEST(capture_survives_each_allocation)
{
	every_allocation(write_and_read_capture, 8);
}
END_TEST

static Suite *alloc_suite(void)
{
	const TTest *const tests[] = {
		delta_survives_each_allocation,
		totals_survive_each_allocation,
		selection_survives_each_allocation,
		topology_survives_each_allocation,
		sums_survive_each_allocation,
		copy_survives_each_allocation,
		stream_survives_each_allocation,
		text_survives_each_allocation,
		capture_survives_each_allocation,
		NULL
	};
	Suite *suite = suite_create("alloc");

	suite_add(suite, "alloc", tests);
	return suite;
}

UNIT_SUITE(alloc_suite);
