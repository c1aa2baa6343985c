/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* What top shows on a screen: the machine, its CPUs, and the rows, busiest first. */
#include <ctype.h>
#include <string.h>
#include <time.h>
#include <strings.h>
#include <unistd.h>

#include "screen.h"

#define METER_LEAST 24	/* columns that one CPU's meter takes, its number and rate included */
#define METERS_MOST 64

struct top {
	struct watch *watch;
	struct screen screen;
	struct pace pace;
	int widths[COLUMNS_MAX];
	size_t first;	/* row that is shown first */
	double most;	/* that a CPU ever counted a second */
	bool is_paused;
	bool is_over;	/* of a capture: there is no more */
	bool has_cpus;
	bool has_help;
};

static double rate_of(const struct top *top, uint64_t count)
{
	const struct irqstat_delta *delta = top->watch->feed.delta;

	return delta ? irqstat_delta_rate(delta, count) : 0;
}

/* 1234567 as "1,234,567". */
static void add_grouped(struct text *text, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n), i;

	for (i = 0; i < len; i++)
		text_printf(text, i && (len - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
}

static void draw_title(const struct top *top)
{
	struct feed *feed = &top->watch->feed;
	const struct irqstat_snapshot *snap = feed->snap;
	struct text right = { 0 };
	time_t seconds = (time_t)(snap->realtime_ns / NS_PER_S);
	struct tm tm;
	char clock_time[16] = "";
	int width;

	if (localtime_r(&seconds, &tm))
		strftime(clock_time, sizeof(clock_time), "%H:%M:%S", &tm);
	screen_fill(0, ROLE_TITLE);
	screen_printf(0, 1, ROLE_TITLE, PROGRAM "  %s  %u CPUs  %zu rows  %s", feed_host(feed),
		      snap->n_online, top->watch->view.n_items, feed->name);
	text_printf(&right, "%s  %s",
		    top->is_over ? "END" : top->is_paused ? "PAUSED" : "", clock_time);
	width = screen_width(right.bytes, right.len);
	screen_put(0, top->screen.columns - width - 1, width, ROLE_TITLE, right.bytes, right.len);
	text_free(&right);
}

static void draw_sums(const struct top *top)
{
	const struct irqstat_sums *step = top->watch->step, *total = top->watch->total;
	const struct irqstat_sum *most = NULL;
	struct text text = { 0 };
	size_t i;
	int column;

	for (i = 0; step && i < step->n_sums; i++) {
		if (!most || step->sums[i].count > most->count)
			most = &step->sums[i];
	}
	add_grouped(&text, (uint64_t)(step ? rate_of(top, step->total) : 0));
	text_add(&text, "/s", 2);
	column = screen_put(1, 1, top->screen.columns, ROLE_STRONG, text.bytes, text.len);
	text_clear(&text);
	text_printf(&text, "   ");
	add_grouped(&text, total->total);
	text_printf(&text, " so far");
	if (most && most->count)
		text_printf(&text, "   busiest: CPU %u with %.0f/s, %.0f %%", most->id,
			    rate_of(top, most->count),
			    100.0 * (double)most->count / (double)step->total);
	watch_tell_pace(top->watch, &top->pace, &text);
	screen_put(1, column, top->screen.columns, ROLE_PLAIN, text.bytes, text.len);
	text_free(&text);
}

static size_t count_cpus(const struct irqstat_sums *sums)
{
	size_t n = sums->n_sums;

	return n && sums->sums[n - 1].id == IRQSTAT_CPU_NONE ? n - 1 : n;
}

/* One CPU as  "  7 ||||||||    1234/s". */
static void draw_meter(const struct top *top, int line, int column, int width,
		       const struct irqstat_sum *sum)
{
	double rate = rate_of(top, sum->count);
	int length = width - 14, full, i;
	unsigned int level = bar_level(rate, top->most);

	screen_printf(line, column, ROLE_FAINT, "%4u ", sum->id);
	full = top->most > 0 ? (int)(rate / top->most * length + 0.5) : 0;
	for (i = 0; i < length; i++)
		screen_put(line, column + 5 + i, 1, ROLE_BAR + (i < full ? level : 0),
			   i < full ? "|" : ".", 1);
	screen_printf(line, column + width - 8, ROLE_PLAIN, "%6.0f", rate);
}

/* Many CPUs, one character each. */
static void draw_strip(const struct top *top, int line, const struct irqstat_sum *sums, size_t n)
{
	struct text text = { 0 };
	size_t i;

	screen_printf(line, 1, ROLE_FAINT, "CPU %4u ", sums[0].id);
	for (i = 0; i < n; i++) {
		unsigned int level = bar_level(rate_of(top, sums[i].count), top->most);

		text_clear(&text);
		text_add_bar(&text, level);
		screen_put(line, 10 + (int)i, 1, ROLE_BAR + level, text.bytes, text.len);
	}
	text_free(&text);
}

/* Returns the line below. */
static int draw_cpus(struct top *top, int line)
{
	const struct irqstat_sums *step = top->watch->step;
	size_t n = step ? count_cpus(step) : 0, i, each;
	int room = top->screen.lines / 3;

	if (!top->has_cpus || !n)
		return line;
	for (i = 0; i < n; i++) {
		if (rate_of(top, step->sums[i].count) > top->most)
			top->most = rate_of(top, step->sums[i].count);
	}
	each = (size_t)(top->screen.columns / METER_LEAST);
	each = each < n ? each : n;
	if ((n + each - 1) / each <= (size_t)room && n <= METERS_MOST) {
		size_t lines = (n + each - 1) / each;
		int width = top->screen.columns / (int)each;

		for (i = 0; i < n; i++)
			draw_meter(top, line + (int)(i % lines), (int)(i / lines) * width,
				   width < 40 ? width : 40, &step->sums[i]);
		return line + (int)lines + 1;
	}
	each = (size_t)(top->screen.columns - 11) & ~(size_t)7;
	for (i = 0; i < n && room; i += each, room--)
		draw_strip(top, line++, step->sums + i, n - i < each ? n - i : each);
	return line + 1;
}

static bool is_sorted_by(const struct top *top, const struct column *column)
{
	return !strcasecmp(column->name, top->watch->sort);
}

/* A picture's characters are coloured by how high they are. */
static void draw_bars(int line, int column, int width, const struct text *text)
{
	static const char first[] = "\u2581";
	size_t i = 0;

	while (i < text->len && width--) {
		unsigned char c = (unsigned char)text->bytes[i];
		size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : 3;
		unsigned int level = 0;

		if (n == 3)
			level = 1 + (unsigned char)text->bytes[i + 2] - (unsigned char)first[2];
		else if (isdigit(c))
			level = c - '0';
		screen_put(line, column++, 1, ROLE_BAR + level, text->bytes + i, n);
		i += n;
	}
}

static unsigned int role_of(const struct item *item, const struct column *column)
{
	unsigned int flags = item->step ? item->step->flags : 0;

	if (!item->step || !item->step->total)
		return ROLE_FAINT;
	if (strcmp(column->name, "IRQ"))
		return ROLE_PLAIN;
	if (flags & (IRQSTAT_ROW_RESTARTED | IRQSTAT_ROW_BACKWARD))
		return ROLE_WARNING;
	return flags & IRQSTAT_ROW_NEW ? ROLE_NEW : ROLE_STRONG;
}

static void draw_cell(const struct column *column, int line, int x, int width, unsigned int role,
		      const struct text *text)
{
	int w = screen_width(text->bytes, text->len);

	if (column->flags & COLUMN_BARS)
		draw_bars(line, x, width, text);
	else
		screen_put(line, column->flags & COLUMN_RIGHT && w < width ? x + width - w : x,
			   width, role, text->bytes, text->len);
}

static void measure_column(struct top *top, size_t k, size_t n)
{
	const struct column *column = top->watch->columns.list[k];
	struct text text = { 0 };
	size_t i;

	if (top->widths[k] < (int)strlen(column->name))
		top->widths[k] = (int)strlen(column->name);
	for (i = top->first; i < top->first + n; i++) {
		int width;

		text_clear(&text);
		column->put(&text, &top->watch->view, &top->watch->view.items[i]);
		width = screen_width(text.bytes, text.len);
		if (width > top->widths[k])
			top->widths[k] = width;
	}
	text_free(&text);
}

static void draw_column(struct top *top, size_t k, int line, int x, size_t n)
{
	const struct column *column = top->watch->columns.list[k];
	struct text text = { 0 };
	int width = top->widths[k];
	size_t i;

	if (k + 1 == top->watch->columns.n || width > top->screen.columns - x)
		width = top->screen.columns - x;
	text_add(&text, column->name, strlen(column->name));
	draw_cell(&(struct column){ .flags = column->flags & COLUMN_RIGHT }, line, x, width,
		  is_sorted_by(top, column) ? ROLE_SORTED : ROLE_HEAD, &text);
	for (i = 0; i < n; i++) {
		const struct item *item = &top->watch->view.items[top->first + i];

		text_clear(&text);
		if (!column->put(&text, &top->watch->view, item))
			text_add(&text, "-", 1);
		draw_cell(column, line + 1 + (int)i, x, width, role_of(item, column), &text);
	}
	text_free(&text);
}

static void draw_rows(struct top *top, int line)
{
	int left = top->screen.lines - line - 2, x = 1;
	size_t room = left > 0 ? (size_t)left : 0, n, k;

	if (!room)
		return;
	n = top->watch->view.n_items;
	if (top->first + room > n)
		top->first = n > room ? n - room : 0;
	n -= top->first;
	if (n > room)
		n = room;
	screen_fill(line, ROLE_HEAD);
	for (k = 0; k < top->watch->columns.n && x < top->screen.columns; k++) {
		measure_column(top, k, n);
		draw_column(top, k, line, x, n);
		x += top->widths[k] + 2;
	}
}

static void draw_keys(const struct top *top)
{
	static const char *const keys[][2] = {
		{ "q", "quit" },  { "d", "delta" }, { "t", "total" }, { "i", "irq" },
		{ "n", "name" },  { "p", "pause" }, { "z", "idle" },  { "c", "cpus" },
		{ "+-", "delay" }, { "h", "help" },
	};
	int line = top->screen.lines - 1, column = 1;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (column + 10 > top->screen.columns)
			break;
		column = screen_printf(line, column, ROLE_STRONG, "%s", keys[i][0]);
		column = screen_printf(line, column, ROLE_FAINT, " %s   ", keys[i][1]);
	}
}

