/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * A machine that takes random steps, and opens that take snapshots in between
 * and, in half of the episodes, in the middle: the machine then runs on between
 * any two accesses of the collector, and other opens take snapshots meanwhile.
 *
 * After each row, every count must be one that its cell had during that row's
 * collection. The one exception: if no cell was read, increments that were half
 * counted at its begin may be missing.
 *
 * COLLECT_STEPS: how many steps (10^8 take some ten seconds); COLLECT_SEED: where
 * to begin. A failure names the seed of its episode.
 */
#include <stdio.h>
#include <stdlib.h>

#include "reader.h"
#include "suite.h"

#define EPISODE_STEPS	20000
#define N_LINES		5
#define N_ROWS		N_LINES
#define N_ACTIVE	6	/* CPUs that take interrupts at a time */
#define N_OPENS		3

enum phase { IDLE, LOCKED, HALF, COUNTED };

/* An interrupt being handled. */
struct handler {
	enum phase phase;
	enum flow flow;
	struct line *line;
	unsigned int cpu;
};

struct open {
	struct reader reader;
	bool busy;
	u32 *before[N_LINES];	/* cells of the rows being collected, at the begin */
	u32 *half[N_LINES];	/* of these, how many are half counted */
	u64 *last;	/* counts in its last snapshot, and the instance they are of */
	u64 last_instance[N_LINES];
};

static struct {
	u64 random;
	u64 seed;		/* of this episode */
	u64 steps;		/* taken in all */
	u64 now_s;
	u64 instance;
	bool runs_on;		/* inside passes */
	u32 calm;		/* one in so many idle CPUs gets an interrupt */
	struct line lines[N_LINES];
	struct irqbin_row *rows[N_LINES];
	bool locked_by_others[N_LINES];
	struct handler handlers[N_ACTIVE];
	struct open opens[N_OPENS];
	/* What was seen on the way, so that nothing is tested in vain. */
	u64 checked, copies, skips, scans, in_flight, nested;
} model;

static u32 rnd(u32 below)
{
	u64 x = model.random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	model.random = x;
	return ((x >> 32) * below) >> 32;
}

#define claim(condition)							\
	do {									\
		if (!(condition))						\
			ck_abort_msg("%s; COLLECT_SEED=%llu", #condition,	\
				     (unsigned long long)model.seed);		\
	} while (0)

static unsigned int random_cpu(void)
{
	unsigned int cpu = machine_cpu_next((int)rnd(machine.nr_cpus) - 1);

	return cpu < machine.nr_cpus ? cpu : machine_cpu_next(-1);
}

static bool is_being_handled(const struct line *line)
{
	unsigned int i;

	for (i = 0; i < N_ACTIVE; i++)
		if (model.handlers[i].phase != IDLE && model.handlers[i].line == line)
			return true;
	return false;
}

/* One more step of an interrupt; CPUs are no more than where a handler runs. */
static void handler_step(struct handler *handler)
{
	struct line *line = handler->line;
	const bool reversed = handler->flow == LINE_REVERSED;

	switch (handler->phase) {
	case IDLE:
		if (rnd(model.calm))
			break;
		line = handler->line = &model.lines[rnd(N_LINES)];
		handler->flow = line->flow;
		if (handler->flow == LINE_PER_CPU)
			line_count_cell(line, handler->cpu);
		else if (line_trylock(line))
			handler->phase = LOCKED;
		break;
	case LOCKED:
		if (reversed)
			line_count_total(line);
		else
			line_count_cell(line, handler->cpu);
		handler->phase = HALF;
		break;
	case HALF:
		if (reversed)
			line_count_cell(line, handler->cpu);
		else
			line_count_total(line);
		handler->phase = COUNTED;
		break;
	case COUNTED:
		line_unlock(line);
		handler->phase = IDLE;
		break;
	}
}

