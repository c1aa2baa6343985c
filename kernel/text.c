// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own /proc/interrupts, read by a worker and seldom. From it come
 * the layout of the rows (layout.c), and the counters that a kernel before 7.2
 * shows nowhere else: ERR and MIS, and MCE and MCP where BTF doesn't help.
 *
 * It is opened on a mount of our own that nobody sees: the reader's /proc may be
 * another one, or have an empty file in its place, and a worker has none at all
 * on the newest kernels.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "irqbin.h"

#define TEXT_NAME	"interrupts"
#define TEXT_SIZE_MAX	(256U << 20)

/* On as many CPUs at once; that one more has polled is soon told by the next. */
#define POLLS_AWAITED	64

struct text_counts {
	u64 read_ns;
	u32 known;		/* bit for each entry of irqbin_arch_counters */
	u32 count[];		/* nr_cpu_ids for each counter that the text is for */
};

static struct text_counts __rcu *current_counts;

static bool moved;		/* since they were read */
static bool poll_live;

static struct vfsmount *proc_mount;	/* the worker's; NULL before its first use */

/*
 * Of the counters that only the text may have, machine check polls is the one that
 * moves in everyday life: every few minutes, and when a CPU comes.
 */
static int on_poll(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	WRITE_ONCE(moved, true);
	return 0;
}

static struct kretprobe poll = {
	.kp.symbol_name = "machine_check_poll",
	.handler = on_poll,
	.maxactive = POLLS_AWAITED,
};

static struct file *text_open(void)
{
	struct file_system_type *type;
	struct vfsmount *mnt;

	if (!proc_mount) {
		/* Built in: there is no reference to give back. */
		type = get_fs_type("proc");
		mnt = type ? kern_mount(type) : ERR_PTR(-ENODEV);
		if (IS_ERR(mnt))
			return ERR_CAST(mnt);
		proc_mount = mnt;
	}
	return file_open_root_mnt(proc_mount, TEXT_NAME, O_RDONLY, 0);
}

/* Reads from @pos to the end, or until @limit bytes are there. */
static ssize_t text_read(struct file *file, loff_t pos, size_t limit, char **text)
{
	size_t size = PAGE_SIZE, used = 0;
	char *buf = NULL, *larger;
	ssize_t got;

	do {
		size *= 2;
		larger = size <= TEXT_SIZE_MAX ? kvmalloc(size, GFP_KERNEL) : NULL;
		if (!larger) {
			kvfree(buf);
			return -ENOMEM;
		}
		if (buf)
			memcpy(larger, buf, used);
		kvfree(buf);
		buf = larger;
		do {
			got = kernel_read(file, buf + used, size - 1 - used, &pos);
			if (got > 0)
				used += got;
		} while (got > 0 && used < size - 1);
	} while (got > 0 && used < limit);

	if (got < 0) {
		kvfree(buf);
		return got;
	}
	buf[used] = '\0';
	*text = buf;
	return used;
}

/*
 * Goes on with the rows of the architecture: they stand at index nr_irqs of the
 * sequence, and a sequence continues at the index that its file says. @pos is
 * where the last read ended, and not 0.
 */
static void arch_rows_seek(struct file *file, loff_t pos)
{
	struct seq_file *seq = file->private_data;

	mutex_lock(&seq->lock);
	seq->index = irqbin_nr_irqs();
	seq->count = 0;
	seq->from = 0;
	seq->read_pos = pos;
	mutex_unlock(&seq->lock);
}

/**
 * irqbin_text_read - read the kernel's own text from its start
 * @limit: where to stop, in bytes; it may be passed by far
 * @text: where to put the text, ended by a zero byte; to be freed with kvfree()
 * @arch: where to put the rows of the architecture, likewise
 *
 * Return: 0, or a negative error
 */
int irqbin_text_read(size_t limit, char **text, char **arch)
{
	struct file *file = text_open();
	ssize_t len;

	if (IS_ERR(file))
		return PTR_ERR(file);
	len = text_read(file, 0, limit, text);
	if (len > 0) {
		arch_rows_seek(file, len);
		len = text_read(file, len, SIZE_MAX, arch);
		if (len < 0)
			kvfree(*text);
	} else if (!len) {
		kvfree(*text);
		len = -ENODATA;
	}
	filp_close(file, NULL);
	return len < 0 ? len : 0;
}

/*
 * Only those: kernels from 7.2 on set them by what they have noted at the start,
 * but they don't need this.
 */
static ssize_t arch_rows_read(char **arch)
{
	struct file *file = text_open();
	ssize_t len;

	if (IS_ERR(file))
		return PTR_ERR(file);
	arch_rows_seek(file, 1);
	len = text_read(file, 1, SIZE_MAX, arch);
	filp_close(file, NULL);
	return len;
}

/* Takes over the counts of a row; without @count, only looks whether it can be done. */
static int row_parse(const char *row, const struct cpumask *online, bool single, u32 *count)
{
	unsigned int cpu, value;
	int used;

	row = strchr(row, ':');
	if (single) {
		if (sscanf(row + 1, " %u%n", &value, &used) != 1)
			return -EINVAL;
		if (count)
			count[0] = value;
		return 0;
	}
	for (row++, cpu = cpumask_first(online); cpu < nr_cpu_ids;
	     cpu = cpumask_next(cpu, online), row += used) {
		if (sscanf(row, " %u%n", &value, &used) != 1)
			return -EINVAL;
		if (count)
			count[cpu] = value;
	}
	return 0;
}

