/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * libirqstat: the machine's interrupt counters as arrays.
 *
 *	struct irqstat *is = irqstat_open(NULL);
 *	struct irqstat_entry e;
 *
 *	while (irqstat_read(is) == 0) {
 *		while (irqstat_next(is, &e) == 1)
 *			use(e.kind, e.id, e.cpu, e.count);
 *		sleep(1);
 *	}
 *	irqstat_close(is);
 *
 * Functions that fail return NULL or -1 and set errno; what they were to fill
 * in is then as it was before. Nothing here prints, exits or aborts. A handle
 * may be used by one thread at a time, different handles by different threads
 * at once. Structs are made by the library only; later versions add members at
 * the end of those that are not elements of an array.
 *
 * errno of irqstat_read(), irqstat_descs_read() and irqstat_descs_get():
 *
 *	ENODATA		the file is empty: masked by a container runtime
 *	EBADMSG		malformed: truncated, or contradicting itself
 *	EPROTONOSUPPORT	of another major version, or of another byte order
 *	ENOMEM		no memory, here or in the kernel
 *	EIO		the module was unloaded while the file was open
 *
 * and, on a handle that chooses its source, those of irqstat_open();
 *
 * whatever else pread(2) gives is passed on.
 */
#ifndef IRQSTAT_H
#define IRQSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IRQSTAT_API __attribute__((visibility("default")))

/*
 * What counts: ids are unique within a kind. Later versions may add kinds:
 * pass over those that you do not know.
 *
 * NAMED are the rows of /proc/interrupts that are neither: those of other
 * architectures ("IPI0"), x86 counters newer than this library, and the second
 * row of a number. Their ids are given as they are first seen and are kept as
 * long as the handle: compare them between handles by label.
 */
enum irqstat_kind {
	IRQSTAT_IRQ = 1,	/* an interrupt, id is its number */
	IRQSTAT_X86 = 2,	/* an x86 counter, id is an enum irqstat_x86 */
	IRQSTAT_NAMED = 3,	/* another row, id is the handle's own */
	IRQSTAT_SOFTIRQ = 4	/* a row of /proc/softirqs, id is its place there */
};

/* x86 counters, named after their labels. Later versions may add some. */
enum irqstat_x86 {
	IRQSTAT_X86_NMI = 1,
	IRQSTAT_X86_LOC = 2,
	IRQSTAT_X86_SPU = 3,
	IRQSTAT_X86_PMI = 4,
	IRQSTAT_X86_IWI = 5,
	IRQSTAT_X86_RTR = 6,
	IRQSTAT_X86_PLT = 7,
	IRQSTAT_X86_RES = 8,
	IRQSTAT_X86_CAL = 9,
	IRQSTAT_X86_TLB = 10,
	IRQSTAT_X86_TRM = 11,
	IRQSTAT_X86_THR = 12,
	IRQSTAT_X86_DFR = 13,
	IRQSTAT_X86_MCE = 14,
	IRQSTAT_X86_MCP = 15,
	IRQSTAT_X86_HYP = 16,
	IRQSTAT_X86_HRE = 17,
	IRQSTAT_X86_HVS = 18,
	IRQSTAT_X86_ERR = 19,
	IRQSTAT_X86_MIS = 20,
	IRQSTAT_X86_PIN = 21,
	IRQSTAT_X86_NPI = 22,
	IRQSTAT_X86_PIW = 23,
	IRQSTAT_X86_VPMI = 24,
	IRQSTAT_X86_PMN = 25
};

/* The cpu of a count that is the machine's, not one CPU's. */
#define IRQSTAT_CPU_NONE UINT32_MAX

/* A handle: an open source, its last snapshot and its descriptors. */
struct irqstat;

/*
 * Sources: where counters come from. All fill the same arrays. What differs:
 *
 *			module	text
 *	offline CPUs	kept	not shown (softirqs: kept)
 *	instance	yes	always 0: a restart shows as a step back
 *	generation	yes	moves when any row's name or place changes
 *	count_bits	32	32, or 64 once a larger count was seen
 *	cost of zeros	none	most of the time
 *
 * A capture is what irqstat_capture_add() wrote of one or the other.
 */
enum irqstat_source {
	IRQSTAT_SOURCE_MODULE = 1,	/* the stream of the kernel module */
	IRQSTAT_SOURCE_TEXT = 2,	/* as /proc/interrupts or /proc/softirqs */
	IRQSTAT_SOURCE_CAPTURE = 3	/* a file of irqstat_capture_add() */
};

/* The module's file, and the text that is read where there is none. */
#define IRQSTAT_PATH	  "/proc/interrupts_bin"
#define IRQSTAT_TEXT_PATH "/proc/interrupts"

