// SPDX-License-Identifier: GPL-2.0-only
/*
 * One interrupt, from its descriptor to its counts.
 *
 * It may be fired only between start and free: under its lock, which orders
 * firing against all that changes its counts behind the flow handler's back.
 */
#include <linux/irqdomain.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "irqload.h"

/* Lives until the module goes: chips may be looked at long after they were set. */
struct chip {
	struct list_head list;
	irqload_print_t print;
	bool named;
	struct irq_chip chip;
	char name[];
};

/* So do the names of flows. */
struct flow_name {
	struct list_head list;
	char bytes[];
};

struct action {
	struct list_head list;
	size_t room;
	char *name;
};

/* For whoever makes, changes or drops lines, or walks over them. */
DEFINE_MUTEX(irqload_mutex);
struct irqload_line __rcu *irqload_lines[IRQLOAD_LINES_MAX];

static unsigned int num_slots;
static LIST_HEAD(chips);
static LIST_HEAD(flow_names);
static struct irq_domain *domain;

/* Counts as a handler of per-CPU interrupts does: no total. */
static void flow_cell_only(struct irq_desc *desc)
{
	(*irqload_cell(desc, smp_processor_id()))++;
}

static void flow_count_nothing(struct irq_desc *desc)
{
}

static const struct irqload_flow flows[] = {
	{ .name = "edge", .handler = handle_edge_irq, .total = true },
	{ .name = "level", .handler = handle_level_irq, .total = true },
	{ .name = "fasteoi", .handler = handle_fasteoi_irq, .total = true },
	{ .name = "simple", .handler = handle_simple_irq, .total = true },
	{ .name = "bad", .handler = handle_bad_irq, .total = true },
	{ .name = "nested", .handler = handle_simple_irq, .total = true,
	  .status = IRQ_NESTED_THREAD },
	{ .name = "untracked", .handler = handle_untracked_irq },
	{ .name = "percpu", .handler = flow_cell_only, .status = IRQ_PER_CPU,
	  .request = IRQF_PERCPU },
	/* Counts like a per-CPU interrupt without being marked as one. */
	{ .name = "unmarked", .handler = flow_cell_only },
	{ .name = "chained", .handler = flow_count_nothing, .chained = true },
};

const struct irqload_flow *irqload_flow_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flows); i++)
		if (!strcmp(flows[i].name, name))
			return &flows[i];
	return NULL;
}

static void chip_nop(struct irq_data *data)
{
}

static int chip_set_type(struct irq_data *data, unsigned int type)
{
	return 0;
}

void irqload_print(struct irq_data *data, struct seq_file *seq)
{
	seq_printf(seq, " <%s>", data->chip->name);
}

/* Never the same twice. */
void irqload_print_fickle(struct irq_data *data, struct seq_file *seq)
{
	static unsigned int times;

	seq_printf(seq, " %s%u", data->chip->name, times++);
}

static struct chip *chip_get(const char *name, irqload_print_t print)
{
	struct chip *chip;
	size_t size;

	list_for_each_entry(chip, &chips, list)
		if (chip->print == print && chip->named == !!name &&
		    !strcmp(chip->name, name ?: ""))
			return chip;

	size = strlen(name ?: "") + 1;
	chip = kzalloc(struct_size(chip, name, size), GFP_KERNEL);
	if (!chip)
		return NULL;
	memcpy(chip->name, name ?: "", size);
	chip->named = name;
	chip->print = print;
	chip->chip = (struct irq_chip) {
		.name = name ? chip->name : NULL,
		.irq_ack = chip_nop,
		.irq_mask = chip_nop,
		.irq_unmask = chip_nop,
		.irq_eoi = chip_nop,
		.irq_set_type = chip_set_type,
		.irq_print_chip = print,
	};
	list_add(&chip->list, &chips);
	return chip;
}

static irqreturn_t handle(int irq, void *action)
{
	return IRQ_HANDLED;
}

/* Appends an action; @room: bytes that a later name may have, if more than now. */
int irqload_line_request(struct irqload_line *line, const char *name, size_t room)
{
	unsigned long flags = IRQF_SHARED | IRQF_NO_THREAD | line->flow->request;
	bool nested = line->flow->status & IRQ_NESTED_THREAD;
	struct action *action;
	int err = -ENOMEM;

	if (line->flow->chained)
		return -EBUSY;
	action = kzalloc(sizeof(*action), GFP_KERNEL);
	if (!action)
		return -ENOMEM;
	if (name) {
		action->room = max(strlen(name), room);
		action->name = kzalloc(action->room + 1, GFP_KERNEL);
		if (!action->name)
			goto err_free;
		memcpy(action->name, name, strlen(name));
	}
	err = request_threaded_irq(line->irq, nested ? NULL : handle, nested ? handle : NULL,
				   nested ? 0 : flags, action->name, action);
	if (err)
		goto err_free;
	list_add_tail(&action->list, &line->actions);
	line->n_actions++;
	return 0;

err_free:
	kfree(action->name);
	kfree(action);
	return err;
}

