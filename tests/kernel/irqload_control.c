// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs irqload/control: one command a write, or one a line.
 *
 *	add KEY[=VALUE]...	make an interrupt; see keys[]
 *	free IRQ		drop it
 *	request IRQ NAME	append an action
 *	release IRQ		free the last one
 *	rename IRQ NAME		write over the last one's name, in place
 *	chip IRQ NAME		another chip
 *	remap IRQ NAME		another chip, as a domain sets it
 *	flow IRQ FLOW [NAME]	another flow handler
 *	type IRQ TRIGGER	IRQ_TYPE_*, a number
 *	hide IRQ, show IRQ
 *	move IRQ CPU		where timers fire it from now on; any
 *	fire IRQ CPU [TIMES]	fire it now
 *	count IRQ COUNT@CPU	add to a count and to the total
 *	cell IRQ COUNT@CPU	add to a count alone
 *
 * Words are separated by blanks; in them, \n, \ooo, \xhh and such stand for bytes.
 * Reading it gives the number of the interrupt that was added last; irqload/lines
 * lists all: number, flow, CPU, number of actions.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/uaccess.h>

#include "irqload.h"

#define WRITE_MAX	65536
#define NAMES_MAX	64
#define SEEDS_MAX	64

static struct dentry *dir;
static unsigned int last_irq;

/* What `add` was given: the recipe, and what is done with the line then. */
struct order {
	struct irqload_recipe recipe;
	const char *name[NAMES_MAX];
	unsigned int n_names;
	unsigned int n_actions;		/* 0: one for each name */
	char *seed[SEEDS_MAX];
	unsigned int n_seeds;
	unsigned int room;
	bool dead;			/* its actions are freed at the end */
};

/* Splits off the next word and resolves its escapes; NULL: no more. */
static char *word_take(char **rest)
{
	char *word;

	do {
		word = strsep(rest, " ");
	} while (word && !*word);
	if (word)
		string_unescape_any_inplace(word);
	return word;
}

static int uint_take(char **rest, unsigned int *value)
{
	char *word = word_take(rest);

	return word ? kstrtouint(word, 0, value) : -EINVAL;
}

/* COUNT@CPU */
static int count_parse(const char *word, u32 *count, unsigned int *cpu)
{
	const char *at = strchr(word, '@');
	char number[16];
	int err;

	if (!at || at - word >= sizeof(number))
		return -EINVAL;
	memcpy(number, word, at - word);
	number[at - word] = '\0';
	err = kstrtou32(number, 0, count) ?: kstrtouint(at + 1, 0, cpu);
	if (!err && !cpu_possible(*cpu))
		err = -ENXIO;
	return err;
}

static int cpu_parse(const char *word, int *cpu)
{
	if (!strcmp(word, "any")) {
		*cpu = IRQLOAD_CPU_ANY;
		return 0;
	}
	return kstrtoint(word, 0, cpu);
}

static int key_irq(struct order *order, char *value)
{
	return kstrtoint(value, 0, &order->recipe.irq);
}

static int key_from(struct order *order, char *value)
{
	return kstrtouint(value, 0, &order->recipe.from);
}

static int key_flow(struct order *order, char *value)
{
	order->recipe.flow = irqload_flow_find(value);
	return order->recipe.flow ? 0 : -EINVAL;
}

static int key_flowname(struct order *order, char *value)
{
	order->recipe.flow_name = value;
	return 0;
}

static int key_chip(struct order *order, char *value)
{
	order->recipe.chip = value;
	return 0;
}

static int key_printed(struct order *order, char *value)
{
	order->recipe.chip_print = irqload_print;
	return 0;
}

static int key_fickle(struct order *order, char *value)
{
	order->recipe.chip_print = irqload_print_fickle;
	return 0;
}

static int key_nochip(struct order *order, char *value)
{
	order->recipe.chip_none = true;
	return 0;
}

static int key_hwirq(struct order *order, char *value)
{
	order->recipe.has_hwirq = true;
	return kstrtoul(value, 0, &order->recipe.hwirq);
}

static int key_trigger(struct order *order, char *value)
{
	return kstrtouint(value, 0, &order->recipe.trigger);
}

static int key_name(struct order *order, char *value)
{
	if (order->n_names == NAMES_MAX)
		return -E2BIG;
	order->name[order->n_names++] = value;
	return 0;
}

static int key_noname(struct order *order, char *value)
{
	return key_name(order, NULL);
}

static int key_actions(struct order *order, char *value)
{
	return kstrtouint(value, 0, &order->n_actions);
}

