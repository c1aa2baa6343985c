/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * One table of all options; a command names those that it takes. A letter may
 * mean something else in another command, an id never does.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <strings.h>

#include "heat.h"
#include "parse.h"

/* What getopt_long() returns for an option; above all letters. */
#define FIRST_VALUE 0x100

const struct option_spec option_specs[N_OPTIONS] = {
	[OPT_ALL] = { 'a', "all", NULL, NULL, "also rows that /proc/interrupts does not show" },
	[OPT_APPEND] = { 'a', "append", NULL, NULL, "go on with a FILE that is there" },
	[OPT_BATCH] = { 'b', "batch", NULL, NULL, "write tables, don't draw on the screen" },
	[OPT_CPUS] = { 'C', "cpu-list", "LIST", NULL, "only counts of these CPUs, as 0-3,8" },
	[OPT_CPU_STAT] = { 'c', "cpu-stat", "WHEN", "auto never always", "the CPUs too: auto, never or always" },
	[OPT_DECIMALS] = { 0, "dec", "N", "0 1 2", "decimals of rates: 0, 1 or 2" },
	[OPT_DELAY] = { 'd', "delay", "TIME", NULL, "from one look to the next, as 0.5 or 100ms" },
	[OPT_EVERYTHING] = { 'A', "everything", NULL, NULL, "as -I ALL -P ALL -N ALL" },
	[OPT_EXCLUDE] = { 'x', "exclude", "REGEX", NULL, "no rows with such a name" },
	[OPT_FORCE] = { 'f', "force", NULL, NULL, "replace a FILE that is there" },
	[OPT_FORMAT] = { 'o', "format", "JSON", "JSON", "as --json" },
	[OPT_HELP] = { 'h', "help", NULL, NULL, "show this help" },
	[OPT_INPUT] = { 'i', "input", "FILE", NULL, "read FILE: text, stream or capture; - is stdin" },
	[OPT_INTERRUPTS] = { 'I', "interrupts", "LIST", "SUM CPU SCPU ALL", "SUM, CPU (each interrupt), SCPU (each softirq), ALL" },
	[OPT_ITERATIONS] = { 'n', "iter", "N", NULL, "stop after N intervals" },
	[OPT_JSON] = { 'J', "json", NULL, NULL, "write JSON" },
	[OPT_LINES] = { 'P', "cpus", "LIST", NULL, "a line for each of these CPUs, as 0,4-7,12-, or ALL" },
	[OPT_MATCH] = { 'm', "match", "REGEX", NULL, "only rows with such a name" },
	[OPT_NO_HEADINGS] = { 'n', "noheadings", NULL, NULL, "don't write headings" },
	[OPT_NODES] = { 'N', "nodes", "LIST", NULL, "a line for each of these NUMA nodes, or ALL" },
	[OPT_NO_URING] = { 0, "no-uring", NULL, NULL, "read by pread, not by io_uring" },
	[OPT_OUTPUT] = { 'o', "output", "LIST", NULL, "which columns; +LIST adds to the usual ones" },
	[OPT_PAIRS] = { 'P', "pairs", NULL, NULL, "write KEY=\"value\" pairs" },
	[OPT_ROWS] = { 'r', "rows", "LIST", NULL, "only these rows, as 24,30-35,LOC" },
	[OPT_SCALE] = { 'k', "scale", "SCALE", "log linear row", "of colours: log, linear or row (each row its own)" },
	[OPT_SOFTIRQ] = { 'S', "softirq", NULL, NULL, "softirqs instead of interrupts" },
	[OPT_SORT] = { 's', "sort", "COLUMN", NULL, "sort by COLUMN" },
	[OPT_SOURCE] = { 0, "source", "KIND", "auto module text", "auto, module or text" },
	[OPT_SPEED] = { 0, "speed", "N", NULL, "so many times as fast as it was, as 10 or 0.5" },
	[OPT_SVG] = { 'f', "svg", "FILE", NULL, "write a picture to FILE" },
	[OPT_THRESHOLD] = { 't', "threshold", "N", NULL, "only rows with a TOTAL of N (as 1.2K) or more" },
	[OPT_VERSION] = { 'V', "version", NULL, NULL, "show the version" },
	[OPT_WRITE] = { 'w', "write", "FILE", NULL, "record the snapshots into FILE, too" },
};

