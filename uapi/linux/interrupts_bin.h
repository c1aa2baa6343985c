/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR MIT) */
/*
 * The contract of /proc/interrupts_bin: the machine's interrupt counters as a
 * stream of the non-zero ones, and the names that go with them.
 *
 * One file, two windows
 * ---------------------
 *
 *	offset 0                             offset desc_offset (IRQBIN_DESC_OFFSET)
 *	|                                    |
 *	v                                    v
 *	+--------+--------+-- --+-----+      +--------+--------+------+-- --+-----+
 *	| header | online | ... | end |      | header | layout | desc | ... | end |
 *	+--------+--------+-- --+-----+      +--------+--------+------+-- --+-----+
 *	the counters: read as often           the descriptors: read once, and again
 *	as you like                           when the generation has moved
 *
 * A read at the first byte of a window takes a new snapshot of it. Reads
 * further on return the rest of that same snapshot, whatever their sizes and
 * however they are made (read, pread, preadv, splice, io_uring). At the end of
 * the window a read returns 0. A kept file descriptor with pread(..., 0) or
 * lseek(0) and read gives a fresh snapshot every time. Two open files never see
 * each other's snapshots. Readers that share one open file share its snapshot:
 * one that reads in several calls compares the sequence number in the header
 * with the one in the END record, and starts again when they differ. A whole
 * window read by one call is always one snapshot.
 *
 * The stream
 * ----------
 *
 * 64-bit words in the byte order of the machine: a header, then records. Each
 * record is one word of header and n_words words of payload, so that a reader
 * can skip every type it does not know:
 *
 *	 63        56 55        48 47                32 31                     0
 *	+------------+------------+--------------------+------------------------+
 *	|   flags    |    type    |      n_words       |           id           |
 *	+------------+------------+--------------------+------------------------+
 *	|                     n_words words of payload ...                      |
 *
 * (bit numbers as on a little-endian machine; struct irqbin_record is what
 * counts). All that is unused is zero. A newer minor version may add record
 * types, flags, words at the end of the header (header_words grows), of LAYOUT
 * and END, and behind the strings of a descriptor; readers accept all of these,
 * and a change of the text is told by a new flag of the layout, descriptor or
 * record that it concerns. A newer major version changes what is here.
 *
 * Counter window, in this order:
 *
 *	ONLINE	   the CPUs that were online at the start of the pass
 *	IRQ	   one for each interrupt with a non-zero count, by rising number
 *	X86	   one for each architecture counter with a non-zero count, and for
 *		   each whose value is CACHED or UNAVAILABLE, by rising id
 *	END
 *
 * Descriptor window, in this order:
 *
 *	LAYOUT	   how this kernel sets its text (zeros: IRQBIN_F_LAYOUT_UNKNOWN)
 *	IRQ_DESC   one for each interrupt that exists, by rising number
 *	X86_DESC   one for each architecture counter, in the order of the text
 *	END
 *
 * Counts
 * ------
 *
 * A count is the kernel's own: 32 bits wide, it wraps to 0 after 4294967295
 * (IRQBIN_F_COUNTS_32). Take differences modulo 2^32, cell by cell, and add
 * them up in 64 bits. Counts of CPUs that are offline now are kept. A counter
 * that is not in the stream is 0 on every CPU, a CPU that is not in a record
 * has counted 0: nothing that is not zero is ever left out.
 *
 * Each count is one that the counter had at some moment between time_ns and
 * time_ns + duration_ns; one CPU's increment that was under way at that moment
 * may be in this snapshot or in the next.
 *
 * Identity
 * --------
 *
 * Interrupt numbers are used again. An interrupt is (number, instance): the
 * instance changes when the kernel has freed the number and allocated it anew,
 * and its counts have then started from 0. Instances are not used again before
 * the next boot. Interrupts that have been there since the module came carry
 * none; theirs is the header's instance_base.
 *
 * The generation in the counter window's header moves whenever an interrupt was
 * requested, freed, allocated, renamed or retyped: read the descriptors again
 * when it is not that of the descriptors you hold. Where the kernel offers no
 * way to know all of these, IRQBIN_F_GENERATION_INEXACT says so; the descriptors
 * should then be read again every few seconds too. Generations, like instances,
 * are not used again before the next boot.
 *
 * Errors of open: EACCES (file mode), EPERM (neither CAP_PERFMON nor
 * CAP_SYS_ADMIN nor a member of the module's group), EINVAL (open for writing),
 * ENOMEM.
 * Errors of read: ENOMEM, EAGAIN (only with RWF_NOWAIT or on behalf of
 * io_uring's first try), EFAULT, EINTR, and EIO once the module is gone.
 */
#ifndef _UAPI_LINUX_INTERRUPTS_BIN_H
#define _UAPI_LINUX_INTERRUPTS_BIN_H

#include <linux/types.h>