static int key_room(struct order *order, char *value)
{
	return kstrtouint(value, 0, &order->room);
}

static int key_seed(struct order *order, char *value)
{
	if (order->n_seeds == SEEDS_MAX)
		return -E2BIG;
	order->seed[order->n_seeds++] = value;
	return 0;
}

static int key_cpu(struct order *order, char *value)
{
	return cpu_parse(value, &order->recipe.cpu);
}

static int key_still(struct order *order, char *value)
{
	order->recipe.still = true;
	return 0;
}

static int key_hidden(struct order *order, char *value)
{
	order->recipe.hidden = true;
	return 0;
}

static int key_dead(struct order *order, char *value)
{
	order->dead = true;
	return 0;
}

static const struct {
	const char *name;
	bool has_value;
	int (*take)(struct order *order, char *value);
} keys[] = {
	{ "irq", true, key_irq },		/* its number, else any */
	{ "from", true, key_from },		/* the lowest of any */
	{ "flow", true, key_flow },		/* edge, level, ...: irqload_line.c */
	{ "flowname", true, key_flowname },	/* that the descriptor gets, else none */
	{ "chip", true, key_chip },		/* its name, else it has none */
	{ "printed", false, key_printed },	/* the chip prints itself */
	{ "fickle", false, key_fickle },	/* and something else each time */
	{ "nochip", false, key_nochip },	/* none, and so no flow or action */
	{ "hwirq", true, key_hwirq },		/* in a domain, else it is in none */
	{ "trigger", true, key_trigger },	/* IRQ_TYPE_*, a number */
	{ "name", true, key_name },		/* an action; may come again */
	{ "noname", false, key_noname },	/* an action with a NULL name */
	{ "actions", true, key_actions },	/* how many, by the names in turn */
	{ "room", true, key_room },		/* bytes for later names */
	{ "seed", true, key_seed },		/* COUNT@CPU; may come again */
	{ "cpu", true, key_cpu },		/* where timers fire it; any */
	{ "still", false, key_still },		/* timers don't fire it */
	{ "hidden", false, key_hidden },	/* IRQ_HIDDEN */
	{ "dead", false, key_dead },		/* its actions are freed again */
};

static int key_take(struct order *order, char *word)
{
	char *value = strchr(word, '=');
	unsigned int i;

	if (value)
		*value++ = '\0';
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, word) && keys[i].has_value == !!value)
			return keys[i].take(order, value);
	return -EINVAL;
}

static int line_finish(struct irqload_line *line, const struct order *order)
{
	unsigned int i, cpu, n = order->n_actions ?: order->n_names;
	u32 count;
	int err = n && !order->n_names ? -EINVAL : 0;

	for (i = 0; i < order->n_seeds && !err; i++) {
		err = count_parse(order->seed[i], &count, &cpu);
		if (!err)
			irqload_line_count(line, cpu, count, line->flow->total);
	}
	for (i = 0; i < n && !err; i++)
		err = irqload_line_request(line, order->name[i % order->n_names], order->room);
	while (!err && order->dead && line->n_actions)
		err = irqload_line_release(line);
	return err;
}

static int do_add(char **rest)
{
	struct order *order = kzalloc(sizeof(*order), GFP_KERNEL);
	struct irqload_line *line;
	char *word;
	int err = 0;

	if (!order)
		return -ENOMEM;
	order->recipe.irq = -1;
	order->recipe.from = 32;
	order->recipe.flow = irqload_flow_find("edge");
	while (!err && (word = word_take(rest)))
		err = key_take(order, word);
	if (err)
		goto out;

	line = irqload_line_new(&order->recipe);
	if (IS_ERR(line)) {
		err = PTR_ERR(line);
		goto out;
	}
	err = line_finish(line, order);
	if (err) {
		irqload_line_free(line);
		goto out;
	}
	irqload_line_start(line);
	last_irq = line->irq;
out:
	kfree(order);
	return err;
}

static int do_free(struct irqload_line *line, char **rest)
{
	irqload_line_free(line);
	return 0;
}

static int do_request(struct irqload_line *line, char **rest)
{
	return irqload_line_request(line, word_take(rest), 0);
}

static int do_release(struct irqload_line *line, char **rest)
{
	return irqload_line_release(line);
}

static int do_rename(struct irqload_line *line, char **rest)
{
	char *name = word_take(rest);

	return name ? irqload_line_rename(line, name) : -EINVAL;
}

static int do_chip(struct irqload_line *line, char **rest)
{
	return irqload_line_set_chip(line, word_take(rest), NULL);
}

