// SPDX-License-Identifier: GPL-2.0-only
/*
 * The x86 counters: one table, in the order of the kernel's own text.
 *
 * They are read CPU by CPU, not row by row: those of one CPU share two or three
 * cache lines.
 */
#include <linux/cpumask.h>
#include <linux/prefetch.h>
#include <linux/string.h>

#include "irqbin.h"

#define COUNTER(_label, _source, _offset, _text, ...) \
	{ .id = IRQBIN_X86_##_label, .source = _source, .offset = _offset, \
	  .label = #_label, .text = _text, ##__VA_ARGS__ }

#ifdef IRQBIN_HAVE_STAT_ARRAY
#define INDEXED(_label, _index, _text, ...) \
	COUNTER(_label, IRQBIN_FROM_STAT, \
		offsetof(irq_cpustat_t, counts[IRQ_COUNT_##_index]), _text, ##__VA_ARGS__)
#define STAT(_label, _member, _index, _text, ...) \
	INDEXED(_label, _index, _text, ##__VA_ARGS__)
/* Shown from the first event on, which is when one CPU has counted it. */
#define ONCE_COUNTED	.once_counted = true
#else
#define STAT(_label, _member, _index, _text, ...) \
	COUNTER(_label, IRQBIN_FROM_STAT, offsetof(irq_cpustat_t, _member), _text)
#define ONCE_COUNTED
#endif

const struct irqbin_arch_counter irqbin_arch_counters[] = {
	STAT(NMI, __nmi_count, NMI, "Non-maskable interrupts"),
#ifdef CONFIG_X86_LOCAL_APIC
	STAT(LOC, apic_timer_irqs, APIC_TIMER, "Local timer interrupts"),
	STAT(SPU, irq_spurious_count, SPURIOUS, "Spurious interrupts", ONCE_COUNTED),
	STAT(PMI, apic_perf_irqs, APIC_PERF, "Performance monitoring interrupts"),
	STAT(IWI, apic_irq_work_irqs, IRQ_WORK, "IRQ work interrupts"),
	STAT(RTR, icr_read_retry_count, ICR_READ_RETRY, "APIC ICR read retries", ONCE_COUNTED),
	STAT(PLT, x86_platform_ipis, X86_PLATFORM_IPI, "Platform interrupts"),
#endif
#ifdef CONFIG_SMP
	STAT(RES, irq_resched_count, RESCHEDULE, "Rescheduling interrupts"),
	STAT(CAL, irq_call_count, CALL_FUNCTION, "Function call interrupts"),
#endif
#if defined(CONFIG_SMP) || defined(IRQBIN_HAVE_STAT_ARRAY)
	STAT(TLB, irq_tlb_count, TLB, "TLB shootdowns"),
#endif
#ifdef CONFIG_X86_THERMAL_VECTOR
	STAT(TRM, irq_thermal_count, THERMAL_APIC, "Thermal event interrupts"),
#endif
#ifdef CONFIG_X86_MCE_THRESHOLD
	STAT(THR, irq_threshold_count, THRESHOLD_APIC, "Threshold APIC interrupts"),
#endif
#ifdef CONFIG_X86_MCE_AMD
	STAT(DFR, irq_deferred_error_count, DEFERRED_ERROR, "Deferred Error APIC interrupts"),
#endif
#ifdef CONFIG_X86_MCE
#ifdef IRQBIN_HAVE_STAT_ARRAY
	INDEXED(MCE, MCE_EXCEPTION, "Machine check exceptions"),
	INDEXED(MCP, MCE_POLL, "Machine check polls"),
#else
	COUNTER(MCE, IRQBIN_FROM_BTF, 0, "Machine check exceptions"),
	COUNTER(MCP, IRQBIN_FROM_BTF, 0, "Machine check polls"),
#endif
#endif
#ifdef CONFIG_X86_HV_CALLBACK_VECTOR
	STAT(HYP, irq_hv_callback_count, HYPERVISOR_CALLBACK, "Hypervisor callback interrupts"),
#endif
#if IS_ENABLED(CONFIG_HYPERV)
	STAT(HRE, irq_hv_reenlightenment_count, HYPERV_REENLIGHTENMENT,
	     "Hyper-V reenlightenment interrupts"),
	STAT(HVS, hyperv_stimer0_count, HYPERV_STIMER0, "Hyper-V stimer0 interrupts"),
#endif
#ifndef IRQBIN_HAVE_STAT_ARRAY
	COUNTER(ERR, IRQBIN_FROM_TEXT, 0, ""),
#ifdef CONFIG_X86_IO_APIC
	COUNTER(MIS, IRQBIN_FROM_TEXT, 0, ""),
#endif
#endif
#ifdef IRQBIN_HAVE_POSTED_INTR
	STAT(PIN, kvm_posted_intr_ipis, POSTED_INTR, "Posted-interrupt notification event"),
	STAT(NPI, kvm_posted_intr_nested_ipis, POSTED_INTR_NESTED,
	     "Nested posted-interrupt event"),
	STAT(PIW, kvm_posted_intr_wakeup_ipis, POSTED_INTR_WAKEUP,
	     "Posted-interrupt wakeup event"),
#endif
#if defined(IRQBIN_HAVE_STAT_ARRAY) && defined(CONFIG_GUEST_PERF_EVENTS)
	INDEXED(VPMI, PERF_GUEST_MEDIATED_PMI, "Perf Guest Mediated PMI"),
#endif
#ifdef CONFIG_X86_POSTED_MSI
	STAT(PMN, posted_msi_notification_count, POSTED_MSI_NOTIFICATION,
	     "Posted MSI notification event"),
#endif
#ifdef IRQBIN_HAVE_STAT_ARRAY
	INDEXED(ERR, PIC_APIC_ERROR, "PIC/APIC error interrupts", ONCE_COUNTED),
#ifdef CONFIG_X86_IO_APIC
	INDEXED(MIS, IOAPIC_MISROUTED, "Misrouted IO/APIC interrupts", ONCE_COUNTED),
#endif
#endif
};

const unsigned int irqbin_arch_num = ARRAY_SIZE(irqbin_arch_counters);

/* Indices by rising id: the order of the counter window. */
static u8 by_id[ARRAY_SIZE(irqbin_arch_counters)];

/*
 * Where each counter is in a CPU's area, in bytes from its irq_stat; NOT_HERE for
 * those that come from the kernel's own text.
 */
#define NOT_HERE	LONG_MIN
static long place[ARRAY_SIZE(irqbin_arch_counters)];

/*
 * A CPU's counters are taken over as a block: the part of irq_stat that has them,
 * by words of two counters, and one word more for those of them that are elsewhere.
 * An aligned word is read in one go, so each half is a value that the counter had.
 */
static unsigned int block_begin;	/* of the block, in words of irq_stat */
static unsigned int block_words;	/* the word more included */
static u8 slot[ARRAY_SIZE(irqbin_arch_counters)];	/* in the block, in halves */
static u8 elsewhere[2];			/* counters that are not in irq_stat */
static unsigned int n_elsewhere;

/* Reads counter @i of @cpu, which may just have become one that is not here. */
static bool place_read(unsigned int i, unsigned int cpu, u32 *count)
{
	const long at = READ_ONCE(place[i]);

	if (at == NOT_HERE)
		return false;
	*count = READ_ONCE(*(u32 *)((char *)per_cpu_ptr(&irq_stat, cpu) + at));
	return true;
}

/* Index of the counter whose row in the text starts at @row, or -1. */
int irqbin_arch_find(const char *row)
{
	unsigned int i;

	row = skip_spaces(row);
	for (i = 0; i < irqbin_arch_num; i++) {
		const size_t len = strlen(irqbin_arch_counters[i].label);

		if (!strncmp(row, irqbin_arch_counters[i].label, len) && row[len] == ':')
			return i;
	}
	return -1;
}

/* Whether counter @i comes from the kernel's own text. */
bool irqbin_arch_is_cached(unsigned int i)
{
	return READ_ONCE(place[i]) == NOT_HERE;
}

bool irqbin_arch_any_cached(void)
{
	unsigned int i;

	for (i = 0; i < irqbin_arch_num; i++)
		if (irqbin_arch_is_cached(i))
			return true;
	return false;
}

/* What counter @i of @cpu is where BTF says that it is; false if it says nothing. */
bool irqbin_arch_guess(unsigned int i, unsigned int cpu, u32 *count)
{
	return irqbin_arch_counters[i].source == IRQBIN_FROM_BTF && place_read(i, cpu, count);
}

/*
 * Compares counter @i with what the text says of one CPU, @before being the guess
 * before that was read. If it is not what we took it for, BTF is not believed any
 * more: what it tells of is from now on taken from the text.
 */
void irqbin_arch_check(unsigned int i, unsigned int cpu, u32 before, u32 count)
{
	u32 now;

	if (!irqbin_arch_guess(i, cpu, &now) || count - before <= now - before)
		return;
	for (i = 0; i < irqbin_arch_num; i++)
		if (irqbin_arch_counters[i].source == IRQBIN_FROM_BTF)
			WRITE_ONCE(place[i], NOT_HERE);
}

#ifndef IRQBIN_HAVE_STAT_ARRAY
/*
 * The two counters of machine checks are not exported. Where they are in a CPU's
 * area is in the kernel's BTF, as is irq_stat, which is exported: their distance
 * counts. The text has the last word on it: irqbin_arch_check().
 */
static void btf_places_find(void)
{
	static const char *const name[] = {
		"irq_stat", "mce_exception_count", "mce_poll_count"
	};
	u32 offset[ARRAY_SIZE(name)];
	unsigned int i;

	if (irqbin_btf_find(name, ARRAY_SIZE(name), offset))
		return;
	for (i = 0; i < irqbin_arch_num; i++) {
		if (irqbin_arch_counters[i].id == IRQBIN_X86_MCE)
			place[i] = (long)offset[1] - offset[0];
		if (irqbin_arch_counters[i].id == IRQBIN_X86_MCP)
			place[i] = (long)offset[2] - offset[0];
	}
}
#else
static void btf_places_find(void)
{
}
#endif

static void blocks_lay_out(void)
{
	unsigned int i, first = UINT_MAX, last = 0;

	for (i = 0; i < irqbin_arch_num; i++) {
		if (irqbin_arch_counters[i].source != IRQBIN_FROM_STAT)
			continue;
		first = min(first, irqbin_arch_counters[i].offset);
		last = max(last, irqbin_arch_counters[i].offset);
	}
	block_begin = first / sizeof(u64);
	block_words = last / sizeof(u64) + 1 - block_begin + 1;
	for (i = 0; i < irqbin_arch_num; i++) {
		if (irqbin_arch_counters[i].source == IRQBIN_FROM_STAT) {
			slot[i] = irqbin_arch_counters[i].offset / sizeof(u32) - 2 * block_begin;
		} else if (place[i] != NOT_HERE) {
			slot[i] = 2 * (block_words - 1) + n_elsewhere;
			elsewhere[n_elsewhere++] = i;
		}
	}
}

void irqbin_arch_init(void)
{
	unsigned int i, id, n = 0;

	for (id = 0; id <= IRQBIN_X86_PMN; id++)
		for (i = 0; i < irqbin_arch_num; i++)
			if (irqbin_arch_counters[i].id == id)
				by_id[n++] = i;
	for (i = 0; i < irqbin_arch_num; i++)
		place[i] = irqbin_arch_counters[i].source == IRQBIN_FROM_STAT ?
			   (long)irqbin_arch_counters[i].offset : NOT_HERE;
	btf_places_find();
	blocks_lay_out();
}

/* Bytes of scratch memory, zeroed, that irqbin_arch_collect() wants. */
size_t irqbin_arch_scratch_size(void)
{
	return (size_t)block_words * nr_cpu_ids * sizeof(u64);
}

/* Words that irqbin_arch_collect() may write. */
size_t irqbin_arch_words_max(void)
{
	return irqbin_arch_num * irqbin_record_max(nr_cpu_ids);
}

/* Takes over the block of @cpu, and notes in @any which counters are not zero. */
static void block_read(unsigned int cpu, u64 *block, u64 *any)
{
	const u64 *stat = (const u64 *)per_cpu_ptr(&irq_stat, cpu) + block_begin;
	unsigned int i;

	for (i = 0; i < block_words - 1; i++) {
		block[i] = READ_ONCE(stat[i]);
		any[i] |= block[i];
	}
	for (i = 0; i < n_elsewhere; i++)
		place_read(elsewhere[i], cpu, (u32 *)&block[block_words - 1] + i);
	any[block_words - 1] |= block[block_words - 1];
}

static void record_put(struct irqbin_out *out, unsigned int i, const u64 *blocks)
{
	const u32 *count = (const u32 *)blocks + slot[i];
	const size_t at = out->used;
	unsigned int cpu;
	u64 *word;

	irqbin_record_begin(out, IRQBIN_REC_X86, irqbin_arch_counters[i].id);
	word = &out->word[out->used];
	for (cpu = 0; cpu < nr_cpu_ids; cpu++, count += 2 * block_words)
		if (*count)
			*word++ = irqbin_count_word(cpu, *count);
	out->used = word - out->word;
	irqbin_record_end(out, at, 0);
}

/* A cached counter has a record even if it is zero: to say that it is cached. */
static void cached_put(struct irqbin_out *out, unsigned int i)
{
	const size_t at = out->used;
	bool known;

	irqbin_record_begin(out, IRQBIN_REC_X86, irqbin_arch_counters[i].id);
	known = irqbin_text_counter_put(out, i);
	irqbin_record_end(out, at, known ? IRQBIN_CNT_CACHED : IRQBIN_CNT_UNAVAILABLE);
}

/**
 * irqbin_arch_collect - write the records of the architecture counters
 * @out: has room for irqbin_arch_words_max() more words
 * @blocks: irqbin_arch_scratch_size() bytes, those of CPUs that can't be are zero
 *
 * Return: the number of cells read
 */
unsigned int irqbin_arch_collect(struct irqbin_out *out, u64 *blocks)
{
	u64 any[sizeof(irq_cpustat_t) / sizeof(u64) + 1] = { };
	unsigned int cpu, next, i, n = 0;

	for (cpu = cpumask_first(cpu_possible_mask); cpu < nr_cpu_ids; cpu = next) {
		next = cpumask_next(cpu, cpu_possible_mask);
		if (next < nr_cpu_ids)
			prefetch(per_cpu_ptr(&irq_stat, next));
		block_read(cpu, blocks + (size_t)cpu * block_words, any);
	}
	for (i = 0; i < irqbin_arch_num; i++) {
		const unsigned int k = by_id[i];
		const bool cached = irqbin_arch_is_cached(k);

		n += !cached;
		if (cached)
			cached_put(out, k);
		else if (((const u32 *)any)[slot[k]])
			record_put(out, k, blocks);
	}
	return n * num_possible_cpus();
}
