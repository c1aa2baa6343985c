// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many interrupts, counted like those of a large machine: `density` thousandths
 * of all (interrupt, CPU) cells are not zero. A few interrupts have counted on
 * every CPU, a quarter or more on none, the others on one to a few CPUs. The same
 * parameters give the same counts.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>

#include "irqload.h"

#define NAME_MAX_BYTES	512

static unsigned int irqs = 560;
module_param(irqs, uint, 0444);
MODULE_PARM_DESC(irqs, "how many interrupts to make at first (560)");

static unsigned int base = 32;
module_param(base, uint, 0444);
MODULE_PARM_DESC(base, "lowest number of an interrupt (32)");

static unsigned int density = 20;
module_param(density, uint, 0444);
MODULE_PARM_DESC(density, "cells that are not zero, in thousandths (20)");

static unsigned int spread = 3;
module_param(spread, uint, 0444);
MODULE_PARM_DESC(spread, "interrupts that have counted on every CPU (3)");

static unsigned int zero = 25;
module_param(zero, uint, 0444);
MODULE_PARM_DESC(zero, "interrupts that have counted on no CPU, in per cent, at least (25)");

static unsigned int random = 1;
module_param(random, uint, 0444);
MODULE_PARM_DESC(random, "another number, other counts (1)");

static char *flow = "edge";
module_param(flow, charp, 0444);
MODULE_PARM_DESC(flow, "flow handler: edge, level, fasteoi, simple, percpu, unmarked, ... (edge)");

static char *names = "nvme0q%u,mlx5_comp%u@pci:0000:3b:00.0,eth0-TxRx-%u,i40e-eth1-TxRx-%u";
module_param(names, charp, 0444);
MODULE_PARM_DESC(names, "names of actions, separated by commas, %u is a number, \\x2c a comma");

static char *chips = "IR-PCI-MSIX-0000:3b:00.0,IR-PCI-MSIX-0000:5e:00.1,IR-PCI-MSI";
module_param(chips, charp, 0444);
MODULE_PARM_DESC(chips, "names of chips, likewise");

static u64 state;

/* A number below @below: splitmix64, good enough for that. */
u32 irqload_random(u32 below)
{
	u64 z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return ((z ^ (z >> 31)) >> 32) * (u64)below >> 32;
}

/* A CPU that was online when it was chosen. */
unsigned int irqload_random_cpu(void)
{
	unsigned int cpu, nth = irqload_random(num_online_cpus());

	for_each_online_cpu(cpu)
		if (!nth--)
			return cpu;
	return cpumask_first(cpu_online_mask);
}

static unsigned int random_possible_cpu(void)
{
	unsigned int cpu, nth = irqload_random(num_possible_cpus());

	for_each_possible_cpu(cpu)
		if (!nth--)
			return cpu;
	return cpumask_first(cpu_possible_mask);
}

/* From 1 to some hundred millions, each magnitude as likely as the next. */
static u32 random_count(void)
{
	return 1 + irqload_random(2U << irqload_random(28));
}

/* The @nth part of @list, counted round, with @number in place of %u. */
static void name_make(char *buf, size_t size, const char *list, unsigned int nth,
		      unsigned int number)
{
	unsigned int parts = 1;
	const char *end, *mark;
	size_t len;
	char *copy;

	for (end = list; *end; end++)
		parts += *end == ',';
	for (nth %= parts; nth; nth--)
		list = strchr(list, ',') + 1;
	end = strchrnul(list, ',');
	mark = strnstr(list, "%u", end - list);
	if (mark)
		len = scnprintf(buf, size, "%.*s%u%.*s", (int)(mark - list), list, number,
				(int)(end - mark - 2), mark + 2);
	else
		len = scnprintf(buf, size, "%.*s", (int)(end - list), list);
	copy = kmemdup(buf, len + 1, GFP_KERNEL);
	if (copy)
		string_unescape_any(copy, buf, size);
	kfree(copy);
}

static void count_everywhere(struct irqload_line *line)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		irqload_line_count(line, cpu, random_count(), line->flow->total);
	irqload_line_move(line, IRQLOAD_CPU_ANY);
	line->still = false;
}

/* One more cell of @line that was zero, if the dice find one. */
static bool count_somewhere(struct irqload_line *line)
{
	unsigned int cpu = random_possible_cpu();

	if (*irqload_cell(line->desc, cpu))
		return false;
	irqload_line_count(line, cpu, random_count(), line->flow->total);
	irqload_line_move(line, cpu);
	line->still = false;
	return true;
}

static struct irqload_line *line_make(unsigned int i, const struct irqload_flow *f)
{
	struct irqload_recipe recipe = {
		.irq = -1,
		.from = base,
		.flow = f,
		.flow_name = f->name,
		.has_hwirq = true,
		.hwirq = i,
		.trigger = IRQ_TYPE_EDGE_RISING,
		.still = true,
	};
	char *name = kmalloc(NAME_MAX_BYTES, GFP_KERNEL);
	struct irqload_line *line;
	int err;

	if (!name)
		return ERR_PTR(-ENOMEM);
	name_make(name, NAME_MAX_BYTES, chips, i, i);
	recipe.chip = name;
	line = irqload_line_new(&recipe);
	if (IS_ERR(line))
		goto out;
	name_make(name, NAME_MAX_BYTES, names, i, i);
	err = f->chained ? 0 : irqload_line_request(line, name, 0);
	if (err) {
		irqload_line_free(line);
		line = ERR_PTR(err);
	}
out:
	kfree(name);
	return line;
}

/* Spends @budget cells on lines from @first up to @end. */
static void count_few(struct irqload_line **line, unsigned int first, unsigned int end,
		      unsigned int budget)
{
	unsigned int i, tries = 16 * budget;

	for (i = first; i < end && budget; i++)
		budget -= count_somewhere(line[i]);
	while (first < end && budget && tries--)
		budget -= count_somewhere(line[first + irqload_random(end - first)]);
}

/**
 * irqload_seed - make the interrupts that the module's parameters ask for
 *
 * Return: 0, or what went wrong; those made until then are there
 */
int irqload_seed(void)
{
	const struct irqload_flow *f = irqload_flow_find(flow);
	u64 cells = (u64)irqs * num_possible_cpus() * density / 1000;
	unsigned int counting = irqs - irqs * min(zero, 100U) / 100;
	unsigned int i, wide;
	struct irqload_line **line;
	int err = 0;

	if (!f || irqs > IRQLOAD_LINES_MAX)
		return -EINVAL;
	line = kvcalloc(irqs, sizeof(*line), GFP_KERNEL);
	if (!line)
		return -ENOMEM;
	state = random;
	for (i = 0; i < irqs && !err; i++) {
		line[i] = line_make(i, f);
		err = PTR_ERR_OR_ZERO(line[i]);
	}
	if (err)
		goto out;

	wide = min_t(u64, min(spread, counting), div_u64(cells, num_possible_cpus()));
	/* Spread over the numbers: a wide one first, then every so many. */
	for (i = 0; i < wide; i++) {
		swap(line[i], line[i * (counting / wide)]);
		count_everywhere(line[i]);
		cells -= num_possible_cpus();
	}
	count_few(line, wide, counting, cells);
	for (i = 0; i < irqs; i++)
		if (!line[i]->flow->chained)
			irqload_line_start(line[i]);
out:
	kvfree(line);
	return err;
}
