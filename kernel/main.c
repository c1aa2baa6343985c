// SPDX-License-Identifier: GPL-2.0-only
#include <linux/init.h>
#include <linux/module.h>

#include "irqbin.h"

static int __init irqbin_init(void)
{
	int err;

	err = irqbin_file_check();
	if (err)
		return err;
	irqbin_arch_init();
	err = irqbin_snapshot_init();
	if (err)
		return err;
	irqbin_generation_init();
	err = irqbin_table_init();
	if (err)
		goto err_generation;
	err = irqbin_describe_init();
	if (err)
		goto err_table;
	err = irqbin_window_init();
	if (err)
		goto err_describe;
	err = irqbin_file_init();
	if (err)
		goto err_window;
	return 0;

err_window:
	irqbin_window_exit();
err_describe:
	irqbin_describe_exit();
err_table:
	irqbin_table_exit();
err_generation:
	irqbin_generation_exit();
	irqbin_snapshot_exit();
	return err;
}

static void __exit irqbin_exit(void)
{
	irqbin_file_exit();
	irqbin_window_exit();
	irqbin_describe_exit();
	irqbin_table_exit();
	irqbin_generation_exit();
	irqbin_snapshot_exit();
}

module_init(irqbin_init);
module_exit(irqbin_exit);

MODULE_DESCRIPTION("Interrupt counters as a binary stream: /proc/interrupts_bin");
MODULE_VERSION("0.1.0");
MODULE_LICENSE("GPL");