/*
 * irqstat_open - open a source of interrupt counters
 * @path: the file, NULL to choose
 *
 * What a named file holds is told from its first bytes by the irqstat_read() or
 * irqstat_descs_get() that comes first. With NULL the module is read, or, if
 * for any reason it can't be, IRQSTAT_TEXT_PATH: irqstat_source_errno() says
 * why. Whether it can be is certain only after the first read, which changes to
 * the text by itself. A handle that chose the module and loses it fails with
 * EIO once, then chooses again.
 *
 * Returns a handle to be given to irqstat_close(), or NULL with the errno of
 * open(2) (of the text, if that was tried): ENOENT when there is no such file,
 * EACCES or EPERM when it may not be read; or ENOMEM.
 */
IRQSTAT_API struct irqstat *irqstat_open(const char *path);

/*
 * irqstat_open_source - open a source of this kind and no other
 * @path: the file, NULL for that of the source; of a capture never NULL
 *
 * Returns as irqstat_open(), and NULL with EINVAL when there is no such source
 * or no path. A file that holds something else is EBADMSG when it is read.
 */
IRQSTAT_API struct irqstat *irqstat_open_source(enum irqstat_source source,
						const char *path);

/*
 * irqstat_source_get - the source of a handle
 *
 * Returns 0 as long as it is not known: before the first read of a handle from
 * irqstat_open() with a path or from irqstat_fdopen().
 */
IRQSTAT_API enum irqstat_source irqstat_source_get(const struct irqstat *is);

/*
 * irqstat_source_errno - why it is not the module that is read
 *
 * Returns 0 if it is, and for handles that did not choose; or ENOENT when there
 * is none, EACCES or EPERM when it may not be read, ENODATA when it is masked,
 * EPROTONOSUPPORT when it is too new, EBADMSG when it is malformed, EIO when it
 * was unloaded, or whatever else open(2) or pread(2) gave.
 */
IRQSTAT_API int irqstat_source_errno(const struct irqstat *is);

/*
 * irqstat_fdopen - make a handle of an open file
 * @fd: open for reading, seekable
 *
 * What it holds is told as with irqstat_open(). The handle owns @fd from then on
 * and irqstat_close() closes it; the file's offset is neither used nor moved.
 * Returns NULL with EBADF or ENOMEM; @fd is
 * then still open and the caller's.
 */
IRQSTAT_API struct irqstat *irqstat_fdopen(int fd);

/*
 * irqstat_close - close a handle and free all that it gave out
 * @is: may be NULL
 *
 * Keeps errno.
 */
IRQSTAT_API void irqstat_close(struct irqstat *is);

/*
 * irqstat_fileno - the file descriptor of a handle, still owned by it
 *
 * A handle that chooses its source has another one after it chose again, and -1
 * between.
 */
IRQSTAT_API int irqstat_fileno(const struct irqstat *is);

/*
 * irqstat_read - take a new snapshot
 *
 * One pread(2) of the module's file (of text: as many as its length takes) and
 * no allocation, once the buffers have found their size. A read that a signal
 * cut short is continued, a text in which CPUs came or went in mid-read is read
 * again. Returns 0, or -1 with one of the errnos above; the handle's last
 * snapshot then stays as it was. Puts the position of irqstat_next() at the
 * first entry.
 *
 * Returns 1 when a capture has no more: the last snapshot stays. errno is then
 * EBADMSG if the capture ends in the midst of a snapshot, as one does whose
 * writer was killed, otherwise 0. What is appended later is read by later calls.
 * A snapshot of a capture that is malformed is passed over by the next call.
 */
IRQSTAT_API int irqstat_read(struct irqstat *is);

/*
 * What a handle waits for: all that pread(fd, data, size, offset) does. When
 * serial is the same as before, fd is the same open file and data in the same
 * memory; equal numbers and addresses alone don't say so.
 */
struct irqstat_io {
	int fd;
	uint32_t serial;
	void *data;
	size_t size;
	uint64_t offset;
};

/*
 * irqstat_read_prepare - what to read for the next snapshot
 * @io: filled in
 *
 * irqstat_read() in two halves, for callers that read by other means than
 * pread(2). It does no more than
 *
 *	do {
 *		if (irqstat_read_prepare(is, &io))
 *			return -1;
 *		n = pread(io.fd, io.data, io.size, io.offset);
 *		ret = irqstat_read_complete(is, n < 0 ? -errno : n, 0);
 *	} while (ret == 1);
 *
 * and returns 1 for 2.
 *
 * The memory is the handle's: until the read has ended nothing else may be done
 * with the handle, least of all irqstat_close(). Prepared again before it is
 * completed, it is the same read. Returns 0, or -1 with ENOMEM or, on a handle
 * that chooses its source anew, those of irqstat_open().
 */
IRQSTAT_API int irqstat_read_prepare(struct irqstat *is, struct irqstat_io *io);