/* Reads 0x42515249 on a machine of the other byte order. */
#define IRQBIN_MAGIC			0x49525142U
#define IRQBIN_VERSION_MAJOR		1
#define IRQBIN_VERSION_MINOR		0

/* Below 2 GiB, so that sendfile and 32-bit offsets reach both windows. */
#define IRQBIN_DESC_OFFSET		0x40000000U

/* irqbin_header.window */
#define IRQBIN_WINDOW_COUNTERS		0
#define IRQBIN_WINDOW_DESCRIPTORS	1

/* irqbin_header.flags */
#define IRQBIN_F_COUNTS_32		0x1U	/* counts wrap at 2^32 */
#define IRQBIN_F_GENERATION_INEXACT	0x2U	/* some changes may not move it */
#define IRQBIN_F_LAYOUT_UNKNOWN		0x4U	/* text can't be made from this */

struct irqbin_header {
	__u32 magic;		/* IRQBIN_MAGIC */
	__u16 version_major;
	__u16 version_minor;
	__u16 header_words;	/* length of this header in words, 16 or more */
	__u16 window;		/* IRQBIN_WINDOW_* */
	__u32 flags;		/* IRQBIN_F_* */
	__u64 window_bytes;	/* length of header and records */
	__u64 sequence;		/* of this open's snapshots; descriptors: of builds */
	__u64 generation;
	__u64 time_ns;		/* CLOCK_BOOTTIME at the start of the pass */
	__u64 duration_ns;	/* of the pass */
	__u64 instance_base;	/* instance of records that carry none */
	__u64 desc_offset;	/* where the descriptor window starts */
	__u32 n_records;	/* END included */
	__u32 nr_cpu_ids;	/* highest possible CPU number + 1 */
	__u32 nr_cpus_online;
	__u32 reserved0;
	__u64 reserved[5];
};

struct irqbin_record {
	__u32 id;
	__u16 n_words;		/* words of payload that follow */
	__u8 type;		/* IRQBIN_REC_* */
	__u8 flags;
};

/*
 * ONLINE: id is 0. Bit (cpu % 64) of payload word (cpu / 64) is set for each
 * online CPU; (nr_cpu_ids + 63) / 64 words.
 */
#define IRQBIN_REC_ONLINE		1

/*
 * IRQ: id is the interrupt's number. X86: id is one of IRQBIN_X86_*. The payload
 * is the instance, one word, if IRQBIN_CNT_INSTANCE is set, then one struct
 * irqbin_count for each CPU with a non-zero count, by rising CPU number.
 */
#define IRQBIN_REC_IRQ			2
#define IRQBIN_REC_X86			3

/* END: id is 0. The payload is the header's sequence number, one word. */
#define IRQBIN_REC_END			4

/* LAYOUT: id is 0, the payload a struct irqbin_layout. */
#define IRQBIN_REC_LAYOUT		16

/* IRQ_DESC: id is the interrupt's number, the payload a struct irqbin_irq_desc. */
#define IRQBIN_REC_IRQ_DESC		17

/* X86_DESC: id is one of IRQBIN_X86_*, the payload a struct irqbin_x86_desc. */
#define IRQBIN_REC_X86_DESC		18

/* irqbin_record.flags of IRQ and X86 */
#define IRQBIN_CNT_INSTANCE		0x1	/* the first word is the instance */
#define IRQBIN_CNT_CACHED		0x2	/* seconds old: see interrupts_bin(4) */
#define IRQBIN_CNT_UNAVAILABLE		0x4	/* this kernel has it, we can't read it */
#define IRQBIN_CNT_TEXT_ZERO		0x8	/* the kernel's own text prints zeros */

/* One counter cell. */
struct irqbin_count {
	__u32 cpu;		/* IRQBIN_CPU_NONE: the machine's, not one CPU's */
	__u32 count;		/* never 0 */
};

#define IRQBIN_CPU_NONE			0xffffffffU

/* Architecture counters, named after their labels in /proc/interrupts. */
#define IRQBIN_X86_NMI			1	/* non-maskable interrupts */
#define IRQBIN_X86_LOC			2	/* local timer */
#define IRQBIN_X86_SPU			3	/* spurious */
#define IRQBIN_X86_PMI			4	/* performance monitoring */
#define IRQBIN_X86_IWI			5	/* IRQ work */
#define IRQBIN_X86_RTR			6	/* APIC ICR read retries */
#define IRQBIN_X86_PLT			7	/* platform */
#define IRQBIN_X86_RES			8	/* rescheduling */
#define IRQBIN_X86_CAL			9	/* function call */
#define IRQBIN_X86_TLB			10	/* TLB shootdowns */
#define IRQBIN_X86_TRM			11	/* thermal event */
#define IRQBIN_X86_THR			12	/* threshold APIC */
#define IRQBIN_X86_DFR			13	/* deferred error APIC */
#define IRQBIN_X86_MCE			14	/* machine check exceptions */
#define IRQBIN_X86_MCP			15	/* machine check polls */
#define IRQBIN_X86_HYP			16	/* hypervisor callback */
#define IRQBIN_X86_HRE			17	/* Hyper-V reenlightenment */
#define IRQBIN_X86_HVS			18	/* Hyper-V stimer0 */
#define IRQBIN_X86_ERR			19	/* PIC/APIC errors */
#define IRQBIN_X86_MIS			20	/* misrouted IO/APIC */
#define IRQBIN_X86_PIN			21	/* posted-interrupt notification */
#define IRQBIN_X86_NPI			22	/* nested posted-interrupt */
#define IRQBIN_X86_PIW			23	/* posted-interrupt wakeup */
#define IRQBIN_X86_VPMI			24	/* perf guest mediated PMI */
#define IRQBIN_X86_PMN			25	/* posted MSI notification */

