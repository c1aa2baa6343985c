/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* irqstat COMMAND: interrupts for people. What it can do is in the table here. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

#define COMMON	(OPT(INPUT) | OPT(SOFTIRQ) | OPT(SOURCE))
#define SELECT	(OPT(CPUS) | OPT(ROWS) | OPT(MATCH) | OPT(EXCLUDE))
#define WRITTEN (OPT(JSON) | OPT(PAIRS) | OPT(NO_HEADINGS))
#define LISTED	(OPT(ALL) | OPT(OUTPUT) | OPT(SORT) | OPT(THRESHOLD))

const struct command commands[] = {
	{
		.name = "list",
		.summary = "List interrupts and what they have counted",
		.operands = "",
		.options = COMMON | SELECT | WRITTEN | LISTED | OPT(DELAY),
		.has_columns = true,
		.run = cmd_list,
	},
	{
		.name = "top",
		.summary = "Show what is counting now",
		.operands = "",
		.options = COMMON | SELECT | LISTED | OPT(BATCH) | OPT(CPU_STAT) | OPT(DELAY) |
			   OPT(ITERATIONS) | OPT(JSON),
		.has_columns = true,
		.run = cmd_top,
	},
	{
		.name = "cpu",
		.summary = "Show what CPUs and NUMA nodes count",
		.operands = "[INTERVAL [COUNT]]",
		.max_operands = 2,
		.options = OPT(INPUT) | OPT(SOURCE) | SELECT | OPT(ALL) | OPT(DECIMALS) |
			   OPT(EVERYTHING) | OPT(FORMAT) | OPT(INTERRUPTS) | OPT(JSON) |
			   OPT(LINES) | OPT(NODES),
		.run = cmd_cpu,
	},
	{
		.name = "heat",
		.summary = "Show which rows count on which CPUs, as a map of colours",
		.operands = "",
		.options = COMMON | SELECT | OPT(ALL) | OPT(BATCH) | OPT(DELAY) | OPT(ITERATIONS) |
			   OPT(SCALE) | OPT(SORT) | OPT(SVG) | OPT(THRESHOLD),
		.run = cmd_heat,
	},
	{
		.name = "burst",
		.summary = "Look very often for a short time: at interrupt storms",
		.operands = "",
		.options = COMMON | SELECT | LISTED | OPT(DELAY) | OPT(FORCE) | OPT(ITERATIONS) |
			   OPT(JSON) | OPT(NO_URING) | OPT(WRITE),
		.has_columns = true,
		.run = cmd_burst,
	},
	{
		.name = "record",
		.summary = "Record counters into a file",
		.operands = "FILE",
		.max_operands = 1,
		.options = COMMON | OPT(APPEND) | OPT(DELAY) | OPT(FORCE) | OPT(ITERATIONS),
		.run = cmd_record,
	},
	{
		.name = "replay",
		.summary = "Show what was counting when a file was recorded",
		.operands = "FILE",
		.max_operands = 1,
		.options = SELECT | LISTED | OPT(BATCH) | OPT(CPU_STAT) | OPT(ITERATIONS) |
			   OPT(JSON) | OPT(SPEED),
		.has_columns = true,
		.run = cmd_replay,
	},
	{
		.name = "info",
		.summary = "Say where counters come from, and why not from the module",
		.operands = "",
		.options = COMMON | OPT(JSON) | OPT(PAIRS),
		.run = cmd_info,
	},
};
const size_t n_commands = sizeof(commands) / sizeof(*commands);

static int help(void)
{
	size_t i;

	puts("Usage: " PROGRAM " [COMMAND] [OPTION]...\n"
	     "Interrupts of this machine: counts, rates, pictures, recordings.\n");
	for (i = 0; i < n_commands; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].summary);
	puts("\nWithout a command it lists. '" PROGRAM " COMMAND --help' shows the options of one.");
	return output_end();
}

const struct command *command_find(const char *name)
{
	size_t i;

	for (i = 0; i < n_commands; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}

/* Or a recording could become standard output. Reading or writing there still fails with EBADF. */
static void fill_closed(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", modes[fd]);
	}
}

static int help_of(int n, char **names)
{
	const struct command *command;

	if (!n)
		return help();
	command = command_find(names[0]);
	if (!command)
		return misused(names[0], "no such command");
	if (n > 1)
		return misused(names[1], "unexpected argument");
	options_help(command);
	return output_end();
}

int main(int argc, char **argv)
{
	const struct command *command = &commands[0];
	struct options options;
	bool is_over;
	int code;

	fill_closed();
	/* A limit on the size of files ends as a full disk does. */
	signal(SIGXFSZ, SIG_IGN);
	setlocale(LC_CTYPE, "");
	setlocale(LC_COLLATE, "");
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return help();
	if (argc > 1 && !strcmp(argv[1], "help"))
		return help_of(argc - 2, argv + 2);
	if (argc > 1 && !strcmp(argv[1], "__complete"))
		return complete(argc - 2, argv + 2);
	if (argc > 1 && argv[1][0] != '-') {
		command = command_find(argv[1]);
		if (!command)
			return misused(argv[1], "no such command");
		complain_of(command);
		argc--;
		argv++;
	}
	code = options_parse(&options, command, argc, argv, &is_over);
	if (!code && !is_over)
		code = command->run(&options);
	options_free(&options);
	return code;
}
