/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Rates of the last intervals, of rows that counted in any of them. Rows of a
 * delta are sorted as those here are, so both are gone through side by side.
 */
#include <string.h>

#include "cmd.h"

struct trend {
	uint64_t key;
	float *rates;	/* a ring */
	size_t n_moved;	/* of which are not 0 */
};

struct history {
	struct trend *trends;
	struct trend *spare;
	size_t n;
	size_t cap;
	size_t length;
	size_t at;	/* index of the last interval's */
	size_t n_added;	/* up to length */
};

static uint64_t key_of(unsigned int kind, uint32_t id)
{
	return (uint64_t)kind << 32 | id;
}

struct history *history_new(size_t length)
{
	struct history *history = calloc(1, sizeof(*history));

	if (history)
		history->length = length;
	return history;
}

void history_free(struct history *history)
{
	size_t i;

	if (!history)
		return;
	for (i = 0; i < history->n; i++)
		free(history->trends[i].rates);
	free(history->trends);
	free(history->spare);
	free(history);
}

static int reserve(struct history *history, size_t n)
{
	struct trend *trends;

	if (n <= history->cap)
		return 0;
	trends = realloc(history->spare, 2 * n * sizeof(*trends));
	if (!trends)
		return -1;
	history->spare = trends;
	trends = realloc(history->trends, 2 * n * sizeof(*trends));
	if (!trends)
		return -1;
	history->trends = trends;
	history->cap = 2 * n;
	return 0;
}

static void set(const struct history *history, struct trend *trend, double rate)
{
	float *slot = &trend->rates[history->at];

	trend->n_moved += (rate > 0) - (*slot > 0);
	*slot = (float)rate;
}

/* The trend of @key if it is the next one, otherwise a new one. */
static bool take(struct trend *to, const struct history *history, size_t *next, uint64_t key)
{
	if (*next < history->n && history->trends[*next].key == key) {
		*to = history->trends[(*next)++];
		return true;
	}
	*to = (struct trend){ key, calloc(history->length, sizeof(*to->rates)), 0 };
	return to->rates;
}

int history_add(struct history *history, const struct irqstat_delta *delta,
		const struct irqstat_snapshot *step)
{
	size_t n = 0, next = 0, i = 0;
	bool is_whole = true;
	struct trend *old;

	if (reserve(history, history->n + step->n_rows))
		return out_of_memory();
	history->at = (history->at + 1) % history->length;
	history->n_added += history->n_added < history->length;
	while (next < history->n || i < step->n_rows) {
		const struct irqstat_row *row = i < step->n_rows ? &step->rows[i] : NULL;
		uint64_t key = row ? key_of(row->kind, row->id) : UINT64_MAX;
		struct trend *trend = &history->spare[n];

		if (next < history->n && history->trends[next].key < key) {
			*trend = history->trends[next++];
			set(history, trend, 0);
		} else {
			i++;
			if (!take(trend, history, &next, key)) {
				is_whole = false;
				continue;
			}
			set(history, trend, irqstat_delta_rate(delta, row ? row->total : 0));
		}
		if (trend->n_moved)
			n++;
		else
			free(trend->rates);
	}
	old = history->trends;
	history->trends = history->spare;
	history->spare = old;
	history->n = n;
	return is_whole ? EXIT_SUCCESS : out_of_memory();
}

static int compare(const void *key, const void *trend)
{
	uint64_t a = *(const uint64_t *)key, b = ((const struct trend *)trend)->key;

	return (a > b) - (a < b);
}

static const struct trend *find(const struct history *history, unsigned int kind, uint32_t id)
{
	uint64_t key = key_of(kind, id);

	if (!history->n)
		return NULL;
	return bsearch(&key, history->trends, history->n, sizeof(*history->trends), compare);
}

static double rate_of(const struct history *history, const struct trend *trend, size_t ago)
{
	return trend->rates[(history->at + history->length - ago) % history->length];
}

size_t history_length(const struct history *history)
{
	return history->n_added;
}

double history_rate(const struct history *history, unsigned int kind, uint32_t id, size_t ago)
{
	const struct trend *trend = find(history, kind, id);

	return trend && ago < history->n_added ? rate_of(history, trend, ago) : 0;
}

double history_peak(const struct history *history, unsigned int kind, uint32_t id, size_t *ago)
{
	const struct trend *trend = find(history, kind, id);
	double most = 0;
	size_t i;

	for (i = 0; trend && i < history->n_added; i++) {
		double rate = rate_of(history, trend, i);

		if (rate < most || !(rate > 0))
			continue;
		most = rate;
		*ago = i;
	}
	return most;
}
