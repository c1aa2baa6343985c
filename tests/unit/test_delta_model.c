/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Deltas and totals of a machine that does at random what machines do, against
 * what really happened on it. Where it can be known it must come out exactly,
 * and never may more come out than happened.
 */
#include <string.h>

#include "snap.h"
#include "suite.h"

#define N_CPUS 8
#define N_LINES 10
#define N_X86 3
#define N_LASTING 3
#define N_STEPS 120
#define N_KEPT 4

#ifndef N_SEEDS
#define N_SEEDS 5
#endif

/*
 * An interrupt or x86 counter: the last N_X86 of them are counters. They and the
 * first N_LASTING are as old as the machine: their counts may be about to wrap.
 * The others restart: in text, that must not look like a wrap.
 */
struct line {
	bool exists;
	bool ever_restarted;
	uint64_t instance;
	uint64_t happened[N_CPUS];	/* under this id, ever */
	uint64_t born[N_CPUS];		/* happened when this instance began */
	uint32_t first[N_CPUS];		/* its count then */
};

struct machine {
	uint64_t time_ns;
	uint64_t online;
	uint64_t generation;
	struct line lines[N_LINES];
	bool is_text;			/* that is how it was read */
	struct irqstat_snapshot *snap;
};

static uint64_t state;

static uint32_t pick(uint32_t n)
{
	state = state * 6364136223846793005U + 1442695040888963407U;
	return (uint32_t)((state >> 33) % n);
}

static bool is_x86(size_t i)
{
	return i >= N_LINES - N_X86;
}

static unsigned int kind_of(size_t i)
{
	return is_x86(i) ? IRQSTAT_X86 : IRQSTAT_IRQ;
}

static uint32_t id_of(size_t i)
{
	return is_x86(i) ? (uint32_t)(i - (N_LINES - N_X86)) + 1 : (uint32_t)i * 7;
}

static uint32_t count_of(const struct line *line, size_t cpu)
{
	return line->first[cpu] +
	       (uint32_t)(line->happened[cpu] - line->born[cpu]);
}

static void begin_line(struct line *line, bool is_old)
{
	static uint64_t instances;
	size_t cpu;

	line->exists = true;
	line->instance = ++instances;
	memcpy(line->born, line->happened, sizeof(line->born));
	for (cpu = 0; cpu < N_CPUS; cpu++)
		line->first[cpu] = is_old && pick(2) ? 0U - pick(3000) : 0;
}

static void begin(struct machine *m, uint64_t seed)
{
	size_t i;

	state = seed;
	memset(m, 0, sizeof(*m));
	m->time_ns = 1000000000;
	m->online = 0xff;
	m->generation = 1;
	for (i = 0; i < N_LINES; i++) {
		const bool lasts = is_x86(i) || i < N_LASTING;

		if (lasts || pick(2))
			begin_line(&m->lines[i], lasts);
	}
}

static void restart(struct machine *m)
{
	struct line *line = &m->lines[N_LASTING + pick(N_LINES - N_X86 -
						       N_LASTING)];

	m->generation++;
	line->ever_restarted = true;
	if (line->exists && pick(2))
		line->exists = false;
	else
		begin_line(line, false);
}

static void count(struct machine *m)
{
	struct line *line = &m->lines[pick(N_LINES)];
	size_t cpu = pick(N_CPUS);

	if (line->exists && (m->online >> cpu & 1))
		line->happened[cpu] += pick(4) ? pick(50) : pick(1000000);
}

static void go_on(struct machine *m)
{
	uint32_t n = pick(40);

	m->time_ns += 1 + pick(2000000000) + (pick(10) ? 1000000000U : 0U);
	while (n--) {
		count(m);
		if (!pick(20))
			restart(m);
		if (!pick(20))
			m->online = (m->online ^ 1U << pick(N_CPUS)) | 1;
	}
}