/*
 * irqstat_read_complete - take what was read
 * @res: the number of bytes, or an errno below 0; after -EINTR and any number
 *       of bytes, reading goes on as long as it must
 * @time_ns: CLOCK_BOOTTIME of the read, for sources that don't say it
 *           themselves; 0: when it was prepared
 *
 * Returns 0 when there is a new snapshot; 1 when more is to be read, which
 * irqstat_read_prepare() then tells; 2 when a capture has no more; -1 with the errno in res, EINVAL when
 * nothing was prepared or res is more than was asked for, or one of those of
 * irqstat_read(). The snapshot is then given up and the last one stays.
 */
IRQSTAT_API int irqstat_read_complete(struct irqstat *is, ssize_t res,
				      uint64_t time_ns);

/* One counter that is not 0. */
struct irqstat_entry {
	uint32_t kind;		/* enum irqstat_kind */
	uint32_t id;		/* see enum irqstat_kind */
	uint32_t cpu;		/* CPU number, or IRQSTAT_CPU_NONE */
	uint32_t row;		/* index into the snapshot's rows */
	uint64_t count;
};

/*
 * irqstat_next - the next entry of the last snapshot
 * @entry: filled in when there is one
 *
 * Entries come by rising kind, id and cpu; all that is not among them is 0.
 * Returns 1 with an entry, 0 after the last one, -1 with EINVAL when nothing
 * has been read yet.
 */
IRQSTAT_API int irqstat_next(struct irqstat *is, struct irqstat_entry *entry);

/* irqstat_rewind - go back to the first entry of the same snapshot */
IRQSTAT_API void irqstat_rewind(struct irqstat *is);

/* irqstat_row.flags; a newer module may set others, up to 0x80. */
#define IRQSTAT_ROW_CACHED	0x2U	/* the counts are some seconds old */
#define IRQSTAT_ROW_UNAVAILABLE	0x4U	/* exists, but could not be read: not 0 */
#define IRQSTAT_ROW_TEXT_ZERO	0x8U	/* /proc/interrupts prints zeros for it */
#define IRQSTAT_ROW_AGGREGATE	0x100U	/* the sum of other rows of this source */

/*
 * One interrupt or architecture counter that has counted. Its entries are
 * cpu[first] to cpu[first + n - 1] and the same of count[], by rising CPU; n is
 * 0 only with IRQSTAT_ROW_CACHED or IRQSTAT_ROW_UNAVAILABLE.
 */
struct irqstat_row {
	uint64_t instance;	/* another one: counts began at 0 again; text: 0 */
	uint64_t total;		/* sum of its counts */
	uint32_t id;
	uint32_t first;
	uint32_t n;
	uint16_t kind;		/* enum irqstat_kind */
	uint16_t flags;		/* IRQSTAT_ROW_* */
};

/*
 * A snapshot as arrays. Rows are sorted by kind, then id. Counts are of
 * count_bits bits and wrap: take differences modulo 2^count_bits, cell by
 * cell, and add those up in 64 bits. The module's counts of CPUs that are
 * offline now are among them, text has no count of those. Of /proc/softirqs,
 * online are all CPUs that are possible.
 */
struct irqstat_snapshot {
	uint64_t time_ns;	/* CLOCK_BOOTTIME at the start of the pass */
	uint64_t duration_ns;	/* of the pass */
	uint64_t sequence;	/* rises with each snapshot of this handle */
	uint64_t generation;	/* of the descriptors that belong to it */
	bool generation_exact;	/* false: some changes may not move it */
	uint32_t count_bits;	/* 32 or 64 */
	uint32_t nr_cpu_ids;	/* above all CPU numbers; text: highest shown + 1 */
	uint32_t n_online;	/* number of online CPUs */
	const uint64_t *online;	/* bit cpu % 64 of word cpu / 64 */
	size_t n_rows;
	size_t n_entries;
	const struct irqstat_row *rows;
	const uint32_t *cpu;
	const uint64_t *count;
	const uint8_t *cell_flags;	/* IRQSTAT_CELL_*; NULL but in a delta */
	uint64_t realtime_ns;	/* CLOCK_REALTIME of time_ns; 0: not known */
	uint32_t source;	/* IRQSTAT_SOURCE_MODULE or _TEXT: of the data */
	uint64_t boot;		/* of captures: tells boots apart; 0: live, or not known */
	uint16_t stream_major;	/* version of the module's stream; text: 0 */
	uint16_t stream_minor;
};

/*
 * irqstat_snapshot_get - the last snapshot of a handle
 *
 * Returns NULL when nothing has been read yet. Belongs to the handle; valid
 * until the next irqstat_read() that succeeds, or irqstat_close().
 */
IRQSTAT_API const struct irqstat_snapshot *
irqstat_snapshot_get(const struct irqstat *is);

/*
 * irqstat_snapshot_find - the row of one interrupt or counter
 * @kind: enum irqstat_kind
 *
 * Returns NULL when there is none: all its counts are 0, or it does not exist.
 */
IRQSTAT_API const struct irqstat_row *
irqstat_snapshot_find(const struct irqstat_snapshot *snap, unsigned int kind,
		      uint32_t id);

