/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* source-of LABEL: whether that counter is fresh, cached, unavailable, or not of this kernel. */
#define _GNU_SOURCE
#include "valid.h"

int main(int argc, char **argv)
{
	const int fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	const uint32_t id = argc == 2 ? x86_id(argv[1], strlen(argv[1])) : 0;
	struct raw *raw = raw_new();
	struct record rec;
	const char *wrong;
	unsigned int flags = 0;

	if (!id)
		return 2;
	wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);
	if (!wrong && raw_find(raw, IRQBIN_REC_X86, id, &rec))
		flags = rec.head.flags;
	if (!wrong)
		wrong = raw_get(fd, IRQBIN_WINDOW_DESCRIPTORS, raw);
	if (wrong)
		return puts(wrong), 1;
	if (!raw_find(raw, IRQBIN_REC_X86_DESC, id, &rec))
		puts("absent");
	else if (flags & IRQBIN_CNT_UNAVAILABLE)
		puts("unavailable");
	else
		puts(flags & IRQBIN_CNT_CACHED ? "cached" : "fresh");
	return 0;
}
