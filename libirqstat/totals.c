/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A store holds each row ever seen, and for each of its cells the count it had
 * last and the total. Adding a snapshot merges it with the one store into the
 * other; what is shown is then copied out of that. A counter's step back of no
 * more than GLITCH leaves the count of the cell where it was, so that what brings
 * it back there counts nothing.
 *
 * In text, that a cell fell says that its row restarted after the cell was last
 * shown. If that was longer ago than for the others, these may have been counted
 * since then, and are not to be again: the cell alone counts from 0.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "step.h"

#define GLITCH 65536

/* irqstat_row.flags of stored rows, beside IRQSTAT_ROW_AGGREGATE */
#define STORED_GONE	   0x1U	/* not in the last snapshot */
#define STORED_NO_INSTANCE 0x2U	/* text, which does not tell it, was the last */
#define STORED_RESTARTED   0x4U	/* between the last two snapshots */

/* cell_flags of stored cells */
#define STORED_STALE 0x1U	/* hidden when the row was last shown */

struct store {
	struct arrays arrays;	/* count: the totals, online: CPUs ever shown */
	uint64_t *last;
	size_t last_cap;
	size_t n_rows;
	size_t n_entries;
	uint64_t time_ns;	/* of the last snapshot, as what follows */
	uint64_t boot;
	uint32_t count_bits;
	uint32_t nr_cpu_ids;	/* the most there were */
	bool all_shown;		/* the module shows all CPUs */
};

struct irqstat_totals {
	struct irqstat_snapshot pub;
	struct arrays shown;
	struct store stores[2];
	bool has_snapshot;
	bool keeps_gone;
	uint8_t cur;

	/* while a snapshot is added */
	bool rebooted;		/* all began at 0 again */
	const struct irqstat_snapshot *snap;
	struct steps by_instance;
	struct steps by_count;
	const struct store *old;
	struct store *out;
};

struct irqstat_totals *irqstat_totals_new(void)
{
	return calloc(1, sizeof(struct irqstat_totals));
}

static void store_free(struct store *s)
{
	arrays_free(&s->arrays);
	free(s->last);
}

void irqstat_totals_free(struct irqstat_totals *totals)
{
	if (!totals)
		return;
	arrays_free(&totals->shown);
	store_free(&totals->stores[0]);
	store_free(&totals->stores[1]);
	free(totals);
}

/* Of the spare store, whose contents don't matter. */
static int store_reserve(struct store *s, size_t n_rows, size_t n_entries,
			 uint32_t nr_cpu_ids)
{
	if (arrays_reserve(&s->arrays, n_rows, n_entries, nr_cpu_ids))
		return -1;
	if (s->arrays.entries_cap == s->last_cap)
		return 0;
	free(s->last);
	s->last = malloc(s->arrays.entries_cap * sizeof(*s->last));
	s->last_cap = s->last ? s->arrays.entries_cap : 0;
	return s->last ? 0 : -1;
}

/* What is shown now is given up last, when nothing can fail any more. */
static int reserve(struct irqstat_totals *t)
{
	size_t n_rows = t->old->n_rows + t->snap->n_rows;
	size_t n_entries = t->old->n_entries + t->snap->n_entries;

	if (store_reserve(t->out, n_rows, n_entries, t->out->nr_cpu_ids))
		return -1;
	return arrays_reserve(&t->shown, n_rows, n_entries, t->out->nr_cpu_ids);
}

static bool is_hidden(const struct irqstat_snapshot *snap, uint32_t cpu)
{
	return snap->source == IRQSTAT_SOURCE_TEXT && cpu != IRQSTAT_CPU_NONE &&
	       !irqstat_snapshot_is_online(snap, cpu);
}

/* Was this CPU ever shown? Then what had no entry was 0. */
static bool was_shown(const struct store *s, uint32_t cpu)
{
	return s->all_shown || cpu == IRQSTAT_CPU_NONE ||
	       (cpu < s->nr_cpu_ids &&
		(s->arrays.online[cpu / 64] >> cpu % 64 & 1));
}

static void put_cell(struct store *out, uint32_t cpu, uint64_t last,
		     uint64_t total, unsigned int flags)
{
	out->arrays.cpu[out->n_entries] = cpu;
	out->arrays.count[out->n_entries] = total;
	out->arrays.cell_flags[out->n_entries] = (uint8_t)flags;
	out->last[out->n_entries] = last;
	out->n_entries++;
}

