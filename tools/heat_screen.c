/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "heat.h"
#include "screen.h"

#define LABEL 8	/* columns before the map */
#define NAME  24	/* that a name is worth having */
#define CELL_MOST 8

struct map {
	struct watch *watch;
	struct heat heat;
	struct screen screen;
	struct pace pace;
	size_t first;
	int cell;	/* columns that one takes */
	bool is_paused;
	bool is_over;
	bool is_by_irq;	/* order of rows */
	bool is_total;	/* so far, instead of in the last interval */
	bool has_help;
};

static unsigned int role_of(double share)
{
	return share > 0 ? ROLE_HEAT + 1 + (unsigned int)(share * (HEAT_LEVELS - 0.001)) :
			   (unsigned int)ROLE_FAINT;
}

static void draw_cell(const struct map *map, int line, size_t column, double share, bool is_offline)
{
	static const char digits[] = " 123456789abc";
	static const char blanks[CELL_MOST + 1] = "        ";
	int x = LABEL + (int)column * map->cell;
	unsigned int role = role_of(share);
	char s = is_offline ? 'x' : '.';

	if (share > 0)
		s = screen_has_colors() ? ' ' : digits[role - ROLE_HEAT];
	screen_put(line, x, map->cell, role, blanks, CELL_MOST);
	screen_put(line, x, 1, role, &s, 1);
}

static void draw_title(const struct map *map)
{
	const struct irqstat_snapshot *snap = map->watch->feed.snap;
	time_t seconds = (time_t)(snap->realtime_ns / NS_PER_S);
	struct tm tm;
	char s[16] = "";

	if (localtime_r(&seconds, &tm))
		strftime(s, sizeof(s), "%H:%M:%S", &tm);
	screen_fill(0, ROLE_TITLE);
	screen_printf(0, 1, ROLE_TITLE, PROGRAM " heat  %s  %u CPUs  %zu rows  %s", feed_host(&map->watch->feed),
		      snap->n_online, map->heat.n_rows, map->watch->feed.name);
	screen_printf(0, map->screen.columns - 17, ROLE_TITLE, "%7s %8s",
		      map->is_over ? "END" : map->is_paused ? "PAUSED" : "", s);
}

static void draw_legend(const struct map *map)
{
	struct text pace = { 0 };
	int column, i;

	watch_tell_pace(map->watch, &map->pace, &pace);
	column = screen_printf(1, 1, ROLE_PLAIN, "0 ");
	for (i = 1; i <= HEAT_LEVELS; i++)
		column = screen_put(1, column, 2, ROLE_HEAT + (unsigned int)i, "  ", 2);
	screen_printf(1, column + 1, ROLE_PLAIN, "%.0f%s   %s scale%.*s%s",
		      map->heat.most, map->heat.is_rate ? "/s" : " so far",
		      heat_scale_name(map->heat.scale),
		      (int)pace.len, pace.len ? pace.bytes : "",
		      map->heat.per_column > 1 ? "   the most of several CPUs" : "");
	text_free(&pace);
}

static void draw_ruler(const struct map *map, int line)
{
	size_t i, each = map->cell < 4 ? 8 : 1;

	screen_printf(line, 1, ROLE_FAINT, "%6s", "CPU");
	for (i = 0; i < map->heat.n_columns; i += each)
		screen_printf(line, LABEL + (int)i * map->cell, ROLE_FAINT, "%u",
			      (unsigned int)i * map->heat.per_column);
}

static void draw_row(const struct map *map, int line, size_t row, struct text *text)
{
	const struct heat *heat = &map->heat;
	const struct view *view = &map->watch->view;
	const double *cells = heat->cells + row * heat->n_columns;
	int end = LABEL + (int)heat->n_columns * map->cell + 1;
	size_t i;

	text_clear(text);
	column_find("IRQ")->put(text, view, heat->rows[row]);
	screen_put(line, LABEL - 1 - screen_width(text->bytes, text->len), LABEL, ROLE_STRONG,
		   text->bytes, text->len);
	for (i = 0; i < heat->n_columns; i++)
		draw_cell(map, line, i, heat_share(heat, cells[i], heat->row_most[row]),
			  heat->offline[i]);
	if (map->screen.columns - end < NAME / 2)
		return;
	text_clear(text);
	column_find(heat->is_rate ? "RATE" : "TOTAL")->put(text, view, heat->rows[row]);
	screen_put(line, end + 10 - (int)text->len, 10, ROLE_PLAIN, text->bytes, text->len);
	text_clear(text);
	column_find("HANDLER")->put(text, view, heat->rows[row]);
	screen_put(line, end + 12, map->screen.columns, ROLE_PLAIN, text->bytes, text->len);
}

static void draw_sums(const struct map *map, int line)
{
	const struct heat *heat = &map->heat;
	size_t i;

	screen_printf(line, 1, ROLE_FAINT, "%6s", "all");
	for (i = 0; i < heat->n_columns; i++)
		draw_cell(map, line, i, heat->most_sum > 0 ? heat->sums[i] / heat->most_sum : 0,
			  heat->offline[i]);
}

static void draw_rows(struct map *map, int line)
{
	size_t room = (size_t)(map->screen.lines - line - 2), i;
	struct text text = { 0 };

	if (map->first + room > map->heat.n_rows)
		map->first = map->heat.n_rows > room ? map->heat.n_rows - room : 0;
	for (i = 0; i < room && map->first + i < map->heat.n_rows; i++)
		draw_row(map, line + (int)i, map->first + i, &text);
	text_free(&text);
}

