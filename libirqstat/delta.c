/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * One pass over two snapshots at once: rows are merged by kind and id, the
 * entries of two rows by CPU. A row that is missing but is known to be all zero
 * is taken for a row without entries. Most rows have the same CPUs in both, and
 * most of these have not moved: such need no merging.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "step.h"

struct irqstat_differ {
	struct irqstat_delta pub;
	struct irqstat_snapshot counts;
	struct arrays arrays;
	struct irqstat_cpu_change *changes;
	uint64_t *restarted;	/* CPUs, behind the changes */
	size_t cpus_cap;

	/* while a delta is made */
	struct steps steps;
	const struct irqstat_snapshot *from;
	const struct irqstat_snapshot *to;
	bool from_hides;	/* cells of CPUs that are offline */
	bool to_hides;
	bool all_known;		/* neither hides what the other shows */
	bool same_rows;		/* what is missing in one was 0 */
	bool same_x86;
	size_t n_rows;
	size_t n_entries;
};

static const struct irqstat_snapshot boot;
static const struct irqstat_row zero;

struct irqstat_differ *irqstat_differ_new(void)
{
	return calloc(1, sizeof(struct irqstat_differ));
}

void irqstat_differ_free(struct irqstat_differ *differ)
{
	if (!differ)
		return;
	arrays_free(&differ->arrays);
	free(differ->changes);
	free(differ);
}

static int reserve(struct irqstat_differ *d, uint32_t cpus)
{
	const size_t words = arrays_words(cpus) * 8;
	struct irqstat_cpu_change *changes = d->changes;

	if (cpus > d->cpus_cap) {
		changes = malloc(cpus * sizeof(*changes) + words);
		if (!changes)
			return -1;
	}
	if (arrays_reserve(&d->arrays, d->from->n_rows + d->to->n_rows,
			   d->from->n_entries + d->to->n_entries, cpus)) {
		if (changes != d->changes)
			free(changes);
		return -1;
	}
	if (changes != d->changes) {
		free(d->changes);
		d->changes = changes;
		d->restarted = (uint64_t *)(changes + cpus);
		d->cpus_cap = cpus;
	}
	if (cpus)
		memset(d->restarted, 0, words);
	return 0;
}

static bool have_same_cpus(const struct irqstat_snapshot *a,
			   const struct irqstat_snapshot *b)
{
	return a->nr_cpu_ids == b->nr_cpu_ids && a->nr_cpu_ids &&
	       !memcmp(a->online, b->online, arrays_words(a->nr_cpu_ids) * 8);
}

static void begin(struct irqstat_differ *d, const struct irqstat_snapshot *from,
		  const struct irqstat_snapshot *to)
{
	const bool modules = from->source == IRQSTAT_SOURCE_MODULE &&
			     to->source == IRQSTAT_SOURCE_MODULE;

	steps_init(&d->steps, from->count_bits > to->count_bits ?
			      from->count_bits : to->count_bits,
		   modules, to->time_ns - from->time_ns);
	d->from = from;
	d->to = to;
	d->from_hides = from->source == IRQSTAT_SOURCE_TEXT;
	d->to_hides = from != &boot && to->source == IRQSTAT_SOURCE_TEXT;
	d->same_rows = from == &boot ||
		       (from->source == to->source && from->generation_exact &&
			to->generation_exact &&
			from->generation == to->generation);
	d->same_x86 = d->same_rows || modules;
	d->all_known = !d->from_hides && !d->to_hides;
	if (d->from_hides && d->to_hides)
		d->all_known = have_same_cpus(from, to);
	d->n_rows = 0;
	d->n_entries = 0;
	if (from == &boot)
		d->steps.half = UINT64_MAX;
}

static inline bool is_known(const struct irqstat_differ *d, uint32_t cpu)
{
	return d->all_known || cpu == IRQSTAT_CPU_NONE ||
	       ((!d->from_hides || irqstat_snapshot_is_online(d->from, cpu)) &&
		(!d->to_hides || irqstat_snapshot_is_online(d->to, cpu)));
}

