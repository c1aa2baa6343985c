/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Every way to read the file, and every way to do it wrong. */
#define _GNU_SOURCE
#include <limits.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "valid.h"

#define FAR_AWAY	((off_t)INT64_MAX - (1 << 20))

static struct raw *whole, *pieces;
static int fd;

static const char *fresh_open(void)
{
	if (fd > 0)
		close(fd);
	fd = open(BIN_PATH, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? why_errno(BIN_PATH) : NULL;
}

/* The window of pieces->bytes bytes came in pieces: the rest from byte 1 on must be the same. */
static const char *pieces_check(unsigned int window)
{
	ssize_t n;
	const char *wrong = raw_check(pieces, window);

	if (wrong)
		return wrong;
	n = pread(fd, whole->byte + 1, RAW_MAX - 1, window_offset(window) + 1);
	if (n != (ssize_t)pieces->bytes - 1)
		return why("%zd bytes from the second on, %zu in pieces", n, pieces->bytes);
	return memcmp(whole->byte + 1, pieces->byte + 1, (size_t)n) ? "other bytes" : NULL;
}

static const char *read_in_pieces(unsigned int window, size_t size)
{
	const off_t start = window_offset(window);
	size_t used = 0;
	ssize_t n;

	if (lseek(fd, start, SEEK_SET) != start)
		return why_errno("lseek");
	while ((n = read(fd, pieces->byte + used, size)) > 0)
		used += (size_t)n;
	if (n < 0)
		return why_errno("read");
	if (lseek(fd, 0, SEEK_CUR) != start + (off_t)used)
		return "the file position is odd";
	pieces->bytes = used;
	return pieces_check(window);
}

static const char *piecewise(unsigned int window)
{
	static const size_t sizes[] = { 1, 7, 8, 13, 127, 4095, 4096 };
	const char *wrong = fresh_open();
	size_t i;

	for (i = 0; !wrong && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		wrong = read_in_pieces(window, sizes[i]);
		if (wrong)
			wrong = why("pieces of %zu: %s", sizes[i], wrong);
	}
	return wrong;
}

static const char *counters_in_pieces(void)
{
	return piecewise(IRQBIN_WINDOW_COUNTERS);
}

static const char *descriptors_in_pieces(void)
{
	return piecewise(IRQBIN_WINDOW_DESCRIPTORS);
}

/* Backwards too: any offset but 0 continues. */
static const char *pread_at_any_offset(void)
{
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, whole);
	size_t at;

	for (at = whole->bytes - 1; !wrong && at > 0; at--)
		if (pread(fd, pieces->byte, 5, (off_t)at) < 1 ||
		    pieces->byte[0] != whole->byte[at])
			wrong = why("another byte at %zu", at);
	return wrong;
}

static const char *fresh_after(const char *(*again)(void))
{
	uint64_t last = 0;
	const char *wrong = fresh_open();
	int i;

	for (i = 0; !wrong && i < 5; i++) {
		wrong = again();
		if (!wrong && last && whole->header.sequence != last + 1)
			return why("sequence %llu after %llu",
				   (unsigned long long)whole->header.sequence,
				   (unsigned long long)last);
		last = whole->header.sequence;
	}
	return wrong;
}

static const char *get_by_pread(void)
{
	return raw_get(fd, IRQBIN_WINDOW_COUNTERS, whole);
}

static const char *get_by_lseek(void)
{
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET))
		return why_errno("lseek");
	n = read(fd, whole->byte, RAW_MAX);
	whole->bytes = n > 0 ? (size_t)n : 0;
	return n > 0 ? raw_check(whole, IRQBIN_WINDOW_COUNTERS) : why_errno("read");
}

/* A read of nothing, of the middle or of the other window takes no snapshot. */
static const char *get_with_others_between(void)
{
	const char *wrong = get_by_pread();

	if (pread(fd, pieces->byte, 0, 0) || pread(fd, pieces->byte, 100, 1) != 100 ||
	    pread(fd, pieces->byte, 100, IRQBIN_DESC_OFFSET) != 100 ||
	    pread(fd, pieces->byte, 100, FAR_AWAY))
		return "odd lengths";
	return wrong;
}

static const char *pread_0_is_fresh(void)
{
	return fresh_after(get_by_pread);
}