/* irqstat_snapshot_is_online - was this CPU online; false for any that can't be */
IRQSTAT_API bool
irqstat_snapshot_is_online(const struct irqstat_snapshot *snap, uint32_t cpu);

/*
 * A counted string: raw bytes of a driver's choosing, a 0 byte behind them.
 * bytes is NULL when there is no such string.
 */
struct irqstat_string {
	const char *bytes;
	size_t len;
};

/* irqstat_desc.flags; a newer module may set others, up to 0x8000. */
#define IRQSTAT_DESC_SHOWN	   0x001U /* /proc/interrupts has a row for it */
#define IRQSTAT_DESC_SHOWN_ONLINE  0x002U /* if an online CPU's count is not 0 */
#define IRQSTAT_DESC_SHOWN_COUNTED 0x004U /* if any CPU's count is not 0 */
#define IRQSTAT_DESC_SINGLE	   0x008U /* the row has one count, no CPUs */
#define IRQSTAT_DESC_HWIRQ	   0x010U /* hwirq is set */
#define IRQSTAT_DESC_PER_CPU	   0x020U /* a per-CPU interrupt */
#define IRQSTAT_DESC_CHAINED	   0x040U /* demultiplexes other interrupts */
#define IRQSTAT_DESC_CHIP_PRINTED  0x080U /* chip was set by its driver */
#define IRQSTAT_DESC_TRUNCATED	   0x100U /* a string or action was left out */
#define IRQSTAT_DESC_UNREADABLE	   0x200U /* a name pointed to no memory */
#define IRQSTAT_DESC_AGGREGATE	   0x10000U /* as IRQSTAT_ROW_AGGREGATE */
#define IRQSTAT_DESC_UNCOUNTED	   0x20000U /* the row has no counts, ever */

/* irqstat_desc.trigger: 0, or any of these */
#define IRQSTAT_TRIGGER_RISING	0x1U
#define IRQSTAT_TRIGGER_FALLING	0x2U
#define IRQSTAT_TRIGGER_HIGH	0x4U
#define IRQSTAT_TRIGGER_LOW	0x8U
#define IRQSTAT_TRIGGER_EDGE	0x100U	/* text: rising, falling or both */
#define IRQSTAT_TRIGGER_LEVEL	0x200U	/* text: high or low */

/*
 * What is known of one interrupt or other counter. Text tells no PER_CPU, CHAINED
 * or CHIP_PRINTED, nor one action from several when a name has ", " in it.
 */
struct irqstat_desc {
	uint32_t kind;		/* enum irqstat_kind */
	uint32_t id;
	uint32_t flags;		/* IRQSTAT_DESC_* */
	uint32_t trigger;	/* IRQSTAT_TRIGGER_* */
	uint64_t instance;	/* interrupts: which one of that number */
	uint64_t hwirq;		/* if IRQSTAT_DESC_HWIRQ */
	struct irqstat_string label;	/* counters: as "LOC" */
	struct irqstat_string text;	/* counters: the tail of the row */
	struct irqstat_string chip;	/* interrupts: as "PCI-MSI" */
	struct irqstat_string flow;	/* interrupts: as "edge" */
	const struct irqstat_string *actions; /* interrupts: who handles it */
	size_t n_actions;
};

/* irqstat_layout.flags; a newer module may set others. */
#define IRQSTAT_LAYOUT_CHIP_RIGHT 0x1U	/* the chip is right-aligned */
#define IRQSTAT_LAYOUT_HWIRQ_INT  0x2U	/* the hwirq is set as a 32-bit int */

/* How /proc/interrupts of this kernel is set: see linux/interrupts_bin.h. */
struct irqstat_layout {
	uint32_t irq_width;
	uint32_t chip_width;
	uint32_t chip_gap;
	uint32_t no_hwirq_blanks;
	uint32_t flags;		/* IRQSTAT_LAYOUT_* */
};

/* All descriptors: interrupts by number, then the rest in the text's order. */
struct irqstat_descs {
	uint64_t generation;
	uint64_t time_ns;	/* CLOCK_BOOTTIME of their making */
	size_t n_descs;
	size_t n_irqs;		/* of which interrupts; they are first */
	const struct irqstat_desc *descs;
	const struct irqstat_layout *layout;	/* NULL: not known */
};

/*
 * irqstat_descs_read - read the descriptors anew
 *
 * Those of text and captures are the last snapshot's; only before the first
 * irqstat_read() are they read. Returns them, or NULL with one of the errnos above; those read before then
 * stay. They belong to the handle and are valid until it reads others or is
 * closed.
 */
IRQSTAT_API const struct irqstat_descs *irqstat_descs_read(struct irqstat *is);

/*
 * irqstat_descs_get - the descriptors that belong to the last snapshot
 *
 * Reads them only if there are none yet, or if their generation is not that of
 * the last snapshot, or if generations are not exact and the last snapshot was
 * taken 5 seconds or more after the one for which they were read. Otherwise as
 * irqstat_descs_read().
 */