/* The entries of two rows, CPU by CPU. */
struct cells {
	const struct irqstat_snapshot *from;
	const struct irqstat_snapshot *to;
	uint32_t i, i_end;
	uint32_t j, j_end;
	uint32_t cpu;
	uint64_t was;
	uint64_t now;
};

static struct cells cells_of(const struct irqstat_differ *d,
			     const struct irqstat_row *was,
			     const struct irqstat_row *now)
{
	return (struct cells){ .from = d->from, .to = d->to,
			       .i = was->first, .i_end = was->first + was->n,
			       .j = now->first, .j_end = now->first + now->n };
}

static inline bool cells_next(struct cells *c)
{
	const bool has_was = c->i < c->i_end, has_now = c->j < c->j_end;
	bool take_was, take_now;

	if (!has_was && !has_now)
		return false;
	take_was = has_was &&
		   (!has_now || c->from->cpu[c->i] <= c->to->cpu[c->j]);
	take_now = has_now &&
		   (!has_was || c->to->cpu[c->j] <= c->from->cpu[c->i]);
	c->cpu = take_was ? c->from->cpu[c->i] : c->to->cpu[c->j];
	c->was = take_was ? c->from->count[c->i++] : 0;
	c->now = take_now ? c->to->count[c->j++] : 0;
	return true;
}

static bool are_aligned(const struct irqstat_differ *d,
			const struct irqstat_row *was,
			const struct irqstat_row *now)
{
	return d->all_known && was->n && was->n == now->n &&
	       !memcmp(&d->from->cpu[was->first], &d->to->cpu[now->first],
		       was->n * sizeof(*d->to->cpu));
}

/* Of rows that are aligned. */
static bool have_moved(const struct irqstat_differ *d,
		       const struct irqstat_row *was,
		       const struct irqstat_row *now)
{
	return memcmp(&d->from->count[was->first], &d->to->count[now->first],
		      now->n * sizeof(*d->to->count));
}

/* Text: has any CPU of this interrupt fallen? */
static bool has_fallen(const struct irqstat_differ *d,
		       const struct irqstat_row *was,
		       const struct irqstat_row *now)
{
	struct cells c = cells_of(d, was, now);

	while (cells_next(&c)) {
		if (step_is_fall(&d->steps, c.was, c.now) && is_known(d, c.cpu))
			return true;
	}
	return false;
}

static bool has_restarted(const struct irqstat_differ *d,
			  const struct irqstat_row *was,
			  const struct irqstat_row *now)
{
	if (now->kind != IRQSTAT_IRQ || was == &zero || now == &zero)
		return false;
	if (d->steps.instances)
		return was->instance != now->instance;
	return has_fallen(d, was, now);
}

static void mark_restarted(struct irqstat_differ *d, uint32_t cpu)
{
	if (cpu != IRQSTAT_CPU_NONE)
		d->restarted[cpu / 64] |= (uint64_t)1 << cpu % 64;
}

static unsigned int put_cell(struct irqstat_differ *d, uint32_t cpu,
			     struct step step)
{
	const struct arrays *a = &d->arrays;

	if (!step.count && !step.flags)
		return 0;
	a->cpu[d->n_entries] = cpu;
	a->count[d->n_entries] = step.count;
	a->cell_flags[d->n_entries] = (uint8_t)step.flags;
	d->n_entries++;
	return step.flags;
}

static unsigned int take_cell(struct irqstat_differ *d, uint32_t cpu,
			      uint64_t was, uint64_t now)
{
	struct step step = step_take(&d->steps, was, now);

	if (step.flags & IRQSTAT_CELL_RESTARTED)
		mark_restarted(d, cpu);
	return put_cell(d, cpu, step);
}

