/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Chunks are only ever appended, each by one call to writev(2) where the file
 * takes it whole. What a failure left of one is cut off again; if that can't be
 * done, nothing more is written.
 */
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "internal.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

struct irqstat_capture {
	int fd;
	int error;		/* of a write that left half a chunk */
	bool has_descs;		/* those that follow are written: */
	const struct irqstat *descs_of;
	uint64_t descs_generation;
	uint64_t descs_time_ns;
	struct origin here;
	struct origin written;
};

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The digits of a UUID; zeros if it is none. */
static void parse_boot_id(const char *text, uint8_t id[16])
{
	uint8_t bytes[16] = { 0 };
	int n = 0;

	for (; *text && *text != '\n' && n < 32; text++) {
		int digit = digit_of(*text);

		if (*text == '-')
			continue;
		if (digit < 0)
			return;
		bytes[n / 2] = (uint8_t)(bytes[n / 2] << 4 | digit);
		n++;
	}
	if (n == 32)
		memcpy(id, bytes, sizeof(bytes));
}

static void find_boot_id(uint8_t id[16])
{
	int fd = open(BOOT_ID, O_RDONLY | O_CLOEXEC);
	char text[64];
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	parse_boot_id(text, id);
}

static void find_host(char *host, size_t size)
{
	struct utsname name;

	if (!uname(&name))
		strncpy(host, name.nodename, size - 1);
}

/* Leaves in @iov what is still to be written. */
static int write_some(int fd, struct iovec *iov, int n_iov, size_t *n_written)
{
	ssize_t n;

	do
		n = writev(fd, iov, n_iov);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -1;
	*n_written += (size_t)n;
	for (; n_iov; iov++, n_iov--) {
		size_t done = (size_t)n < iov->iov_len ? (size_t)n : iov->iov_len;

		iov->iov_base = (char *)iov->iov_base + done;
		iov->iov_len -= done;
		n -= (ssize_t)done;
	}
	return 0;
}

static int undo(int fd, size_t n_written)
{
	off_t at = lseek(fd, -(off_t)n_written, SEEK_CUR);

	return at < 0 || ftruncate(fd, at) ? -1 : 0;
}

static int append(struct irqstat_capture *c, const struct chunk *chunk,
		  const void *payload)
{
	static const char zeros[8];
	size_t pad = -chunk->length % 8;
	size_t len = sizeof(*chunk) + chunk->length + pad, n_written = 0;
	struct iovec iov[] = {
		{ (void *)(uintptr_t)chunk, sizeof(*chunk) },
		{ (void *)(uintptr_t)payload, chunk->length },
		{ (void *)(uintptr_t)zeros, pad },
	};

	if (c->error) {
		errno = c->error;
		return -1;
	}
	while (n_written < len) {
		int err;

		if (!write_some(c->fd, iov, 3, &n_written))
			continue;
		err = errno;
		if (n_written && undo(c->fd, n_written))
			c->error = err;
		errno = err;
		return -1;
	}
	return 0;
}

static int append_start(struct irqstat_capture *c, const struct origin *origin)
{
	struct {
		struct capture_start start;
		char host[CAPTURE_HOST_MAX + 1];
	} payload = { .start = { .major = CAPTURE_MAJOR, .minor = CAPTURE_MINOR } };
	struct chunk chunk = { .type = CHUNK_START };

	payload.start.n_host = (uint32_t)strlen(origin->host);
	memcpy(payload.start.boot_id, origin->boot_id, sizeof(origin->boot_id));
	memcpy(payload.host, origin->host, sizeof(origin->host));
	chunk.length = sizeof(payload.start) + payload.start.n_host;
	if (append(c, &chunk, &payload))
		return -1;
	c->written = *origin;
	c->has_descs = false;
	return 0;
}

static bool is_written(const struct irqstat_capture *c,
		       const struct origin *origin)
{
	return !memcmp(c->written.boot_id, origin->boot_id,
		       sizeof(origin->boot_id)) &&
	       !strcmp(c->written.host, origin->host);
}

struct irqstat_capture *irqstat_capture_new(int fd)
{
	struct irqstat_capture *c;
	int mode = fcntl(fd, F_GETFL);

	if (mode < 0)
		return NULL;
	if ((mode & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		return NULL;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->fd = fd;
	find_boot_id(c->here.boot_id);
	find_host(c->here.host, sizeof(c->here.host));
	if (append_start(c, &c->here)) {
		irqstat_capture_free(c);
		return NULL;
	}
	return c;
}

void irqstat_capture_free(struct irqstat_capture *c)
{
	int err = errno;

	free(c);
	errno = err;
}

static int append_descs(struct irqstat_capture *c, struct irqstat *is)
{
	struct chunk chunk = { .type = CHUNK_DESCRIPTORS };
	const struct irqstat_descs *descs = irqstat_descs_get(is);

	if (descs && !is->raw_descs.at)
		descs = irqstat_descs_read(is);
	if (!descs)
		return errno == ENODATA ? 0 : -1;
	if (c->has_descs && c->descs_of == is &&
	    c->descs_generation == descs->generation &&
	    c->descs_time_ns == descs->time_ns)
		return 0;
	chunk.length = is->raw_descs.len;
	chunk.time_ns = descs->time_ns;
	if (append(c, &chunk, is->raw_descs.at))
		return -1;
	c->has_descs = true;
	c->descs_of = is;
	c->descs_generation = descs->generation;
	c->descs_time_ns = descs->time_ns;
	return 0;
}

static int append_snapshot(struct irqstat_capture *c, const struct span *raw,
			   const struct irqstat_snapshot *snap)
{
	struct chunk chunk = {
		.type = snap->source == IRQSTAT_SOURCE_TEXT ? CHUNK_TEXT :
							      CHUNK_COUNTERS,
		.length = raw->len,
		.time_ns = snap->time_ns,
		.duration_ns = snap->duration_ns,
		.realtime_ns = snap->realtime_ns,
	};

	return append(c, &chunk, raw->at);
}

int irqstat_capture_add(struct irqstat_capture *c, struct irqstat *is)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(is);
	const struct origin *origin = is->source == &source_capture ?
					      &is->capture.last.origin :
					      &c->here;

	if (!snap || !is->raw.at) {
		errno = EINVAL;
		return -1;
	}
	if (!is_written(c, origin) && append_start(c, origin))
		return -1;
	if (snap->source == IRQSTAT_SOURCE_MODULE && append_descs(c, is))
		return -1;
	return append_snapshot(c, &is->raw, snap);
}
