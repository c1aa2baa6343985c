// SPDX-License-Identifier: GPL-2.0-only
/*
 * In place of kernel/btf.c, in a module that is to see whether it notices: on a
 * kernel whose BTF says of the machine check counters that they are elsewhere.
 */
#define irqbin_btf_find btf_find
#include "btf_real.c"
#undef irqbin_btf_find

int irqbin_btf_find(const char *const name[], unsigned int n, u32 offset[])
{
	const char *const wrong[] = { name[0], "kernel_cpustat", "kernel_cpustat" };

	return btf_find(wrong, ARRAY_SIZE(wrong), offset);
}