IRQSTAT_API const struct irqstat_descs *irqstat_descs_get(struct irqstat *is);

/*
 * irqstat_descs_find - the descriptor of one interrupt or counter
 * @kind: enum irqstat_kind
 *
 * Returns NULL when there is none.
 */
IRQSTAT_API const struct irqstat_desc *
irqstat_descs_find(const struct irqstat_descs *descs, unsigned int kind,
		   uint32_t id);

/*
 * irqstat_descs_row - the descriptor of a row of a snapshot
 *
 * Returns NULL when there is none, or when it is that of another instance: the
 * interrupt was freed and allocated anew between the reads.
 */
IRQSTAT_API const struct irqstat_desc *
irqstat_descs_row(const struct irqstat_descs *descs,
		  const struct irqstat_row *row);

/* A file that snapshots are written to, to be read as a source later. */
struct irqstat_capture;

/*
 * irqstat_capture_new - begin a capture
 * @fd: open for writing, and the caller's; written to where its offset is
 *
 * Writes which boot of which machine this is. Returns NULL with EBADF, ENOMEM or
 * an errno of write(2).
 */
IRQSTAT_API struct irqstat_capture *irqstat_capture_new(int fd);

/*
 * irqstat_capture_free - free what irqstat_capture_new() returned
 * @capture: may be NULL
 *
 * Keeps errno. All has been written already; the file descriptor stays open.
 */
IRQSTAT_API void irqstat_capture_free(struct irqstat_capture *capture);

/*
 * irqstat_capture_add - append the last snapshot of a handle
 *
 * And its descriptors before it, if they have changed; they are read if they
 * have to be. The handle may be any, a capture too. Returns 0, or -1 with EINVAL
 * when nothing has been read or the last read did not succeed; one of those of
 * irqstat_descs_get(); or an errno of write(2). What was written of a snapshot
 * that failed is taken back. Where that can't be done, as with a pipe, all that
 * follow fail alike; the capture can be read up to there.
 */
IRQSTAT_API int irqstat_capture_add(struct irqstat_capture *capture,
				    struct irqstat *is);

/*
 * irqstat_capture_host - the host of the last snapshot of a capture
 *
 * Returns its name, empty if not known, good until the next irqstat_read(); NULL
 * if the handle's source is no capture, or nothing has been read yet.
 */
IRQSTAT_API const char *irqstat_capture_host(const struct irqstat *is);

/*
 * Snapshots that outlive the next read
 * ------------------------------------
 */

/*
 * irqstat_snapshot_previous - the snapshot before the last
 *
 * Returns NULL when fewer than two have been read, and from the beginning of a
 * read to the next that succeeds: after one that failed, it is NULL. Belongs to
 * the handle; valid until the next irqstat_read() or irqstat_read_prepare(),
 * whether that succeeds or not, or irqstat_close().
 */
IRQSTAT_API const struct irqstat_snapshot *
irqstat_snapshot_previous(const struct irqstat *is);

/*
 * irqstat_snapshot_dup - copy a snapshot
 *
 * Returns a copy with arrays of its own, to be given to irqstat_snapshot_free();
 * or NULL with ENOMEM.
 */
IRQSTAT_API struct irqstat_snapshot *
irqstat_snapshot_dup(const struct irqstat_snapshot *snap);

/* irqstat_snapshot_free - free a copy; NULL is none, errno is kept */
IRQSTAT_API void irqstat_snapshot_free(struct irqstat_snapshot *copy);

/*
 * Deltas: what counted between two snapshots
 * ------------------------------------------
 *
 *	struct irqstat_differ *differ = irqstat_differ_new();
 *	const struct irqstat_delta *delta;
 *
 *	delta = irqstat_delta_make(differ, irqstat_snapshot_previous(is),
 *				   irqstat_snapshot_get(is));
 *	row = irqstat_snapshot_find(delta->counts, IRQSTAT_IRQ, 24);
 *	if (row)
 *		printf("%g/s\n", irqstat_delta_rate(delta, row->total));
 *
 * Cells are matched by kind, id and CPU number. An increment is the difference
 * modulo 2^count_bits and never negative; none is made up: what can't be known
 * is left out and said. In detail:
 *
 *  - Half of the range or more forward is a step back. So is a lower count,
 *    unless it is a wrap: from the module, whose instances tell a restart,
 *    always when less than half of the range lies between; in text, when it is
 *    no more than 2^24 a second. A step back counts as 0 and is told
 *    (IRQSTAT_CELL_BACKWARD): CAL of kernels before 7.2 makes such.
 *  - An interrupt of another instance counts from 0 again: its counts are the
 *    increments, all marked IRQSTAT_CELL_RESTARTED. Text has no instances: there
 *    it is a lower count of any CPU, no wrap, by which an interrupt's restart is
 *    seen, and one below half of what it was by which that of another cell is.
 *    What counted between the earlier snapshot and the restart is not known.
 *  - What is in one snapshot only was 0 in the other, if the generation is the
 *    same and exact, and for x86 counters from the module. Otherwise it is
 *    IRQSTAT_ROW_NEW: did not exist, was not shown, or had not counted; from
 *    the module all its counts are increments, from text none is, because it
 *    may have counted before it was shown. Or it is IRQSTAT_ROW_GONE, without
 *    entries.
 *  - Text hides CPUs that are offline: cells of a CPU that is not in both
 *    snapshots are left out, and the CPU is among the changes. The module keeps
 *    such counts, so they are compared.
 *  - What could not be read in one of the two is IRQSTAT_ROW_UNAVAILABLE and has
 *    no entries.
 *
 * Snapshots of different sources can be compared as those of text can. Those of
 * captures tell boots apart: when the machine was started between the two, the
 * delta is since then, and says so (rebooted). Both must be of one machine.
 */

