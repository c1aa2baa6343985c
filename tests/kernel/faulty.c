// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commits one fault, the one that its parameter names, so that tests can tell whether
 * a kernel that is built to find such faults does.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char *fault = "";
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "use_after_free, out_of_bounds, leak, sleep, order, unprotected or race");

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static DEFINE_SPINLOCK(lock);

static char __rcu *protected;
static unsigned long raced;

static void use_after_free(void)
{
	char *bytes = kmalloc(64, GFP_KERNEL), *after = bytes;

	OPTIMIZER_HIDE_VAR(after);
	kfree(bytes);
	WRITE_ONCE(after[8], 1);
}

static void out_of_bounds(void)
{
	char *bytes = kmalloc(64, GFP_KERNEL), *beyond = bytes;

	OPTIMIZER_HIDE_VAR(beyond);
	WRITE_ONCE(beyond[64], 1);
	kfree(bytes);
}

static void leak(void)
{
	char *bytes = kmalloc(64, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(bytes);
	WRITE_ONCE(bytes[0], 1);
}

static void sleep_in_atomic(void)
{
	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
}

static void order(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);

	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

static void unprotected(void)
{
	(void)rcu_dereference(protected);
}

static noinline int race_on(void *unused)
{
	while (!kthread_should_stop()) {
		unsigned int i;

		for (i = 0; i < 1000; i++)
			raced += i;
		cond_resched();
	}
	return 0;
}

static void race(void)
{
	struct task_struct *racers[2];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(racers); i++)
		racers[i] = kthread_run(race_on, NULL, "faulty/%u", i);
	msleep(3000);
	for (i = 0; i < ARRAY_SIZE(racers); i++)
		if (!IS_ERR(racers[i]))
			kthread_stop(racers[i]);
}

static const struct {
	const char *name;
	void (*commit)(void);
} faults[] = {
	{ "use_after_free", use_after_free },
	{ "out_of_bounds", out_of_bounds },
	{ "leak", leak },
	{ "sleep", sleep_in_atomic },
	{ "order", order },
	{ "unprotected", unprotected },
	{ "race", race },
};

static int __init faulty_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (strcmp(fault, faults[i].name))
			continue;
		faults[i].commit();
		return 0;
	}
	return -EINVAL;
}
module_init(faulty_init);

static void __exit faulty_exit(void)
{
}
module_exit(faulty_exit);

MODULE_DESCRIPTION("Commits a fault that a debug kernel must find");
MODULE_LICENSE("GPL");
