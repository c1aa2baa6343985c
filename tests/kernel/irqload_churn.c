// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that changes things at a rate: makes and drops lines, requests and
 * releases actions, moves lines to other CPUs.
 */
#include <linux/kthread.h>
#include <linux/ktime.h>

#include "irqload.h"

/* As many lines come and go; the oldest goes first. */
#define EXTRA_MAX	32

/* Actions that a line may have by our doing. */
#define ACTIONS_MAX	3

/* How far work may lag behind before it is let go. */
#define LAG_MAX_NS	(NSEC_PER_SEC / 10)

struct pace {
	unsigned int rate;
	u64 next_ns;
	void (*act)(void);
};

static struct task_struct *thread;
static unsigned int extra[EXTRA_MAX];	/* their numbers, 0: none */
static unsigned int next_extra;
static unsigned int num_made;

static struct irqload_line *line_any(void)
{
	unsigned int slots = irqload_num_slots();

	return slots ? irqload_line_at(irqload_random(slots)) : NULL;
}

static void extra_make(unsigned int *irq)
{
	static const char *const flow[] = { "edge", "level", "fasteoi", "simple", "percpu" };
	const char *name = flow[irqload_random(ARRAY_SIZE(flow))];
	struct irqload_recipe recipe = {
		.irq = -1,
		.from = 32,
		.flow = irqload_flow_find(name),
		.flow_name = name,
		.chip = "churn",
		.extra = true,
		.cpu = irqload_random_cpu(),
	};
	struct irqload_line *line;
	char action[32];

	line = irqload_line_new(&recipe);
	if (IS_ERR(line))
		return;
	snprintf(action, sizeof(action), "churn-%u", num_made++);
	irqload_line_request(line, action, 0);
	irqload_line_start(line);
	*irq = line->irq;
}

static void line_churn(void)
{
	unsigned int *irq = &extra[next_extra];
	struct irqload_line *line;

	line = *irq ? irqload_line_find(*irq) : NULL;
	if (line && line->extra)
		irqload_line_free(line);
	*irq = 0;
	if (line)
		return;
	extra_make(irq);
	next_extra = (next_extra + 1) % EXTRA_MAX;
}

static void action_churn(void)
{
	struct irqload_line *line = line_any();

	if (!line || line->flow->chained || line->n_actions > ACTIONS_MAX)
		return;
	if (!line->n_actions || (line->n_actions < ACTIONS_MAX && irqload_random(2)))
		irqload_line_request(line, "churned", 0);
	else
		irqload_line_release(line);
}

static void line_move(void)
{
	struct irqload_line *line = line_any();

	if (line && READ_ONCE(line->cpu) != IRQLOAD_CPU_ANY)
		irqload_line_move(line, irqload_random_cpu());
}

/* Guarded by the mutex, which is held by all that act. */
static struct pace paces[] = {
	{ .act = line_churn },
	{ .act = action_churn },
	{ .act = line_move },
};

/* Does what is due; returns when there is more to do. */
static u64 due_do(void)
{
	u64 wake_ns = ktime_get_ns() + NSEC_PER_SEC;
	struct pace *pace;

	mutex_lock(&irqload_mutex);
	for (pace = paces; pace < paces + ARRAY_SIZE(paces); pace++) {
		u64 now = ktime_get_ns();

		if (!pace->rate)
			continue;
		if (now >= pace->next_ns) {
			pace->act();
			pace->next_ns = max(pace->next_ns, now - LAG_MAX_NS) +
					NSEC_PER_SEC / pace->rate;
		}
		wake_ns = min(wake_ns, pace->next_ns);
	}
	mutex_unlock(&irqload_mutex);
	return wake_ns;
}

static int churn(void *unused)
{
	while (!kthread_should_stop()) {
		ktime_t wake = ns_to_ktime(due_do());

		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule_hrtimeout(&wake, HRTIMER_MODE_ABS);
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

/**
 * irqload_churn_update - set how often things change
 * @rates: per second; what is 0 is not being done any more on return
 */
void irqload_churn_update(const struct irqload_rates *rates)
{
	mutex_lock(&irqload_mutex);
	paces[0].rate = rates->lines;
	paces[1].rate = rates->actions;
	paces[2].rate = rates->moves;
	mutex_unlock(&irqload_mutex);
	wake_up_process(thread);
}

int irqload_churn_init(void)
{
	thread = kthread_run(churn, NULL, "irqload");
	return PTR_ERR_OR_ZERO(thread);
}

void irqload_churn_exit(void)
{
	kthread_stop(thread);
}
