// SPDX-License-Identifier: GPL-2.0-only
/*
 * The collector: one interrupt's non-zero cells into one record, at a cost that
 * follows these cells, not the number of CPUs. Four ways, the first that holds:
 *
 * copy   The total is what it was when this open's last record was proven to
 *	  hold all that it counts: the record is taken over, no cell is read.
 * skip   The total is 0 and no cell was ever seen non-zero: no record.
 * seen   Read the cells ever seen non-zero. They are proven to be all if their
 *	  sum is the total, the total did not move meanwhile, and no increment
 *	  was half done (irqbin_line_is_quiet). An increment lands in its cell and
 *	  in the total under the line's lock: without the third condition, the cell
 *	  of an increment under way could stand in for a CPU never looked at.
 * scan   Read every cell. Always for lines that keep no total, and for ever for
 *	  those whose settled cells don't sum up to it.
 *
 * The first look at an instance is a scan: only then is "never seen" worth
 * something. Sums are compared modulo 2^32, hence IRQBIN_PROOF_VALID_S.
 */
#include "collect.h"

#define WORD_BITS	(8 * (unsigned int)sizeof(unsigned long))
#define WORDS(n)	(((n) + WORD_BITS - 1) / WORD_BITS)

/* A proof is renewed in the shared row only when it gets old: rows stay clean. */
#define PROOF_RENEW_S	(IRQBIN_PROOF_VALID_S / 60)

/* A busy line moves while its cells come from afar; the next time they are near. */
#define SEEN_TRIES	3

size_t irqbin_row_size(unsigned int nr_cpus)
{
	size_t words = WORDS(nr_cpus) + WORDS(WORDS(nr_cpus));

	return sizeof(struct irqbin_row) + words * sizeof(unsigned long);
}

/* Words: header, instance, and one for each CPU. */
size_t irqbin_record_max(unsigned int nr_cpus)
{
	return 2 + (size_t)nr_cpus;
}

void irqbin_record_begin(struct irqbin_out *out, u8 type, u32 id)
{
	const struct irqbin_record rec = { .id = id, .type = type };

	memcpy(&out->word[out->used++], &rec, sizeof(rec));
}

void irqbin_record_add(struct irqbin_out *out, u64 word)
{
	out->word[out->used++] = word;
}

/* Closes the record that begins at word @at; returns its words, header included. */
u16 irqbin_record_end(struct irqbin_out *out, size_t at, u8 flags)
{
	struct irqbin_record rec;

	memcpy(&rec, &out->word[at], sizeof(rec));
	rec.n_words = out->used - at - 1;
	rec.flags = flags;
	memcpy(&out->word[at], &rec, sizeof(rec));
	out->n_records++;
	return out->used - at;
}

static void seen_add(struct irqbin_row *row, unsigned int nr_cpus, unsigned int cpu)
{
	unsigned long *words = row->seen + WORDS(WORDS(nr_cpus));

	if (irqbin_bits_read(&words[cpu / WORD_BITS]) >> cpu % WORD_BITS & 1)
		return;
	irqbin_bit_set(cpu / WORD_BITS, row->seen);
	irqbin_bit_set(cpu, words);
}

static bool seen_is_empty(const struct irqbin_row *row, unsigned int nr_cpus)
{
	unsigned int i;

	for (i = 0; i < WORDS(WORDS(nr_cpus)); i++)
		if (irqbin_bits_read(&row->seen[i]))
			return false;
	return true;
}

/* Reads the cells of the seen-set into the record; returns their sum. */
static u32 seen_read(struct irqbin_pass *pass, const struct irqbin_row *row)
{
	const unsigned int tops = WORDS(WORDS(pass->nr_cpus));
	const unsigned long *words = row->seen + tops;
	u64 *word = pass->out->word + pass->out->used;
	unsigned int i;
	u32 sum = 0;

	for (i = 0; i < tops; i++) {
		unsigned long top = irqbin_bits_read(&row->seen[i]);

		for (; top; top &= top - 1) {
			unsigned int w = i * WORD_BITS + __builtin_ctzl(top);
			unsigned long bits = irqbin_bits_read(&words[w]);

			for (; bits; bits &= bits - 1) {
				u32 cpu = w * WORD_BITS + __builtin_ctzl(bits);
				u32 count = irqbin_line_cell(&row->line, cpu);

				pass->cost.cells++;
				sum += count;
				if (count)
					*word++ = irqbin_count_word(cpu, count);
			}
		}
	}
	pass->out->used = word - pass->out->word;
	return sum;
}

