/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#undef KEY_NONE
#include "screen.h"

#define LINES_LEAST   8
#define COLUMNS_LEAST 40

static SCREEN *terminal;
static bool has_colors_;

/* From cold to hot, for people of all kinds of sight: brightness rises, too. */
static const short bars_256[BAR_LEVELS + 1] = { 238, 60, 61, 67, 73, 79, 114, 149, 185 };
static const short bars_8[BAR_LEVELS + 1] = { COLOR_BLUE, COLOR_BLUE, COLOR_BLUE, COLOR_CYAN,
					      COLOR_CYAN, COLOR_GREEN, COLOR_YELLOW, COLOR_YELLOW,
					      COLOR_RED };
static const short heat_256[HEAT_LEVELS + 1] = { -1, 17, 18, 54, 55, 91, 127, 162, 198, 203, 209,
						 215, 227 };
static const short heat_8[HEAT_LEVELS + 1] = { -1, COLOR_BLUE, COLOR_BLUE, COLOR_BLUE, COLOR_CYAN,
					       COLOR_CYAN, COLOR_GREEN, COLOR_GREEN, COLOR_YELLOW,
					       COLOR_YELLOW, COLOR_MAGENTA, COLOR_RED, COLOR_RED };

static void set_colors(void)
{
	bool is_rich = COLORS >= 256;
	short i;

	init_pair(1 + ROLE_TITLE, is_rich ? 255 : COLOR_WHITE, is_rich ? 24 : COLOR_BLUE);
	init_pair(1 + ROLE_HEAD, is_rich ? 252 : COLOR_BLACK, is_rich ? 237 : COLOR_WHITE);
	init_pair(1 + ROLE_SORTED, is_rich ? 232 : COLOR_BLACK, is_rich ? 179 : COLOR_CYAN);
	init_pair(1 + ROLE_FAINT, is_rich ? 243 : -1, -1);
	init_pair(1 + ROLE_NEW, is_rich ? 114 : COLOR_GREEN, -1);
	init_pair(1 + ROLE_WARNING, is_rich ? 214 : COLOR_YELLOW, -1);
	for (i = 0; i <= BAR_LEVELS; i++)
		init_pair((short)(1 + ROLE_BAR + i), is_rich ? bars_256[i] : bars_8[i], -1);
	for (i = 1; i <= HEAT_LEVELS; i++)
		init_pair((short)(1 + ROLE_HEAT + i), is_rich && i < 8 ? 255 : 0,
			  is_rich ? heat_256[i] : heat_8[i]);
}

static attr_t attributes_of(unsigned int role)
{
	switch (role) {
	case ROLE_PLAIN:
		return A_NORMAL;
	case ROLE_STRONG:
		return A_BOLD;
	case ROLE_TITLE:
	case ROLE_HEAD:
	case ROLE_SORTED:
		if (!has_colors_)
			return role == ROLE_HEAD ? A_REVERSE : A_REVERSE | A_BOLD;
		return (attr_t)COLOR_PAIR(1 + (int)role) |
		       (role == ROLE_HEAD ? A_NORMAL : A_BOLD);
	case ROLE_FAINT:
		return has_colors_ ? (attr_t)COLOR_PAIR(1 + (int)role) : A_DIM;
	default:
		return has_colors_ ? (attr_t)COLOR_PAIR(1 + (int)role) : A_NORMAL;
	}
}

static void measure(struct screen *screen)
{
	getmaxyx(stdscr, screen->lines, screen->columns);
}

static int check_size(const struct screen *screen)
{
	struct text text = { 0 };

	if (screen->lines >= LINES_LEAST && screen->columns >= COLUMNS_LEAST)
		return EXIT_SUCCESS;
	screen_close();
	text_printf(&text, "too small: %dx%d, needs %dx%d", screen->columns, screen->lines,
		    COLUMNS_LEAST, LINES_LEAST);
	complain("terminal", text.failed ? "too small" : text.bytes);
	text_free(&text);
	return EXIT_FAILURE;
}

int screen_open(struct screen *screen)
{
	const char *no_color = getenv("NO_COLOR");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return complain("terminal", "there is none: use --batch");
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return complain("terminal", "of unknown type: see $TERM, or use --batch");
	complain_after(screen_close);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	has_colors_ = !(no_color && *no_color) && has_colors() && start_color() == OK;
	if (has_colors_) {
		use_default_colors();
		set_colors();
	}
	measure(screen);
	return check_size(screen);
}

bool screen_has_colors(void)
{
	return has_colors_;
}

void screen_close(void)
{
	if (!terminal)
		return;
	endwin();
	delscreen(terminal);
	terminal = NULL;
}

int screen_key(struct screen *screen)
{
	int key = getch();

	switch (key) {
	case ERR:
		return KEY_NONE;
	case KEY_RESIZE:
		measure(screen);
		return KEY_OTHER_SIZE;
	case KEY_UP:
		return KEY_LINE_UP;
	case KEY_DOWN:
		return KEY_LINE_DOWN;
	case KEY_PPAGE:
		return KEY_PAGE_UP;
	case KEY_NPAGE:
		return KEY_PAGE_DOWN;
	case KEY_HOME:
		return KEY_FIRST;
	case KEY_END:
		return KEY_LAST;
	case KEY_LEFT:
		return KEY_TO_LEFT;
	case KEY_RIGHT:
		return KEY_TO_RIGHT;
	default:
		return key < 0x80 ? key : KEY_NONE;
	}
}

void screen_clear(void)
{
	erase();
}

void screen_show(void)
{
	refresh();
}

void screen_fill(int line, unsigned int role)
{
	attrset(attributes_of(role));
	mvhline(line, 0, ' ', COLS);
	attrset(A_NORMAL);
}

/* The character that @bytes start with; false at what is none, which can't be. */
static bool next_character(const char **bytes, const char *end, wchar_t *wc, int *width)
{
	mbstate_t state = { 0 };
	size_t n = mbrtowc(wc, *bytes, (size_t)(end - *bytes), &state);

	if (!n || n > (size_t)(end - *bytes))
		return false;
	*bytes += n;
	*width = wcwidth(*wc);
	return *width > 0;
}

int screen_put(int line, int column, int width, unsigned int role, const char *bytes, size_t len)
{
	struct text text = { 0 };
	const char *p, *end;
	wchar_t wc;
	int w;

	if (width > COLS - column)
		width = COLS - column;
	text_add_visible(&text, bytes, len);
	p = text.bytes;
	end = p + text.len;
	attrset(attributes_of(role));
	while (p < end && next_character(&p, end, &wc, &w) && w <= width) {
		mvaddnwstr(line, column, &wc, 1);
		column += w;
		width -= w;
	}
	attrset(A_NORMAL);
	text_free(&text);
	return column;
}

int screen_printf(int line, int column, unsigned int role, const char *format, ...)
{
	char buf[512];
	va_list args;

	va_start(args, format);
	vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	return screen_put(line, column, COLS, role, buf, strlen(buf));
}

void screen_list(int line, const char *const *texts, size_t n)
{
	size_t i;

	for (i = 0; i < n && line < LINES - 1; i++)
		screen_printf(line++, 2, ROLE_PLAIN, "%s", texts[i]);
}

int screen_width(const char *bytes, size_t len)
{
	struct text text = { 0 };
	const char *p, *end;
	int width = 0, w;
	wchar_t wc;

	text_add_visible(&text, bytes, len);
	p = text.bytes;
	end = p + text.len;
	while (p < end && next_character(&p, end, &wc, &w))
		width += w;
	text_free(&text);
	return width;
}