bool command_takes(const struct command *command, enum option_id id)
{
	return id == OPT_HELP || id == OPT_VERSION || (command->options & 1ULL << id);
}

/* What getopt_long() wants to know. */
struct grammar {
	char letters[1 + 3 * N_OPTIONS + 1];
	struct option longs[N_OPTIONS + 1];
	uint8_t id_of[FIRST_VALUE];
};

static void grammar_make(struct grammar *g, const struct command *command)
{
	struct option *option = g->longs;
	char *letter = g->letters;
	unsigned int id;

	*letter++ = ':';
	for (id = 0; id < N_OPTIONS; id++) {
		const struct option_spec *spec = &option_specs[id];

		if (!command_takes(command, id))
			continue;
		option->name = spec->name;
		option->has_arg = spec->value ? required_argument : no_argument;
		option->val = (int)(FIRST_VALUE + id);
		option++;
		if (!spec->letter)
			continue;
		g->id_of[(unsigned char)spec->letter] = (uint8_t)id;
		*letter++ = spec->letter;
		if (spec->value)
			*letter++ = ':';
	}
}

static int set_source(struct options *o, const char *value)
{
	if (!strcmp(value, "module"))
		o->source = IRQSTAT_SOURCE_MODULE;
	else if (!strcmp(value, "text"))
		o->source = IRQSTAT_SOURCE_TEXT;
	else if (strcmp(value, "auto"))
		return misused(value, "no such source");
	return EXIT_SUCCESS;
}

static int set_cpu_stat(struct options *o, const char *value)
{
	static const struct {
		const char *name;
		enum when when;
	} words[] = {
		{ "auto", WHEN_AUTO }, { "never", WHEN_NEVER }, { "always", WHEN_ALWAYS },
		/* irqtop's older words */
		{ "disable", WHEN_NEVER }, { "enable", WHEN_ALWAYS }, { "off", WHEN_NEVER },
		{ "on", WHEN_ALWAYS }, { "no", WHEN_NEVER }, { "yes", WHEN_ALWAYS },
		{ "0", WHEN_NEVER }, { "1", WHEN_ALWAYS },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(value, words[i].name))
			continue;
		o->cpu_stat = words[i].when;
		return EXIT_SUCCESS;
	}
	return misused(value, "not auto, never or always");
}

static int set_shows(struct options *o, const char *value)
{
	static const struct {
		const char *name;
		unsigned int shows;
	} words[] = {
		{ "SUM", SHOW_SUM },
		{ "CPU", SHOW_INTERRUPTS },
		{ "SCPU", SHOW_SOFTIRQS },
		{ "ALL", SHOW_SUM | SHOW_INTERRUPTS | SHOW_SOFTIRQS },
	};
	const char *p = value;
	size_t i, len;

	while (true) {
		len = strcspn(p, ",");
		for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
			if (strlen(words[i].name) == len && !strncasecmp(p, words[i].name, len))
				break;
		}
		if (i == sizeof(words) / sizeof(*words))
			return misused(value, "not SUM, CPU, SCPU or ALL");
		o->shows |= words[i].shows;
		if (!p[len])
			return EXIT_SUCCESS;
		p += len + 1;
	}
}

/* A list of CPUs or nodes, or ALL. */
static int set_lines(struct irqstat_select **select, const char *value, const char *what)
{
	if (!*select)
		*select = irqstat_select_new();
	if (!*select)
		return out_of_memory();
	if (!strcasecmp(value, "ALL") || !irqstat_select_cpus(*select, value))
		return EXIT_SUCCESS;
	return errno == EINVAL ? misused(value, what) : out_of_memory();
}

