/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Which source a handle gets, and why it did not get the module. */
#define _GNU_SOURCE

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../libirqstat/internal.h"
#include "fake.h"
#include "suite.h"

#define TEXT "           CPU0       \nLOC:          3   Local timer interrupts\n"

static char text_path[64], empty_path[64];
static int text_fd, empty_fd;

static int make_file(const char *content, char *path, size_t size)
{
	int fd = memfd_create("text", 0);

	ck_assert_int_eq(write(fd, content, strlen(content)), (ssize_t)strlen(content));
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

/* A module that works and a text, until a test says otherwise. */
static void setup(void)
{
	close(fake_open());
	text_fd = make_file(TEXT, text_path, sizeof(text_path));
	empty_fd = make_file("", empty_path, sizeof(empty_path));
	fake.module.file = FAKE_FILE;
	fake.text.file = text_path;
	fake.has_paths = true;
	fake_add(stream_rich_counters());
}

static void teardown(void)
{
	fake.has_paths = false;
	close(text_fd);
	close(empty_fd);
}

static void expect(struct irqstat *is, enum irqstat_source source, int error)
{
	ck_assert_ptr_nonnull(is);
	ck_assert_int_eq(irqstat_read(is), 0);
	ck_assert_int_eq(irqstat_source_get(is), source);
	ck_assert_int_eq(irqstat_source_errno(is), error);
	ck_assert_uint_eq(irqstat_snapshot_get(is)->source, source);
}

START_TEST(module_is_chosen)
{
	struct irqstat *is = irqstat_open(NULL);

	ck_assert_int_eq(irqstat_source_get(is), IRQSTAT_SOURCE_MODULE);
	expect(is, IRQSTAT_SOURCE_MODULE, 0);
	ck_assert_uint_eq(fake.n_calls, 1);
	irqstat_close(is);
}
END_TEST

static void expect_text_for(int error)
{
	struct irqstat *is;

	fake.module = (struct fake_path){ .error = error };
	is = irqstat_open(NULL);
	ck_assert_int_eq(irqstat_source_get(is), IRQSTAT_SOURCE_TEXT);
	ck_assert_int_eq(irqstat_source_errno(is), error);
	expect(is, IRQSTAT_SOURCE_TEXT, error);
	irqstat_close(is);
}

START_TEST(absent_module_is_text)
{
	expect_text_for(ENOENT);
}
END_TEST

START_TEST(forbidden_module_is_text)
{
	expect_text_for(EACCES);
	expect_text_for(EPERM);
}
END_TEST

static void expect_change_for(int error)
{
	struct irqstat *is = irqstat_open(NULL);

	ck_assert_int_eq(irqstat_source_get(is), IRQSTAT_SOURCE_MODULE);
	expect(is, IRQSTAT_SOURCE_TEXT, error);
	expect(is, IRQSTAT_SOURCE_TEXT, error);
	irqstat_close(is);
}

START_TEST(masked_module_is_text)
{
	fake.module.file = empty_path;
	expect_change_for(ENODATA);
}
END_TEST

START_TEST(malformed_module_is_text)
{
	fake.module.file = text_path;
	expect_change_for(EBADMSG);
}
END_TEST

START_TEST(newer_module_is_text)
{
	struct stream *s = stream_rich_counters();

	stream_head(s)->version_major++;
	fake.n_snapshots = 0;
	fake_add(s);
	expect_change_for(EPROTONOSUPPORT);
}
END_TEST

START_TEST(failing_module_is_text)
{
	fake.error = ENOMEM;
	expect_change_for(ENOMEM);
}
END_TEST

START_TEST(module_without_descriptors_is_text_before_any_read)
{
	struct irqstat *is = irqstat_open(NULL);
	const struct irqstat_descs *descs = irqstat_descs_get(is);

	ck_assert_ptr_nonnull(descs);
	ck_assert_str_eq(descs->descs[0].label.bytes, "LOC");
	expect(is, IRQSTAT_SOURCE_TEXT, ENODATA);
	irqstat_close(is);
}
END_TEST

START_TEST(neither_is_the_errno_of_the_text)
{
	fake.module = (struct fake_path){ .error = EACCES };
	fake.text = (struct fake_path){ .error = ENOENT };
	assert_errno(irqstat_open(NULL), NULL, ENOENT);
}
END_TEST

START_TEST(both_masked_is_no_data)
{
	struct irqstat *is;

	fake.module.file = empty_path;
	fake.text.file = empty_path;
	is = irqstat_open(NULL);
	ck_assert_ptr_nonnull(is);
	assert_errno(irqstat_read(is), -1, ENODATA);
	ck_assert_int_eq(irqstat_source_errno(is), ENODATA);
	irqstat_close(is);
}
END_TEST

START_TEST(text_that_went_is_tried_again)
{
	struct irqstat *is;

	fake.module.file = empty_path;
	fake.text = (struct fake_path){ .error = ENOENT };
	is = irqstat_open(NULL);
	assert_errno(irqstat_read(is), -1, ENOENT);
	ck_assert_int_eq(irqstat_fileno(is), -1);
	fake.text.file = text_path;
	expect(is, IRQSTAT_SOURCE_TEXT, ENODATA);
	irqstat_close(is);
}
END_TEST

START_TEST(unloaded_module_fails_once_then_is_text)
{
	struct irqstat *is = irqstat_open(NULL);
	const struct irqstat_snapshot *snap;

	expect(is, IRQSTAT_SOURCE_MODULE, 0);
	snap = irqstat_snapshot_get(is);
	fake.error = EIO;
	fake.module = (struct fake_path){ .error = ENOENT };
	assert_errno(irqstat_read(is), -1, EIO);
	ck_assert_ptr_eq(irqstat_snapshot_get(is), snap);
	ck_assert_int_eq(irqstat_fileno(is), -1);
	expect(is, IRQSTAT_SOURCE_TEXT, ENOENT);
	ck_assert_str_eq(irqstat_descs_get(is)->descs[0].label.bytes, "LOC");
	irqstat_close(is);
}
END_TEST

START_TEST(module_loaded_anew_is_read_again)
{
	struct irqstat *is = irqstat_open(NULL);

	expect(is, IRQSTAT_SOURCE_MODULE, 0);
	fake.error = EIO;
	assert_errno(irqstat_read(is), -1, EIO);
	fake.error = 0;
	expect(is, IRQSTAT_SOURCE_MODULE, 0);
	irqstat_close(is);
}
END_TEST

START_TEST(other_errors_of_the_module_do_not_change_it)
{
	struct irqstat *is = irqstat_open(NULL);

	expect(is, IRQSTAT_SOURCE_MODULE, 0);
	fake.error = ENOMEM;
	assert_errno(irqstat_read(is), -1, ENOMEM);
	fake.error = 0;
	expect(is, IRQSTAT_SOURCE_MODULE, 0);
	irqstat_close(is);
}
END_TEST

START_TEST(change_of_source_is_seen_in_the_serial)
{
	struct irqstat *is = irqstat_open(NULL);
	struct irqstat_io before, after;

	ck_assert_int_eq(irqstat_read_prepare(is, &before), 0);
	ck_assert_int_eq(irqstat_read_complete(is, 0, 0), 1);
	ck_assert_int_eq(irqstat_read_prepare(is, &after), 0);
	ck_assert_uint_ne(before.serial, after.serial);
	irqstat_close(is);
}
END_TEST

/* A source by name is that one and no other. */

START_TEST(named_module_is_never_text)
{
	struct irqstat *is = irqstat_open_source(IRQSTAT_SOURCE_MODULE, text_path);

	assert_errno(irqstat_read(is), -1, EBADMSG);
	irqstat_close(is);
	fake.module.file = empty_path;
	is = irqstat_open_source(IRQSTAT_SOURCE_MODULE, NULL);
	assert_errno(irqstat_read(is), -1, ENODATA);
	ck_assert_int_eq(irqstat_source_errno(is), 0);
	irqstat_close(is);
	fake.module = (struct fake_path){ .error = ENOENT };
	assert_errno(irqstat_open_source(IRQSTAT_SOURCE_MODULE, NULL), NULL, ENOENT);
}
END_TEST

START_TEST(named_text_is_never_the_module)
{
	struct irqstat *is = irqstat_open_source(IRQSTAT_SOURCE_TEXT, NULL);

	expect(is, IRQSTAT_SOURCE_TEXT, 0);
	irqstat_close(is);
	fake.text.file = FAKE_FILE;
	is = irqstat_open_source(IRQSTAT_SOURCE_TEXT, NULL);
	assert_errno(irqstat_read(is), -1, EBADMSG);
	irqstat_close(is);
}
END_TEST

START_TEST(source_without_path_or_of_no_kind)
{
	assert_errno(irqstat_open_source(IRQSTAT_SOURCE_CAPTURE, NULL), NULL, EINVAL);
	assert_errno(irqstat_open_source(0, text_path), NULL, EINVAL);
	assert_errno(irqstat_open_source(99, text_path), NULL, EINVAL);
}
END_TEST

START_TEST(path_is_whatever_it_holds)
{
	struct irqstat *is = irqstat_open(text_path);

	ck_assert_int_eq(irqstat_source_get(is), 0);
	expect(is, IRQSTAT_SOURCE_TEXT, 0);
	irqstat_close(is);
	is = irqstat_open(IRQSTAT_PATH);
	ck_assert_int_eq(irqstat_source_get(is), 0);
	expect(is, IRQSTAT_SOURCE_MODULE, 0);
	irqstat_close(is);
}
END_TEST

static Suite *choice_suite(void)
{
	const TTest *const chosen[] = {
		module_is_chosen,
		absent_module_is_text,
		forbidden_module_is_text,
		masked_module_is_text,
		malformed_module_is_text,
		newer_module_is_text,
		failing_module_is_text,
		module_without_descriptors_is_text_before_any_read,
		neither_is_the_errno_of_the_text,
		both_masked_is_no_data,
		text_that_went_is_tried_again,
		unloaded_module_fails_once_then_is_text,
		module_loaded_anew_is_read_again,
		other_errors_of_the_module_do_not_change_it,
		change_of_source_is_seen_in_the_serial,
		NULL
	};
	const TTest *const named[] = {
		named_module_is_never_text,
		named_text_is_never_the_module,
		source_without_path_or_of_no_kind,
		path_is_whatever_it_holds,
		NULL
	};
	Suite *suite = suite_create("choice");

	suite_add_with(suite, "chosen", chosen, setup, teardown);
	suite_add_with(suite, "named", named, setup, teardown);
	return suite;
}

UNIT_SUITE(choice_suite);