static bool shows(const struct machine *m, size_t cpu)
{
	return !m->is_text || (m->online >> cpu & 1);
}

static void read_line(const struct machine *m, struct snap *s, size_t i)
{
	const struct line *line = &m->lines[i];
	struct snap_cell cells[N_CPUS];
	struct irqstat_row *row;
	size_t n = 0, cpu;

	for (cpu = 0; cpu < N_CPUS; cpu++) {
		cells[n] = (struct snap_cell){ (uint32_t)cpu, count_of(line, cpu) };
		n += shows(m, cpu) && cells[n].count;
	}
	if (!line->exists || !n)
		return;
	row = snap_row(s, kind_of(i), id_of(i), cells, n);
	row->instance = m->is_text || is_x86(i) ? 0 : line->instance;
}

static void read_machine(struct machine *m)
{
	const uint64_t seconds = 1;
	struct snap *s = m->is_text ? snap_text(seconds, m->online) :
				      snap_module(seconds, m->online);
	size_t i;

	s->pub.time_ns = m->time_ns;
	s->pub.generation = m->generation;
	for (i = 0; i < N_LINES; i++)
		read_line(m, s, i);
	m->snap = snap_exact(&s->pub);
}

static bool has_row(const struct machine *m, size_t i)
{
	return irqstat_snapshot_find(m->snap, kind_of(i), id_of(i));
}

static void check_changes(const struct machine *was, const struct machine *is,
			  const struct irqstat_delta *delta)
{
	uint64_t joined = 0, left = 0;
	size_t i;

	for (i = 0; i < delta->n_changes; i++) {
		const struct irqstat_cpu_change *change = &delta->changes[i];

		ck_assert_uint_lt(change->cpu, N_CPUS);
		ck_assert(!i || change[-1].cpu < change->cpu);
		if (change->change == IRQSTAT_CPU_JOINED)
			joined |= 1U << change->cpu;
		else if (change->change == IRQSTAT_CPU_LEFT)
			left |= 1U << change->cpu;
		else
			ck_abort_msg("no CPU forgets its counts here");
	}
	ck_assert_uint_eq(joined, is->online & ~was->online);
	ck_assert_uint_eq(left, was->online & ~is->online);
}

/* What is known to have happened, when the row has these flags. */
static uint64_t known(const struct machine *was, const struct machine *is,
		      size_t i, size_t cpu, uint32_t flags)
{
	const struct line *a = &was->lines[i], *b = &is->lines[i];
	const bool one_life = a->exists && a->instance == b->instance;

	if (!b->exists || (flags & IRQSTAT_ROW_GONE) || !shows(was, cpu) ||
	    !shows(is, cpu))
		return 0;
	if ((flags & IRQSTAT_ROW_NEW) && (was->is_text || is->is_text))
		return 0;
	if (one_life)
		return b->happened[cpu] - a->happened[cpu];
	return b->happened[cpu] - b->born[cpu];
}

static void check_cell(const struct machine *was, const struct machine *is,
		       const struct irqstat_snapshot *counts, size_t i, size_t cpu)
{
	const uint32_t flags = snap_flags(counts, kind_of(i), id_of(i));
	const bool has = flags != UINT32_MAX;
	const uint64_t counted = has ? snap_count(counts, kind_of(i), id_of(i),
						  (uint32_t)cpu) : 0;
	const struct line *a = &was->lines[i], *b = &is->lines[i];
	const uint64_t want = known(was, is, i, cpu, has ? flags : 0);
	const bool told = !was->is_text && !is->is_text;

	if (told || (a->exists && a->instance == b->instance) ||
	    (has && (flags & IRQSTAT_ROW_RESTARTED)))
		ck_assert_uint_eq(counted, want);
	ck_assert_uint_le(counted, b->happened[cpu] - a->happened[cpu]);
}

