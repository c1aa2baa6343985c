// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes one call of interrupts_bin into the kernel fail: the nth, from when the
 * parameter is written on, of those that may. It reads as how many calls are still
 * to come; 0: one has failed. To be loaded before interrupts_bin.
 *
 * A probe at the entry of each such function sends the call elsewhere. The kernel's
 * own fault injection, which Debian's kernels lack, can do that for one task's
 * allocations; this also does it in workers.
 */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>

/* Of calls from one place one after the other, as many count: the rest is a loop. */
#define SAME_MAX	3

static DEFINE_RAW_SPINLOCK(lock);	/* for all below */
static unsigned int left;
static unsigned long last_caller;
static unsigned int same;

static struct module *target;

static noinline void *fail_null(void)
{
	return NULL;
}

/* As good where a negative int is expected. */
static noinline void *fail_error(void)
{
	return ERR_PTR(-ENOMEM);
}

static struct call {
	struct kprobe probe;
	void *(*fail)(void);
	bool live;
} calls[] = {
#define CALL(function, result) { .probe.symbol_name = function, .fail = result }
	/* By many names: one version's are not another's. */
	CALL("__kmalloc", fail_null),
	CALL("__kmalloc_noprof", fail_null),
	CALL("kmem_cache_alloc_trace", fail_null),
	CALL("kmalloc_trace", fail_null),
	CALL("__kmalloc_cache_noprof", fail_null),
	CALL("kvmalloc_node", fail_null),
	CALL("__kvmalloc_node_noprof", fail_null),
	CALL("kstrndup", fail_null),
	CALL("__alloc_percpu", fail_null),
	CALL("pcpu_alloc_noprof", fail_null),
	CALL("alloc_workqueue", fail_null),
	CALL("alloc_workqueue_noprof", fail_null),
	CALL("proc_create", fail_null),
	CALL("init_srcu_struct", fail_error),
	CALL("init_srcu_struct_generic", fail_error),
	CALL("__init_srcu_struct", fail_error),
	CALL("debugfs_create_dir", fail_error),
	CALL("kern_mount", fail_error),
	CALL("filp_open", fail_error),
	CALL("file_open_root", fail_error),
	CALL("kernel_read", fail_error),
	CALL("register_kprobe", fail_error),
	CALL("register_kretprobe", fail_error),
	CALL("register_netdevice_notifier", fail_error),
};

/* Whether the call from @caller is the one. */
static bool is_nth(unsigned long caller)
{
	unsigned long flags;
	bool nth = false;

	raw_spin_lock_irqsave(&lock, flags);
	same = caller == last_caller ? same + 1 : 1;
	last_caller = caller;
	if (left && same <= SAME_MAX)
		nth = !--left;
	raw_spin_unlock_irqrestore(&lock, flags);
	return nth;
}

NOKPROBE_SYMBOL(is_nth);

static int on_call(struct kprobe *probe, struct pt_regs *regs)
{
	const unsigned long caller = regs_get_kernel_stack_nth(regs, 0);
	const struct module *mod = READ_ONCE(target);

	if (!mod || !within_module(caller, mod) || !is_nth(caller))
		return 0;
	instruction_pointer_set(regs, (unsigned long)container_of(probe, struct call, probe)->fail);
	return 1;
}

NOKPROBE_SYMBOL(on_call);

/* With it, nobody else may redirect these functions. */
static void after_call(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

NOKPROBE_SYMBOL(after_call);

/* A module that has gone is freed after a grace period, and no probe runs for that long. */
static int on_module(struct notifier_block *block, unsigned long event, void *data)
{
	struct module *mod = data;

	if (!strcmp(mod->name, "interrupts_bin"))
		WRITE_ONCE(target, event == MODULE_STATE_GOING ? NULL : mod);
	return NOTIFY_DONE;
}

static struct notifier_block block = { .notifier_call = on_module };

static int nth_set(const char *value, const struct kernel_param *param)
{
	unsigned int nth;
	int err = kstrtouint(value, 0, &nth);

	if (err)
		return err;
	raw_spin_lock_irq(&lock);
	left = nth;
	last_caller = 0;
	raw_spin_unlock_irq(&lock);
	return 0;
}

static int nth_get(char *buf, const struct kernel_param *param)
{
	return sprintf(buf, "%u\n", READ_ONCE(left));
}

static const struct kernel_param_ops nth_ops = { .set = nth_set, .get = nth_get };

module_param_cb(nth, &nth_ops, NULL, 0600);
MODULE_PARM_DESC(nth, "which call is to fail; 0: none");

static int __init failnth_init(void)
{
	struct call *call;

	for (call = calls; call < calls + ARRAY_SIZE(calls); call++) {
		call->probe.pre_handler = on_call;
		call->probe.post_handler = after_call;
		call->live = !register_kprobe(&call->probe);
	}
	return register_module_notifier(&block);
}

static void __exit failnth_exit(void)
{
	struct call *call;

	unregister_module_notifier(&block);
	for (call = calls; call < calls + ARRAY_SIZE(calls); call++)
		if (call->live)
			unregister_kprobe(&call->probe);
}

module_init(failnth_init);
module_exit(failnth_exit);

MODULE_DESCRIPTION("Makes calls of interrupts_bin into the kernel fail");
MODULE_LICENSE("GPL");
