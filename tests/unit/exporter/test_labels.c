/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include "labels.h"
#include "suite.h"

START_TEST(labels_are_of_all_that_came_at_the_same_time)
{
	struct irqstat_desc descs[] = {
		{ .kind = IRQSTAT_IRQ, .id = 5 }, { .kind = IRQSTAT_IRQ, .id = 6 }
	};
	struct irqstat_descs all = { .generation = 1, .time_ns = 1,
				     .n_descs = 1, .n_irqs = 1, .descs = descs };
	struct labels labels = { .style = labels_of_row };

	ck_assert(!labels_make(&labels, &all));
	all.n_descs = all.n_irqs = 2;
	ck_assert(!labels_make(&labels, &all));
	ck_assert_uint_eq(labels.sets[1].len, strlen("irq=\"6\""));
	ck_assert_mem_eq(labels_at(&labels, &labels.sets[1]), "irq=\"6\"",
			 labels.sets[1].len);
	labels_free(&labels);
}
END_TEST

static Suite *labels_suite(void)
{
	const TTest *const tests[] = {
		labels_are_of_all_that_came_at_the_same_time,
		NULL
	};
	Suite *suite = suite_create("labels");

	suite_add(suite, "labels", tests);
	return suite;
}
UNIT_SUITE(labels_suite);