/*
 * How this kernel sets its text. Every row is
 *
 *	the number or label, right-aligned to irq_width, and a colon;
 *	for each online CPU, by rising number, a blank and the count,
 *	right-aligned to 10;
 *	a tail.
 *
 * The header row is irq_width + 8 blanks and, for each online CPU, the letters
 * CPU and the number left-aligned to 8. The tail of an interrupt is
 *
 *	chip_gap blanks and the chip, aligned to chip_width; a CHIP_PRINTED chip is
 *	not aligned, and where chips are right-aligned it has one blank less;
 *	a blank and the hwirq, right-aligned to irq_width, or no_hwirq_blanks
 *	blanks if it has none;
 *	if it has a flow name, a dash and that name left-aligned to 8;
 *	if it has actions, two blanks and their names, with a comma and a blank
 *	between them; a missing name is "(null)".
 */
struct irqbin_layout {
	__u16 irq_width;
	__u16 chip_width;
	__u16 chip_gap;
	__u16 no_hwirq_blanks;
	__u32 flags;		/* IRQBIN_LAYOUT_* */
	__u32 reserved;
};

#define IRQBIN_LAYOUT_CHIP_RIGHT	0x1U	/* the chip is right-aligned */
#define IRQBIN_LAYOUT_HWIRQ_INT		0x2U	/* the hwirq is set as a 32-bit int */

/*
 * Strings stand behind the fixed part: a table of n_strings __u16 lengths, then
 * the bytes of all strings, one after the other without terminators, then zero
 * bytes up to a whole word. They are raw bytes of the drivers' choosing. The
 * length IRQBIN_STRING_NONE is a string that is not there (and has no bytes).
 */
#define IRQBIN_STRING_NONE		0xffffU

/*
 * One interrupt. Strings: the chip, the flow name, then each action's name in
 * the order in which they were requested.
 */
struct irqbin_irq_desc {
	__u64 instance;
	__u64 hwirq;		/* if IRQBIN_DESC_HWIRQ */
	__u32 flags;		/* IRQBIN_DESC_* */
	__u32 trigger;		/* IRQBIN_TRIGGER_* */
	__u32 n_strings;	/* 2 or more */
	__u32 reserved;
};

/*
 * One architecture counter. Strings: the label, and the tail of its row in
 * the text (leading blanks included, newline not).
 */
struct irqbin_x86_desc {
	__u32 flags;		/* IRQBIN_DESC_* */
	__u32 n_strings;	/* 2 or more */
};

/* flags of both */
#define IRQBIN_DESC_SHOWN		0x001U	/* the text has a row for it */
#define IRQBIN_DESC_SHOWN_ONLINE	0x002U	/* if an online CPU's count is not 0 */
#define IRQBIN_DESC_SHOWN_COUNTED	0x004U	/* if any CPU's count is not 0 */
#define IRQBIN_DESC_SINGLE		0x008U	/* the row has one count, no CPUs */
/* flags of interrupts */
#define IRQBIN_DESC_HWIRQ		0x010U	/* hwirq is set */
#define IRQBIN_DESC_PER_CPU		0x020U	/* a per-CPU interrupt */
#define IRQBIN_DESC_CHAINED		0x040U	/* demultiplexes other interrupts */
#define IRQBIN_DESC_CHIP_PRINTED	0x080U	/* chip set by its driver: no padding */
#define IRQBIN_DESC_TRUNCATED		0x100U	/* a string or action was left out */
#define IRQBIN_DESC_UNREADABLE		0x200U	/* a name pointed to no memory */

/* irqbin_irq_desc.trigger: 0, or any of these */
#define IRQBIN_TRIGGER_RISING		0x1U
#define IRQBIN_TRIGGER_FALLING		0x2U
#define IRQBIN_TRIGGER_HIGH		0x4U
#define IRQBIN_TRIGGER_LOW		0x8U

#endif /* _UAPI_LINUX_INTERRUPTS_BIN_H */
