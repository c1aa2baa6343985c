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
		reader->marks[i] = zalloc(max_rows * sizeof(struct irqbin_mark));
	}
	if (verify)
		reader->cells = zalloc(machine.nr_cpus * sizeof(u32));
}

void reader_free(struct reader *reader)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		free(reader->out[i].word);
		free(reader->marks[i]);
	}
	free(reader->cells);
	*reader = (struct reader){ 0 };
}

void reader_begin(struct reader *reader, u64 now_s)
{
	unsigned int old = reader->shown;

	if (now_s - reader->taken_s >= IRQBIN_PROOF_VALID_S)
		reader->n_marks[old] = 0;
	reader->taken_s = now_s;
	reader->shown = !old;
	reader->n_marks[!old] = 0;
	reader->out[!old].used = 0;
	reader->out[!old].n_records = 0;
	reader->pass = (struct irqbin_pass){
		.nr_cpus = machine.nr_cpus,
		.instance_base = INSTANCE_BASE,
		.now_s = now_s,
		.out = &reader->out[!old],
		.marks = reader->marks[!old],
		.old = reader->out[old].word,
		.old_marks = reader->marks[old],
		.n_old_marks = reader->n_marks[old],
		.cells = reader->cells,
	};
}

void reader_row(struct reader *reader, struct irqbin_row *row)
{
	if (reader->n_marks[reader->shown]++ == reader->max_rows ||
	    irqbin_rows_collect(&reader->pass, &row, 1) != 1)
		abort();
}

void reader_take(struct reader *reader, struct irqbin_row *const *rows, unsigned int num,
		 u64 now_s)
{
	unsigned int i;

	reader_begin(reader, now_s);
	for (i = 0; i < num; i++)
		reader_row(reader, rows[i]);
}

const struct irqbin_mark *reader_mark(const struct reader *reader, unsigned int i)
{
	return &reader->marks[reader->shown][i];
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