/* Rows come and go with the generation only, and restart only if they did. */
static void check_flags(const struct machine *was, const struct machine *is,
			const struct irqstat_snapshot *counts, size_t i)
{
	const uint32_t flags = snap_flags(counts, kind_of(i), id_of(i));
	const struct line *a = &was->lines[i], *b = &is->lines[i];
	const bool told = !was->is_text && !is->is_text;
	const bool moved = was->generation != is->generation ||
			   was->is_text != is->is_text;

	if (flags == UINT32_MAX)
		return;
	ck_assert(!(flags & IRQSTAT_ROW_BACKWARD));
	if (flags & IRQSTAT_ROW_NEW)
		ck_assert(moved && !has_row(was, i) && has_row(is, i));
	if (flags & IRQSTAT_ROW_GONE)
		ck_assert(moved && has_row(was, i) && !has_row(is, i));
	if (flags & IRQSTAT_ROW_RESTARTED)
		ck_assert(a->instance != b->instance);
	if (told && has_row(was, i) && has_row(is, i))
		ck_assert(!(flags & IRQSTAT_ROW_RESTARTED) ==
			  (a->instance == b->instance));
}

static void check_delta(struct irqstat_differ *differ, const struct machine *was,
			const struct machine *is)
{
	const struct irqstat_delta *delta;
	size_t i, cpu;

	delta = irqstat_delta_make(differ, was->snap, is->snap);
	ck_assert_ptr_nonnull(delta);
	snap_check(delta->counts);
	ck_assert_uint_eq(delta->interval_ns, is->time_ns - was->time_ns);
	check_changes(was, is, delta);
	for (i = 0; i < N_LINES; i++) {
		check_flags(was, is, delta->counts, i);
		for (cpu = 0; cpu < N_CPUS; cpu++)
			check_cell(was, is, delta->counts, i, cpu);
	}
}

enum reading { MODULE, TEXT, MIXED };

static bool is_text(enum reading reading)
{
	return reading == TEXT || (reading == MIXED && pick(2));
}

static void run_deltas(uint64_t seed, enum reading reading)
{
	struct irqstat_differ *differ = irqstat_differ_new();
	struct machine kept[N_KEPT] = { 0 }, m;
	size_t step;

	begin(&m, seed);
	for (step = 0; step < N_STEPS; step++) {
		struct machine *next = &kept[step % N_KEPT];

		snap_exact_free(next->snap);
		go_on(&m);
		m.is_text = is_text(reading);
		read_machine(&m);
		*next = m;
		if (step >= N_KEPT)
			check_delta(differ, &kept[(step + 1 + pick(N_KEPT - 1)) %
						  N_KEPT], next);
	}
	for (step = 0; step < N_KEPT; step++)
		snap_exact_free(kept[step].snap);
	irqstat_differ_free(differ);
}

/* What totals were and what had happened when a cell was first in them. */
struct tally {
	bool seen;
	uint64_t total;
	uint64_t happened;
	uint64_t last;
};

static void check_total(const struct machine *m, struct tally *tally, size_t i,
			size_t cpu, uint64_t total, bool all_known)
{
	const struct line *line = &m->lines[i];
	const uint64_t happened = line->happened[cpu];

	if (!tally->seen && !shows(m, cpu))
		return;
	if (!tally->seen)
		*tally = (struct tally){ true, total, happened, total };
	ck_assert_uint_ge(total, tally->last);
	ck_assert_uint_le(total - tally->total, happened - tally->happened);
	if (all_known && shows(m, cpu))
		ck_assert_uint_eq(total - tally->total,
				  happened - tally->happened);
	tally->last = total;
}

static void check_totals(const struct irqstat_totals *totals,
			 const struct machine *m,
			 struct tally tallies[N_LINES][N_CPUS])
{
	const struct irqstat_snapshot *sum = irqstat_totals_get(totals);
	size_t i, cpu;