/* A row from its old cells and those of the snapshot, CPU by CPU. */
struct merge {
	const struct irqstat_totals *t;
	const struct steps *steps;
	uint32_t i, i_end;	/* old */
	uint32_t j, j_end;	/* of the snapshot */
	bool is_irq;
	bool restarted;
};

static void step_cell(const struct merge *m, uint32_t cpu, uint64_t last,
		      uint64_t total, uint64_t now)
{
	struct step step = step_take(m->steps, last, now);

	if (m->is_irq || !(step.flags & IRQSTAT_CELL_BACKWARD) ||
	    ((last - now) & m->steps->mask) > GLITCH)
		last = now;
	put_cell(m->t->out, cpu, last, total + step.count, 0);
}

static void merge_both(struct merge *m)
{
	const struct store *old = m->t->old;
	const struct irqstat_snapshot *snap = m->t->snap;

	step_cell(m, snap->cpu[m->j], m->restarted ? 0 : old->last[m->i],
		  old->arrays.count[m->i], snap->count[m->j]);
	m->i++;
	m->j++;
}

/* The CPU has no entry: it is hidden, or its count is 0. */
static void merge_old(struct merge *m)
{
	const struct store *old = m->t->old;
	uint32_t cpu = old->arrays.cpu[m->i];
	uint64_t last = m->restarted ? 0 : old->last[m->i];
	uint64_t total = old->arrays.count[m->i++];

	if (is_hidden(m->t->snap, cpu))
		put_cell(m->t->out, cpu, last, total, STORED_STALE);
	else
		step_cell(m, cpu, last, total, 0);
}

/* The CPU had no entry: its count was 0, or is not known. */
static void merge_new(struct merge *m)
{
	const struct irqstat_snapshot *snap = m->t->snap;
	uint32_t cpu = snap->cpu[m->j];
	uint64_t now = snap->count[m->j++];

	if (m->restarted || was_shown(m->t->old, cpu))
		step_cell(m, cpu, 0, 0, now);
	else
		put_cell(m->t->out, cpu, now, 0, 0);
}

static void merge_cells(struct merge *m)
{
	const uint32_t *old = m->t->old->arrays.cpu, *now = m->t->snap->cpu;

	while (m->i < m->i_end && m->j < m->j_end) {
		if (old[m->i] == now[m->j])
			merge_both(m);
		else if (old[m->i] < now[m->j])
			merge_old(m);
		else
			merge_new(m);
	}
	while (m->i < m->i_end)
		merge_old(m);
	while (m->j < m->j_end)
		merge_new(m);
}

static bool has_fallen(const struct irqstat_totals *t,
		       const struct irqstat_row *old,
		       const struct irqstat_row *now)
{
	uint32_t i = old->first, i_end = old->first + old->n;
	uint32_t j = now->first, j_end = now->first + now->n;

	for (; i < i_end; i++) {
		uint32_t cpu = t->old->arrays.cpu[i];

		while (j < j_end && t->snap->cpu[j] < cpu)
			j++;
		if (is_hidden(t->snap, cpu) ||
		    (t->old->arrays.cell_flags[i] & STORED_STALE))
			continue;
		if (step_is_fall(&t->by_count, t->old->last[i],
				 j < j_end && t->snap->cpu[j] == cpu ?
				 t->snap->count[j] : 0))
			return true;
	}
	return false;
}

static struct irqstat_row *put_row(struct irqstat_totals *t,
				   const struct irqstat_row *like)
{
	struct irqstat_row *row = &t->out->arrays.rows[t->out->n_rows++];

	*row = *like;
	row->first = (uint32_t)t->out->n_entries;
	row->flags = like->flags & IRQSTAT_ROW_AGGREGATE;
	if (t->snap->source != IRQSTAT_SOURCE_MODULE)
		row->flags |= STORED_NO_INSTANCE;
	return row;
}

static void put_kept(struct irqstat_totals *t, const struct irqstat_row *old,
		     unsigned int flags)
{
	struct irqstat_row *row = put_row(t, old);
	uint32_t i;

	row->flags = (uint16_t)((old->flags & ~STORED_RESTARTED) | flags);
	for (i = old->first; i < old->first + old->n; i++)
		put_cell(t->out, t->old->arrays.cpu[i],
			 t->rebooted ? 0 : t->old->last[i],
			 t->old->arrays.count[i], t->old->arrays.cell_flags[i]);
}