/* Affinity moves, and CPUs go off: a handler then goes on elsewhere. */
static void handler_move(struct handler *handler)
{
	unsigned int i, cpu = random_cpu();

	for (i = 0; i < N_ACTIVE; i++)
		if (model.handlers[i].cpu == cpu)
			return;
	if (handler->phase == IDLE)
		handler->cpu = cpu;
}

/* Somebody else takes a line's lock, or gives it back. */
static void lock_step(unsigned int i)
{
	if (model.locked_by_others[i])
		line_unlock(&model.lines[i]);
	else if (rnd(8) || !line_trylock(&model.lines[i]))
		return;
	model.locked_by_others[i] = !model.locked_by_others[i];
}

/*
 * A flow handler is exchanged. Counts of a per-CPU flow that comes and goes
 * between two passes can't be known of; no kernel code does that.
 */
static void flow_step(unsigned int i)
{
	struct line *line = &model.lines[i];

	if (line->flow != LINE_PER_CPU)
		line->flow = rnd(2) ? LINE_PER_CPU : rnd(2) ? LINE_UNLISTED : line->flow;
	else if (model.rows[i]->mixed)
		line->flow = rnd(2) ? LINE_LOCKED : LINE_REVERSED;
	line->per_cpu = line->flow == LINE_PER_CPU && rnd(2);
}

static void machine_run(void)
{
	u32 what = rnd(256);

	model.steps++;
	if (what < 5)
		handler_move(&model.handlers[rnd(N_ACTIVE)]);
	else if (what < 8)
		lock_step(rnd(N_LINES));
	else
		handler_step(&model.handlers[what % N_ACTIVE]);
}

/* The line is freed and its number used again. */
static void line_again(unsigned int i)
{
	struct line *line = &model.lines[i];
	static const u32 seeds[] = { 0, 0, 0, 1, 2, 0xfffffff0, 0xffffffff, 0x80000000 };
	enum flow flow = rnd(8) ? LINE_LOCKED : rnd(4);
	u32 cells;

	if (is_being_handled(line) || model.locked_by_others[i])
		return;
	line_start(line, flow, i * sizeof(u32));
	for (cells = rnd(4); cells; cells--)
		line_seed(line, random_cpu(), seeds[rnd(8)]);
	free(model.rows[i]);
	model.rows[i] = row_new(line, 10 + i, model.instance++);
}

/* The cells of a line, and the increments that are in a cell and not in its total. */
static void cells_note(struct open *open, unsigned int line_i)
{
	const struct line *line = &model.lines[line_i];
	unsigned int i, cpu;

	for (cpu = machine_cpu_next(-1); cpu < machine.nr_cpus; cpu = machine_cpu_next(cpu))
		open->before[line_i][cpu] = line_cell_read(line, cpu);
	memset(open->half[line_i], 0, machine.nr_cpus * sizeof(u32));
	for (i = 0; i < N_ACTIVE; i++) {
		const struct handler *handler = &model.handlers[i];

		if (handler->phase == HALF && handler->line == line &&
		    handler->flow != LINE_REVERSED)
			open->half[line_i][handler->cpu] = 1;
	}
}

/* Compares one count with what it may be. */
static void count_check(struct open *open, unsigned int i, u32 cpu, u32 count, bool read)
{
	u32 low = open->before[i][cpu] - (read ? 0 : open->half[i][cpu]);
	u32 now = line_cell_read(&model.lines[i], cpu);
	u64 *last = &open->last[i * machine.nr_cpus + cpu];

	claim(count - low <= now - low);
	model.in_flight += count != open->before[i][cpu] && count == low;
	if (open->last_instance[i] == model.rows[i]->instance)
		claim((int32_t)(count - (u32)*last) >= 0);
	*last = count;
}

