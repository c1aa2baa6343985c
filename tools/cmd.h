/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What the parts of irqstat share, a block for each file. Functions that can
 * fail have said why when they return: they give the exit code of the program, 0
 * when all is well.
 */
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <irqstat.h>

#include "reason.h"

#define PROGRAM	     "irqstat"
#define SOFTIRQ_PATH "/proc/softirqs"
#ifndef IRQSTAT_VERSION
#define IRQSTAT_VERSION "unknown"
#endif
#define NS_PER_S     1000000000ULL

enum { EXIT_USAGE = 2 };

/* complain.c: the one place that says what went wrong */

int complain(const char *object, const char *reason);
/* Called before a message: what is on the terminal would overwrite it, or it that. */
void complain_after(void (*leave)(void));
int complain_errno(const char *object);
/* The command that was named: misused() points to its help. */
struct command;
void complain_of(const struct command *command);
int misused(const char *object, const char *reason);
int out_of_memory(void);

/* The end of standard output: EXIT_SUCCESS if all of it was written. */
int output_end(void);

/* text.c: bytes that grow; a failure to grow shows in the end only */

struct text {
	char *bytes;
	size_t len;
	size_t cap;
	bool failed;
};

void text_clear(struct text *text);
void text_free(struct text *text);
void text_add(struct text *text, const char *bytes, size_t len);
void text_add_string(struct text *text, struct irqstat_string string);
void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* encode.c: bytes of a driver's choosing, made harmless */

/* For terminals: what this locale can't print is set as \x1b. */
void text_add_visible(struct text *text, const char *bytes, size_t len);
/* For JSON: what is not UTF-8 becomes U+FFFD. */
void text_add_utf8(struct text *text, const char *bytes, size_t len);

/* options.c: the command line */

enum option_id {
	OPT_ALL,
	OPT_APPEND,
	OPT_BATCH,
	OPT_CPUS,
	OPT_CPU_STAT,
	OPT_DECIMALS,
	OPT_DELAY,
	OPT_EVERYTHING,
	OPT_EXCLUDE,
	OPT_FORCE,
	OPT_FORMAT,
	OPT_HELP,
	OPT_INPUT,
	OPT_INTERRUPTS,
	OPT_ITERATIONS,
	OPT_JSON,
	OPT_LINES,
	OPT_MATCH,
	OPT_NODES,
	OPT_NO_HEADINGS,
	OPT_NO_URING,
	OPT_OUTPUT,
	OPT_PAIRS,
	OPT_ROWS,
	OPT_SCALE,
	OPT_SOFTIRQ,
	OPT_SORT,
	OPT_SOURCE,
	OPT_SPEED,
	OPT_SVG,
	OPT_THRESHOLD,
	OPT_VERSION,
	OPT_WRITE,
	N_OPTIONS
};

#define OPT(id) (1ULL << OPT_##id)

/* What cpu shows: the sum of interrupts, each of them, each softirq. */
#define SHOW_SUM	0x1U
#define SHOW_INTERRUPTS 0x2U
#define SHOW_SOFTIRQS	0x4U

enum when { WHEN_AUTO, WHEN_NEVER, WHEN_ALWAYS };

enum format { FORMAT_TABLE, FORMAT_PAIRS, FORMAT_JSON };

struct option_spec {
	char letter;		/* 0: none */
	const char *name;
	const char *value;	/* what its help calls it, NULL: takes none */
	const char *choices;	/* its values, blanks between them; NULL: any */
	const char *help;
};

extern const struct option_spec option_specs[N_OPTIONS];

struct options {
	const struct command *command;
	const char *input;	/* NULL: the machine's own */
	enum irqstat_source source; /* 0: choose */
	bool is_softirq;
	bool is_all;
	bool is_batch;
	bool is_append;
	bool is_forced;
	bool no_uring;
	bool no_headings;
	enum when cpu_stat;
	enum format format;
	unsigned int shows;	/* SHOW_*; 0: the usual */
	unsigned int decimals;
	struct irqstat_select *lines;	/* CPUs that have one; NULL: not asked for */
	struct irqstat_select *nodes;	/* NULL: not asked for */
	const char *output;	/* names of columns, NULL: the usual ones */
	const char *sort;	/* name of a column, NULL: the usual one */
	const char *svg;	/* file to write a picture to */
	const char *write;	/* file to record into */
	int scale;		/* enum heat_scale */
	uint64_t threshold;
	uint64_t delay_ns;	/* 0: the usual one */
	uint64_t iterations;	/* 0: without end */
	uint64_t speed;		/* of a replay, in thousandths; 0: as it was */
	struct irqstat_select *select[2];	/* of what was counted, of what is counted */
	bool has_cpus;		/* some CPUs only */
	char **operands;
	int n_operands;
};

struct command {
	const char *name;
	const char *summary;
	const char *operands;	/* as shown in its usage */
	int max_operands;
	uint64_t options;
	bool has_columns;
	int (*run)(struct options *o);
};

/* Fills in @o; EXIT_SUCCESS and *is_over when it has shown a help or the version. */
int options_parse(struct options *o, const struct command *command, int argc, char **argv,
		  bool *is_over);
