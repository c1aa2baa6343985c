// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor window: built by a worker when it is asked for and the
 * generation has moved. All opens take their copies of the same one.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "layout.h"

/* A window that is older is built again, to find what no probe has noticed. */
#define CHECK_S		30

/* One without a layout, built while much changed, is not kept that long. */
#define RETRY_S		1

/* ERR and MIS in the counter window are not older than this when it is read ... */
#define COUNTERS_AGE_NS		(10 * NSEC_PER_SEC)
/* ... or than this after the descriptor window has been read. */
#define COUNTERS_FRESH_NS	(NSEC_PER_SEC)

/* As much text as has some rows of interrupts. */
#define TEXT_SAMPLE	(64UL << 10)
#define TEXT_SAMPLE_CPU	64UL

#define BUILD_TRIES	3

static struct workqueue_struct *worker;
static struct work_struct work;
static DEFINE_SPINLOCK(window_lock);
static struct irqbin_window *current_window;	/* under window_lock */

/* The worker's. */
static struct irqbin_arch_layout arch_layout;
static u64 builds;
static bool layout_unknown;

static atomic_t runs_begun;	/* of the worker */
static int runs_ended;

/* Makes room for @words more. */
bool irqbin_out_reserve(struct irqbin_out *out, size_t words)
{
	u64 *larger;
	size_t size;

	if (words <= out->size - out->used)
		return true;
	size = 2 * out->size + words;
	larger = kvmalloc_array(size, sizeof(u64), GFP_KERNEL);
	if (!larger)
		return false;
	if (out->word)
		memcpy(larger, out->word, out->used * sizeof(u64));
	kvfree(out->word);
	out->word = larger;
	out->size = size;
	return true;
}

static int rows_put(struct irqbin_out *out)
{
	const struct irqbin_table *table;
	unsigned int i;
	int token, err;

	err = irqbin_table_update(false);
	if (err)
		return err;
	token = irqbin_table_enter();
	table = irqbin_table_current();
	for (i = 0; i < table->n && !err; i++) {
		err = irqbin_row_describe(out, table->row[i]);
		cond_resched();
	}
	irqbin_table_leave(token);
	return err;
}

/* Learns from the kernel's own text how rows are set; false if in vain. */
static bool layout_learn(const u64 *descs, const u64 *end, struct irqbin_layout *layout)
{
	size_t limit = TEXT_SAMPLE + TEXT_SAMPLE_CPU * num_online_cpus();
	char *text, *arch;
	int err;

	for (;; limit = SIZE_MAX) {
		if (irqbin_text_read(limit, &text, &arch) < 0)
			return false;
		if (!arch_layout.known && irqbin_layout_learn_arch(text, arch, &arch_layout))
			irqbin_layout_free_arch(&arch_layout);
		err = irqbin_layout_learn(text, descs, end, layout);
		kvfree(text);
		kvfree(arch);
		/* No chip there was narrow: look at all rows. */
		if (err || layout->chip_width || limit == SIZE_MAX)
			break;
	}
	layout->chip_width = max_t(u16, layout->chip_width, IRQBIN_CHIP_WIDTH_MIN);
	return !err && arch_layout.known;
}

/* The records of a window, in order, from behind the header on. */
static int records_put(struct irqbin_out *out, bool *laid_out)
{
	const size_t layout_words = sizeof(struct irqbin_layout) / sizeof(u64);
	struct irqbin_layout layout = { };
	size_t at, descs;
	unsigned int i;
	int err;

	if (!irqbin_out_reserve(out, sizeof(struct irqbin_header) / sizeof(u64) + 1 + layout_words))
		return -ENOMEM;
	out->used = sizeof(struct irqbin_header) / sizeof(u64);
	at = out->used;
	irqbin_record_begin(out, IRQBIN_REC_LAYOUT, 0);
	out->used += layout_words;
	irqbin_record_end(out, at, 0);

	descs = out->used;
	err = rows_put(out);
	if (err)
		return err;
	*laid_out = layout_learn(out->word + descs, out->word + out->used, &layout);
	if (!*laid_out)
		memset(&layout, 0, sizeof(layout));
	memcpy(&out->word[at + 1], &layout, sizeof(layout));
	for (i = 0; i < irqbin_arch_num && !err; i++)
		err = irqbin_arch_describe(out, i, &arch_layout);
	return err;
}

static struct irqbin_window *window_of(const struct irqbin_out *out, u64 generation)
{
	const size_t bytes = out->used * sizeof(u64);
	struct irqbin_window *window = kvmalloc(sizeof(*window) + bytes, GFP_KERNEL);

	if (!window)
		return NULL;
	refcount_set(&window->refs, 1);
	window->generation = generation;
	window->built_s = irqbin_now_s();
	window->bytes = bytes;
	memcpy(window->word, out->word, bytes);
	return window;
}

/* The same but for the header, which tells when it was built. */
static bool window_is_same(const struct irqbin_window *a, const struct irqbin_window *b)
{
	const size_t header = sizeof(struct irqbin_header), end = 2 * sizeof(u64);

	return a->bytes == b->bytes &&
	       !memcmp((char *)a->word + header, (char *)b->word + header,
		       a->bytes - header - end);
}

/* Returns the new window; NULL when there is no memory for it. */
static struct irqbin_window *window_build(u64 generation, bool *laid_out)
{
	const u64 start_ns = ktime_get_boottime_ns();
	struct irqbin_window *window = NULL;
	struct irqbin_out out = { };
	u32 flags = 0;