/* irqstat_row.flags of a delta's counts; of some cells or of the whole row. */
#define IRQSTAT_ROW_NEW		0x0200U	/* not in the earlier snapshot */
#define IRQSTAT_ROW_GONE	0x0400U	/* not in the later one */
#define IRQSTAT_ROW_RESTARTED	0x0800U	/* counted from 0 again */
#define IRQSTAT_ROW_WRAPPED	0x1000U	/* went over 2^count_bits */
#define IRQSTAT_ROW_BACKWARD	0x2000U	/* went back, which counts as 0 */

/* cell_flags of a delta's counts */
#define IRQSTAT_CELL_RESTARTED	0x1U
#define IRQSTAT_CELL_WRAPPED	0x2U
#define IRQSTAT_CELL_BACKWARD	0x4U

/* irqstat_cpu_change.change */
enum irqstat_change {
	IRQSTAT_CPU_LEFT = 1,		/* was online in the earlier one only */
	IRQSTAT_CPU_JOINED = 2,		/* is online in the later one only */
	IRQSTAT_CPU_RESTARTED = 3	/* online in both, but cells restarted */
};

struct irqstat_cpu_change {
	uint32_t cpu;
	uint32_t change;		/* enum irqstat_change */
};

/*
 * What counted between two snapshots. The increments have the shape of a
 * snapshot, so that all that takes one takes them. Its rows are those that
 * moved or have one of the flags above, its entries the cells that moved or have
 * flags; its other members are those of the later snapshot, but count_bits is
 * 64, and nr_cpu_ids the larger of both. Rows keep the flags of both snapshots.
 */
struct irqstat_delta {
	uint64_t interval_ns;	/* CLOCK_BOOTTIME between them, never 0 */
	int64_t clock_step_ns;	/* CLOCK_REALTIME went so much further */
	const struct irqstat_snapshot *counts;	/* the increments */
	size_t n_changes;
	const struct irqstat_cpu_change *changes;	/* by rising CPU */
	bool rebooted;		/* between them: all of this is since then */
};

/* The memory of one delta, used again by the next. */
struct irqstat_differ;

/* irqstat_differ_new - make a differ; NULL with ENOMEM */
IRQSTAT_API struct irqstat_differ *irqstat_differ_new(void);

/* irqstat_differ_free - free it and its delta; NULL is none, errno is kept */
IRQSTAT_API void irqstat_differ_free(struct irqstat_differ *differ);

/*
 * irqstat_delta_make - what counted between two snapshots
 * @from: the earlier one, NULL for the time of boot, when all was 0
 *
 * Returns the delta, which belongs to the differ and is valid until its next
 * delta is made or it is freed; the snapshots are no longer needed. No
 * allocation, once the memory has found its size. Or NULL, with EINVAL when @to
 * is NULL or, within a boot, not later than @from, or ENOMEM; the differ's last
 * delta then stays.
 */
IRQSTAT_API const struct irqstat_delta *
irqstat_delta_make(struct irqstat_differ *differ,
		   const struct irqstat_snapshot *from,
		   const struct irqstat_snapshot *to);

/* irqstat_delta_rate - a count of a delta as a rate: per second */
IRQSTAT_API double irqstat_delta_rate(const struct irqstat_delta *delta,
				      uint64_t count);

/*
 * Totals: counters of 64 bits that never fall
 * -------------------------------------------
 *
 * Totals begin as the counts of the first snapshot, and grow by what the deltas
 * of those that follow would count, over boots too; a row that comes later begins as its
 * counts. They remember more than a delta can: a CPU that comes back goes on
 * from what it had when it left, a row from what it had when it vanished (or
 * from 0, if restarted), and what a small step back undid is not counted twice.
 * A CPU that text shows for the first time begins at 0 in the rows there were.
 */
struct irqstat_totals;

/* irqstat_totals_new - make totals of nothing yet; NULL with ENOMEM */
IRQSTAT_API struct irqstat_totals *irqstat_totals_new(void);

/* irqstat_totals_free - free them; NULL is none, errno is kept */
IRQSTAT_API void irqstat_totals_free(struct irqstat_totals *totals);