static void draw_keys(const struct map *map)
{
	static const char *const keys[][2] = {
		{ "q", "quit" }, { "h", "help" }, { "i d", "by irq, delta" }, { "s", "scale" },
		{ "t", "so far / a second" }, { "p", "pause" }, { "+-", "delay" }, { "up down", "rows" },
	};
	int line = map->screen.lines - 1, column = 1;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (column + 24 > map->screen.columns)
			break;
		column = screen_printf(line, column, ROLE_STRONG, "%s", keys[i][0]);
		column = screen_printf(line, column, ROLE_FAINT, " %s   ", keys[i][1]);
	}
}

static void draw_help(void)
{
	static const char *const help[] = {
		"q, Q          quit",
		"i d           sort by IRQ, by what counted most",
		"s             the next scale of colours: log, linear, row (each row its own)",
		"t             what was counted so far, and back",
		"up, down      go through the rows; also page up, page down, home, end",
		"p, space      pause, and go on",
		"+ -           look less often, more often; of a recording: slower, faster",
		"h, ?          this, and back",
		"",
		"Rows that did not count are left out; x is a CPU that is offline.",
	};

	screen_list(2, help, sizeof(help) / sizeof(*help));
}

static void draw_map(struct map *map)
{
	draw_legend(map);
	draw_ruler(map, 3);
	draw_sums(map, 4);
	draw_rows(map, 6);
}

/* Several columns a CPU if there is room for names, too; several CPUs a column if need be. */
static int fill(struct map *map)
{
	const struct feed *feed = &map->watch->feed;
	size_t room = (size_t)(map->screen.columns - LABEL), cpus = feed->snap->nr_cpu_ids;

	map->heat.is_rate = feed->step && !map->is_total;
	columns_sort(&map->watch->view, map->is_by_irq	? "IRQ" :
					map->heat.is_rate ? "DELTA" :
							    "TOTAL");
	for (map->cell = CELL_MOST; map->cell > 1; map->cell /= 2) {
		if ((size_t)map->cell * cpus + NAME <= room)
			break;
	}
	return heat_fill(&map->heat, map->watch, cpus > room && room > NAME ? room - NAME : room);
}

static int draw(struct map *map)
{
	int code;

	screen_clear();
	if (map->screen.lines < 8 || map->screen.columns < 40) {
		screen_printf(0, 0, ROLE_WARNING, "too small");
	} else {
		code = fill(map);
		if (code)
			return code;
		draw_title(map);
		if (map->has_help)
			draw_help();
		else
			draw_map(map);
		draw_keys(map);
	}
	screen_show();
	return EXIT_SUCCESS;
}

static void scroll(struct map *map, int key)
{
	size_t page = (size_t)(map->screen.lines / 2);

	switch (key) {
	case KEY_LINE_UP:
		map->first -= map->first > 0;
		break;
	case KEY_LINE_DOWN:
		map->first++;
		break;
	case KEY_PAGE_UP:
		map->first -= map->first < page ? map->first : page;
		break;
	case KEY_PAGE_DOWN:
		map->first += page;
		break;
	case KEY_FIRST:
		map->first = 0;
		break;
	case KEY_LAST:
		map->first = map->heat.n_rows;
		break;
	default:
		break;
	}
}

/* false: quit. */
static bool press(struct map *map, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
		return false;
	case 's':
		map->heat.scale = (map->heat.scale + 1) % N_HEAT_SCALES;
		break;
	case 'i':
	case 'd':
		map->is_by_irq = key == 'i';
		break;
	case 't':
		map->is_total = !map->is_total;
		break;
	case 'p':
	case ' ':
		map->is_paused = !map->is_paused;
		break;
	case 'h':
	case '?':
		map->has_help = !map->has_help;
		break;
	case '+':
	case '-':
		watch_change_pace(map->watch, &map->pace, key == '+');
		break;
	default:
		scroll(map, key);
	}
	return true;
}

static int loop(struct map *map)
{
	const struct options *o = map->watch->options;
	uint64_t n = 0;
	int code = draw(map), key;

	while (!code && (!o->iterations || n < o->iterations)) {
		map->pace.is_held = map->is_paused || map->is_over;
		switch (pace_wait(&map->pace, STDIN_FILENO)) {
		case PACE_STOPPED:
			return EXIT_SUCCESS;
		case PACE_TICK:
			code = watch_next(map->watch, &map->is_over);
			watch_pace(map->watch, &map->pace);
			n++;
			break;
		default:
			while ((key = screen_key(&map->screen)) != KEY_NONE) {
				if (!press(map, key))
					return EXIT_SUCCESS;
			}
		}
		if (!code)
			code = draw(map);
	}
	return code;
}

int heat_screen(struct watch *watch, enum heat_scale scale)
{
	struct map map = {
		.watch = watch,
		.heat.scale = scale,
		.is_by_irq = !strcasecmp(watch->sort, "IRQ"),
	};
	int code;

	code = watch_next(watch, &map.is_over);
	if (!code && map.is_over)
		code = complain(watch->feed.name, "has no snapshot");
	if (code)
		return code;
	code = screen_open(&map.screen);
	if (code)
		return code;
	pace_start(&map.pace, watch->options->delay_ns);
	watch_pace(watch, &map.pace);
	code = loop(&map);
	screen_close();
	heat_free(&map.heat);
	return code;
}