/* The record of row @i, the @n th of the pass. */
static void record_check(struct open *open, unsigned int i, unsigned int n, bool read)
{
	const struct irqbin_row *row = model.rows[i];
	const struct irqbin_mark *mark = reader_mark(&open->reader, n);
	const u64 *record = reader_record(&open->reader, n);
	unsigned int cpu, pair = 0, pairs = record ? record_num(record) : 0;
	u32 sum = 0;

	if (record) {
		struct irqbin_record header = record_header(record);

		claim(header.type == IRQBIN_REC_IRQ && header.id == row->irq && pairs);
		claim(!(header.flags & IRQBIN_CNT_INSTANCE) == (row->instance == INSTANCE_BASE));
		claim(!(header.flags & IRQBIN_CNT_INSTANCE) || record[1] == row->instance);
	}
	for (cpu = machine_cpu_next(-1); cpu < machine.nr_cpus; cpu = machine_cpu_next(cpu)) {
		struct irqbin_count count = { .cpu = cpu };

		if (pair < pairs && record_count(record, pair).cpu == cpu) {
			count = record_count(record, pair++);
			claim(count.count);
		}
		sum += count.count;
		count_check(open, i, cpu, count.count, read);
	}
	claim(pair == pairs);
	claim(mark->irq == row->irq && mark->instance == row->instance);
	claim(!mark->proven || sum == (u32)mark->total);
	open->last_instance[i] = row->instance;
	model.checked++;
	model.skips += !record && !read;
}

/* Some rows at once; of more than one, it is not known which were read. */
static void rows_take(struct open *open, const unsigned int *lines, unsigned int first,
		      unsigned int num)
{
	const struct irqbin_cost *cost = &open->reader.pass.cost;
	const u64 cells = cost->cells;
	struct irqbin_row *rows[N_LINES];
	unsigned int i;

	for (i = 0; i < num; i++) {
		rows[i] = model.rows[lines[first + i]];
		cells_note(open, lines[first + i]);
	}
	reader_rows(&open->reader, rows, num);
	for (i = 0; i < num; i++)
		record_check(open, lines[first + i], first + i, num == 1 && cost->cells != cells);
}

static void pass_take(struct open *open)
{
	const unsigned int left_out = rnd(2) ? 0 : rnd(16);
	unsigned int lines[N_LINES], i, num, n = 0;
	struct irqbin_row *rows[N_LINES];

	open->busy = true;
	for (i = 0; i < N_LINES; i++) {
		if (left_out && !rnd(left_out)) {
			open->last_instance[i] = 0;
			continue;
		}
		lines[n] = i;
		rows[n++] = model.rows[i];
	}
	reader_begin(&open->reader, rows, n, model.now_s);
	for (i = 0; i < n; i += num) {
		num = 1 + rnd(rnd(n - i) + 1);
		rows_take(open, lines, i, num);
	}
	claim(!open->reader.pass.cost.mismatches);
	model.copies += open->reader.pass.cost.copies;
	model.scans += open->reader.pass.cost.scans;
	open->busy = false;
}

static void pass_take_random(void)
{
	struct open *open = &model.opens[rnd(N_OPENS)];

	model.now_s += rnd(64) ? rnd(2) : rnd(2 * IRQBIN_PROOF_VALID_S);
	if (!open->busy)
		pass_take(open);
}

/* The machine runs on in the middle of a pass. */
static void step_inside(enum step step)
{
	static unsigned int depth;
	u32 n;

	(void)step;
	if (!model.runs_on || rnd(3))
		return;
	for (n = rnd(4); n; n--)
		machine_run();
	if (depth || rnd(64))
		return;
	depth++;
	model.nested++;
	pass_take_random();
	depth--;
}

