/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "cmd.h"

static void (*make_room)(void);
static const char *command_name;

void complain_after(void (*leave)(void))
{
	make_room = leave;
}

void complain_of(const struct command *command)
{
	command_name = command->name;
}

/* Whatever object is, the message is one line. */
int complain(const char *object, const char *reason)
{
	struct text line = { 0 };

	if (make_room)
		make_room();
	text_add_visible(&line, object, strlen(object));
	text_add(&line, "", 1);
	fprintf(stderr, PROGRAM ": %s: %s\n", line.failed ? "?" : line.bytes, reason);
	text_free(&line);
	return EXIT_FAILURE;
}

int complain_errno(const char *object)
{
	return complain(object, reason_of(errno));
}

int misused(const char *object, const char *reason)
{
	complain(object, reason);
	fprintf(stderr, "Try '" PROGRAM "%s%s --help'.\n", command_name ? " " : "",
		command_name ? command_name : "");
	return EXIT_USAGE;
}

int out_of_memory(void)
{
	return complain("memory", strerror(ENOMEM));
}

/* A reader that has closed the pipe wants no message. */
int output_end(void)
{
	bool failed = ferror(stdout);

	if (!fflush(stdout) && !failed)
		return EXIT_SUCCESS;
	if (errno != EPIPE)
		complain_errno("standard output");
	return EXIT_FAILURE;
}