static int set_everything(struct options *o)
{
	int code = set_lines(&o->lines, "ALL", "");

	if (!code)
		code = set_lines(&o->nodes, "ALL", "");
	return code ? code : set_shows(o, "ALL");
}

static int set_decimals(struct options *o, const char *value)
{
	uint64_t n;

	if (parse_number(value, 0, 2, &n))
		return misused(value, "not 0, 1 or 2");
	o->decimals = (unsigned int)n;
	return EXIT_SUCCESS;
}

static int set_scale(struct options *o, const char *value)
{
	int scale;

	for (scale = 0; scale < N_HEAT_SCALES; scale++) {
		if (strcmp(value, heat_scale_name(scale)))
			continue;
		o->scale = scale;
		return EXIT_SUCCESS;
	}
	return misused(value, "not log, linear or row");
}

static int set_format(struct options *o, enum format format)
{
	if (o->format != FORMAT_TABLE && o->format != format)
		return misused("--json", "can't be used with --pairs");
	o->format = format;
	return EXIT_SUCCESS;
}

static int set_select(struct options *o, const char *value, const char *what,
		      int (*add)(struct irqstat_select *, const char *))
{
	size_t i;

	for (i = 0; i < 2; i++) {
		if (!add(o->select[i], value))
			continue;
		return errno == EINVAL ? misused(value, what) : out_of_memory();
	}
	return EXIT_SUCCESS;
}

static int set(struct options *o, enum option_id id, char *value)
{
	switch (id) {
	case OPT_ALL:
		o->is_all = true;
		break;
	case OPT_APPEND:
		o->is_append = true;
		break;
	case OPT_BATCH:
		o->is_batch = true;
		break;
	case OPT_CPUS:
		o->has_cpus = true;
		return set_select(o, value, "not a list of CPUs", irqstat_select_cpus);
	case OPT_CPU_STAT:
		return set_cpu_stat(o, value);
	case OPT_DECIMALS:
		return set_decimals(o, value);
	case OPT_DELAY:
		return parse_time(value, &o->delay_ns) ? misused(value, "not a time") :
							 EXIT_SUCCESS;
	case OPT_EVERYTHING:
		return set_everything(o);
	case OPT_EXCLUDE:
		return set_select(o, value, "not a regular expression", irqstat_select_exclude);
	case OPT_FORCE:
		o->is_forced = true;
		break;
	case OPT_FORMAT:
		return strcasecmp(value, "JSON") ? misused(value, "not JSON") :
						   set_format(o, FORMAT_JSON);
	case OPT_INPUT:
		o->input = value;
		break;
	case OPT_INTERRUPTS:
		return set_shows(o, value);
	case OPT_ITERATIONS:
		return parse_number(value, 1, UINT64_MAX, &o->iterations) ?
			       misused(value, "not a number above 0") :
			       EXIT_SUCCESS;
	case OPT_JSON:
		return set_format(o, FORMAT_JSON);
	case OPT_LINES:
		return set_lines(&o->lines, value, "not a list of CPUs");
	case OPT_MATCH:
		return set_select(o, value, "not a regular expression", irqstat_select_include);
	case OPT_NODES:
		return set_lines(&o->nodes, value, "not a list of nodes");
	case OPT_NO_HEADINGS:
		o->no_headings = true;
		break;
	case OPT_NO_URING:
		o->no_uring = true;
		break;
	case OPT_OUTPUT:
		o->output = value;
		break;
	case OPT_PAIRS:
		return set_format(o, FORMAT_PAIRS);
	case OPT_ROWS:
		return set_select(o, value, "not a list of rows", irqstat_select_rows);
	case OPT_SCALE:
		return set_scale(o, value);
	case OPT_SOFTIRQ:
		o->is_softirq = true;
		break;
	case OPT_SORT:
		o->sort = value;
		break;
	case OPT_SOURCE:
		return set_source(o, value);
	case OPT_SPEED:
		return parse_thousandths(value, &o->speed) ? misused(value, "not a number above 0") :
							     EXIT_SUCCESS;
	case OPT_SVG:
		o->svg = value;
		break;
	case OPT_WRITE:
		o->write = value;
		break;
	case OPT_THRESHOLD:
		return parse_count(value, &o->threshold) ? misused(value, "not a count") :
							   EXIT_SUCCESS;
	default:
		break;
	}
	return EXIT_SUCCESS;
}