	if (records_put(&out, laid_out) || !irqbin_out_reserve(&out, 2))
		goto out;
	if (!*laid_out)
		flags |= IRQBIN_F_LAYOUT_UNKNOWN;
	irqbin_header_set(&out, IRQBIN_WINDOW_DESCRIPTORS, flags, ++builds, generation, start_ns,
			  num_online_cpus());
	window = window_of(&out, generation);
out:
	kvfree(out.word);
	return window;
}

/* Publishes @window; takes over the caller's reference. */
static void window_set(struct irqbin_window *window)
{
	struct irqbin_window *old;

	spin_lock(&window_lock);
	old = current_window;
	current_window = window;
	spin_unlock(&window_lock);
	irqbin_window_put(old);
}

static void describe(void)
{
	struct irqbin_window *window = NULL, *old = current_window;
	bool laid_out;
	u64 generation;
	int tries = BUILD_TRIES;

	/* A change, or CPU hotplug, in mid-build: the text fits no style. Once more. */
	do {
		irqbin_window_put(window);
		generation = irqbin_generation();
		window = window_build(generation, &laid_out);
	} while (window && !laid_out && --tries);
	if (!window)
		return;
	/* Unless that is another change's number: then it is to be built again. */
	if (old && old->generation == generation && !window_is_same(old, window) &&
	    irqbin_generation_bump() == generation + 1) {
		window->generation++;
		((struct irqbin_header *)window->word)->generation++;
	}
	WRITE_ONCE(layout_unknown, !laid_out);
	window_set(window);
}

/* Whether the rows of the kernel's own text can't be made from descriptors. */
bool irqbin_layout_is_unknown(void)
{
	return READ_ONCE(layout_unknown);
}

/* Who makes text of the counters wants what the text has. */
static bool counters_are_stale(bool for_text)
{
	if (!irqbin_arch_any_cached())
		return false;
	if (for_text && irqbin_text_counters_moved())
		return true;
	return irqbin_text_counters_age_ns() > (for_text ? COUNTERS_FRESH_NS : COUNTERS_AGE_NS);
}

static bool window_is_stale(const struct irqbin_window *window)
{
	const unsigned int keep_s = irqbin_layout_is_unknown() ? RETRY_S : CHECK_S;

	return !window || !irqbin_generation_is_exact() ||
	       window->generation != irqbin_generation() ||
	       irqbin_now_s() - window->built_s > keep_s;
}

static void do_work(struct work_struct *unused)
{
	const int run = atomic_inc_return(&runs_begun);

	if (counters_are_stale(true))
		irqbin_text_counters_refresh();
	if (irqbin_table_is_unchecked())
		irqbin_table_check();
	if (window_is_stale(current_window))
		describe();
	/* What it has done, for work_wait(). */
	smp_store_release(&runs_ended, run);
}

/**
 * irqbin_window_check - have done what is due now and then
 *
 * Called with each counter snapshot; waits for nothing.
 */
void irqbin_window_check(void)
{
	if (irqbin_table_is_unchecked() || counters_are_stale(false))
		queue_work(worker, &work);
}

/* Has done what a read that does not wait found undone. */
void irqbin_window_kick(void)
{
	queue_work(worker, &work);
}

/*
 * Waits for a run of the worker that begins from now on. One flush may not do: it
 * knows nothing of work that another CPU is just about to queue.
 */
static void work_wait(void)
{
	const int begun = atomic_read(&runs_begun);

	do {
		irqbin_window_kick();
		flush_work(&work);
		cond_resched();
		/* What that run has done. */
	} while (smp_load_acquire(&runs_ended) - begun <= 0);
}

/**
 * irqbin_window_get - the descriptor window as it is now
 * @nowait: fail with -EAGAIN instead of waiting
 *
 * Return: a window, to be given back with irqbin_window_put(), or an ERR_PTR:
 * -EAGAIN, -ENOMEM
 */
struct irqbin_window *irqbin_window_get(bool nowait)
{
	const u64 generation = irqbin_generation();
	struct irqbin_window *window;
	bool stale;

	spin_lock(&window_lock);
	stale = window_is_stale(current_window) || counters_are_stale(true);
	spin_unlock(&window_lock);
	if (stale) {
		if (nowait) {
			irqbin_window_kick();
			return ERR_PTR(-EAGAIN);
		}
		work_wait();
	}

	spin_lock(&window_lock);
	window = current_window;
	/* One older than this call: there was no memory for another. */
	if (window && (s64)(window->generation - generation) < 0)
		window = NULL;
	if (window)
		refcount_inc(&window->refs);
	spin_unlock(&window_lock);
	return window ?: ERR_PTR(-ENOMEM);
}

void irqbin_window_put(struct irqbin_window *window)
{
	if (window && refcount_dec_and_test(&window->refs))
		kvfree(window);
}

int irqbin_window_init(void)
{
	worker = alloc_ordered_workqueue("interrupts_bin", 0);
	if (!worker)
		return -ENOMEM;
	INIT_WORK(&work, do_work);
	queue_work(worker, &work);
	flush_work(&work);
	irqbin_text_init();
	return 0;
}

/* Called when there are no readers any more. */
void irqbin_window_exit(void)
{
	destroy_workqueue(worker);
	irqbin_window_put(current_window);
	irqbin_layout_free_arch(&arch_layout);
	irqbin_text_exit();
}
