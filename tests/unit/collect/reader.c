/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>

#include "reader.h"

static void *zalloc(size_t bytes)
{
	void *p = calloc(1, bytes);

	if (!p)
		abort();
	return p;
}

struct irqbin_row *row_new(struct line *line, u32 irq, u64 instance)
{
	struct irqbin_row *row = zalloc(irqbin_row_size(machine.nr_cpus));

	row->line.line = line;
	row->irq = irq;
	row->instance = instance;
	return row;
}

/* The buffers are exactly as large as the rows may need. */
void reader_init(struct reader *reader, unsigned int max_rows, bool verify)
{
	const size_t size = max_rows * irqbin_record_max(machine.nr_cpus);
	unsigned int i;

	*reader = (struct reader){ .max_rows = max_rows };
	for (i = 0; i < 2; i++) {
		reader->out[i].word = zalloc(size * sizeof(u64));
		reader->out[i].size = size;
	}
	reader->marks = zalloc(2 * max_rows * sizeof(struct irqbin_mark));
	if (verify)
		reader->cells = zalloc(machine.nr_cpus * sizeof(u32));
}

void reader_free(struct reader *reader)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		free(reader->out[i].word);
	free(reader->marks);
	free(reader->cells);
	*reader = (struct reader){ 0 };
}

static bool rows_are_marked(const struct reader *reader, struct irqbin_row *const *rows,
			    unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num && i < reader->n_marks; i++)
		if (reader->marks[i].irq != rows[i]->irq)
			return false;
	return num == reader->n_marks;
}

void reader_begin(struct reader *reader, struct irqbin_row *const *rows, unsigned int num,
		  u64 now_s)
{
	const unsigned int old = reader->shown;

	if (num > reader->max_rows)
		abort();
	reader->pass = (struct irqbin_pass){
		.nr_cpus = machine.nr_cpus,
		.instance_base = INSTANCE_BASE,
		.now_s = now_s,
		.out = &reader->out[!old],
		.marks = reader->marks,
		.old = reader->out[old].word,
		.old_marks = reader->marks,
		.cells = reader->cells,
	};
	if (!rows_are_marked(reader, rows, num))
		reader->pass.old_marks = memmove(reader->marks + reader->max_rows, reader->marks,
						 reader->n_marks * sizeof(*reader->marks));
	if (now_s - reader->taken_s < IRQBIN_PROOF_VALID_S)
		reader->pass.n_old_marks = reader->n_marks;
	reader->n_marks = 0;
	reader->taken_s = now_s;
	reader->shown = !old;
	reader->out[!old].used = 0;
	reader->out[!old].n_records = 0;
}

void reader_rows(struct reader *reader, struct irqbin_row *const *rows, unsigned int num)
{
	if (irqbin_rows_collect(&reader->pass, rows, num) != num)
		abort();
	reader->n_marks += num;
}

void reader_take(struct reader *reader, struct irqbin_row *const *rows, unsigned int num,
		 u64 now_s)
{
	reader_begin(reader, rows, num, now_s);
	reader_rows(reader, rows, num);
}

const struct irqbin_mark *reader_mark(const struct reader *reader, unsigned int i)
{
	return &reader->marks[i];
}

const u64 *reader_record(const struct reader *reader, unsigned int i)
{
	const struct irqbin_mark *mark = reader_mark(reader, i);

	return mark->words ? &reader->out[reader->shown].word[mark->at] : NULL;
}

struct irqbin_record record_header(const u64 *record)
{
	struct irqbin_record header;

	memcpy(&header, record, sizeof(header));
	return header;
}

static unsigned int record_skip(const u64 *record)
{
	return record_header(record).flags & IRQBIN_CNT_INSTANCE ? 1 : 0;
}

unsigned int record_num(const u64 *record)
{
	return record_header(record).n_words - record_skip(record);
}

struct irqbin_count record_count(const u64 *record, unsigned int i)
{
	struct irqbin_count count;

	memcpy(&count, &record[1 + record_skip(record) + i], sizeof(count));
	return count;
}

u32 reader_count(const struct reader *reader, unsigned int i, u32 cpu)
{
	const u64 *record = reader_record(reader, i);
	unsigned int n, num = record ? record_num(record) : 0;

	for (n = 0; n < num; n++)
		if (record_count(record, n).cpu == cpu)
			return record_count(record, n).count;
	return 0;
}