static void draw_help(void)
{
	static const char *const help[] = {
		"q, Q          quit",
		"i t d n r     sort by IRQ, TOTAL, DELTA, NAME or HANDLER, RATE",
		"up, down      go through the rows; also page up, page down, home, end",
		"p, space      pause, and go on",
		"z             hide rows that did not count in the last interval",
		"c             the CPUs",
		"+ -           look less often, more often; of a recording: slower, faster",
		"h, ?          this, and back",
		"",
		"RATE is per second. TREND are the last intervals, the oldest on the left, blank",
		"where none was. SPREAD is what each CPU counted in the last one, CPU 0 on the left.",
	};

	screen_list(2, help, sizeof(help) / sizeof(*help));
}

/* Names are worth more than pictures, but those that are left over can have all of it. */
static void share_width(struct top *top)
{
	struct view *view = &top->watch->view;
	int columns = top->screen.columns;

	view->trend_width = columns < 94 ? 8 : columns < 110 ? 16 : 32;
	view->spread_width = columns < 94 ? 8 : columns < 170 ? 16 : 64;
}

static void draw(struct top *top)
{
	screen_clear();
	share_width(top);
	if (top->screen.lines < 4 || top->screen.columns < 20) {
		screen_printf(0, 0, ROLE_WARNING, "too small");
	} else {
		draw_title(top);
		if (top->has_help) {
			draw_help();
		} else {
			draw_sums(top);
			draw_rows(top, draw_cpus(top, 3));
		}
		draw_keys(top);
	}
	screen_show();
}

