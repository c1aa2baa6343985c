/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * irqstat __complete WORD...: what the last word could become, a candidate a line
 * and behind a tab what it is; "FILE" alone where the shell knows better. So the
 * shells' own files know nothing that could become untrue.
 */
#include <string.h>

#include "cmd.h"

static const struct option_spec *find_option(const struct command *command, const char *word)
{
	const char *name = word + 2;
	unsigned int id;

	for (id = 0; id < N_OPTIONS; id++) {
		const struct option_spec *spec = &option_specs[id];

		if (!command_takes(command, id))
			continue;
		if (!strncmp(word, "--", 2) ? !strcmp(spec->name, name) :
					      spec->letter && word[strlen(word) - 1] == spec->letter)
			return spec;
	}
	return NULL;
}

/* The option whose value the last word is; NULL: it is none. */
static const struct option_spec *option_before(const struct command *command, int n, char **words)
{
	const char *word = n > 1 ? words[n - 2] : "";
	const struct option_spec *spec;

	/* bash takes --name=value apart. */
	if (!strcmp(word, "=") && n > 2)
		word = words[n - 3];
	if (word[0] != '-' || !word[1])
		return NULL;
	spec = find_option(command, word);
	return spec && spec->value ? spec : NULL;
}

static void show_choices(const char *choices)
{
	for (; *choices; choices++)
		putchar(*choices == ' ' ? '\n' : *choices);
	putchar('\n');
}

/* What stands before the last of several in a list: as "IRQ," or "+". */
static int length_before(const char *word)
{
	const char *last = strrchr(word, ',');

	if (last)
		return (int)(last + 1 - word);
	return *word == '+';
}

static void show_columns(const char *word, bool is_sort)
{
	int before = is_sort ? 0 : length_before(word);
	size_t i;

	for (i = 0; i < n_columns_all; i++) {
		if (!is_sort || columns_all[i].compare)
			printf("%.*s%s\t%s\n", before, word, columns_all[i].name,
			       columns_all[i].help);
	}
}

static void show_options(const struct command *command)
{
	unsigned int id;

	for (id = 0; id < N_OPTIONS; id++) {
		if (command_takes(command, id))
			printf("--%s\t%s\n", option_specs[id].name, option_specs[id].help);
	}
}

static void show_value(const struct option_spec *spec, const char *word)
{
	if (spec->choices)
		show_choices(spec->choices);
	else if (!strcmp(spec->value, "FILE"))
		puts("FILE");
	else if (spec == &option_specs[OPT_OUTPUT] || spec == &option_specs[OPT_SORT])
		show_columns(word, spec == &option_specs[OPT_SORT]);
}

int complete(int n_words, char **words)
{
	const char *word = n_words ? words[n_words - 1] : "";
	const struct command *command = &commands[0], *named;
	const struct option_spec *spec;
	size_t i;

	named = n_words > 1 ? command_find(words[0]) : NULL;
	if (named)
		command = named;
	spec = option_before(command, n_words, words);
	if (spec)
		show_value(spec, !strcmp(word, "=") ? "" : word);
	else if (*word == '-')
		show_options(command);
	else if (n_words <= 1)
		for (i = 0; i < n_commands; i++)
			printf("%s\t%s\n", commands[i].name, commands[i].summary);
	else if (!strcmp(command->operands, "FILE"))
		puts("FILE");
	return output_end();
}