/*
 * irqstat_totals_keep_gone - from the next snapshot on, keep rows that are gone
 *
 * irqstat_totals_get() then has those, too, marked IRQSTAT_ROW_GONE and with the
 * totals they had, so that sums of rows never fall either.
 */
IRQSTAT_API void irqstat_totals_keep_gone(struct irqstat_totals *totals);

/*
 * irqstat_totals_add - go on to a later snapshot
 *
 * No allocation, once the memory has found its size. Returns 0; or -1 with
 * EINVAL when @snap is, within a boot, not later than the last one added, or
 * ENOMEM: the totals are then as they were, and @snap can be added again.
 */
IRQSTAT_API int irqstat_totals_add(struct irqstat_totals *totals,
				   const struct irqstat_snapshot *snap);

/*
 * irqstat_totals_get - the totals, in the shape of a snapshot
 *
 * Rows are those of the last snapshot added, marked IRQSTAT_ROW_RESTARTED if they
 * counted from 0 again since the one before; among their entries are those of
 * CPUs that are offline now. count_bits is 64, nr_cpu_ids the largest there was;
 * the other members are that snapshot's. Returns NULL when none was added. Valid
 * until the next irqstat_totals_add() that succeeds, or irqstat_totals_free().
 */
IRQSTAT_API const struct irqstat_snapshot *
irqstat_totals_get(const struct irqstat_totals *totals);

/*
 * Selections: some rows, some CPUs
 * --------------------------------
 *
 *	irqstat_select_rows(sel, "24-31,LOC");
 *	irqstat_select_exclude(sel, "^nvme");
 *	...
 *	if (irqstat_select_resolve(sel, irqstat_descs_get(is)))
 *		...
 *	mine = irqstat_select_filter(sel, delta->counts);
 *
 * A new selection has everything. A row is selected if it is in one of the lists
 * of rows (if there are any), has one of the included names (if any), and none
 * of the excluded ones.
 *
 * Functions that add to a selection return 0, or -1 with EINVAL (malformed) or
 * ENOMEM; the selection is then as it was.
 */
struct irqstat_select;

/* irqstat_select_new - make a selection of everything; NULL with ENOMEM */
IRQSTAT_API struct irqstat_select *irqstat_select_new(void);

/* irqstat_select_free - free it; NULL is none, errno is kept */
IRQSTAT_API void irqstat_select_free(struct irqstat_select *sel);

/*
 * irqstat_select_rows - add a list of rows
 * @list: as "24,30-35,40-,LOC": interrupts by number, counters by label
 *
 * A label starts with a letter and has neither blanks nor commas. What does not
 * exist (yet) is no error.
 */
IRQSTAT_API int irqstat_select_rows(struct irqstat_select *sel,
				    const char *list);

/*
 * irqstat_select_include - add a pattern of names
 * @pattern: a POSIX extended regular expression
 *
 * The names of a row are its chip, each of its actions, its label, and its text
 * without the blanks at its start: it is enough that one of them matches.
 */
IRQSTAT_API int irqstat_select_include(struct irqstat_select *sel,
				       const char *pattern);

/* irqstat_select_exclude - add a pattern of names that are not wanted */
IRQSTAT_API int irqstat_select_exclude(struct irqstat_select *sel,
				       const char *pattern);

/*
 * irqstat_select_cpus - add a list of CPUs
 * @list: as "0-3,8,12-"
 *
 * Counts of no CPU (IRQSTAT_CPU_NONE) are not selected then.
 */
IRQSTAT_API int irqstat_select_cpus(struct irqstat_select *sel,
				    const char *list);

/*
 * irqstat_select_resolve - find out what labels and names mean
 * @descs: as irqstat_descs_get() returned them; may be NULL if the selection
 *	has neither labels nor patterns
 *
 * Does something only if @descs are others than the last time, or something was
 * added since. Returns 0; or -1 with EINVAL (@descs is NULL and needed) or
 * ENOMEM, and is then to be called again.
 */
IRQSTAT_API int irqstat_select_resolve(struct irqstat_select *sel,
				       const struct irqstat_descs *descs);

/*
 * irqstat_select_filter - what is selected of a snapshot
 * @snap: a snapshot, a delta's counts, or totals
 *
 * Rows that lost all their entries are left out, as are the entries of other
 * CPUs; row totals are of what is left. Returns @snap itself if everything is
 * selected, else arrays that belong to the selection and are valid until the
 * next call or irqstat_select_free(); the flags of a delta's cells are among
 * them. No allocation, once the memory has found its size. Or NULL, with EINVAL
 * when labels or patterns were not resolved, or ENOMEM; the arrays returned
 * before then stay.
 */
IRQSTAT_API const struct irqstat_snapshot *
irqstat_select_filter(struct irqstat_select *sel,
		      const struct irqstat_snapshot *snap);

