/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The descriptor window: what it gives, and each reason to refuse it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../libirqstat/internal.h"
#include "stream.h"
#include "suite.h"

static struct descs descs;

static int decode(const struct stream *s)
{
	void *copy = stream_copy(s, stream_len(s));
	int ret = decode_descs(copy, stream_len(s), &descs);

	free(copy);
	return ret;
}

static void refuse(const struct stream *s, int error)
{
	const struct descs before = descs;

	assert_errno(decode(s), -1, error);
	ck_assert_mem_eq(&descs, &before, sizeof(descs));
}

static void assert_string(const struct irqstat_string *s, const char *bytes)
{
	ck_assert_ptr_nonnull(s->bytes);
	ck_assert_uint_eq(s->len, strlen(bytes));
	ck_assert_str_eq(s->bytes, bytes);
}

static const struct irqbin_layout layout = { 3, 8, 2, 4, 1, 0 };

/* LAYOUT, IRQ_DESC 1 and 24, X86_DESC PIN, LOC, ERR, END. */
static struct stream *plain(void)
{
	struct stream *s = stream_descs();

	stream_layout(s, layout);
	stream_irq_desc(s, 1, (struct irqbin_irq_desc){
			.hwirq = 0x100000001U, .trigger = IRQBIN_TRIGGER_HIGH,
			.instance = 9,
			.flags = IRQBIN_DESC_SHOWN | IRQBIN_DESC_HWIRQ },
			STRINGS("IO-APIC", "edge", "i8042", "other name"));
	stream_irq_desc(s, 24, (struct irqbin_irq_desc){ 0 },
			STRINGS("", NULL, NULL));
	stream_x86_desc(s, IRQBIN_X86_PIN, IRQBIN_DESC_SHOWN, "PIN", " p");
	stream_x86_desc(s, IRQBIN_X86_LOC, IRQBIN_DESC_SHOWN_COUNTED, "LOC",
			"   Local timer interrupts");
	stream_x86_desc(s, IRQBIN_X86_ERR, IRQBIN_DESC_SINGLE, "ERR", "");
	stream_end(s);
	return s;
}

START_TEST(header_fields_reach_the_table)
{
	ck_assert_int_eq(decode(plain()), 0);
	ck_assert_uint_eq(descs.pub.generation, 3);
	ck_assert_uint_eq(descs.pub.time_ns, 1000000007);
	ck_assert_uint_eq(descs.pub.n_descs, 5);
	ck_assert_uint_eq(descs.pub.n_irqs, 2);
}
END_TEST

START_TEST(layout_is_given)
{
	ck_assert_int_eq(decode(plain()), 0);
	ck_assert_ptr_nonnull(descs.pub.layout);
	ck_assert_uint_eq(descs.pub.layout->irq_width, 3);
	ck_assert_uint_eq(descs.pub.layout->chip_width, 8);
	ck_assert_uint_eq(descs.pub.layout->chip_gap, 2);
	ck_assert_uint_eq(descs.pub.layout->no_hwirq_blanks, 4);
	ck_assert_uint_eq(descs.pub.layout->flags, IRQSTAT_LAYOUT_CHIP_RIGHT);
}
END_TEST

START_TEST(layout_unknown_is_null)
{
	struct stream *s = plain();

	stream_head(s)->flags |= IRQBIN_F_LAYOUT_UNKNOWN;
	ck_assert_int_eq(decode(s), 0);
	ck_assert_ptr_null(descs.pub.layout);
}
END_TEST

START_TEST(irq_is_described)
{
	const struct irqstat_desc *d;

	ck_assert_int_eq(decode(plain()), 0);
	d = &descs.pub.descs[0];
	ck_assert_uint_eq(d->kind, IRQSTAT_IRQ);
	ck_assert_uint_eq(d->id, 1);
	ck_assert_uint_eq(d->instance, 9);
	ck_assert_uint_eq(d->hwirq, 0x100000001U);
	ck_assert_uint_eq(d->trigger, IRQSTAT_TRIGGER_HIGH);
	ck_assert_uint_eq(d->flags, IRQSTAT_DESC_SHOWN | IRQSTAT_DESC_HWIRQ);
	assert_string(&d->chip, "IO-APIC");
	assert_string(&d->flow, "edge");
	ck_assert_uint_eq(d->n_actions, 2);
	assert_string(&d->actions[0], "i8042");
	assert_string(&d->actions[1], "other name");
	ck_assert_ptr_null(d->label.bytes);
}
END_TEST

