/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The texts in tests/data: of kernels from 3.2 to 7.3 and of the architectures
 * that set theirs differently. Beside each is, in the form of render.h, what it
 * says. A test that fails leaves what it got in build/.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coherent.h"
#include "reference.h"
#include "render.h"
#include "suite.h"

static char *load(const char *path, size_t *len)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 65536);

	ck_assert_msg(file && text, "%s", path);
	*len = fread(text, 1, 65535, file);
	fclose(file);
	return text;
}

static void save(const char *got, const char *name)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "build/%s.got", name);
	file = fopen(path, "w");
	if (file) {
		fputs(got, file);
		fclose(file);
	}
}

static void check_reference(const char *text, size_t len, const struct irqstat_snapshot *snap,
			    const struct irqstat_descs *descs)
{
	struct reference want = reference_of_text(text, len);
	struct reference got = reference_of_snapshot(snap, descs);

	ck_assert_int_eq(want.error, 0);
	ck_assert_int_eq(got.error, 0);
	ck_assert_uint_eq(got.n_entries, want.n_entries);
	ck_assert_uint_eq(got.sum, want.sum);
}

static void check_file(const char *path)
{
	struct irqstat *is = irqstat_open(path);
	const struct irqstat_descs *descs;
	const struct irqstat_snapshot *snap;
	char want_path[256], *text, *want;
	const char *name = strrchr(path, '/') + 1, *got;
	size_t len, want_len;

	ck_assert_ptr_nonnull(is);
	ck_assert_msg(irqstat_read(is) == 0, "%s", path);
	snap = irqstat_snapshot_get(is);
	descs = irqstat_descs_get(is);
	ck_assert_ptr_null(snapshot_fault(snap));
	ck_assert_ptr_null(descs_fault(descs));
	snprintf(want_path, sizeof(want_path), "%.*s.want", (int)strlen(path) - 4, path);
	text = load(path, &len);
	want = load(want_path, &want_len);
	check_reference(text, len, snap, descs);
	got = render(snap, descs);
	if (strcmp(got, want))
		save(got, name);
	ck_assert_msg(!strcmp(got, want), "%s: is not what %s says", path, want_path);
	free(text);
	free(want);
	irqstat_close(is);
}

START_TEST(every_text_says_what_it_must)
{
	glob_t found;
	size_t i;

	ck_assert_int_eq(glob("tests/data/*.txt", 0, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++)
		check_file(found.gl_pathv[i]);
	ck_assert_uint_ge(i, 14);
	globfree(&found);
}
END_TEST

static Suite *text_data_suite(void)
{
	const TTest *const tests[] = {
		every_text_says_what_it_must,
		NULL
	};
	Suite *suite = suite_create("text_data");

	suite_add(suite, "files", tests);
	return suite;
}

UNIT_SUITE(text_data_suite);
