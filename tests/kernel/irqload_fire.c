// SPDX-License-Identifier: GPL-2.0-only
/*
 * Raises interrupts: calls their flow handlers in hard interrupt context, on the
 * CPU that is to count them. A timer on each CPU does it at a rate.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/kernel.h>
#include <linux/smp.h>

#include "irqload.h"

/* Above this rate, a timer fires several at once. */
#define TICKS_PER_S_MAX	1000

/* One call to another CPU fires at most this many. */
#define TIMES_MAX	1000

struct ticker {
	struct hrtimer timer;
	unsigned int slot;	/* to look on at */
};

static DEFINE_PER_CPU(struct ticker, tickers);
static int hotplug_state;
static unsigned int rate_per_cpu;

static bool line_fire(struct irqload_line *line, unsigned int times)
{
	bool live;

	raw_spin_lock(&line->lock);
	live = line->live;
	for (; live && times; times--)
		generic_handle_irq(line->irq);
	raw_spin_unlock(&line->lock);
	return live;
}

static bool is_for(const struct irqload_line *line, int this_cpu)
{
	int cpu = READ_ONCE(line->cpu);

	return !line->still && !line->flow->chained &&
	       !(line->flow->status & IRQ_NESTED_THREAD) &&
	       (cpu == this_cpu || cpu == IRQLOAD_CPU_ANY);
}

/* Fires the next line that is this CPU's. */
static void fire_next(struct ticker *ticker)
{
	const unsigned int num = irqload_num_slots();
	unsigned int tries;

	rcu_read_lock();
	for (tries = 0; tries < num; tries++) {
		struct irqload_line *line;

		if (++ticker->slot >= num)
			ticker->slot = 0;
		line = rcu_dereference(irqload_lines[ticker->slot]);
		if (line && is_for(line, smp_processor_id()) && line_fire(line, 1))
			break;
	}
	rcu_read_unlock();
}

static unsigned int ticks_per_s(unsigned int rate)
{
	return min_t(unsigned int, rate, TICKS_PER_S_MAX);
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct ticker *ticker = container_of(timer, struct ticker, timer);
	const unsigned int rate = READ_ONCE(rate_per_cpu);
	unsigned int times;

	if (!rate)
		return HRTIMER_NORESTART;
	for (times = DIV_ROUND_UP(rate, TICKS_PER_S_MAX); times; times--)
		fire_next(ticker);
	hrtimer_forward_now(timer, ns_to_ktime(NSEC_PER_SEC / ticks_per_s(rate)));
	return HRTIMER_RESTART;
}

/* On the CPU that is to tick. */
static void ticker_start(void *unused)
{
	const unsigned int rate = READ_ONCE(rate_per_cpu);

	if (rate)
		hrtimer_start(this_cpu_ptr(&tickers.timer),
			      ns_to_ktime(NSEC_PER_SEC / ticks_per_s(rate)),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

static int cpu_comes(unsigned int cpu)
{
	local_irq_disable();
	ticker_start(NULL);
	local_irq_enable();
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	hrtimer_cancel(&per_cpu_ptr(&tickers, cpu)->timer);
	return 0;
}

/**
 * irqload_fire_update - set how often each CPU fires
 * @rate: per second; 0: not at all, and nothing is being fired on return
 */
void irqload_fire_update(unsigned int rate)
{
	unsigned int cpu;

	cpus_read_lock();
	WRITE_ONCE(rate_per_cpu, rate);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(&tickers, cpu)->timer);
	on_each_cpu(ticker_start, NULL, 1);
	cpus_read_unlock();
}

struct shots {
	struct irqload_line *line;
	unsigned int times;
};

static void shots_fire(void *data)
{
	const struct shots *shots = data;

	line_fire(shots->line, shots->times);
}

/**
 * irqload_fire - fire an interrupt now, with the mutex held
 * @line: which
 * @cpu: on which CPU; one that is fired in a thread counts where we happen to be
 * @times: how often
 *
 * Return: 0, or -ENXIO if the CPU is offline
 */
int irqload_fire(struct irqload_line *line, unsigned int cpu, unsigned int times)
{
	struct shots shots = { .line = line };
	int err = 0;

	if (line->flow->status & IRQ_NESTED_THREAD) {
		while (times--)
			handle_nested_irq(line->irq);
		return 0;
	}
	for (; times && !err; times -= shots.times) {
		shots.times = min_t(unsigned int, times, TIMES_MAX);
		err = smp_call_function_single(cpu, shots_fire, &shots, 1);
	}
	return err;
}

int irqload_fire_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		irqload_timer_setup(&per_cpu_ptr(&tickers, cpu)->timer, tick);
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "irqload:online", cpu_comes,
					  cpu_goes);
	return min(hotplug_state, 0);
}

void irqload_fire_exit(void)
{
	irqload_fire_update(0);
	cpuhp_remove_state_nocalls(hotplug_state);
}