START_TEST(missing_string_is_not_the_empty_one)
{
	const struct irqstat_desc *d;

	ck_assert_int_eq(decode(plain()), 0);
	d = &descs.pub.descs[1];
	assert_string(&d->chip, "");
	ck_assert_ptr_null(d->flow.bytes);
	ck_assert_uint_eq(d->flow.len, 0);
	ck_assert_uint_eq(d->n_actions, 1);
	ck_assert_ptr_null(d->actions[0].bytes);
}
END_TEST

START_TEST(counters_keep_the_order_of_the_text)
{
	ck_assert_int_eq(decode(plain()), 0);
	ck_assert_uint_eq(descs.pub.descs[2].id, IRQSTAT_X86_PIN);
	ck_assert_uint_eq(descs.pub.descs[3].id, IRQSTAT_X86_LOC);
	ck_assert_uint_eq(descs.pub.descs[4].id, IRQSTAT_X86_ERR);
	assert_string(&descs.pub.descs[3].label, "LOC");
	assert_string(&descs.pub.descs[3].text, "   Local timer interrupts");
	assert_string(&descs.pub.descs[4].text, "");
	ck_assert_uint_eq(descs.pub.descs[4].flags, IRQSTAT_DESC_SINGLE);
}
END_TEST

START_TEST(strings_of_any_bytes_are_kept)
{
	const unsigned char bytes[16] = { 0, 255, 192, 28, 10, 34, 92, 128,
					  1, 2, 3, 4, 0, 0, 9, 0 };
	struct stream *s = stream_descs();
	const struct irqstat_string *name;
	struct irqbin_record *rec;

	stream_layout(s, layout);
	stream_irq_desc(s, 1, (struct irqbin_irq_desc){ 0 },
			STRINGS("chip", "edge", "0123456789abcdef"));
	rec = stream_record(s, 1);
	memcpy((char *)(rec + 1) + sizeof(struct irqbin_irq_desc) + 6 + 8,
	       bytes, sizeof(bytes));
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	name = &descs.pub.descs[0].actions[0];
	ck_assert_uint_eq(name->len, sizeof(bytes));
	ck_assert_mem_eq(name->bytes, bytes, sizeof(bytes));
	ck_assert_int_eq(name->bytes[sizeof(bytes)], 0);
}
END_TEST

START_TEST(find_gives_each_and_no_other)
{
	size_t i;

	ck_assert_int_eq(decode(plain()), 0);
	for (i = 0; i < descs.pub.n_descs; i++) {
		const struct irqstat_desc *d = &descs.pub.descs[i];

		ck_assert_ptr_eq(irqstat_descs_find(&descs.pub, d->kind, d->id),
				 d);
	}
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, IRQSTAT_IRQ, 0));
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, IRQSTAT_IRQ, 2));
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, IRQSTAT_IRQ, 25));
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, IRQSTAT_X86, 1));
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, IRQSTAT_X86, 20));
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, IRQSTAT_X86, 24));
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, 0, 1));
	ck_assert_ptr_null(irqstat_descs_find(&descs.pub, 3, 1));
}
END_TEST

START_TEST(row_of_another_instance_has_no_descriptor)
{
	struct irqstat_row row = { .kind = IRQSTAT_IRQ, .id = 1, .instance = 9 };

	ck_assert_int_eq(decode(plain()), 0);
	ck_assert_ptr_eq(irqstat_descs_row(&descs.pub, &row),
			 &descs.pub.descs[0]);
	row.instance = 10;
	ck_assert_ptr_null(irqstat_descs_row(&descs.pub, &row));
}
END_TEST

START_TEST(row_of_counter_needs_no_instance)
{
	struct irqstat_row row = { .kind = IRQSTAT_X86, .id = IRQSTAT_X86_LOC,
				   .instance = 100 };

	ck_assert_int_eq(decode(plain()), 0);
	ck_assert_ptr_eq(irqstat_descs_row(&descs.pub, &row),
			 &descs.pub.descs[3]);
}
END_TEST

/* What a newer minor version may add. */

START_TEST(unknown_records_are_skipped_anywhere)
{
	struct stream *s = stream_descs();

	stream_add(s, 99, 0, 0, 1);
	stream_layout(s, layout);
	stream_add(s, 15, 0, 0, 0);
	stream_irq_desc(s, 1, (struct irqbin_irq_desc){ 0 },
			STRINGS("c", "f"));
	stream_add(s, 19, 0xff, 0, 2);
	stream_add(s, 0, 0, 0, 1);
	stream_add(s, 5, 0, 0, 1);
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(descs.pub.n_descs, 1);
}
END_TEST

