// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generation: a number that moves when an interrupt was requested, freed,
 * allocated, renamed or retyped. The kernel has no notifier for these, so probes
 * sit on the functions that all of them pass. They are cold functions: a read of
 * the counters pays one load.
 *
 * register_handler_proc() is called when an action has been linked, and
 * unregister_handler_proc() when it has been unlinked: their entry is late
 * enough. The others are awaited at their return.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/netdevice.h>
#include <linux/timekeeping.h>

#include "irqbin.h"

/* Calls of one function that can be under way at once; more are noticed. */
#define RETURNS_AWAITED	64

/* What stands at the place of a probe that is armed: a breakpoint, a call or a jump. */
#define INT3	0xcc
#define CALL	0xe8
#define JMP	0xe9

static atomic64_t generation;
static bool exact;
static bool armed = true;	/* when last looked at */

u64 irqbin_generation(void)
{
	return atomic64_read_acquire(&generation);
}

/* Returns the new one. */
u64 irqbin_generation_bump(void)
{
	return atomic64_inc_return(&generation);
}

static int on_entry(struct kprobe *probe, struct pt_regs *regs)
{
	irqbin_generation_bump();
	return 0;
}

static int on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	irqbin_generation_bump();
	return 0;
}

static struct kprobe entries[] = {
	{ .symbol_name = "register_handler_proc", .pre_handler = on_entry },
	{ .symbol_name = "unregister_handler_proc", .pre_handler = on_entry },
};

#define RETURN_OF(function) \
	{ .kp.symbol_name = function, .handler = on_return, .maxactive = RETURNS_AWAITED }

static struct kretprobe returns[] = {
	RETURN_OF("__irq_alloc_descs"),
	RETURN_OF("irq_free_descs"),
	RETURN_OF("__irq_set_handler"),
	RETURN_OF("__irq_set_trigger"),
	RETURN_OF("irq_set_chip"),
	RETURN_OF("irq_domain_set_hwirq_and_chip"),
	RETURN_OF("irq_modify_status"),
	RETURN_OF("irq_set_chained_handler_and_data"),
};

/* Those that are in place. */
static struct kprobe *live_entries[ARRAY_SIZE(entries)];
static struct kretprobe *live_returns[ARRAY_SIZE(returns)];
static unsigned int n_live_entries, n_live_returns;

/*
 * Root can disarm all probes together (debugfs kprobes/enabled, kernel.ftrace_enabled),
 * and those who have set them are not told.
 */
static bool is_armed(const struct kprobe *probe)
{
	const u8 first = READ_ONCE(*probe->addr);

	return first == INT3 || first == CALL || first == JMP;
}

static bool all_are_armed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entries); i++)
		if (!is_armed(&entries[i]))
			return false;
	for (i = 0; i < ARRAY_SIZE(returns); i++)
		if (!is_armed(&returns[i].kp))
			return false;
	return true;
}

static bool any_was_missed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entries); i++)
		if (READ_ONCE(entries[i].nmissed))
			return true;
	for (i = 0; i < ARRAY_SIZE(returns); i++)
		if (READ_ONCE(returns[i].nmissed) || READ_ONCE(returns[i].kp.nmissed))
			return true;
	return false;
}

/*
 * Whether every change so far was seen. What the probes may have missed until they were
 * armed again is a change: ask for the generation after this.
 */
bool irqbin_generation_is_exact(void)
{
	bool now;

	if (!exact)
		return false;
	now = all_are_armed();
	if (now != READ_ONCE(armed)) {
		WRITE_ONCE(armed, now);
		irqbin_generation_bump();
	}
	return now && !any_was_missed();
}

/*
 * Some drivers use the name of the interface itself as the action's name; an interface
 * has its first when it is registered. One without a device behind it has no interrupt:
 * containers come with those, and any user may name his own.
 */
static int on_netdev_event(struct notifier_block *block, unsigned long event, void *ptr)
{
	if ((event == NETDEV_CHANGENAME || event == NETDEV_REGISTER) &&
	    netdev_notifier_info_to_dev(ptr)->dev.parent)
		irqbin_generation_bump();
	return NOTIFY_DONE;
}

static struct notifier_block netdev_block = {
	.notifier_call = on_netdev_event,
};

static bool netdev_live;

/* Every failure here is survived: the generation is then not exact. */
void irqbin_generation_init(void)
{
	unsigned int i;

	/* Not used again before the next boot: the module may come and go. */
	atomic64_set(&generation, ktime_get_boottime_ns());

	for (i = 0; i < ARRAY_SIZE(entries); i++)
		if (!register_kprobe(&entries[i]))
			live_entries[n_live_entries++] = &entries[i];
	for (i = 0; i < ARRAY_SIZE(returns); i++)
		if (!register_kretprobe(&returns[i]))
			live_returns[n_live_returns++] = &returns[i];
	netdev_live = !register_netdevice_notifier(&netdev_block);
	exact = netdev_live && n_live_entries == ARRAY_SIZE(entries) &&
		n_live_returns == ARRAY_SIZE(returns);
	if (!exact)
		pr_info(KBUILD_MODNAME ": some changes of interrupts can't be noticed on this kernel\n");
}

void irqbin_generation_exit(void)
{
	if (netdev_live)
		unregister_netdevice_notifier(&netdev_block);
	unregister_kretprobes(live_returns, n_live_returns);
	unregister_kprobes(live_entries, n_live_entries);
}
