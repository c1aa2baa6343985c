/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * text-bracket BEFORE OURS AFTER: whether the text OURS could have come between
 * the kernel's BEFORE and AFTER: the same in every byte that is no count, each
 * count set as a count is and no less than before and no more than after.
 *
 * Exit: 0 yes; 1 no, and why; 2 it can't be told, BEFORE and AFTER have other rows.
 *
 * text-bracket NAME: reports check NAME, of what irqstat-text --verbose says now. It
 * must say nothing else.
 */
#define _GNU_SOURCE
#include "text.h"

#define COMMAND	"irqstat-text --verbose 2>&1"
#define TRIES	20

static struct text before, ours, after;

static const char *same_bytes(const char *what, const struct text_row *row, const char *a,
			      size_t a_len, const char *b, size_t b_len)
{
	if (a_len == b_len && !memcmp(a, b, a_len))
		return NULL;
	return why("%s of row %.*s: \"%.*s\" instead of \"%.*s\"", what, (int)row->label_len,
		   row->label, (int)b_len, b, (int)a_len, a);
}

static const char *row_compare(const struct text_row *b, const struct text_row *o,
			       const struct text_row *a)
{
	const char *wrong = same_bytes("label", b, b->label, b->label_len, o->label, o->label_len);
	unsigned int i;

	if (!wrong)
		wrong = same_bytes("tail", b, b->tail, b->tail_len, o->tail, o->tail_len);
	if (!wrong && b->n_cells != o->n_cells)
		wrong = why("row %.*s: %u counts instead of %u", (int)b->label_len, b->label,
			    o->n_cells, b->n_cells);
	for (i = 0; !wrong && i < b->n_cells; i++) {
		const uint32_t low = text_count(b, i), count = text_count(o, i);

		if (count - low > text_count(a, i) - low)
			wrong = why("row %.*s, cell %u: %u before, %u in ours, %u after",
				    (int)b->label_len, b->label, i, low, count, text_count(a, i));
	}
	return wrong;
}

/* BEFORE and AFTER are the same but for their counts. */
static bool is_stable(void)
{
	size_t i;

	if (before.header_len != after.header_len || before.n_rows != after.n_rows ||
	    memcmp(before.buf, after.buf, before.header_len))
		return false;
	for (i = 0; i < before.n_rows; i++) {
		const struct text_row *b = &before.row[i], *a = &after.row[i];

		if (same_bytes("label", b, b->label, b->label_len, a->label, a->label_len) ||
		    same_bytes("tail", b, b->tail, b->tail_len, a->tail, a->tail_len))
			return false;
	}
	return true;
}

static const char *compare(void)
{
	const char *wrong = NULL;
	size_t i;

	if (ours.header_len != before.header_len ||
	    memcmp(ours.buf, before.buf, before.header_len))
		return "the header row differs";
	for (i = 0; !wrong && i < before.n_rows && i < ours.n_rows; i++)
		wrong = row_compare(&before.row[i], &ours.row[i], &after.row[i]);
	if (!wrong && before.n_rows != ours.n_rows)
		wrong = why("%zu rows instead of %zu", ours.n_rows, before.n_rows);
	return wrong;
}

static const char *ours_make(void)
{
	FILE *pipe = popen(COMMAND, "re");
	const char *wrong = pipe ? text_read_fd(fileno(pipe), &ours) : why_errno(COMMAND);

	if (pipe && pclose(pipe) && !wrong)
		wrong = COMMAND " failed";
	if (wrong && ours.buf)
		wrong = why("%s: %.*s", wrong, (int)strcspn(ours.buf, "\n"), ours.buf);
	return wrong;
}

static const char *compare_live(void)
{
	const char *wrong;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		wrong = text_read(TEXT_PATH, &before);
		if (!wrong)
			wrong = ours_make();
		if (!wrong)
			wrong = text_read(TEXT_PATH, &after);
		if (wrong || is_stable())
			return wrong ? wrong : compare();
		usleep(100000);
	}
	return "the text never stands still";
}

int main(int argc, char **argv)
{
	const char *wrong;

	if (argc == 2)
		return report(argv[1], compare_live());
	if (argc != 4)
		return 2;
	wrong = text_read(argv[1], &before);
	if (!wrong)
		wrong = text_read(argv[2], &ours);
	if (!wrong)
		wrong = text_read(argv[3], &after);
	if (!wrong && !is_stable())
		return 2;
	if (!wrong)
		wrong = compare();
	if (wrong)
		puts(wrong);
	return !!wrong;
}