static const char *lseek_0_is_fresh(void)
{
	return fresh_after(get_by_lseek);
}

static const char *other_reads_are_not_fresh(void)
{
	return fresh_after(get_with_others_between);
}

/* The first read of an open need not be at 0. */
static const char *first_read_in_the_middle(void)
{
	const char *wrong = fresh_open();
	ssize_t n;

	if (wrong)
		return wrong;
	n = pread(fd, pieces->byte + 8, RAW_MAX - 8, 8);
	if (n < 1)
		return why_errno("pread");
	memcpy(pieces->byte, whole->byte, 8);
	pieces->bytes = (size_t)n + 8;
	wrong = raw_check(pieces, IRQBIN_WINDOW_COUNTERS);
	if (wrong)
		return wrong;
	n = pread(fd, pieces->byte + 8, RAW_MAX - 8, IRQBIN_DESC_OFFSET + 8);
	pieces->bytes = (size_t)n + 8;
	return raw_check(pieces, IRQBIN_WINDOW_DESCRIPTORS);
}

static const char *end_stays_the_end(void)
{
	unsigned int window;
	const char *wrong;
	int i;

	for (window = 0; window < 2; window++) {
		wrong = raw_get(fd, window, whole);
		if (wrong)
			return wrong;
		if (lseek(fd, window_offset(window) + (off_t)whole->bytes, SEEK_SET) < 0)
			return why_errno("lseek");
		for (i = 0; i < 3; i++)
			if (read(fd, pieces->byte, 4096))
				return why("window %u: read again", window);
		for (i = 0; i < 3; i++)
			if (pread(fd, pieces->byte, 4096, window_offset(window) +
				  (off_t)whole->bytes + i))
				return why("window %u: pread again", window);
	}
	return NULL;
}

static const char *nothing_outside_of_windows(void)
{
	static const off_t empty[] = {
		1 << 24, IRQBIN_DESC_OFFSET / 2, IRQBIN_DESC_OFFSET - 1,
		(off_t)IRQBIN_DESC_OFFSET + (1 << 24), 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, 0x100000000 + IRQBIN_DESC_OFFSET, (off_t)1 << 40, (off_t)1 << 62,
		FAR_AWAY, INT64_MAX - 4096,
	};
	const char *wrong = fresh_open();
	size_t i;
	ssize_t n;

	for (i = 0; !wrong && i < sizeof(empty) / sizeof(empty[0]); i++)
		if (pread(fd, pieces->byte, 4096, empty[i]))
			wrong = why("at %llx", (unsigned long long)empty[i]);
	if (wrong)
		return wrong;
	/* What does not fit below 2^63 is refused or empty. */
	n = pread(fd, pieces->byte, 4096, INT64_MAX - 1);
	if (n > 0 || (n < 0 && errno != EINVAL && errno != EOVERFLOW))
		return why_errno("at the very end");
	if (pread(fd, pieces->byte, 4096, -1) >= 0 || errno != EINVAL)
		return why_errno("at -1");
	return NULL;
}

/* Through 3 vectors of odd length; @flags as for preadv2, or -1 for readv. */
static const char *read_vectors(unsigned int window, int flags)
{
	struct iovec vec[] = {
		{ pieces->byte, 3 }, { pieces->byte + 3, 126 }, { pieces->byte + 129, RAW_MAX - 129 },
	};
	const off_t start = window_offset(window);
	ssize_t n;

	memset(pieces->byte, 0xaa, 4096);
	if (flags < 0) {
		lseek(fd, start, SEEK_SET);
		n = readv(fd, vec, 3);
	} else {
		n = preadv2(fd, vec, 3, start, flags);
	}
	pieces->bytes = n > 0 ? (size_t)n : 0;
	return n > 0 ? pieces_check(window) : why_errno("vectors");
}

static const char *readv_is_whole(void)
{
	const char *wrong = read_vectors(IRQBIN_WINDOW_COUNTERS, -1);

	return wrong ? wrong : read_vectors(IRQBIN_WINDOW_DESCRIPTORS, -1);
}

static const char *preadv_is_whole(void)
{
	const char *wrong = read_vectors(IRQBIN_WINDOW_COUNTERS, 0);

	return wrong ? wrong : read_vectors(IRQBIN_WINDOW_DESCRIPTORS, 0);
}

