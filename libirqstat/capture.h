/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A capture file: chunks, one behind the other, in the byte order of their
 * writer. Each is a struct chunk, length bytes of payload and zeros up to a
 * multiple of 8. The first is a START; another one, as where files were put
 * together, may say that what follows is of another machine or boot. Chunks of
 * unknown type are passed over; a newer minor version adds such, and bytes at
 * the end of START.
 *
 * Each COUNTERS and TEXT is a snapshot. The last DESCRIPTORS before a COUNTERS
 * are its own.
 */
#ifndef IRQSTAT_CAPTURE_H
#define IRQSTAT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHUNK_START 0x43515249U	/* "IRQC": a magic number, too */
#define CHUNK_COUNTERS 1	/* a counter window of the module */
#define CHUNK_DESCRIPTORS 2	/* a descriptor window of the module */
#define CHUNK_TEXT 3		/* a text */

struct chunk {
	uint32_t type;
	uint32_t reserved;
	uint64_t length;	/* of the payload */
	uint64_t time_ns;	/* as those of the snapshot; START: 0 */
	uint64_t duration_ns;
	uint64_t realtime_ns;
};

#define CAPTURE_MAJOR 1
#define CAPTURE_MINOR 0
#define CAPTURE_HOST_MAX 255

struct capture_start {
	uint16_t major;
	uint16_t minor;
	uint32_t n_host;	/* bytes of the host name, which is behind this */
	uint8_t boot_id[16];	/* zeros: not known */
};

/* Whose counters they are. */
struct origin {
	uint8_t boot_id[16];
	char host[CAPTURE_HOST_MAX + 1];
};

/* Where a reader is. */
struct capture_position {
	uint64_t next;		/* offset of the next chunk */
	uint64_t descs;		/* of the last DESCRIPTORS; 0: none */
	struct origin origin;
};

struct capture_reader {
	struct capture_position next;	/* where the next read begins */
	struct capture_position now;	/* where the one under way is */
	struct capture_position last;	/* where the last snapshot was */
};

#endif /* IRQSTAT_CAPTURE_H */