/* Frees the last action. */
int irqload_line_release(struct irqload_line *line)
{
	struct action *action;

	if (list_empty(&line->actions))
		return -ENOENT;
	action = list_last_entry(&line->actions, struct action, list);
	free_irq(line->irq, action);
	list_del(&action->list);
	line->n_actions--;
	kfree(action->name);
	kfree(action);
	return 0;
}

/* Writes over the last action's name, as some drivers do: nobody is told. */
int irqload_line_rename(struct irqload_line *line, const char *name)
{
	struct action *action;

	if (list_empty(&line->actions))
		return -ENOENT;
	action = list_last_entry(&line->actions, struct action, list);
	if (!action->name || strlen(name) > action->room)
		return -ENOSPC;
	memcpy(action->name, name, strlen(name) + 1);
	return 0;
}

int irqload_line_set_chip(struct irqload_line *line, const char *name, irqload_print_t print)
{
	struct chip *chip = chip_get(name, print);

	return chip ? irq_set_chip(line->irq, &chip->chip) : -ENOMEM;
}

/* Another chip, set in the way of domains that build on others. */
int irqload_line_remap(struct irqload_line *line, const char *name)
{
	struct chip *chip = chip_get(name, NULL);

	if (!line->mapped)
		return -EINVAL;
	return chip ? irq_domain_set_hwirq_and_chip(domain, line->irq,
						    line->desc->irq_data.hwirq, &chip->chip,
						    NULL) : -ENOMEM;
}

static const char *flow_name_keep(const char *bytes)
{
	struct flow_name *name;

	list_for_each_entry(name, &flow_names, list)
		if (!strcmp(name->bytes, bytes))
			return name->bytes;
	name = kmalloc(struct_size(name, bytes, strlen(bytes) + 1), GFP_KERNEL);
	if (!name)
		return NULL;
	memcpy(name->bytes, bytes, strlen(bytes) + 1);
	list_add(&name->list, &flow_names);
	return name->bytes;
}

/* A line that is requested can't become a chained one, or the other way round. */
int irqload_line_set_flow(struct irqload_line *line, const struct irqload_flow *flow,
			  const char *name)
{
	if (name) {
		name = flow_name_keep(name);
		if (!name)
			return -ENOMEM;
	}
	if (line->n_actions && (flow->chained || flow->request != line->flow->request ||
				(flow->status ^ line->flow->status) & IRQ_NESTED_THREAD))
		return -EBUSY;
	if (line->flow && line->flow->chained)
		__irq_set_handler(line->irq, NULL, 1, NULL);
	irq_modify_status(line->irq, line->flow ? line->flow->status : 0, flow->status);
	line->flow = flow;
	__irq_set_handler(line->irq, flow->handler, flow->chained, name);
	return 0;
}

/**
 * irqload_line_count - add to a count
 * @line: of which
 * @cpu: any possible CPU
 * @count: how many; a cell wraps at 2^32, a total where this kernel's does
 * @in_total: whether they are in the total too, as the flow handlers do it
 */
void irqload_line_count(struct irqload_line *line, unsigned int cpu, u32 count, bool in_total)
{
	struct irq_desc *desc = line->desc;
	unsigned long flags;

	raw_spin_lock_irqsave(&line->lock, flags);
	raw_spin_lock(&desc->lock);
	*irqload_cell(desc, cpu) += count;
	if (in_total)
		desc->tot_count += count;
	raw_spin_unlock(&desc->lock);
	raw_spin_unlock_irqrestore(&line->lock, flags);
}

void irqload_line_move(struct irqload_line *line, int cpu)
{
	WRITE_ONCE(line->cpu, cpu);
}

static int set_up(struct irqload_line *line, const struct irqload_recipe *recipe)
{
	struct irq_data *data;
	int err;

	if (recipe->has_hwirq) {
		err = irq_domain_associate(domain, line->irq, recipe->hwirq);
		if (err)
			return err;
		line->mapped = true;
	}
	data = irq_get_irq_data(line->irq);
	line->desc = irq_data_to_desc(data);
	if (recipe->chip_none) {
		line->flow = irqload_flow_find("bad");
		return 0;
	}
	err = irqload_line_set_chip(line, recipe->chip, recipe->chip_print);
	if (err)
		return err;
	if (recipe->trigger)
		irqd_set_trigger_type(data, recipe->trigger);
	if (recipe->hidden)
		irq_set_status_flags(line->irq, IRQ_HIDDEN);
	return irqload_line_set_flow(line, recipe->flow, recipe->flow_name);
}

