/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Rates of the last intervals, of rows that counted in any of them. Rows of a
 * delta are sorted as those here are, so both are gone through side by side.
 */
#include <string.h>

#include "cmd.h"

struct trend {
	uint64_t key;
	double rates[HISTORY_LENGTH];
};

struct history {
	struct trend *trends;
	struct trend *spare;
	size_t n;
	size_t cap;
	unsigned int at; /* index of the last interval's */
};

static uint64_t key_of(unsigned int kind, uint32_t id)
{
	return (uint64_t)kind << 32 | id;
}

struct history *history_new(void)
{
	return calloc(1, sizeof(struct history));
}

void history_free(struct history *history)
{
	if (!history)
		return;
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

static bool is_still(const struct trend *trend)
{
	unsigned int i;

	for (i = 0; i < HISTORY_LENGTH; i++) {
		if (trend->rates[i] > 0)
			return false;
	}
	return true;
}

/* The trend of @key if it is the next one, otherwise a new one. */
static void take(struct trend *to, const struct history *history, size_t *next, uint64_t key)
{
	if (*next < history->n && history->trends[*next].key == key)
		*to = history->trends[(*next)++];
	else
		*to = (struct trend){ .key = key };
}

int history_add(struct history *history, const struct irqstat_delta *delta,
		const struct irqstat_snapshot *step)
{
	size_t n = 0, next = 0, i = 0;
	struct trend *old;

	if (reserve(history, history->n + step->n_rows))
		return out_of_memory();
	history->at = (history->at + 1) % HISTORY_LENGTH;
	while (next < history->n || i < step->n_rows) {
		const struct irqstat_row *row = i < step->n_rows ? &step->rows[i] : NULL;
		uint64_t key = row ? key_of(row->kind, row->id) : UINT64_MAX;
		struct trend *trend = &history->spare[n];

		if (next < history->n && history->trends[next].key < key) {
			*trend = history->trends[next++];
			trend->rates[history->at] = 0;
		} else {
			take(trend, history, &next, key);
			trend->rates[history->at] = irqstat_delta_rate(delta, row ? row->total : 0);
			i++;
		}
		if (!is_still(trend))
			n++;
	}
	old = history->trends;
	history->trends = history->spare;
	history->spare = old;
	history->n = n;
	return EXIT_SUCCESS;
}

static int compare(const void *key, const void *trend)
{
	uint64_t a = *(const uint64_t *)key, b = ((const struct trend *)trend)->key;

	return (a > b) - (a < b);
}

double history_rate(const struct history *history, unsigned int kind, uint32_t id,
		    unsigned int ago)
{
	uint64_t key = key_of(kind, id);
	const struct trend *trend;

	if (!history->n)
		return 0;
	trend = bsearch(&key, history->trends, history->n, sizeof(*trend), compare);
	return trend ? trend->rates[(history->at + HISTORY_LENGTH - ago) % HISTORY_LENGTH] : 0;
}
