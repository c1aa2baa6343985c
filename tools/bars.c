/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <langinfo.h>
#include <string.h>

#include "cmd.h"

unsigned int bar_level(double value, double most)
{
	unsigned int level;

	if (!(value > 0) || !(most > 0))
		return 0;
	level = 1 + (unsigned int)(value / most * (BAR_LEVELS - 0.5));
	return level < BAR_LEVELS ? level : BAR_LEVELS;
}

void text_add_bar(struct text *text, unsigned int level)
{
	static const char *const blocks[] = { "\u00b7", "\u2581", "\u2582", "\u2583", "\u2584",
					      "\u2585", "\u2586", "\u2587", "\u2588" };
	static const char ascii[] = ".123456789";

	if (!strcmp(nl_langinfo(CODESET), "UTF-8"))
		text_printf(text, "%s", blocks[level]);
	else
		text_add(text, ascii + level, 1);
}