/* Readers may hold the descriptor for a while yet: they are left with nothing of ours. */
static void descriptor_free(struct irqload_line *line)
{
	irq_set_chip_and_handler_name(line->irq, NULL, NULL, NULL);
	if (line->mapped)
		irq_dispose_mapping(line->irq);
	else
		irq_free_descs(line->irq, 1);
}

static int slot_find(void)
{
	unsigned int slot;

	for (slot = 0; slot < IRQLOAD_LINES_MAX; slot++)
		if (!irqload_line_at(slot))
			return slot;
	return -ENOSPC;
}

/**
 * irqload_line_new - make an interrupt without actions or counts
 * @recipe: what it is to be
 *
 * It is not fired before irqload_line_start().
 *
 * Return: the line, or an ERR_PTR
 */
struct irqload_line *irqload_line_new(const struct irqload_recipe *recipe)
{
	struct irqload_line *line;
	int slot = slot_find();
	int irq, err;

	if (slot < 0)
		return ERR_PTR(slot);
	line = kzalloc(sizeof(*line), GFP_KERNEL);
	if (!line)
		return ERR_PTR(-ENOMEM);
	raw_spin_lock_init(&line->lock);
	INIT_LIST_HEAD(&line->actions);
	line->slot = slot;
	line->cpu = recipe->cpu;
	line->still = recipe->still;
	line->extra = recipe->extra;

	/* An owner would be held by the descriptors: no unloading then. */
	irq = __irq_alloc_descs(recipe->irq, recipe->irq < 0 ? recipe->from : recipe->irq, 1,
				NUMA_NO_NODE, NULL, NULL);
	if (irq < 0) {
		err = irq;
		goto err_free;
	}
	line->irq = irq;
	err = set_up(line, recipe);
	if (err)
		goto err_descriptor;
	rcu_assign_pointer(irqload_lines[slot], line);
	if (slot >= num_slots)
		WRITE_ONCE(num_slots, slot + 1);
	return line;

err_descriptor:
	descriptor_free(line);
err_free:
	kfree(line);
	return ERR_PTR(err);
}

/* From here on it is fired. */
void irqload_line_start(struct irqload_line *line)
{
	raw_spin_lock_irq(&line->lock);
	line->live = true;
	raw_spin_unlock_irq(&line->lock);
}

void irqload_line_free(struct irqload_line *line)
{
	raw_spin_lock_irq(&line->lock);
	line->live = false;
	raw_spin_unlock_irq(&line->lock);

	RCU_INIT_POINTER(irqload_lines[line->slot], NULL);
	while (!irqload_line_release(line))
		;
	if (line->flow->chained)
		__irq_set_handler(line->irq, NULL, 1, NULL);
	descriptor_free(line);
	kfree_rcu(line, rcu);
}

unsigned int irqload_num_slots(void)
{
	return READ_ONCE(num_slots);
}

/* With the mutex held. */
struct irqload_line *irqload_line_at(unsigned int slot)
{
	return rcu_dereference_protected(irqload_lines[slot], lockdep_is_held(&irqload_mutex));
}

struct irqload_line *irqload_line_find(unsigned int irq)
{
	unsigned int slot;

	for (slot = 0; slot < irqload_num_slots(); slot++) {
		struct irqload_line *line = irqload_line_at(slot);

		if (line && line->irq == irq)
			return line;
	}
	return NULL;
}

int irqload_line_init(void)
{
	static const struct irq_domain_ops ops = { };

	domain = irq_domain_create_tree(NULL, &ops, NULL);
	return domain ? 0 : -ENOMEM;
}

void irqload_line_exit(void)
{
	struct flow_name *name, *next_name;
	struct chip *chip, *next_chip;
	unsigned int slot;

	mutex_lock(&irqload_mutex);
	for (slot = 0; slot < irqload_num_slots(); slot++)
		if (irqload_line_at(slot))
			irqload_line_free(irqload_line_at(slot));
	mutex_unlock(&irqload_mutex);

	irq_domain_remove(domain);
	rcu_barrier();
	list_for_each_entry_safe(chip, next_chip, &chips, list)
		kfree(chip);
	list_for_each_entry_safe(name, next_name, &flow_names, list)
		kfree(name);
}
