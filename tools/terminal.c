/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What a terminal can do, asked without making it a screen. */
#include <unistd.h>

#include "screen.h"

/* Makes macros of words such as lines and columns: the last one. */
#include <curses.h>
#include <term.h>

bool screen_is_rich(void)
{
	const char *no_color = getenv("NO_COLOR");
	int err;

	if (!isatty(STDOUT_FILENO) || (no_color && *no_color))
		return false;
	return setupterm(NULL, STDOUT_FILENO, &err) == OK && tigetnum("colors") >= 256;
}
