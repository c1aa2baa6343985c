/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Which CPU is on which node. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nodes.h"
#include "suite.h"
#include "../../libirqstat/topology.h"

static struct irqstat_topology *t;

static void teardown(void)
{
	irqstat_topology_free(t);
	nodes_end();
}

static void read_nodes(void)
{
	t = irqstat_topology_new(nodes_root());
	ck_assert_ptr_nonnull(t);
}

static void expect(uint32_t cpu, uint32_t node)
{
	ck_assert_uint_eq(irqstat_topology_node(t, cpu), node);
}

START_TEST(topology_reads_lists)
{
	nodes_add(0, "0-1\n", NULL);
	nodes_add(1, "2-3\n", NULL);
	read_nodes();
	expect(0, 0);
	expect(1, 0);
	expect(2, 1);
	expect(3, 1);
	expect(4, IRQSTAT_NODE_NONE);
	expect(IRQSTAT_CPU_NONE, IRQSTAT_NODE_NONE);
}
END_TEST

START_TEST(topology_reads_lists_with_holes)
{
	nodes_add(8, "0,8,16-18,200\n", NULL);
	nodes_add(0, "1-7\n", NULL);
	read_nodes();
	expect(0, 8);
	expect(7, 0);
	expect(8, 8);
	expect(9, IRQSTAT_NODE_NONE);
	expect(17, 8);
	expect(200, 8);
	ck_assert_uint_eq(t->n_nodes, 2);
	ck_assert_uint_eq(t->nodes[0], 0);
	ck_assert_uint_eq(t->nodes[1], 8);
}
END_TEST

START_TEST(topology_of_memory_only_node)
{
	nodes_add(0, "0-3\n", NULL);
	nodes_add(1, "\n", NULL);
	nodes_add(2, "", NULL);
	read_nodes();
	ck_assert_uint_eq(t->n_nodes, 3);
	expect(3, 0);
}
END_TEST

START_TEST(topology_knows_cpus_that_are_offline)
{
	static const char *const cpus[] = { "cpu2", "cpu3", "cpulist2", "cpu",
					    "cpu1-2", "memory5", NULL };

	nodes_add(0, "0-1\n", NULL);
	nodes_add(1, "2\n", cpus);
	read_nodes();
	expect(3, 1);
	expect(1, 0);
	expect(5, IRQSTAT_NODE_NONE);
}
END_TEST

START_TEST(topology_passes_over_other_files)
{
	char path[128];

	nodes_add(0, "0\n", NULL);
	snprintf(path, sizeof(path), "%s/nodemap", nodes_root());
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/has_cpu", nodes_root());
	ck_assert_int_eq(mkdir(path, 0700), 0);
	read_nodes();
	ck_assert_uint_eq(t->n_nodes, 1);
}
END_TEST

START_TEST(topology_of_long_list)
{
	static char list[65536];
	size_t len = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < 8192; cpu += 2)
		len += (size_t)sprintf(list + len, "%s%u", cpu ? "," : "", cpu);
	nodes_add(0, list, NULL);
	read_nodes();
	for (cpu = 0; cpu < 8192; cpu++)
		expect(cpu, cpu % 2 ? IRQSTAT_NODE_NONE : 0);
}
END_TEST

START_TEST(topology_malformed)
{
	static const char *const bad[] = { "0-\n", "a\n", "0,,1\n", "3-1\n",
					   "0 1\n", ",\n", "1048576\n",
					   "99999999999\n", NULL };
	size_t i;

	for (i = 0; bad[i]; i++) {
		nodes_add(0, bad[i], NULL);
		errno = 0;
		ck_assert_msg(!irqstat_topology_new(nodes_root()) &&
			      errno == EBADMSG, "%s", bad[i]);
		nodes_end();
		nodes_begin();
	}
}
END_TEST

START_TEST(topology_with_a_cpu_on_two_nodes)
{
	nodes_add(0, "0-2\n", NULL);
	nodes_add(1, "2-3\n", NULL);
	assert_errno(irqstat_topology_new(nodes_root()), NULL, EBADMSG);
}
END_TEST

START_TEST(topology_without_nodes)
{
	assert_errno(irqstat_topology_new("/nonexistent/node"), NULL, ENOENT);
	assert_errno(irqstat_topology_new("/dev/null"), NULL, ENOTDIR);
	read_nodes();
	expect(0, IRQSTAT_NODE_NONE);
}
END_TEST

START_TEST(topology_without_list)
{
	nodes_add(0, NULL, NULL);
	assert_errno(irqstat_topology_new(nodes_root()), NULL, ENOENT);
}
END_TEST

/* As this machine has them, if its kernel shows any. */
START_TEST(topology_of_this_machine)
{
	t = irqstat_topology_new(NULL);
	ck_assert(t ? t->n_nodes > 0 : errno == ENOENT);
}
END_TEST

START_TEST(topology_free_of_null)
{
	errno = ENOTTY;
	irqstat_topology_free(NULL);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

static Suite *topology_suite(void)
{
	const TTest *const tests[] = {
		topology_reads_lists,
		topology_reads_lists_with_holes,
		topology_of_memory_only_node,
		topology_knows_cpus_that_are_offline,
		topology_passes_over_other_files,
		topology_of_long_list,
		topology_malformed,
		topology_with_a_cpu_on_two_nodes,
		topology_without_nodes,
		topology_without_list,
		topology_of_this_machine,
		topology_free_of_null,
		NULL
	};
	Suite *suite = suite_create("topology");

	suite_add_with(suite, "topology", tests, nodes_begin, teardown);
	return suite;
}

UNIT_SUITE(topology_suite);