/* The counters that the text is for, or that it checks. */
static bool is_wanted(unsigned int i)
{
	return irqbin_arch_counters[i].source != IRQBIN_FROM_STAT;
}

static u32 *counts_of(struct text_counts *counts, unsigned int i)
{
	unsigned int j, slot = 0;

	for (j = 0; j < i; j++)
		slot += is_wanted(j);
	return &counts->count[(size_t)slot * nr_cpu_ids];
}

/* Where BTF tells of counters, what it makes them out to be: into @counts. */
static void guesses_take(const struct cpumask *online, struct text_counts *counts)
{
	unsigned int i, cpu;

	for (i = 0; i < irqbin_arch_num; i++) {
		if (!is_wanted(i))
			continue;
		for_each_cpu(cpu, online)
			irqbin_arch_guess(i, cpu, &counts_of(counts, i)[cpu]);
	}
}

/* Takes over the rows from @row on; @guesses were made before they were read. */
static void rows_parse(const char *row, const struct cpumask *online, struct text_counts *guesses,
		       struct text_counts *counts)
{
	unsigned int cpu;

	for (; row && *row; row = strchr(row, '\n'), row += !!row) {
		int i = irqbin_arch_find(row);
		const bool single = i >= 0 && !*irqbin_arch_counters[i].text;

		if (i < 0 || !is_wanted(i) || row_parse(row, online, single, NULL))
			continue;
		row_parse(row, online, single, counts_of(counts, i));
		counts->known |= 1U << i;
		if (!single)
			for_each_cpu(cpu, online)
				irqbin_arch_check(i, cpu, counts_of(guesses, i)[cpu],
						  counts_of(counts, i)[cpu]);
	}
}

static struct text_counts *counts_new(const struct text_counts *old)
{
	size_t slots = 0, bytes;
	unsigned int i;
	struct text_counts *counts;

	for (i = 0; i < irqbin_arch_num; i++)
		slots += is_wanted(i);
	bytes = sizeof(*counts) + slots * nr_cpu_ids * sizeof(u32);
	counts = kvzalloc(bytes, GFP_KERNEL);
	/* The text hides CPUs that are offline: their counts are the last known. */
	if (counts && old)
		memcpy(counts, old, bytes);
	return counts;
}

/**
 * irqbin_text_counters_refresh - read the counters that only the text has
 *
 * Called by one worker at a time. What can't be read is not known afterwards.
 */
void irqbin_text_counters_refresh(void)
{
	struct text_counts *old = rcu_dereference_protected(current_counts, true);
	struct text_counts *counts = counts_new(old), *guesses = counts_new(NULL);
	struct cpumask *online = kmalloc(cpumask_size(), GFP_KERNEL);
	char *text = NULL;
	int tries = 3;

	if (!counts || !guesses || !online)
		goto out;
	counts->known = 0;
	counts->read_ns = ktime_get_boottime_ns();
	WRITE_ONCE(moved, false);
	do {
		cpumask_copy(online, cpu_online_mask);
		guesses_take(online, guesses);
		kvfree(text);
		text = NULL;
		if (arch_rows_read(&text) < 0)
			break;
	} while (!cpumask_equal(online, cpu_online_mask) && --tries);
	if (text && tries)
		rows_parse(text, online, guesses, counts);
	rcu_assign_pointer(current_counts, counts);
	counts = NULL;
	if (old) {
		synchronize_rcu();
		kvfree(old);
	}
out:
	kvfree(text);
	kfree(online);
	kvfree(guesses);
	kvfree(counts);
}

/* Age of the cached counters; U64_MAX if there are none. */
u64 irqbin_text_counters_age_ns(void)
{
	const struct text_counts *counts;
	u64 age = U64_MAX;

	rcu_read_lock();
	counts = rcu_dereference(current_counts);
	if (counts)
		age = ktime_get_boottime_ns() - counts->read_ns;
	rcu_read_unlock();
	return age;
}

/* Whether one of them was seen to count since they were read. */
bool irqbin_text_counters_moved(void)
{
	return READ_ONCE(moved);
}

/**
 * irqbin_text_counter_put - write the counts of a cached counter
 * @out: where to; the record has been begun
 * @i: index in irqbin_arch_counters
 *
 * Return: false if they are not known
 */
bool irqbin_text_counter_put(struct irqbin_out *out, unsigned int i)
{
	const bool single = !*irqbin_arch_counters[i].text;
	struct text_counts *counts;
	const u32 *count;
	unsigned int cpu;
	bool known;

	rcu_read_lock();
	counts = rcu_dereference(current_counts);
	known = counts && counts->known >> i & 1;
	if (known) {
		count = counts_of(counts, i);
		for (cpu = 0; cpu < (single ? 1 : nr_cpu_ids); cpu++)
			if (count[cpu])
				irqbin_record_add(out, irqbin_count_word(single ? IRQBIN_CPU_NONE :
									 cpu, count[cpu]));
	}
	rcu_read_unlock();
	return known;
}

/*
 * Called when it is known which counters are for the text. Without the probe, they
 * are as old as they may be.
 */
void irqbin_text_init(void)
{
	unsigned int i;

	for (i = 0; i < irqbin_arch_num; i++) {
		if (irqbin_arch_counters[i].id != IRQBIN_X86_MCP || !irqbin_arch_is_cached(i))
			continue;
		poll_live = !register_kretprobe(&poll);
		WRITE_ONCE(moved, true);
	}
}

void irqbin_text_exit(void)
{
	if (poll_live)
		unregister_kretprobe(&poll);
	kvfree(rcu_dereference_protected(current_counts, true));
	if (proc_mount)
		kern_unmount(proc_mount);
}