static void sort(struct top *top, const char *column)
{
	top->watch->sort = column;
	columns_sort(&top->watch->view, column);
}

static void scroll(struct top *top, int key)
{
	size_t page = (size_t)(top->screen.lines / 2);

	switch (key) {
	case KEY_LINE_UP:
		top->first -= top->first > 0;
		break;
	case KEY_LINE_DOWN:
		top->first++;
		break;
	case KEY_PAGE_UP:
		top->first -= top->first < page ? top->first : page;
		break;
	case KEY_PAGE_DOWN:
		top->first += page;
		break;
	case KEY_FIRST:
		top->first = 0;
		break;
	case KEY_LAST:
		top->first = top->watch->view.n_items;
		break;
	default:
		break;
	}
}

static bool has_column(const struct top *top, const char *name)
{
	const struct columns *columns = &top->watch->columns;
	size_t i;

	for (i = 0; i < columns->n; i++) {
		if (!strcmp(columns->list[i]->name, name))
			return true;
	}
	return false;
}

/* An order by what is not shown would look like none. */
static const char *name_shown(const struct top *top)
{
	return has_column(top, "HANDLER") && !has_column(top, "NAME") ? "HANDLER" : "NAME";
}

/* false: quit. */
static bool press(struct top *top, int key, int *code)
{
	switch (key) {
	case 'q':
	case 'Q':
		return false;
	case 'i':
		sort(top, "IRQ");
		break;
	case 't':
		sort(top, "TOTAL");
		break;
	case 'd':
		sort(top, "DELTA");
		break;
	case 'r':
		sort(top, "RATE");
		break;
	case 'n':
		sort(top, name_shown(top));
		break;
	case 'p':
	case ' ':
		top->is_paused = !top->is_paused;
		break;
	case 'z':
		top->watch->view.hides_idle = !top->watch->view.hides_idle;
		*code = watch_fill(top->watch);
		break;
	case 'c':
		top->has_cpus = !top->has_cpus;
		break;
	case KEY_OTHER_SIZE:
		memset(top->widths, 0, sizeof(top->widths));
		break;
	case 'h':
	case '?':
		top->has_help = !top->has_help;
		break;
	case '+':
	case '-':
		watch_change_pace(top->watch, &top->pace, key == '+');
		break;
	default:
		scroll(top, key);
	}
	return true;
}

static int loop(struct top *top)
{
	const struct options *o = top->watch->options;
	uint64_t n = 0;
	int code = EXIT_SUCCESS, key;

	draw(top);
	while (!code && (!o->iterations || n < o->iterations)) {
		top->pace.is_held = top->is_paused || top->is_over;
		switch (pace_wait(&top->pace, STDIN_FILENO)) {
		case PACE_STOPPED:
			return EXIT_SUCCESS;
		case PACE_TICK:
			code = watch_next(top->watch, &top->is_over);
			watch_pace(top->watch, &top->pace);
			n++;
			break;
		default:
			while (!code && (key = screen_key(&top->screen)) != KEY_NONE) {
				if (!press(top, key, &code))
					return EXIT_SUCCESS;
			}
		}
		if (!code)
			draw(top);
	}
	return code;
}

int top_screen(struct watch *watch)
{
	struct top top = {
		.watch = watch,
		.has_cpus = watch->options->cpu_stat != WHEN_NEVER,
	};
	int code;

	code = screen_open(&top.screen);
	if (code)
		return code;
	pace_start(&top.pace, watch->options->delay_ns);
	watch_pace(watch, &top.pace);
	code = loop(&top);
	screen_close();
	return code;
}
