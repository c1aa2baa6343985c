/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * The text parser: texts with a form feed between them, read by one handle, each
 * held against the slow parser. What came before changes nothing but the
 * generation.
 */
#include "../unit/reference.h"
#include "fuzz.h"

struct reader {
	struct text text;
	struct snapshot snap;
	struct descs descs;
};

static void compare(struct reader *r, const char *text, size_t len)
{
	struct reference want = reference_of_text(text, len), got;
	int ret;

	errno = 0;
	ret = text_parse(&r->text, text, len, &r->snap);
	MUST((ret ? errno : 0) == want.error);
	if (ret)
		return;
	must_be_sound(snapshot_fault(&r->snap.pub));
	MUST(r->snap.pub.generation >= r->descs.pub.generation);
	if (r->snap.pub.generation != r->descs.pub.generation) {
		descs_free(&r->descs);
		MUST(!text_descs(&r->text, &r->descs));
		must_be_sound(descs_fault(&r->descs.pub));
	}
	got = reference_of_snapshot(&r->snap.pub, &r->descs.pub);
	MUST(got.error == 0);
	MUST(got.n_entries == want.n_entries && got.sum == want.sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct reader r = { 0 };
	const uint8_t *end = data + len;

	for (;;) {
		const uint8_t *feed = memchr(data, '\f', (size_t)(end - data));
		size_t n = (size_t)((feed ? feed : end) - data);
		char *copy = fuzz_copy(data, n);

		compare(&r, copy, n);
		compare(&r, copy, n);
		free(copy);
		if (!feed)
			break;
		data = feed + 1;
	}
	text_free(&r.text);
	snapshot_free(&r.snap);
	descs_free(&r.descs);
	return 0;
}