static unsigned int put_aligned(struct irqstat_differ *d,
				const struct irqstat_row *was,
				const struct irqstat_row *now)
{
	const uint32_t *cpu = &d->to->cpu[now->first];
	const uint64_t *i = &d->from->count[was->first];
	const uint64_t *j = &d->to->count[now->first];
	unsigned int flags = 0;
	uint32_t n;

	for (n = 0; n < now->n; n++) {
		if (i[n] != j[n])
			flags |= take_cell(d, cpu[n], i[n], j[n]);
	}
	return flags;
}

/* Returns the flags of all cells. */
static unsigned int put_cells(struct irqstat_differ *d,
			      const struct irqstat_row *was,
			      const struct irqstat_row *now)
{
	struct cells c = cells_of(d, was, now);
	unsigned int flags = 0;

	while (cells_next(&c)) {
		if (is_known(d, c.cpu))
			flags |= take_cell(d, c.cpu, c.was, c.now);
	}
	return flags;
}

static unsigned int put_restarted(struct irqstat_differ *d,
				  const struct irqstat_row *now)
{
	struct cells c = cells_of(d, &zero, now);
	unsigned int flags = IRQSTAT_CELL_RESTARTED;

	while (cells_next(&c)) {
		struct step step = step_take(&d->steps, 0, c.now);

		step.flags |= IRQSTAT_CELL_RESTARTED;
		if (is_known(d, c.cpu))
			flags |= put_cell(d, c.cpu, step);
	}
	return flags;
}

/* The row whose cells were put from @first on, if it has anything to say. */
static void put_row(struct irqstat_differ *d, const struct irqstat_row *like,
		    size_t first, unsigned int flags)
{
	const unsigned int says = IRQSTAT_ROW_NEW | IRQSTAT_ROW_GONE |
				  IRQSTAT_ROW_RESTARTED |
				  IRQSTAT_ROW_UNAVAILABLE;
	struct irqstat_row *row = &d->arrays.rows[d->n_rows];
	size_t i;

	if (first == d->n_entries && !(flags & says))
		return;
	*row = *like;
	row->flags = (uint16_t)flags;
	row->first = (uint32_t)first;
	row->n = (uint32_t)(d->n_entries - first);
	row->total = 0;
	for (i = first; i < d->n_entries; i++)
		row->total += d->arrays.count[i];
	d->n_rows++;
}

static void put_pair(struct irqstat_differ *d, const struct irqstat_row *was,
		     const struct irqstat_row *now)
{
	const bool aligned = are_aligned(d, was, now);
	unsigned int flags = was->flags | now->flags;
	size_t first = d->n_entries;

	if (aligned && was->instance == now->instance &&
	    !have_moved(d, was, now))
		return;
	if (flags & IRQSTAT_ROW_UNAVAILABLE)
		;
	else if (has_restarted(d, was, now))
		flags |= step_row_flags(put_restarted(d, now));
	else if (aligned)
		flags |= step_row_flags(put_aligned(d, was, now));
	else
		flags |= step_row_flags(put_cells(d, was, now));
	put_row(d, now == &zero ? was : now, first, flags);
}

static bool is_zero_elsewhere(const struct irqstat_differ *d,
			      const struct irqstat_row *row)
{
	return row->kind == IRQSTAT_X86 ? d->same_x86 : d->same_rows;
}

static void put_gone(struct irqstat_differ *d, const struct irqstat_row *was)
{
	if (is_zero_elsewhere(d, was))
		put_pair(d, was, &zero);
	else
		put_row(d, was, d->n_entries, was->flags | IRQSTAT_ROW_GONE);
}

static void put_new(struct irqstat_differ *d, const struct irqstat_row *now)
{
	unsigned int flags = now->flags | IRQSTAT_ROW_NEW;
	size_t first = d->n_entries;

	if (is_zero_elsewhere(d, now)) {
		put_pair(d, &zero, now);
		return;
	}
	if (d->steps.instances)
		flags |= step_row_flags(put_cells(d, &zero, now));
	put_row(d, now, first, flags);
}