/* What getopt_long() stopped at when it returned '?'. */
static int misused_option(const struct grammar *g, const char *last)
{
	char letter[] = { '-', (char)optopt, '\0' };

	if (optopt >= FIRST_VALUE || (optopt && g->id_of[(unsigned char)optopt]))
		return misused(last, "takes no value");
	return misused(optopt ? letter : last, "unknown option");
}

static int show_version(void)
{
	puts(PROGRAM " " IRQSTAT_VERSION);
	return output_end();
}

static int check(struct options *o)
{
	if (o->n_operands > o->command->max_operands)
		return misused(o->operands[o->command->max_operands], "unexpected argument");
	if (o->input && o->source)
		return misused("--source", "can't be used with --input");
	if (o->is_softirq && o->source == IRQSTAT_SOURCE_MODULE)
		return misused("--softirq", "the module has no softirqs");
	return EXIT_SUCCESS;
}

int options_parse(struct options *o, const struct command *command, int argc, char **argv,
		  bool *is_over)
{
	struct grammar g = { 0 };
	int opt, err;

	memset(o, 0, sizeof(*o));
	o->command = command;
	o->decimals = 2;
	o->select[0] = irqstat_select_new();
	o->select[1] = irqstat_select_new();
	if (!o->select[0] || !o->select[1])
		return out_of_memory();
	grammar_make(&g, command);
	*is_over = false;
	opterr = 0;
	while ((opt = getopt_long(argc, argv, g.letters, g.longs, NULL)) != -1) {
		enum option_id id;

		if (opt == ':')
			return misused(argv[optind - 1], "needs a value");
		if (opt == '?')
			return misused_option(&g, argv[optind - 1]);
		id = opt < FIRST_VALUE ? g.id_of[opt] : (unsigned int)(opt - FIRST_VALUE);
		*is_over = id == OPT_HELP || id == OPT_VERSION;
		if (id == OPT_HELP)
			options_help(command);
		if (*is_over)
			return id == OPT_HELP ? output_end() : show_version();
		err = set(o, id, optarg);
		if (err)
			return err;
	}
	o->operands = argv + optind;
	o->n_operands = argc - optind;
	return check(o);
}

void options_free(struct options *o)
{
	irqstat_select_free(o->select[0]);
	irqstat_select_free(o->select[1]);
	irqstat_select_free(o->lines);
	irqstat_select_free(o->nodes);
}

void options_help(const struct command *command)
{
	unsigned int id;

	printf("Usage: " PROGRAM " %s [OPTION]...%s%s\n%s.\n\n", command->name,
	       *command->operands ? " " : "", command->operands, command->summary);
	for (id = 0; id < N_OPTIONS; id++) {
		const struct option_spec *spec = &option_specs[id];
		char letter[] = { '-', spec->letter, ',', '\0' };
		char name[32];

		if (!command_takes(command, id))
			continue;
		snprintf(name, sizeof(name), "--%s%s%s", spec->name, spec->value ? " " : "",
			 spec->value ? spec->value : "");
		printf("  %3s %-18s %s\n", spec->letter ? letter : "", name, spec->help);
	}
	if (command->has_columns)
		columns_help();
	printf("\nSee " PROGRAM "(1).\n");
}
