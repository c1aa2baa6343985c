/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The terminal as a screen, by ncurses; nothing else knows of that. */
#ifndef SCREEN_H
#define SCREEN_H

#include "cmd.h"

/* How things look, without colours if there are none. */
enum role {
	ROLE_PLAIN,
	ROLE_TITLE,
	ROLE_HEAD,
	ROLE_SORTED,	/* heading of the column by which rows are sorted */
	ROLE_FAINT,
	ROLE_STRONG,
	ROLE_NEW,
	ROLE_WARNING,
	ROLE_BAR,	/* and a level of 0 to BAR_LEVELS */
	ROLE_HEAT = ROLE_BAR + BAR_LEVELS + 1, /* and a level of 0 to HEAT_LEVELS */
};

/* Background colours; 0 is that of the terminal. */
#define HEAT_LEVELS 12

enum key {
	KEY_NONE = 0, /* letters are themselves */
	KEY_LINE_UP = 0x100,
	KEY_LINE_DOWN,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_FIRST,
	KEY_LAST,
	KEY_TO_LEFT,
	KEY_TO_RIGHT,
	KEY_OTHER_SIZE,
};

struct screen {
	int lines;
	int columns;
};

/* Fails when standard output is no terminal that this can be done with. */
int screen_open(struct screen *screen);
void screen_close(void);
bool screen_has_colors(void);
/* Is standard output a terminal of 256 colours that is to be used as one? */
bool screen_is_rich(void);

/* The next key that was pressed, KEY_NONE if there is none. */
int screen_key(struct screen *screen);

void screen_clear(void);
void screen_show(void);
/* A line in one role, up to its end. */
void screen_fill(int line, unsigned int role);
/*
 * Writes bytes, visible or not, into @width columns (as many as there are on
 * that line if it is above that); returns the column behind them.
 */
int screen_put(int line, int column, int width, unsigned int role, const char *bytes, size_t len);
int screen_printf(int line, int column, unsigned int role, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Lines of text from @line on, up to the last but one. */
void screen_list(int line, const char *const *texts, size_t n);
/* The columns that bytes take. */
int screen_width(const char *bytes, size_t len);

#endif /* SCREEN_H */