void options_free(struct options *o);
void options_help(const struct command *command);
bool command_takes(const struct command *command, enum option_id id);
const struct command *command_find(const char *name);

/* irqstat.c: the commands */

extern const struct command commands[];
extern const size_t n_commands;

int cmd_burst(struct options *o);
int cmd_cpu(struct options *o);
int cmd_heat(struct options *o);
int cmd_info(struct options *o);
int cmd_list(struct options *o);
int cmd_record(struct options *o);
int cmd_replay(struct options *o);
int cmd_top(struct options *o);

/* pace.c: when to look again */

struct pace {
	uint64_t interval_ns;
	uint64_t next_ns;	/* CLOCK_MONOTONIC */
	bool is_held;		/* there are no ticks */
};

enum pace_event { PACE_TICK = 1, PACE_KEY, PACE_RESIZED, PACE_STOPPED };

/* The signals no more than noted, at any time: for those who wait by other means. */
void pace_catch(void);
bool pace_is_stopped(void);
/* From now on SIGINT, SIGTERM and SIGHUP are events. */
void pace_start(struct pace *pace, uint64_t interval_ns);
/* Waits for the next tick, or something to read from @fd (-1: nothing) before it. */
enum pace_event pace_wait(struct pace *pace, int fd);
void pace_set(struct pace *pace, uint64_t interval_ns);
/* The same from the last tick on; one that is over then comes at once. */
void pace_follow(struct pace *pace, uint64_t interval_ns);
/* Twice or half the interval, within reason. */
void pace_change(struct pace *pace, bool is_longer);

/* As 2026-11-30T21:05:30+00:00 (RFC 3339), in local time. */
void text_add_time(struct text *text, uint64_t realtime_ns);

/* bars.c: small pictures made of characters */

#define BAR_LEVELS 8

/* 0 for nothing, otherwise 1 to BAR_LEVELS. */
unsigned int bar_level(double value, double most);
void text_add_bar(struct text *text, unsigned int level);

/* history.c: how fast rows have counted of late */

struct history;

/* Of the last @length intervals. */
struct history *history_new(size_t length);
void history_free(struct history *history);
int history_add(struct history *history, const struct irqstat_delta *delta,
		const struct irqstat_snapshot *step);
/* How many intervals are known. */
size_t history_length(const struct history *history);
/* The rate @ago intervals ago, 0: in the last one. */
double history_rate(const struct history *history, unsigned int kind, uint32_t id, size_t ago);
/* The highest one, and how long ago it was; 0: none counted. */
double history_peak(const struct history *history, unsigned int kind, uint32_t id, size_t *ago);

/* complete.c: what could be typed next, for shells */

int complete(int n_words, char **words);

/* input.c: the file of --input, "-" is standard input */

struct irqstat *input_open(const char *path);
/* What messages call it. */
const char *input_name(const char *path);

/* feed.c: what a command looks at, one snapshot after the other */

struct feed {
	const struct options *options;
	struct irqstat *is;
	const char *name;	/* what messages call it */
	struct irqstat_differ *differ;
	struct irqstat_totals *running;
	const struct irqstat_descs *descs;
	const struct irqstat_snapshot *snap;	/* the last, as it was read */
	const struct irqstat_snapshot *total;	/* counted so far, of what is selected */
	const struct irqstat_delta *delta;	/* since the one before; NULL: there is none */
	const struct irqstat_snapshot *step;	/* increments, of what is selected */
	struct irqstat_snapshot *first;	/* a copy, if wanted */
	bool is_since_boot;	/* the first delta is from boot on */
	bool keeps_first;
	bool is_cut;		/* a capture that ended in the midst of something */
	char host[256];		/* this one; empty: not asked for yet */
	struct irqstat_burst *burst;	/* where snapshots come from; NULL: reading */
	uint64_t n_lost;	/* of a burst */
	int lost_errno;
};

int feed_open(struct feed *feed, const struct options *o);
/* The exit code: @code, but a capture that was cut short fails. */
int feed_close(struct feed *feed, int code);
bool feed_is_capture(const struct feed *feed);
/* Is the time of its snapshots since boot of the machine that they are of? A text does not tell. */
bool feed_knows_uptime(const struct feed *feed);
/* What it reads, from the beginning; NULL: it can't be. */
struct irqstat *feed_open_again(const struct feed *feed);
/* What its rows are: "interrupts" or "softirqs". */
const char *feed_rows(const struct feed *feed);
/* Whose counters they are. */
const char *feed_host(struct feed *feed);
/* Goes on to a new snapshot; *is_end when a capture has no more. */
int feed_read(struct feed *feed, bool *is_end);
/* Makes the delta that from the first snapshot to the last. */
int feed_sum_up(struct feed *feed);

/* view.c: the rows that are shown */

struct item {
	const struct irqstat_desc *desc;	/* NULL: not known */
	const struct irqstat_row *total;	/* NULL: nothing */
	const struct irqstat_row *step;		/* NULL: nothing */
	unsigned int kind;
	uint32_t id;
	size_t order;	/* in the text */
};