/* EAGAIN is an answer, but not for ever, and not for each window in steady state. */
static const char *nowait_is_whole(void)
{
	const char *wrong = fresh_open();
	unsigned int window;
	int tries, busy = 0;

	for (window = 0; !wrong && window < 2; window++) {
		for (tries = 0; tries < 50; tries++) {
			wrong = read_vectors(window, RWF_NOWAIT);
			if (!wrong)
				break;
			if (errno != EAGAIN)
				return wrong;
			busy++;
			usleep(10000);
		}
		wrong = raw_get(fd, window, whole);
	}
	if (wrong)
		return wrong;
	for (tries = 0, busy = 0; tries < 50; tries++)
		busy += !!read_vectors(tries & 1, RWF_NOWAIT);
	return busy > 5 ? why("%d of 50 did not succeed in steady state", busy) : NULL;
}

static const char *splice_window(unsigned int window)
{
	loff_t at = window_offset(window);
	const char *wrong = NULL;
	int pipes[2];
	ssize_t n, got;

	if (pipe(pipes))
		return why_errno("pipe");
	pieces->bytes = 0;
	while (!wrong && (n = splice(fd, &at, pipes[1], NULL, 10000, 0)) != 0) {
		if (n < 0)
			wrong = why_errno("splice");
		for (; !wrong && n > 0; n -= got, pieces->bytes += (size_t)got) {
			got = read(pipes[0], pieces->byte + pieces->bytes, (size_t)n);
			if (got < 1)
				wrong = why_errno("read of the pipe");
		}
	}
	close(pipes[0]);
	close(pipes[1]);
	return wrong ? wrong : pieces_check(window);
}

static const char *splice_is_whole(void)
{
	const char *wrong = splice_window(IRQBIN_WINDOW_COUNTERS);

	return wrong ? wrong : splice_window(IRQBIN_WINDOW_DESCRIPTORS);
}

static const char *sendfile_window(unsigned int window)
{
	off_t at = window_offset(window);
	int out = memfd_create("copy", MFD_CLOEXEC);
	ssize_t n;

	do
		n = sendfile(out, fd, &at, RAW_MAX);
	while (n > 0);
	if (n < 0)
		return why_errno("sendfile");
	n = pread(out, pieces->byte, RAW_MAX, 0);
	close(out);
	pieces->bytes = n > 0 ? (size_t)n : 0;
	return pieces_check(window);
}

static const char *sendfile_is_whole(void)
{
	const char *wrong = sendfile_window(IRQBIN_WINDOW_COUNTERS);

	return wrong ? wrong : sendfile_window(IRQBIN_WINDOW_DESCRIPTORS);
}

static const char *writing_is_refused(void)
{
	static const int flags[] = { O_WRONLY, O_RDWR, O_WRONLY | O_APPEND, O_RDWR | O_TRUNC };
	size_t i;
	int other;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		other = open(BIN_PATH, flags[i] | O_CLOEXEC);
		if (other >= 0)
			return why("flags %#x: opened", (unsigned int)flags[i]);
		if (errno != EINVAL)
			return why_errno("open");
	}
	if (write(fd, "x", 1) >= 0 || errno != EBADF)
		return why_errno("write");
	return NULL;
}

static const char *seeks_are_checked(void)
{
	if (lseek(fd, 0, SEEK_END) >= 0 || errno != EINVAL)
		return why_errno("SEEK_END");
	if (lseek(fd, -1, SEEK_SET) >= 0 || errno != EINVAL)
		return why_errno("SEEK_SET to -1");
	if (lseek(fd, 8, SEEK_SET) != 8 || lseek(fd, 8, SEEK_CUR) != 16 ||
	    lseek(fd, -16, SEEK_CUR) != 0)
		return why_errno("SEEK_CUR");
	if (lseek(fd, IRQBIN_DESC_OFFSET, SEEK_SET) != IRQBIN_DESC_OFFSET)
		return why_errno("SEEK_SET to the descriptors");
	return NULL;
}

static const char *length_is_0_and_mmap_refused(void)
{
	struct stat st;
	void *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (map != MAP_FAILED)
		return "mapped";
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size)
		return why("mode %o, size %lld", st.st_mode, (long long)st.st_size);
	return NULL;
}