static void put_rows(struct irqstat_differ *d)
{
	const struct irqstat_snapshot *from = d->from, *to = d->to;
	size_t i = 0, j = 0;

	while (i < from->n_rows && j < to->n_rows) {
		const struct irqstat_row *was = &from->rows[i];
		const struct irqstat_row *now = &to->rows[j];

		if (row_key(was) < row_key(now)) {
			put_gone(d, was);
			i++;
		} else if (row_key(was) > row_key(now)) {
			put_new(d, now);
			j++;
		} else {
			put_pair(d, was, now);
			i++;
			j++;
		}
	}
	for (; i < from->n_rows; i++)
		put_gone(d, &from->rows[i]);
	for (; j < to->n_rows; j++)
		put_new(d, &to->rows[j]);
}

static size_t put_change(struct irqstat_differ *d, size_t n, uint32_t cpu)
{
	struct irqstat_cpu_change *change = &d->changes[n];
	const bool was = irqstat_snapshot_is_online(d->from, cpu);
	const bool is = irqstat_snapshot_is_online(d->to, cpu);

	change->cpu = cpu;
	if (was != is)
		change->change = is ? IRQSTAT_CPU_JOINED : IRQSTAT_CPU_LEFT;
	else if (d->restarted[cpu / 64] >> cpu % 64 & 1)
		change->change = IRQSTAT_CPU_RESTARTED;
	else
		return n;
	return n + 1;
}

static size_t put_changes(struct irqstat_differ *d)
{
	size_t from_words = arrays_words(d->from->nr_cpu_ids);
	size_t to_words = arrays_words(d->to->nr_cpu_ids);
	size_t i, n = 0;

	if (d->from == &boot)
		return 0;
	for (i = 0; i < from_words || i < to_words; i++) {
		uint64_t bits = (i < from_words ? d->from->online[i] : 0) ^
				(i < to_words ? d->to->online[i] : 0);

		for (bits |= d->restarted[i]; bits; bits &= bits - 1)
			n = put_change(d, n, (uint32_t)(i * 64) +
				       (uint32_t)__builtin_ctzll(bits));
	}
	return n;
}

static int64_t clock_step(const struct irqstat_snapshot *from,
			  const struct irqstat_snapshot *to)
{
	if (!from->realtime_ns || !to->realtime_ns)
		return 0;
	return (int64_t)(to->realtime_ns - from->realtime_ns -
			 (to->time_ns - from->time_ns));
}

static void publish(struct irqstat_differ *d, uint32_t cpus)
{
	const struct irqstat_snapshot *from = d->from, *to = d->to;

	arrays_publish(&d->arrays, &d->counts, to, cpus, d->n_rows,
		       d->n_entries);
	d->counts.cell_flags = d->arrays.cell_flags;
	d->counts.count_bits = 64;
	d->pub.interval_ns = to->time_ns - from->time_ns;
	d->pub.clock_step_ns = clock_step(from, to);
	d->pub.counts = &d->counts;
	d->pub.n_changes = put_changes(d);
	d->pub.changes = d->changes;
}

const struct irqstat_delta *irqstat_delta_make(struct irqstat_differ *differ,
					       const struct irqstat_snapshot *from,
					       const struct irqstat_snapshot *to)
{
	const bool rebooted = from && to && is_other_boot(from->boot, to);
	uint32_t cpus;

	if (!from || rebooted)
		from = &boot;
	if (!to || to->time_ns <= from->time_ns) {
		errno = EINVAL;
		return NULL;
	}
	cpus = from->nr_cpu_ids > to->nr_cpu_ids ? from->nr_cpu_ids :
						   to->nr_cpu_ids;
	begin(differ, from, to);
	if (reserve(differ, cpus))
		return NULL;
	put_rows(differ);
	publish(differ, cpus);
	differ->pub.rebooted = rebooted;
	return &differ->pub;
}

double irqstat_delta_rate(const struct irqstat_delta *delta, uint64_t count)
{
	return (double)count * 1e9 / (double)delta->interval_ns;
}
