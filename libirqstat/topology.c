/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A node's directory has a cpulist, of its CPUs that are online, and an entry
 * cpuN for each of its CPUs, online or not.
 */
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ranges.h"
#include "topology.h"

#define ROOT "/sys/devices/system/node"
#define CPU_MAX ((1U << 20) - 1)

static int fail(int error)
{
	errno = error;
	return -1;
}

/* The number in a name like "node12"; false if it is not such a name. */
static bool parse_name(const char *name, const char *prefix, uint32_t max,
		       uint32_t *number)
{
	size_t n = strlen(prefix);
	struct range range;

	if (strncmp(name, prefix, n) || strchr(name, '-') ||
	    !range_parse(&range, name + n, strlen(name + n), max, false))
		return false;
	*number = range.first;
	return true;
}

static int grow_cpus(struct irqstat_topology *t, uint32_t cpu)
{
	uint32_t *node_of;

	if (cpu < t->n_cpus)
		return 0;
	node_of = realloc(t->node_of, ((size_t)cpu + 1) * sizeof(*node_of));
	if (!node_of)
		return -1;
	t->node_of = node_of;
	while (t->n_cpus <= cpu)
		node_of[t->n_cpus++] = IRQSTAT_NODE_NONE;
	return 0;
}

static int set_cpu(struct irqstat_topology *t, uint32_t cpu, uint32_t node)
{
	if (grow_cpus(t, cpu))
		return -1;
	if (t->node_of[cpu] != IRQSTAT_NODE_NONE && t->node_of[cpu] != node)
		return fail(EBADMSG);
	t->node_of[cpu] = node;
	return 0;
}

static int set_list(struct irqstat_topology *t, const char *list, uint32_t node)
{
	struct ranges ranges = { 0 };
	int ret = ranges_add_list(&ranges, list, CPU_MAX, false);
	uint32_t cpu;
	size_t i;

	if (ret && errno == EINVAL)
		errno = EBADMSG;
	for (i = 0; !ret && i < ranges.n; i++) {
		for (cpu = ranges.v[i].first; !ret && cpu <= ranges.v[i].last; cpu++)
			ret = set_cpu(t, cpu, node);
	}
	ranges_free(&ranges);
	return ret;
}

static FILE *open_list(int dir)
{
	int fd = openat(dir, "cpulist", O_RDONLY | O_CLOEXEC);
	FILE *file;

	if (fd < 0)
		return NULL;
	file = fdopen(fd, "r");
	if (!file) {
		close(fd);
		errno = ENOMEM;
	}
	return file;
}

static int read_list(struct irqstat_topology *t, int dir, uint32_t node)
{
	FILE *file = open_list(dir);
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int ret;

	if (!file)
		return -1;
	len = getline(&line, &cap, file);
	ret = len < 0 && !feof(file) ? -1 : 0;
	if (len > 0) {
		line[strcspn(line, "\n")] = '\0';
		ret = *line ? set_list(t, line, node) : 0;
	}
	free(line);
	fclose(file);
	return ret;
}

static int read_links(struct irqstat_topology *t, DIR *dir, uint32_t node)
{
	const struct dirent *entry;
	uint32_t cpu;

	errno = 0;
	while ((entry = readdir(dir))) {
		if (parse_name(entry->d_name, "cpu", CPU_MAX, &cpu) &&
		    set_cpu(t, cpu, node))
			return -1;
		errno = 0;
	}
	return errno ? -1 : 0;
}

static DIR *open_dir(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static int add_node(struct irqstat_topology *t, uint32_t node)
{
	uint32_t *nodes = realloc(t->nodes, (t->n_nodes + 1) * sizeof(*nodes));

	if (!nodes)
		return -1;
	t->nodes = nodes;
	nodes[t->n_nodes++] = node;
	return 0;
}

static int read_node(struct irqstat_topology *t, int root, const char *name,
		     uint32_t node)
{
	DIR *dir = open_dir(root, name);
	int ret, err;

	if (!dir)
		return -1;
	ret = add_node(t, node);
	if (!ret)
		ret = read_list(t, dirfd(dir), node);
	if (!ret)
		ret = read_links(t, dir, node);
	err = errno;
	closedir(dir);
	errno = err;
	return ret;
}

static int read_nodes(struct irqstat_topology *t, DIR *root)
{
	const struct dirent *entry;
	uint32_t node;

	errno = 0;
	while ((entry = readdir(root))) {
		if (parse_name(entry->d_name, "node", IRQSTAT_NODE_NONE - 1,
			       &node) &&
		    read_node(t, dirfd(root), entry->d_name, node))
			return -1;
		errno = 0;
	}
	return errno ? -1 : 0;
}

static int rising(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int read_root(struct irqstat_topology *t, const char *path)
{
	DIR *root = open_dir(AT_FDCWD, path);
	int ret, err;

	if (!root)
		return -1;
	ret = read_nodes(t, root);
	err = errno;
	closedir(root);
	errno = err;
	if (t->n_nodes)
		qsort(t->nodes, t->n_nodes, sizeof(*t->nodes), rising);
	return ret;
}

struct irqstat_topology *irqstat_topology_new(const char *root)
{
	struct irqstat_topology *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	if (read_root(t, root ? root : ROOT)) {
		irqstat_topology_free(t);
		return NULL;
	}
	return t;
}

void irqstat_topology_free(struct irqstat_topology *topology)
{
	if (!topology)
		return;
	free(topology->nodes);
	free(topology->node_of);
	free(topology);
}

uint32_t irqstat_topology_node(const struct irqstat_topology *topology,
			       uint32_t cpu)
{
	return cpu < topology->n_cpus ? topology->node_of[cpu] :
					IRQSTAT_NODE_NONE;
}