/* A row comes with its counts, whatever they are. */
static void put_first(struct irqstat_totals *t, const struct irqstat_row *now)
{
	uint32_t j;

	put_row(t, now);
	for (j = now->first; j < now->first + now->n; j++)
		put_cell(t->out, t->snap->cpu[j], t->snap->count[j],
			 t->snap->count[j], 0);
}

static bool have_moved(const struct irqstat_totals *t,
		       const struct irqstat_row *old,
		       const struct irqstat_row *now)
{
	const struct irqstat_snapshot *snap = t->snap;

	return t->rebooted || old->n != now->n || !now->n ||
	       old->instance != now->instance ||
	       memcmp(&t->old->last[old->first], &snap->count[now->first],
		      now->n * sizeof(*snap->count)) ||
	       memcmp(&t->old->arrays.cpu[old->first], &snap->cpu[now->first],
		      now->n * sizeof(*snap->cpu));
}

/* The totals of most rows are those that they had. */
static void put_unmoved(struct irqstat_totals *t, const struct irqstat_row *old,
			const struct irqstat_row *now)
{
	const struct arrays *from = &t->old->arrays, *to = &t->out->arrays;
	size_t n = t->out->n_entries;

	put_row(t, now);
	memcpy(to->cpu + n, from->cpu + old->first, old->n * sizeof(*to->cpu));
	memcpy(to->count + n, from->count + old->first,
	       old->n * sizeof(*to->count));
	memcpy(t->out->last + n, t->old->last + old->first,
	       old->n * sizeof(*t->out->last));
	memset(to->cell_flags + n, 0, old->n);
	t->out->n_entries += old->n;
}

static void put_both(struct irqstat_totals *t, const struct irqstat_row *old,
		     const struct irqstat_row *now)
{
	const bool module = t->snap->source == IRQSTAT_SOURCE_MODULE;
	const bool told = module && !(old->flags & STORED_NO_INSTANCE);
	struct merge m = { .t = t, .i = old->first, .i_end = old->first + old->n,
			   .j = now->first, .j_end = now->first + now->n };
	struct irqstat_row *row;

	if (!have_moved(t, old, now)) {
		put_unmoved(t, old, now);
		return;
	}
	if (now->flags & IRQSTAT_ROW_UNAVAILABLE) {
		put_kept(t, old, 0);
		t->out->arrays.rows[t->out->n_rows - 1].flags &= ~STORED_GONE;
		return;
	}
	m.steps = told ? &t->by_instance : &t->by_count;
	m.is_irq = now->kind == IRQSTAT_IRQ;
	m.restarted = t->rebooted;
	if (m.is_irq && !t->rebooted)
		m.restarted = told ? old->instance != now->instance :
				     has_fallen(t, old, now);
	row = put_row(t, now);
	row->flags |= m.restarted ? STORED_RESTARTED : 0;
	merge_cells(&m);
	row->n = (uint32_t)t->out->n_entries - row->first;
}

static void put_rows(struct irqstat_totals *t)
{
	const struct store *old = t->old;
	const struct irqstat_snapshot *snap = t->snap;
	size_t i = 0, j = 0;

	while (i < old->n_rows || j < snap->n_rows) {
		const struct irqstat_row *was = NULL, *now = NULL;

		if (i < old->n_rows)
			was = &old->arrays.rows[i];
		if (j < snap->n_rows)
			now = &snap->rows[j];
		if (!now || (was && row_key(was) < row_key(now)))
			put_kept(t, was, STORED_GONE);
		else if (!was || row_key(was) > row_key(now))
			put_first(t, now);
		else
			put_both(t, was, now);
		i += was && (!now || row_key(was) <= row_key(now));
		j += now && (!was || row_key(now) <= row_key(was));
	}
}

