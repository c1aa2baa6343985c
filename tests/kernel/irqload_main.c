// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "irqload.h"

static bool started;	/* guarded by the lock of the module's parameters */

static unsigned int rate;
static struct irqload_rates rates;
static bool frozen;

/* The counts of our lines stand still as soon as `frozen` has been written. */
static void rates_apply(void)
{
	const struct irqload_rates none = { };

	if (!started)
		return;
	irqload_churn_update(frozen ? &none : &rates);
	irqload_fire_update(frozen ? 0 : rate);
}

static int rate_set(const char *value, const struct kernel_param *param)
{
	int err = param_set_uint(value, param);

	if (!err)
		rates_apply();
	return err;
}

static int frozen_set(const char *value, const struct kernel_param *param)
{
	int err = param_set_bool(value, param);

	if (!err)
		rates_apply();
	return err;
}

static const struct kernel_param_ops rate_ops = {
	.set = rate_set,
	.get = param_get_uint,
};

static const struct kernel_param_ops frozen_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = frozen_set,
	.get = param_get_bool,
};

module_param_cb(rate, &rate_ops, &rate, 0644);
MODULE_PARM_DESC(rate, "interrupts fired on each CPU in a second (0)");

module_param_cb(churn, &rate_ops, &rates.lines, 0644);
MODULE_PARM_DESC(churn, "interrupts allocated or released in a second (0)");

module_param_cb(actions, &rate_ops, &rates.actions, 0644);
MODULE_PARM_DESC(actions, "actions requested or released in a second (0)");

module_param_cb(move, &rate_ops, &rates.moves, 0644);
MODULE_PARM_DESC(move, "interrupts moved to another CPU in a second (0)");

module_param_cb(frozen, &frozen_ops, &frozen, 0644);
MODULE_PARM_DESC(frozen, "while true, none of the above happens (false)");

static int __init irqload_init(void)
{
	int err;

	err = irqload_line_init();
	if (err)
		return err;
	mutex_lock(&irqload_mutex);
	err = irqload_seed();
	mutex_unlock(&irqload_mutex);
	if (err)
		goto err_lines;
	err = irqload_fire_init();
	if (err)
		goto err_lines;
	err = irqload_churn_init();
	if (err)
		goto err_fire;
	irqload_control_init();

	kernel_param_lock(THIS_MODULE);
	started = true;
	rates_apply();
	kernel_param_unlock(THIS_MODULE);
	return 0;

err_fire:
	irqload_fire_exit();
err_lines:
	irqload_line_exit();
	return err;
}

static void __exit irqload_exit(void)
{
	kernel_param_lock(THIS_MODULE);
	started = false;
	kernel_param_unlock(THIS_MODULE);

	irqload_control_exit();
	irqload_churn_exit();
	irqload_fire_exit();
	irqload_line_exit();
}

module_init(irqload_init);
module_exit(irqload_exit);

MODULE_DESCRIPTION("Interrupts that no device raises, to test readers of interrupt counters");
MODULE_LICENSE("GPL");