static int do_remap(struct irqload_line *line, char **rest)
{
	char *name = word_take(rest);

	return name ? irqload_line_remap(line, name) : -EINVAL;
}

static int do_flow(struct irqload_line *line, char **rest)
{
	char *name = word_take(rest);
	const struct irqload_flow *flow = name ? irqload_flow_find(name) : NULL;

	return flow ? irqload_line_set_flow(line, flow, word_take(rest)) : -EINVAL;
}

static int do_type(struct irqload_line *line, char **rest)
{
	unsigned int type;

	return uint_take(rest, &type) ?: irq_set_irq_type(line->irq, type);
}

static int do_hide(struct irqload_line *line, char **rest)
{
	irq_modify_status(line->irq, 0, IRQ_HIDDEN);
	return 0;
}

static int do_show(struct irqload_line *line, char **rest)
{
	irq_modify_status(line->irq, IRQ_HIDDEN, 0);
	return 0;
}

static int do_move(struct irqload_line *line, char **rest)
{
	char *word = word_take(rest);
	int cpu, err;

	err = word ? cpu_parse(word, &cpu) : -EINVAL;
	if (!err)
		irqload_line_move(line, cpu);
	return err;
}

static int do_fire(struct irqload_line *line, char **rest)
{
	unsigned int cpu, times = 1;
	char *word;
	int err;

	err = uint_take(rest, &cpu);
	word = word_take(rest);
	if (!err && word)
		err = kstrtouint(word, 0, &times);
	return err ?: irqload_fire(line, cpu, times);
}

static int count_take(struct irqload_line *line, char **rest, bool in_total)
{
	char *word = word_take(rest);
	unsigned int cpu;
	u32 count;
	int err;

	err = word ? count_parse(word, &count, &cpu) : -EINVAL;
	if (!err)
		irqload_line_count(line, cpu, count, in_total);
	return err;
}

static int do_count(struct irqload_line *line, char **rest)
{
	return count_take(line, rest, true);
}

static int do_cell(struct irqload_line *line, char **rest)
{
	return count_take(line, rest, false);
}

static const struct {
	const char *name;
	int (*run)(struct irqload_line *line, char **rest);
} commands[] = {
	{ "free", do_free },
	{ "request", do_request },
	{ "release", do_release },
	{ "rename", do_rename },
	{ "chip", do_chip },
	{ "remap", do_remap },
	{ "flow", do_flow },
	{ "type", do_type },
	{ "hide", do_hide },
	{ "show", do_show },
	{ "move", do_move },
	{ "fire", do_fire },
	{ "count", do_count },
	{ "cell", do_cell },
};

static int command_run(char *text)
{
	char *verb = word_take(&text);
	struct irqload_line *line;
	unsigned int i, irq;
	int err;

	if (!verb)
		return 0;
	if (!strcmp(verb, "add"))
		return do_add(&text);
	err = uint_take(&text, &irq);
	if (err)
		return err;
	line = irqload_line_find(irq);
	if (!line)
		return -ENOENT;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, verb))
			return commands[i].run(line, &text);
	return -EINVAL;
}

static ssize_t control_write(struct file *file, const char __user *data, size_t len, loff_t *pos)
{
	char *text, *rest, *line;
	int err = 0;

	if (len > WRITE_MAX)
		return -E2BIG;
	text = memdup_user_nul(data, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	rest = text;
	mutex_lock(&irqload_mutex);
	while (!err && (line = strsep(&rest, "\n")))
		err = command_run(line);
	mutex_unlock(&irqload_mutex);
	kfree(text);
	return err ?: len;
}

static int control_show(struct seq_file *seq, void *unused)
{
	seq_printf(seq, "%u\n", last_irq);
	return 0;
}

static int control_open(struct inode *inode, struct file *file)
{
	return single_open(file, control_show, NULL);
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = control_open,
	.read = seq_read,
	.write = control_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int lines_show(struct seq_file *seq, void *unused)
{
	unsigned int slot;

	mutex_lock(&irqload_mutex);
	for (slot = 0; slot < irqload_num_slots(); slot++) {
		const struct irqload_line *line = irqload_line_at(slot);

		if (line)
			seq_printf(seq, "%u %s %d %u\n", line->irq, line->flow->name, line->cpu,
				   line->n_actions);
	}
	mutex_unlock(&irqload_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(lines);

void irqload_control_init(void)
{
	dir = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("control", 0600, dir, NULL, &control_fops);
	debugfs_create_file("lines", 0400, dir, NULL, &lines_fops);
}

void irqload_control_exit(void)
{
	debugfs_remove_recursive(dir);
}