/* @like says the rest, but for its counts. */
static void show_row(struct irqstat_totals *t, const struct irqstat_row *like,
		     const struct irqstat_row *stored)
{
	struct irqstat_row *row = &t->shown.rows[t->pub.n_rows++];
	const struct arrays *from = &t->out->arrays, *to = &t->shown;
	size_t n = t->pub.n_entries;
	uint32_t i;

	*row = *like;
	row->first = (uint32_t)n;
	row->total = 0;
	if (stored->flags & STORED_RESTARTED)
		row->flags |= IRQSTAT_ROW_RESTARTED;
	for (i = stored->first; i < stored->first + stored->n; i++) {
		to->cpu[n] = from->cpu[i];
		to->count[n] = from->count[i];
		row->total += from->count[i];
		n += from->count[i] != 0;
	}
	row->n = (uint32_t)n - row->first;
	t->pub.n_entries = n;
}

static void show_gone(struct irqstat_totals *t,
		      const struct irqstat_row *stored)
{
	struct irqstat_row like = *stored;

	like.flags = IRQSTAT_ROW_GONE | (stored->flags & IRQSTAT_ROW_AGGREGATE);
	show_row(t, &like, stored);
	t->pub.n_rows -= !t->shown.rows[t->pub.n_rows - 1].n;
}

/* The rows that are not gone are those of the snapshot, in its order. */
static void show(struct irqstat_totals *t)
{
	const struct irqstat_row *now = t->snap->rows;
	const struct store *out = t->out;
	size_t i;

	t->pub.n_rows = 0;
	t->pub.n_entries = 0;
	for (i = 0; i < out->n_rows; i++) {
		const struct irqstat_row *stored = &out->arrays.rows[i];

		if (!(stored->flags & STORED_GONE))
			show_row(t, now++, stored);
		else if (t->keeps_gone)
			show_gone(t, stored);
	}
	arrays_publish(&t->shown, &t->pub, t->snap, out->nr_cpu_ids,
		       t->pub.n_rows, t->pub.n_entries);
	t->pub.count_bits = 64;
	t->pub.cell_flags = NULL;
}

static void begin(struct irqstat_totals *t, const struct irqstat_snapshot *snap)
{
	struct store *old = &t->stores[t->cur], *out = &t->stores[t->cur ^ 1];
	uint64_t interval_ns = snap->time_ns - old->time_ns;
	unsigned int bits = old->count_bits > snap->count_bits ?
			    old->count_bits : snap->count_bits;

	t->snap = snap;
	t->old = old;
	t->out = out;
	out->n_rows = 0;
	out->n_entries = 0;
	out->time_ns = snap->time_ns;
	out->boot = snap->boot;
	out->count_bits = snap->count_bits;
	out->nr_cpu_ids = old->nr_cpu_ids > snap->nr_cpu_ids ?
			  old->nr_cpu_ids : snap->nr_cpu_ids;
	out->all_shown = old->all_shown ||
			 snap->source == IRQSTAT_SOURCE_MODULE;
	steps_init(&t->by_instance, bits, true, interval_ns);
	steps_init(&t->by_count, bits, false, interval_ns);
	t->rebooted = is_other_boot(old->boot, snap);
	if (t->rebooted)
		t->by_instance.half = t->by_count.half = UINT64_MAX;
}

static void put_shown(struct irqstat_totals *t)
{
	size_t old = arrays_words(t->old->nr_cpu_ids);
	size_t now = arrays_words(t->snap->nr_cpu_ids);
	size_t i;

	for (i = 0; i < old || i < now; i++)
		t->out->arrays.online[i] =
			(i < old ? t->old->arrays.online[i] : 0) |
			(i < now ? t->snap->online[i] : 0);
}

void irqstat_totals_keep_gone(struct irqstat_totals *totals)
{
	totals->keeps_gone = true;
}

int irqstat_totals_add(struct irqstat_totals *totals,
		       const struct irqstat_snapshot *snap)
{
	struct irqstat_totals *t = totals;

	if (!snap || !snap->time_ns ||
	    (snap->time_ns <= t->stores[t->cur].time_ns &&
	     !is_other_boot(t->stores[t->cur].boot, snap))) {
		errno = EINVAL;
		return -1;
	}
	begin(t, snap);
	if (reserve(t))
		return -1;
	put_rows(t);
	put_shown(t);
	show(t);
	t->cur ^= 1;
	t->has_snapshot = true;
	return 0;
}

const struct irqstat_snapshot *
irqstat_totals_get(const struct irqstat_totals *totals)
{
	return totals->has_snapshot ? &totals->pub : NULL;
}
