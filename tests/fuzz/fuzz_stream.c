/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* The decoders of both windows of the module's stream. */
#include "fuzz.h"

static struct snapshot snap;

static void must_be_refused(void)
{
	MUST(errno == EBADMSG || errno == EPROTONOSUPPORT);
}

static void fuzz_counters(const void *data, size_t len)
{
	uint64_t desc_offset = 0;

	errno = 0;
	if (decode_counters(data, len, &snap, &desc_offset)) {
		must_be_refused();
		MUST(desc_offset == 0);
		return;
	}
	MUST(desc_offset >= len);
	must_be_sound(snapshot_fault(&snap.pub));
}

static void fuzz_descs(const void *data, size_t len)
{
	struct descs descs = { 0 };

	errno = 0;
	if (decode_descs(data, len, &descs)) {
		must_be_refused();
		MUST(!descs.descs);
		return;
	}
	must_be_sound(descs_fault(&descs.pub));
	descs_free(&descs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	void *copy = fuzz_copy(data, len);
	size_t need;

	MUST(decode_length(copy, len, &need) || need >= 128);
	fuzz_counters(copy, len);
	fuzz_descs(copy, len);
	free(copy);
	return 0;
}