struct view {
	const struct feed *feed;
	const struct history *history;	/* NULL: there is none */
	uint64_t interval_ns;	/* of a burst; 0: it is none */
	unsigned int trend_width;	/* of pictures, in characters; 0: the usual one */
	unsigned int spread_width;
	bool hides_idle;	/* rows that did not count in the interval, if there is one */
	enum format format;
	struct item *items;
	size_t n_items;
	size_t cap;
};

int view_fill(struct view *view, const struct feed *feed);
void view_free(struct view *view);

/* why.c: why the module can't be used, in words */

/* What is the matter when its file gives this errno, and what to do about it. */
void why_reason(struct text *text, int err);
void why_advice(struct text *text, int err);
/* Why io_uring can't be used. */
const char *uring_reason(int err);
/* Who may read a file, as "0440 root:adm"; false: there is none. */
bool why_mode(struct text *text, const char *path);

/* columns.c: what is shown of a row */

#define COLUMN_RIGHT  0x1U	/* set to the right */
#define COLUMN_NUMBER 0x2U	/* a number in JSON */
#define COLUMN_LIST   0x4U	/* lines are the elements of an array in JSON */
#define COLUMN_BARS   0x8U	/* a picture */
#define COLUMN_BOOL   0x10U	/* yes or no, true or false in JSON */

struct column {
	const char *name;
	const char *help;
	unsigned int flags;
	/* Adds its text; false: not known. */
	bool (*put)(struct text *text, const struct view *view, const struct item *item);
	int (*compare)(const struct view *view, const struct item *a, const struct item *b);
};

#define COLUMNS_MAX 32

struct columns {
	const struct column *list[COLUMNS_MAX];
	size_t n;
};

extern const struct column columns_all[];
extern const size_t n_columns_all;

/* @names: as "IRQ,TOTAL", or "+CHIP" to add to @usual. */
int columns_parse(struct columns *columns, const char *names, const char *usual);
/* The column of this name, NULL: there is none. */
const struct column *column_find(const char *name);
/* Is there a column of this name that rows can be sorted by? */
int columns_check_sort(const char *name);
void columns_sort(struct view *view, const char *name);
void columns_help(void);

/* watch.c: rows that are looked at again and again */

struct watch {
	const struct options *options;
	struct feed feed;
	struct view view;
	struct columns columns;
	const char *sort;	/* name of a column */
	struct history *history;
	struct irqstat *ahead;	/* of a capture that is shown at its pace: one snapshot further */
	uint64_t speed;		/* of that, in thousandths */
	struct irqstat_adder *adders[2];
	const struct irqstat_sums *total;	/* by CPU */
	const struct irqstat_sums *step;	/* by CPU; NULL: no interval is over */
};

#define HISTORY_LENGTH 32

/* Remembers @history intervals. */
int watch_open(struct watch *watch, const struct options *o, const char *columns, const char *sort,
	       size_t history);
int watch_close(struct watch *watch, int code);
int watch_next(struct watch *watch, bool *is_end);
/* Fills its view again, as the view is to be now. */
int watch_fill(struct watch *watch);
/* The last one of a capture, the first one of anything else. */
int watch_last(struct watch *watch);
/* A capture is shown at the pace at which it was made: until its next snapshot is due. */
void watch_pace(struct watch *watch, struct pace *pace);
/* Slower or faster. */
void watch_change_pace(struct watch *watch, struct pace *pace, bool is_slower);
/* In words. */
void watch_tell_pace(const struct watch *watch, const struct pace *pace, struct text *text);

/* replace.c: files that are replaced as a whole */

struct replacement {
	const char *path;
	char *beside;	/* the name until then; NULL: written to as it is */
	FILE *file;
};

int replace_begin(struct replacement *r, const char *path);
int replace_end(struct replacement *r);
void replace_abandon(struct replacement *r);

/* out_table.c: tables for people and for programs */

struct table;

struct table *table_new(const char *name, const struct options *o);
void table_free(struct table *table);
void table_add_column(struct table *table, const char *name, unsigned int flags);
void table_add_row(struct table *table);
/* NULL: not known. */
void table_set(struct table *table, size_t column, const struct text *text);
void table_printf(struct table *table, size_t column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* All rows of a view. */
void table_add_view(struct table *table, const struct view *view, const struct columns *columns);
int table_print(struct table *table);
/* What table_print() would print, to be freed; NULL: it has said why not. */
char *table_to_string(struct table *table);

/* out_json.c: a document, on one line if it is one of several */

/* One that libsmartcols made, as it should be. */
void json_print(const char *json);

struct json {
	bool has_members;
};

void json_begin(struct json *json);
void json_end(struct json *json);
void json_string(struct json *json, const char *name, const char *bytes, size_t len);
/* A number, or whatever else @format gives. */
void json_value(struct json *json, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int json_table(struct json *json, struct table *table);

/* out_top.c: what top shows where there is no screen */

int top_print(struct watch *watch);

/* top_screen.c */

int top_screen(struct watch *watch);

#endif /* CMD_H */