START_TEST(longer_layout_is_accepted)
{
	struct stream *s = stream_descs();

	memcpy(stream_add(s, IRQBIN_REC_LAYOUT, 0, 0, 4), &layout,
	       sizeof(layout));
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(descs.pub.layout->irq_width, 3);
}
END_TEST

START_TEST(words_behind_strings_are_accepted)
{
	const struct irqbin_x86_desc desc = { 1, 2 };
	struct stream *s = stream_descs();

	stream_layout(s, layout);
	memcpy(stream_add(s, IRQBIN_REC_X86_DESC, 0, 1, 5), &desc,
	       sizeof(desc));
	stream_end(s);
	ck_assert_int_eq(decode(s), 0);
	assert_string(&descs.pub.descs[0].label, "");
}
END_TEST

START_TEST(unknown_flags_are_passed_on)
{
	struct stream *s = plain();

	((struct irqbin_layout *)(stream_record(s, 0) + 1))->flags = ~0U;
	((struct irqbin_irq_desc *)(stream_record(s, 1) + 1))->flags = ~0U;
	((struct irqbin_x86_desc *)(stream_record(s, 3) + 1))->flags = ~0U;
	ck_assert_int_eq(decode(s), 0);
	ck_assert_uint_eq(descs.pub.layout->flags, ~0U);
	ck_assert_uint_eq(descs.pub.descs[0].flags, ~0U);
	ck_assert_uint_eq(descs.pub.descs[2].flags, ~0U);
}
END_TEST

/* One reason to refuse each: what is valid in s is made not to be. */

#define REFUSED(name, error, breakage)					\
	START_TEST(name)						\
	{								\
		struct stream *s = plain();				\
									\
		breakage;						\
		refuse(s, error);					\
	}								\
	END_TEST

#define MALFORMED(name, breakage) REFUSED(name, EBADMSG, breakage)

/* As above, of a stream not yet ended. */
#define MALFORMED_RECORDS(name, additions)				\
	START_TEST(name)						\
	{								\
		const struct irqbin_irq_desc irq = { 0 };		\
		struct stream *s = stream_descs();			\
									\
		(void)irq;						\
		stream_layout(s, layout);				\
		additions;						\
		stream_end(s);						\
		refuse(s, EBADMSG);					\
	}								\
	END_TEST

static struct irqbin_irq_desc *irq_of(struct stream *s)
{
	return (struct irqbin_irq_desc *)(stream_record(s, 1) + 1);
}

static uint16_t *lens_of(struct stream *s)
{
	return (uint16_t *)(irq_of(s) + 1);
}

MALFORMED(magic_wrong, stream_head(s)->magic ^= 1)
REFUSED(magic_swapped, EPROTONOSUPPORT,
	stream_head(s)->magic = __builtin_bswap32(IRQBIN_MAGIC))
REFUSED(major_newer, EPROTONOSUPPORT, stream_head(s)->version_major = 2)
MALFORMED(window_other, stream_head(s)->window = IRQBIN_WINDOW_COUNTERS)
MALFORMED(window_bytes_less_than_records, stream_head(s)->window_bytes -= 8)
MALFORMED(window_bytes_more_than_records, stream_head(s)->window_bytes += 8)
MALFORMED(n_records_one_less, stream_head(s)->n_records--)
MALFORMED(n_records_one_more, stream_head(s)->n_records++)
MALFORMED(record_beyond_window, stream_record(s, 6)->n_words = 2)
MALFORMED(end_of_other_sequence, stream_head(s)->sequence++)
MALFORMED(layout_with_id, stream_record(s, 0)->id = 1)
MALFORMED(strings_fewer_than_two, irq_of(s)->n_strings = 1)
MALFORMED(strings_none, irq_of(s)->n_strings = 0)
MALFORMED(strings_more_than_fit, irq_of(s)->n_strings = 1000)
MALFORMED(strings_enormous, irq_of(s)->n_strings = UINT32_MAX)
MALFORMED(string_longer_than_payload, lens_of(s)[3] = 1000)
MALFORMED(string_one_byte_too_long, lens_of(s)[3] += 7)
MALFORMED(string_longest, lens_of(s)[0] = 0xfffe)
MALFORMED(irq_twice, stream_record(s, 2)->id = 1)
MALFORMED(irqs_falling, stream_record(s, 2)->id = 0)
MALFORMED(counter_twice, stream_record(s, 5)->id = IRQBIN_X86_PIN)

