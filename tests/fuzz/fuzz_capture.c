/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A capture file, read to its end by a handle: pread(2) and fstat(2) of its file
 * descriptor are answered here. The second byte from the end says how much a
 * read gives at most, so that chunks come in pieces, too; the last one whether
 * descriptors are asked for first.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fuzz.h"

#define READS_MAX 1000

static struct {
	int fd;
	const uint8_t *data;
	size_t len;
	size_t most;
} file = { .fd = -1 };

ssize_t pread64(int fd, void *buf, size_t n, off64_t offset)
{
	if (fd != file.fd)
		return syscall(SYS_pread64, fd, buf, n, offset);
	if (offset < 0) {
		errno = EINVAL;
		return -1;
	}
	if ((size_t)offset >= file.len)
		return 0;
	if (n > file.len - (size_t)offset)
		n = file.len - (size_t)offset;
	if (n > file.most)
		n = file.most;
	memcpy(buf, file.data + offset, n);
	return (ssize_t)n;
}

int fstat64(int fd, struct stat64 *st)
{
	if (fd != file.fd)
		return (int)syscall(SYS_fstat, fd, st);
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFREG;
	st->st_size = (off64_t)file.len;
	return 0;
}

int fstat(int fd, struct stat *st)
{
	return fstat64(fd, (struct stat64 *)st);
}

static void must_be_an_errno(void)
{
	MUST(errno == EBADMSG || errno == EPROTONOSUPPORT || errno == ENODATA);
}

static void look(struct irqstat *is, struct irqstat_capture *copy)
{
	const struct irqstat_descs *descs;
	const char *host = irqstat_capture_host(is);	/* NULL: a text */

	must_be_sound(snapshot_fault(irqstat_snapshot_get(is)));
	MUST(!host || strlen(host) <= 255);
	descs = irqstat_descs_get(is);
	if (descs)
		must_be_sound(descs_fault(descs));
	else
		must_be_an_errno();
	if (irqstat_capture_add(copy, is))
		must_be_an_errno();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct irqstat_capture *copy;
	struct irqstat *is = irqstat_fdopen(open("/dev/null", O_RDONLY | O_CLOEXEC));
	int i, ret = 0;

	if (!copy)
		copy = irqstat_capture_new(open("/dev/null", O_WRONLY | O_CLOEXEC));
	MUST(is && copy);
	file.fd = irqstat_fileno(is);
	file.data = data;
	file.len = len;
	file.most = len > 2 && data[len - 2] ? 16 * (size_t)data[len - 2] : SIZE_MAX;
	if (len > 1 && data[len - 1] & 1 && !irqstat_descs_get(is))
		must_be_an_errno();
	for (i = 0; i < READS_MAX; i++) {
		ret = irqstat_read(is);
		if (ret > 0)
			break;
		if (ret == 0)
			look(is, copy);
		else
			must_be_an_errno();
	}
	irqstat_close(is);
	file.fd = -1;
	return 0;
}