static void episode_start(u64 seed)
{
	static const unsigned int sizes[] = { 1, 2, 3, 7, 16, 63, 64, 65, 100, 130 };
	unsigned int i, n;

	model.seed = seed;
	model.random = (seed + 1) * 0x9e3779b97f4a7c15;
	machine_start(rnd(64) ? sizes[rnd(10)] : 4097 + rnd(200), 64);
	machine.total_is_64 = rnd(2);
	machine.text_zero_by_total = rnd(2);
	machine.step = step_inside;
	for (i = rnd(2) * machine.nr_cpus / 2; i; i--)
		machine_cpu_remove(1 + rnd(machine.nr_cpus - 1));
	model.runs_on = rnd(2);
	model.calm = 1u << rnd(8);
	model.now_s = 10;
	model.instance = INSTANCE_BASE;
	memset(model.locked_by_others, 0, sizeof(model.locked_by_others));
	memset(model.handlers, 0, sizeof(model.handlers));
	for (i = 0; i < N_LINES; i++)
		line_again(i);
	for (i = 0; i < N_ACTIVE; i++)
		model.handlers[i].cpu = random_cpu();
	for (i = 0; i < N_OPENS; i++) {
		struct open *open = &model.opens[i];

		memset(open, 0, sizeof(*open));
		reader_init(&open->reader, N_ROWS, i == 0);
		open->last = calloc(N_LINES * machine.nr_cpus, sizeof(u64));
		ck_assert_ptr_nonnull(open->last);
		for (n = 0; n < N_LINES; n++) {
			open->before[n] = calloc(machine.nr_cpus, sizeof(u32));
			open->half[n] = calloc(machine.nr_cpus, sizeof(u32));
			ck_assert(open->before[n] && open->half[n]);
		}
	}
}

static void episode_stop(void)
{
	unsigned int i, n;

	for (i = 0; i < N_OPENS; i++) {
		reader_free(&model.opens[i].reader);
		for (n = 0; n < N_LINES; n++) {
			free(model.opens[i].before[n]);
			free(model.opens[i].half[n]);
		}
		free(model.opens[i].last);
	}
	for (i = 0; i < N_LINES; i++) {
		free(model.rows[i]);
		model.rows[i] = NULL;
	}
	machine_stop();
}

static void episode(u64 seed)
{
	u64 end;
	u32 every;

	episode_start(seed);
	end = model.steps + EPISODE_STEPS;
	every = 4 + machine.nr_cpus / 2 + rnd(40);
	while (model.steps < end) {
		machine_run();
		if (rnd(every))
			continue;
		pass_take_random();
		if (!rnd(30))
			line_again(rnd(N_LINES));
		if (!rnd(1000))
			flow_step(rnd(N_LINES));
	}
	episode_stop();
}

static u64 from_environment(const char *name, u64 otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

START_TEST(counts_are_those_of_the_model)
{
	const u64 steps = from_environment("COLLECT_STEPS", 2000000);
	u64 seed = from_environment("COLLECT_SEED", 1);

	for (; model.steps < steps; seed++)
		episode(seed);
	ck_assert_uint_gt(model.copies, 0);
	ck_assert_uint_gt(model.skips, 0);
	ck_assert_uint_gt(model.scans, 0);
	ck_assert_uint_gt(model.in_flight, 0);
	ck_assert_uint_gt(model.nested, 0);
	if (getenv("COLLECT_STEPS"))
		printf("%llu steps, %llu records checked: %llu copied, %llu skipped, %llu scanned, "
		       "%llu counts in flight, %llu passes inside others\n",
		       (unsigned long long)model.steps, (unsigned long long)model.checked,
		       (unsigned long long)model.copies, (unsigned long long)model.skips,
		       (unsigned long long)model.scans, (unsigned long long)model.in_flight,
		       (unsigned long long)model.nested);
}
END_TEST

static Suite *collect_model_suite(void)
{
	Suite *suite = suite_create("collect: random steps");
	TCase *tcase = tcase_create("model");

	tcase_set_timeout(tcase, getenv("COLLECT_STEPS") ? 0 : 120);
	tcase_add_test(tcase, counts_are_those_of_the_model);
	suite_add_tcase(suite, tcase);
	return suite;
}

UNIT_SUITE(collect_model_suite);