MALFORMED_RECORDS(layout_twice, stream_layout(s, layout))
MALFORMED_RECORDS(layout_behind_irq,
		  stream_irq_desc(s, 1, irq, STRINGS("a", "b"));
		  stream_layout(s, layout))
MALFORMED_RECORDS(irq_behind_counter, stream_x86_desc(s, 1, 0, "a", "b");
		  stream_irq_desc(s, 1, irq, STRINGS("a", "b")))
MALFORMED_RECORDS(irq_shorter_than_fixed_part,
		  stream_add(s, IRQBIN_REC_IRQ_DESC, 0, 1, 3);
		  stream_add(s, 99, 0, 2, 2))
MALFORMED_RECORDS(irq_without_strings,
		  stream_add(s, IRQBIN_REC_IRQ_DESC, 0, 1, 4)[3] = 2)
MALFORMED_RECORDS(x86_empty, stream_add(s, IRQBIN_REC_X86_DESC, 0, 1, 0))
MALFORMED_RECORDS(x86_without_strings,
		  stream_add(s, IRQBIN_REC_X86_DESC, 0, 1, 1)[0] = 2ULL << 32)
MALFORMED_RECORDS(online_among_descriptors,
		  stream_add(s, IRQBIN_REC_ONLINE, 0, 0, 1))
MALFORMED_RECORDS(irq_among_descriptors,
		  stream_irq(s, 1, CELLS({ 0, 1 })))
MALFORMED_RECORDS(x86_among_descriptors,
		  stream_x86(s, 1, 0, CELLS({ 0, 1 })))
MALFORMED_RECORDS(end_twice, stream_add(s, IRQBIN_REC_END, 0, 0, 1)[0] = 7)

START_TEST(layout_missing)
{
	struct stream *s = stream_descs();

	stream_end(s);
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(layout_missing_and_unknown)
{
	struct stream *s = stream_descs();

	stream_head(s)->flags |= IRQBIN_F_LAYOUT_UNKNOWN;
	stream_end(s);
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(layout_too_short)
{
	struct stream *s = stream_descs();

	stream_add(s, IRQBIN_REC_LAYOUT, 0, 0, 1);
	stream_end(s);
	refuse(s, EBADMSG);
}
END_TEST

START_TEST(end_missing)
{
	struct stream *s = stream_descs();

	stream_layout(s, layout);
	stream_close(s);
	refuse(s, EBADMSG);
}
END_TEST

static Suite *decode_desc_suite(void)
{
	const TTest *const tests[] = {
		header_fields_reach_the_table,
		layout_is_given,
		layout_unknown_is_null,
		irq_is_described,
		missing_string_is_not_the_empty_one,
		counters_keep_the_order_of_the_text,
		strings_of_any_bytes_are_kept,
		find_gives_each_and_no_other,
		row_of_another_instance_has_no_descriptor,
		row_of_counter_needs_no_instance,
		unknown_records_are_skipped_anywhere,
		longer_layout_is_accepted,
		words_behind_strings_are_accepted,
		unknown_flags_are_passed_on,
		magic_wrong,
		magic_swapped,
		major_newer,
		window_other,
		window_bytes_less_than_records,
		window_bytes_more_than_records,
		n_records_one_less,
		n_records_one_more,
		record_beyond_window,
		end_of_other_sequence,
		layout_with_id,
		layout_missing_and_unknown,
		strings_fewer_than_two,
		strings_none,
		strings_more_than_fit,
		strings_enormous,
		string_longer_than_payload,
		string_one_byte_too_long,
		string_longest,
		irq_twice,
		irqs_falling,
		counter_twice,
		layout_twice,
		layout_behind_irq,
		irq_behind_counter,
		irq_shorter_than_fixed_part,
		irq_without_strings,
		x86_empty,
		x86_without_strings,
		online_among_descriptors,
		irq_among_descriptors,
		x86_among_descriptors,
		end_twice,
		layout_missing,
		layout_too_short,
		end_missing,
		NULL
	};
	Suite *suite = suite_create("decode_desc");

	suite_add(suite, "descriptors", tests);
	return suite;
}

UNIT_SUITE(decode_desc_suite);