/* The same for every cell; what is not zero joins the seen-set. */
static u32 scan_read(struct irqbin_pass *pass, struct irqbin_row *row)
{
	unsigned int cpu;
	u32 sum = 0;

	pass->cost.scans++;
	for (cpu = irqbin_cpu_next(-1); cpu < pass->nr_cpus; cpu = irqbin_cpu_next(cpu)) {
		u32 count = irqbin_line_cell(&row->line, cpu);

		pass->cost.cells++;
		if (!count)
			continue;
		sum += count;
		seen_add(row, pass->nr_cpus, cpu);
		irqbin_record_add(pass->out, irqbin_count_word(cpu, count));
	}
	return sum;
}

/* Whether, since @total and then the cells were read, the line stood still. */
static bool stood_still(const struct irqbin_row *row, u64 total)
{
	bool quiet;

	irqbin_read_barrier();
	quiet = irqbin_line_is_quiet(&row->line);
	irqbin_read_barrier();
	return quiet && irqbin_line_total(&row->line) == total;
}

static bool proof_is_valid(const struct irqbin_pass *pass, u64 proven_s)
{
	return proven_s && pass->now_s < proven_s + IRQBIN_PROOF_VALID_S;
}

/* The unseen cells are still zero: the total, or their sum with it, says so. */
static void proof_renew(const struct irqbin_pass *pass, struct irqbin_row *row)
{
	if (pass->now_s > READ_ONCE(row->proven_s) + PROOF_RENEW_S)
		WRITE_ONCE(row->proven_s, pass->now_s);
}

/* Fills the record after its header and instance; returns whether it is proven. */
static bool cells_read(struct irqbin_pass *pass, struct irqbin_row *row, bool kept, u64 *total)
{
	const size_t begin = pass->out->used;
	unsigned int tries = 0;
	bool still;
	u32 sum;

	if (kept && proof_is_valid(pass, READ_ONCE(row->proven_s)))
		tries = SEEN_TRIES;
	for (; tries; tries--) {
		irqbin_read_barrier();
		sum = seen_read(pass, row);
		still = stood_still(row, *total);
		if (still && sum == (u32)*total) {
			proof_renew(pass, row);
			return true;
		}
		pass->out->used = begin;
		*total = irqbin_line_total(&row->line);
		if (still)
			break;
	}

	irqbin_read_barrier();
	sum = scan_read(pass, row);
	WRITE_ONCE(row->proven_s, pass->now_s);
	if (!kept || !stood_still(row, *total))
		return false;
	if (sum != (u32)*total)
		WRITE_ONCE(row->mixed, true);
	return sum == (u32)*total;
}

/* Writes the record of a row that is neither unmoved nor all zero. */
static void record_read(struct irqbin_pass *pass, struct irqbin_row *row, bool kept,
			struct irqbin_mark *mark)
{
	struct irqbin_out *out = pass->out;
	const size_t at = out->used;
	size_t begin;
	u8 flags = 0;

	irqbin_record_begin(out, IRQBIN_REC_IRQ, row->irq);
	if (row->instance != pass->instance_base) {
		irqbin_record_add(out, row->instance);
		flags |= IRQBIN_CNT_INSTANCE;
	}
	begin = out->used;
	mark->proven = cells_read(pass, row, kept, &mark->total);
	if (out->used == begin) {
		out->used = at;
		return;
	}
	if (!irqbin_line_text_counts(&row->line))
		flags |= IRQBIN_CNT_TEXT_ZERO;
	mark->words = irqbin_record_end(out, at, flags);
}

/* Whether the record that @old remembers still holds all that @row has counted. */
static __always_inline bool row_stands(struct irqbin_pass *pass, struct irqbin_row *row,
				       const struct irqbin_mark *old)
{
	if (old->irq != row->irq || old->instance != row->instance || !old->proven ||
	    old->total != irqbin_line_total(&row->line) ||
	    !irqbin_line_keeps_total(&row->line) || READ_ONCE(row->mixed))
		return false;
	proof_renew(pass, row);
	return true;
}

/*
 * Takes over the records of the rows that stand, from the first on: where the
 * marks are of just these rows, their records are one piece of the last snapshot.
 * Returns how many.
 */
static unsigned int rows_copy(struct irqbin_pass *pass, struct irqbin_row *const *rows,
			      unsigned int num)
{
	struct irqbin_out *out = pass->out;
	const struct irqbin_mark *old;
	const size_t room = out->size - out->used;
	unsigned int i, n, n_records = 0;
	size_t words = 0;
	u32 shift;

	for (; pass->n_old_marks && pass->old_marks->irq < rows[0]->irq; pass->n_old_marks--)
		pass->old_marks++;
	old = pass->old_marks;
	num = min(num, pass->n_old_marks);
	for (n = 0; n < num && words + old[n].words <= room; n++) {
		if (!row_stands(pass, rows[n], &old[n]))
			break;
		words += old[n].words;
		n_records += !!old[n].words;
	}
	if (!n)
		return 0;

	shift = out->used - old->at;
	irqbin_words_copy(out->word + out->used, pass->old + old->at, words);
	for (i = 0; i < n && (shift || pass->marks != old); i++) {
		pass->marks[i] = old[i];
		pass->marks[i].at += shift;
	}
	out->used += words;
	out->n_records += n_records;
	pass->cost.copies += n;
	pass->marks += n;
	pass->old_marks += n;
	pass->n_old_marks -= n;
	return n;
}