/* irqstat_select_has_row - is this row selected, as last resolved? */
IRQSTAT_API bool irqstat_select_has_row(const struct irqstat_select *sel,
					const struct irqstat_row *row);

/* irqstat_select_has_desc - is what this describes selected, counts or not? */
IRQSTAT_API bool irqstat_select_has_desc(const struct irqstat_select *sel,
					 const struct irqstat_desc *desc);

/* irqstat_select_has_cpu - is this CPU selected? */
IRQSTAT_API bool irqstat_select_has_cpu(const struct irqstat_select *sel,
					uint32_t cpu);

/*
 * Topology: which CPU is on which NUMA node
 * -----------------------------------------
 */
struct irqstat_topology;

/* The node of a CPU that is on none, or not known. */
#define IRQSTAT_NODE_NONE UINT32_MAX

/*
 * irqstat_topology_new - read which CPUs are on which node
 * @root: a directory like /sys/devices/system/node, which NULL stands for
 *
 * CPUs that are offline are known, too. Returns NULL with ENOMEM, EBADMSG when
 * a list of CPUs is malformed or a CPU is on two nodes, or the errno of
 * opendir(3) or open(2): ENOENT when the kernel knows no nodes.
 */
IRQSTAT_API struct irqstat_topology *irqstat_topology_new(const char *root);

/* irqstat_topology_free - free it; NULL is none, errno is kept */
IRQSTAT_API void irqstat_topology_free(struct irqstat_topology *topology);

/* irqstat_topology_node - the node of a CPU, or IRQSTAT_NODE_NONE */
IRQSTAT_API uint32_t
irqstat_topology_node(const struct irqstat_topology *topology, uint32_t cpu);

/*
 * Sums: counts added up another way
 * ---------------------------------
 *
 * Each function takes a snapshot, a delta's counts, totals, or what a selection
 * left of them. Rows that are sums of others (IRQSTAT_ROW_AGGREGATE) are not
 * added. Sums belong to the adder and are valid until the same function is
 * called with it again, or it is freed. No allocation, once the memory has
 * found its size and while the descriptors stay. On failure (NULL) the sums
 * returned before stay. The sums of rows are their totals.
 */
struct irqstat_adder;

struct irqstat_sum {
	uint64_t count;
	uint32_t id;		/* CPU or node */
	uint32_t n_rows;	/* by name: how many rows have it, counted or not */
	struct irqstat_string name;	/* by name: that name */
};

struct irqstat_sums {
	uint64_t total;		/* of all rows, each of them once */
	size_t n_sums;
	const struct irqstat_sum *sums;
};

/* irqstat_adder_new - make an adder; NULL with ENOMEM */
IRQSTAT_API struct irqstat_adder *irqstat_adder_new(void);

/* irqstat_adder_free - free it and its sums; NULL is none, errno is kept */
IRQSTAT_API void irqstat_adder_free(struct irqstat_adder *adder);

/*
 * irqstat_sums_by_cpu - sums by CPU
 *
 * By rising number, of each CPU that is online or has counted; that of
 * IRQSTAT_CPU_NONE is the last, if it counted. Fails with ENOMEM.
 */
IRQSTAT_API const struct irqstat_sums *
irqstat_sums_by_cpu(struct irqstat_adder *adder,
		    const struct irqstat_snapshot *snap);

/*
 * irqstat_sums_by_node - sums by NUMA node
 *
 * By rising number, of each node, with CPUs or without; that of
 * IRQSTAT_NODE_NONE is the last, if CPUs on no node, or none, counted. Fails
 * with ENOMEM.
 */
IRQSTAT_API const struct irqstat_sums *
irqstat_sums_by_node(struct irqstat_adder *adder,
		     const struct irqstat_snapshot *snap,
		     const struct irqstat_topology *topology);

/*
 * irqstat_sums_by_action - sums by action: by what handles interrupts
 * @descs: those of the snapshot
 *
 * By rising bytes of the name. A shared interrupt counts for each of its
 * actions, because the kernel does not say which of them it was for: the sums
 * can be more than the total. What has no action counts for none. A missing
 * name is "(null)", as in the text. Fails with ENOMEM.
 */
IRQSTAT_API const struct irqstat_sums *
irqstat_sums_by_action(struct irqstat_adder *adder,
		       const struct irqstat_snapshot *snap,
		       const struct irqstat_descs *descs);

/*
 * irqstat_sums_by_label - sums by what the text calls them
 * @descs: those of the snapshot
 *
 * The label of a counter, of an interrupt the names of its actions with ", "
 * between them, or "" if it has none: each row has one, so the sums add up to
 * the total, but for rows without a descriptor. Otherwise as
 * irqstat_sums_by_action().
 */
IRQSTAT_API const struct irqstat_sums *
irqstat_sums_by_label(struct irqstat_adder *adder,
		      const struct irqstat_snapshot *snap,
		      const struct irqstat_descs *descs);

#ifdef __cplusplus
}
#endif

#endif /* IRQSTAT_H */