static const char *read_of_nothing(void)
{
	if (lseek(fd, 0, SEEK_SET) || read(fd, NULL, 0) || lseek(fd, 0, SEEK_CUR))
		return why_errno("read");
	if (pread(fd, NULL, 0, IRQBIN_DESC_OFFSET))
		return why_errno("pread");
	return NULL;
}

static const char *fault_is_survived(void)
{
	void *no_access = mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *nothing = mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int window;
	const char *wrong;

	munmap(nothing, 1 << 16);
	for (window = 0; window < 2; window++) {
		if (pread(fd, nothing, 4096, window_offset(window)) >= 0 || errno != EFAULT)
			return why_errno("bad pointer");
		if (pread(fd, no_access, 1 << 16, window_offset(window)) >= 0 || errno != EFAULT)
			return why_errno("read-only memory");
		wrong = raw_get(fd, window, whole);
		if (wrong)
			return why("afterwards: %s", wrong);
	}
	if (lseek(fd, 0, SEEK_SET) || read(fd, nothing, 100) >= 0 || lseek(fd, 0, SEEK_CUR))
		return "the file position moved";
	munmap(no_access, 1 << 16);
	return NULL;
}

/* A buffer of which @good bytes can be written; the rest is read in a second call. */
static const char *fault_after(unsigned int window, size_t good)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 16 * page;
	char *map = mmap(NULL, 2 * pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	const off_t start = window_offset(window);
	ssize_t n, more;

	if (map == MAP_FAILED || munmap(map + pages, pages))
		return why_errno("mmap");
	n = pread(fd, map + pages - good, 2 * pages, start);
	if (n < 0 && errno != EFAULT)
		return why_errno("pread");
	if (n > (ssize_t)good)
		return why("%zd bytes into %zu", n, good);
	if (n > 0)
		memcpy(pieces->byte, map + pages - good, (size_t)n);
	munmap(map, pages);
	if (n <= 0)
		return NULL;
	more = pread(fd, pieces->byte + n, RAW_MAX - (size_t)n, start + n);
	pieces->bytes = (size_t)(n + more);
	return pieces_check(window);
}

static const char *partial_fault_is_survived(void)
{
	static const size_t good[] = { 1, 5, 8, 100, 128, 200, 333 };
	unsigned int window;
	const char *wrong;
	size_t i;

	for (window = 0; window < 2; window++) {
		for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
			wrong = fault_after(window, good[i]);
			if (!wrong)
				wrong = raw_get(fd, window, whole);
			if (wrong)
				return why("window %u, %zu good bytes: %s", window, good[i], wrong);
		}
	}
	return NULL;
}

int main(void)
{
	static const struct check checks[] = {
		{ "counters_in_pieces_equal_whole", counters_in_pieces },
		{ "descriptors_in_pieces_equal_whole", descriptors_in_pieces },
		{ "pread_at_any_offset_continues_snapshot", pread_at_any_offset },
		{ "pread_at_0_is_fresh", pread_0_is_fresh },
		{ "lseek_to_0_is_fresh", lseek_0_is_fresh },
		{ "other_reads_take_no_snapshot", other_reads_are_not_fresh },
		{ "first_read_in_the_middle", first_read_in_the_middle },
		{ "end_stays_the_end", end_stays_the_end },
		{ "nothing_outside_of_windows", nothing_outside_of_windows },
		{ "readv_is_whole", readv_is_whole },
		{ "preadv_is_whole", preadv_is_whole },
		{ "nowait_read_is_whole", nowait_is_whole },
		{ "splice_is_whole", splice_is_whole },
		{ "sendfile_is_whole", sendfile_is_whole },
		{ "write_open_is_refused", writing_is_refused },
		{ "seeks_are_checked", seeks_are_checked },
		{ "size_is_0_and_mmap_refused", length_is_0_and_mmap_refused },
		{ "read_of_nothing_does_nothing", read_of_nothing },
		{ "fault_is_survived", fault_is_survived },
		{ "partial_fault_is_survived", partial_fault_is_survived },
	};

	whole = raw_new();
	pieces = raw_new();
	if (report("file_opens", fresh_open()))
		return 1;
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