	snap_check(sum);
	ck_assert_uint_eq(sum->n_rows, m->snap->n_rows);
	for (i = 0; i < N_LINES; i++) {
		for (cpu = 0; cpu < N_CPUS && has_row(m, i); cpu++)
			check_total(m, &tallies[i][cpu], i, cpu,
				    snap_count(sum, kind_of(i), id_of(i),
					       (uint32_t)cpu),
				    !m->lines[i].ever_restarted);
	}
}

/*
 * Instances are told: all is known but what an interrupt counted between the
 * last snapshot of it and its end.
 */
static void check_told(const struct irqstat_totals *totals,
		       const struct machine *was, const struct machine *is,
		       uint64_t want[N_LINES][N_CPUS])
{
	size_t i, cpu;

	for (i = 0; i < N_LINES; i++) {
		const struct line *a = &was->lines[i], *b = &is->lines[i];
		const bool one_life = a->exists && a->instance == b->instance;

		for (cpu = 0; cpu < N_CPUS && b->exists; cpu++) {
			want[i][cpu] += one_life ?
				b->happened[cpu] - a->happened[cpu] :
				count_of(b, cpu);
			if (has_row(is, i))
				ck_assert_uint_eq(snap_count(irqstat_totals_get(totals),
							     kind_of(i), id_of(i),
							     (uint32_t)cpu),
						  want[i][cpu]);
		}
	}
}

static void run_told_totals(uint64_t seed)
{
	static uint64_t want[N_LINES][N_CPUS];
	struct irqstat_totals *totals = irqstat_totals_new();
	struct machine m, was = { 0 };
	size_t step;

	memset(want, 0, sizeof(want));
	begin(&m, seed);
	for (step = 0; step < N_STEPS; step++) {
		go_on(&m);
		read_machine(&m);
		ck_assert_int_eq(irqstat_totals_add(totals, m.snap), 0);
		check_told(totals, &was, &m, want);
		snap_exact_free(m.snap);
		was = m;
	}
	irqstat_totals_free(totals);
}

static void run_totals(uint64_t seed, enum reading reading)
{
	static struct tally tallies[N_LINES][N_CPUS];
	struct irqstat_totals *totals = irqstat_totals_new();
	struct machine m;
	size_t step;

	memset(tallies, 0, sizeof(tallies));
	begin(&m, seed);
	for (step = 0; step < N_STEPS; step++) {
		go_on(&m);
		m.is_text = is_text(reading);
		read_machine(&m);
		ck_assert_int_eq(irqstat_totals_add(totals, m.snap), 0);
		check_totals(totals, &m, tallies);
		snap_exact_free(m.snap);
	}
	irqstat_totals_free(totals);
}

START_TEST(delta_model_of_module)
{
	run_deltas((uint64_t)_i, MODULE);
}
END_TEST

START_TEST(delta_model_of_text)
{
	run_deltas((uint64_t)_i, TEXT);
}
END_TEST

START_TEST(delta_model_of_both)
{
	run_deltas((uint64_t)_i, MIXED);
}
END_TEST

START_TEST(totals_model_of_module)
{
	run_told_totals((uint64_t)_i);
	run_totals((uint64_t)_i, MODULE);
}
END_TEST

START_TEST(totals_model_of_text)
{
	run_totals((uint64_t)_i, TEXT);
}
END_TEST

START_TEST(totals_model_of_both)
{
	run_totals((uint64_t)_i, MIXED);
}
END_TEST

static Suite *delta_model_suite(void)
{
	const TTest *const tests[] = {
		delta_model_of_module, delta_model_of_text, delta_model_of_both,
		totals_model_of_module, totals_model_of_text, totals_model_of_both,
		NULL
	};
	Suite *suite = suite_create("delta_model");
	TCase *tcase = tcase_create("model");
	size_t i;

	for (i = 0; tests[i]; i++)
		tcase_add_loop_test(tcase, tests[i], 1, N_SEEDS + 1);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	return suite;
}

UNIT_SUITE(delta_model_suite);
