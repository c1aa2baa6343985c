/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <stdlib.h>

#include <check.h>

#include "one.h"

struct one one;

void one_start(unsigned int nr_cpus, enum flow flow)
{
	machine_start(nr_cpus, 64);
	line_start(&one.line, flow, 0);
	one.row = row_new(&one.line, ONE_IRQ, INSTANCE_BASE);
	one.now_s = 100;
	reader_init(&one.reader, 1, false);
}

void one_stop(void)
{
	reader_free(&one.reader);
	free(one.row);
	machine_stop();
}

void one_take(void)
{
	reader_take(&one.reader, &one.row, 1, ++one.now_s);
}

void one_take_fresh(void)
{
	const bool verify = one.reader.cells;

	reader_free(&one.reader);
	reader_init(&one.reader, 1, verify);
	one_take();
}

void one_expect(const struct irqbin_count *counts, unsigned int num)
{
	const u64 *record = reader_record(&one.reader, 0);
	unsigned int i;

	if (!num) {
		ck_assert_ptr_null(record);
		ck_assert_uint_eq(one.reader.pass.out->used, 0);
		ck_assert_uint_eq(one.reader.pass.out->n_records, 0);
		return;
	}
	ck_assert_ptr_nonnull(record);
	ck_assert_uint_eq(record_header(record).type, IRQBIN_REC_IRQ);
	ck_assert_uint_eq(record_header(record).id, ONE_IRQ);
	ck_assert_uint_eq(one.reader.pass.out->n_records, 1);
	ck_assert_uint_eq(one.reader.pass.out->used, record_header(record).n_words + 1u);
	ck_assert_uint_eq(record_num(record), num);
	for (i = 0; i < num; i++) {
		ck_assert_uint_eq(record_count(record, i).cpu, counts[i].cpu);
		ck_assert_uint_eq(record_count(record, i).count, counts[i].count);
	}
}