/* A row whose record is not, or may not be, what it was. */
static noinline void row_collect(struct irqbin_pass *pass, struct irqbin_row *row)
{
	struct irqbin_mark *mark = pass->marks++;
	const u64 total = irqbin_line_total(&row->line);
	bool kept = irqbin_line_keeps_total(&row->line);

	if (!kept && !READ_ONCE(row->mixed))
		WRITE_ONCE(row->mixed, true);
	kept = kept && !READ_ONCE(row->mixed);

	*mark = (struct irqbin_mark){
		.irq = row->irq, .instance = row->instance, .total = total, .at = pass->out->used
	};
	if (kept && !total && proof_is_valid(pass, READ_ONCE(row->proven_s)) &&
	    seen_is_empty(row, pass->nr_cpus)) {
		proof_renew(pass, row);
		mark->proven = true;
		return;
	}
	record_read(pass, row, kept, mark);
}

/* The count of @cpu in a record whose pairs are @pair up to @end. */
static u32 pair_take(const u64 **pair, const u64 *end, u32 cpu)
{
	struct irqbin_count next;

	if (*pair == end)
		return 0;
	memcpy(&next, *pair, sizeof(next));
	if (next.cpu != cpu)
		return 0;
	(*pair)++;
	return next.count;
}

/*
 * One row, collected between two scans of every cell. Every count must lie between those
 * of the two scans. The one exception is for a record that was made without reading
 * a cell: the increment that the first scan saw in a cell while its total was still
 * to come, the sum being ahead of the total by it, may be missing. The lock sees to
 * it that there is one at most.
 */
static noinline void row_verify(struct irqbin_pass *pass, struct irqbin_row *row)
{
	const struct irqbin_mark *mark = pass->marks;
	u32 *cells = pass->cells;
	const u64 *pair, *end;
	unsigned int cpu;
	const u64 cells_before = pass->cost.cells;
	u32 sum = 0;
	unsigned int wrong = 0, missing = 0;

	for (cpu = irqbin_cpu_next(-1); cpu < pass->nr_cpus; cpu = irqbin_cpu_next(cpu)) {
		cells[cpu] = irqbin_line_cell(&row->line, cpu);
		sum += cells[cpu];
	}
	irqbin_read_barrier();
	if (!rows_copy(pass, &row, 1))
		row_collect(pass, row);
	irqbin_read_barrier();

	pair = pass->out->word + mark->at + 1 + (row->instance != pass->instance_base);
	end = mark->words ? pass->out->word + mark->at + mark->words : pair;
	for (cpu = irqbin_cpu_next(-1); cpu < pass->nr_cpus; cpu = irqbin_cpu_next(cpu)) {
		u32 count = pair_take(&pair, end, cpu);
		u32 moved = irqbin_line_cell(&row->line, cpu) - cells[cpu];

		if (count - cells[cpu] <= moved)
			continue;
		wrong++;
		missing += cells[cpu] - count == 1;
	}
	wrong += pair != end;

	pass->cost.checked++;
	if (wrong == 1 && missing == 1 && sum - (u32)mark->total == 1 &&
	    pass->cost.cells == cells_before)
		pass->cost.in_flight++;
	else if (wrong)
		pass->cost.mismatches++;
}

/**
 * irqbin_rows_collect - write the records of interrupts
 * @pass: the pass that they belong to; its marks have room for them
 * @rows: the interrupts, by rising number, also over several calls
 * @num: how many
 *
 * Return: how many were done: fewer than @num when what is left of the pass's out
 * might not hold the next record
 */
unsigned int irqbin_rows_collect(struct irqbin_pass *pass, struct irqbin_row *const *rows,
				 unsigned int num)
{
	const size_t room = irqbin_record_max(pass->nr_cpus);
	unsigned int i = 0, n;

	while (i < num && pass->out->size - pass->out->used >= room) {
		if (unlikely(pass->cells)) {
			row_verify(pass, rows[i++]);
			continue;
		}
		n = rows_copy(pass, rows + i, num - i);
		if (n)
			i += n;
		else
			row_collect(pass, rows[i++]);
	}
	return i;
}
