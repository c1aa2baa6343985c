/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * What labels and patterns mean depends on the descriptors. It is found out once
 * for each reading of them, and kept as a list of those rows about which they
 * say anything, by kind and id.
 */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "ranges.h"
#include "step.h"

#define LISTED   0x1U	/* by label */
#define INCLUDED 0x2U
#define EXCLUDED 0x4U

struct verdict {
	uint64_t key;
	uint64_t instance;
	unsigned int flags;
};

struct pattern {
	regex_t regex;
	bool exclude;
};

struct irqstat_select {
	struct ranges irqs;
	struct ranges cpus;
	char **labels;
	size_t n_labels;
	struct pattern *patterns;
	size_t n_patterns;
	bool has_includes;

	/* what was found out, and from what */
	bool is_resolved;
	struct irqstat_descs descs;
	struct verdict *verdicts;
	size_t n_verdicts;

	struct irqstat_snapshot filtered;
	struct arrays arrays;
	size_t n_rows;
	size_t n_entries;
};

struct irqstat_select *irqstat_select_new(void)
{
	return calloc(1, sizeof(struct irqstat_select));
}

static void free_labels(char **labels, size_t n)
{
	while (n)
		free(labels[--n]);
	free(labels);
}

void irqstat_select_free(struct irqstat_select *sel)
{
	if (!sel)
		return;
	ranges_free(&sel->irqs);
	ranges_free(&sel->cpus);
	free_labels(sel->labels, sel->n_labels);
	while (sel->n_patterns)
		regfree(&sel->patterns[--sel->n_patterns].regex);
	free(sel->patterns);
	free(sel->verdicts);
	arrays_free(&sel->arrays);
	free(sel);
}

static bool is_label(const char *text, size_t len)
{
	const char first = (char)(len ? *text | 0x20 : 0);

	return first >= 'a' && first <= 'z' &&
	       strcspn(text, " \t\n\v\f\r") >= len;
}

/* A list of rows, taken apart. */
struct row_list {
	struct ranges irqs;
	char **labels;
	size_t n_labels;
};

static int add_label(struct row_list *list, const char *text, size_t len)
{
	char *label = malloc(len + 1);

	if (!label)
		return -1;
	memcpy(label, text, len);
	label[len] = '\0';
	list->labels[list->n_labels++] = label;
	return 0;
}

static int add_row(struct row_list *list, const char *text, size_t len)
{
	struct range range;

	if (range_parse(&range, text, len, UINT32_MAX, true))
		return ranges_add(&list->irqs, range);
	if (is_label(text, len))
		return add_label(list, text, len);
	errno = EINVAL;
	return -1;
}

static size_t count_items(const char *list)
{
	size_t n = 1;

	for (; *list; list++)
		n += *list == ',';
	return n;
}

static int add_rows(struct row_list *to, const char *list)
{
	for (;;) {
		size_t len = strcspn(list, ",");

		if (add_row(to, list, len))
			return -1;
		list += len;
		if (!*list++)
			return 0;
	}
}

int irqstat_select_rows(struct irqstat_select *sel, const char *list)
{
	struct row_list fresh = { 0 };
	char **labels;

	fresh.labels = calloc(count_items(list), sizeof(*fresh.labels));
	if (!fresh.labels)
		return -1;
	if (ranges_copy(&fresh.irqs, &sel->irqs) || add_rows(&fresh, list))
		goto fail;
	labels = realloc(sel->labels, (sel->n_labels + fresh.n_labels + 1) *
			 sizeof(*labels));
	if (!labels)
		goto fail;
	memcpy(labels + sel->n_labels, fresh.labels,
	       fresh.n_labels * sizeof(*labels));
	sel->labels = labels;
	sel->n_labels += fresh.n_labels;
	free(fresh.labels);
	ranges_free(&sel->irqs);
	sel->irqs = fresh.irqs;
	sel->is_resolved = false;
	return 0;

fail:
	ranges_free(&fresh.irqs);
	free_labels(fresh.labels, fresh.n_labels);
	return -1;
}

static int add_pattern(struct irqstat_select *sel, const char *text,
		       bool exclude)
{
	struct pattern *patterns;
	int ret;

	patterns = realloc(sel->patterns,
			   (sel->n_patterns + 1) * sizeof(*patterns));
	if (!patterns)
		return -1;
	sel->patterns = patterns;
	ret = regcomp(&patterns[sel->n_patterns].regex, text,
		      REG_EXTENDED | REG_NOSUB);
	if (ret) {
		errno = ret == REG_ESPACE ? ENOMEM : EINVAL;
		return -1;
	}
	patterns[sel->n_patterns++].exclude = exclude;
	sel->has_includes |= !exclude;
	sel->is_resolved = false;
	return 0;
}

int irqstat_select_include(struct irqstat_select *sel, const char *pattern)
{
	return add_pattern(sel, pattern, false);
}

int irqstat_select_exclude(struct irqstat_select *sel, const char *pattern)
{
	return add_pattern(sel, pattern, true);
}

int irqstat_select_cpus(struct irqstat_select *sel, const char *list)
{
	return ranges_add_list(&sel->cpus, list, IRQSTAT_CPU_NONE - 1, true);
}

static bool has_label(const struct irqstat_select *sel,
		      const struct irqstat_desc *desc)
{
	size_t i;

	for (i = 0; desc->label.bytes && i < sel->n_labels; i++) {
		if (!strcmp(sel->labels[i], desc->label.bytes))
			return true;
	}
	return false;
}

static bool matches_string(const regex_t *regex, const char *string)
{
	return string && !regexec(regex, string, 0, NULL, 0);
}

static bool matches(const regex_t *regex, const struct irqstat_desc *desc)
{
	const char *text = desc->text.bytes;
	size_t i;

	if (text)
		text += strspn(text, " ");
	if (matches_string(regex, desc->label.bytes) ||
	    matches_string(regex, text) ||
	    matches_string(regex, desc->chip.bytes))
		return true;
	for (i = 0; i < desc->n_actions; i++) {
		if (matches_string(regex, desc->actions[i].bytes))
			return true;
	}
	return false;
}

static unsigned int judge(const struct irqstat_select *sel,
			  const struct irqstat_desc *desc)
{
	unsigned int flags = has_label(sel, desc) ? LISTED : 0;
	size_t i;

	for (i = 0; i < sel->n_patterns; i++) {
		const struct pattern *pattern = &sel->patterns[i];
		unsigned int flag = pattern->exclude ? EXCLUDED : INCLUDED;

		if (!(flags & flag) && matches(&pattern->regex, desc))
			flags |= flag;
	}
	return flags;
}

static int rising(const void *a, const void *b)
{
	uint64_t x = ((const struct verdict *)a)->key;
	uint64_t y = ((const struct verdict *)b)->key;

	return (x > y) - (x < y);
}

static uint64_t desc_key(const struct irqstat_desc *desc)
{
	return (uint64_t)desc->kind << 32 | desc->id;
}

static bool needs_descs(const struct irqstat_select *sel)
{
	return sel->n_labels || sel->n_patterns;
}

static bool are_same(const struct irqstat_descs *a,
		     const struct irqstat_descs *b)
{
	return a->descs == b->descs && a->n_descs == b->n_descs &&
	       a->generation == b->generation && a->time_ns == b->time_ns;
}

int irqstat_select_resolve(struct irqstat_select *sel,
			   const struct irqstat_descs *descs)
{
	struct verdict *verdicts;
	size_t i, n = 0;

	if (!needs_descs(sel))
		return 0;
	if (!descs) {
		errno = EINVAL;
		return -1;
	}
	if (sel->is_resolved && are_same(descs, &sel->descs))
		return 0;
	verdicts = malloc((descs->n_descs + 1) * sizeof(*verdicts));
	if (!verdicts)
		return -1;
	for (i = 0; i < descs->n_descs; i++) {
		const struct irqstat_desc *desc = &descs->descs[i];

		verdicts[n].key = desc_key(desc);
		verdicts[n].instance = desc->instance;
		verdicts[n].flags = judge(sel, desc);
		n += verdicts[n].flags != 0;
	}
	qsort(verdicts, n, sizeof(*verdicts), rising);
	free(sel->verdicts);
	sel->verdicts = verdicts;
	sel->n_verdicts = n;
	sel->descs = *descs;
	sel->is_resolved = true;
	return 0;
}

static unsigned int find_verdict(const struct irqstat_select *sel,
				 uint64_t key, uint64_t instance)
{
	size_t lo = 0, hi = sel->is_resolved ? sel->n_verdicts : 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct verdict *v = &sel->verdicts[mid];

		if (v->key == key)
			return key >> 32 != IRQSTAT_IRQ ||
			       v->instance == instance ? v->flags : 0;
		if (v->key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

static bool has_row(const struct irqstat_select *sel, uint64_t key,
		    uint64_t instance)
{
	unsigned int flags = find_verdict(sel, key, instance);

	if ((sel->irqs.n || sel->n_labels) && !(flags & LISTED) &&
	    !(key >> 32 == IRQSTAT_IRQ && ranges_has(&sel->irqs, (uint32_t)key)))
		return false;
	if (sel->has_includes && !(flags & INCLUDED))
		return false;
	return !(flags & EXCLUDED);
}

bool irqstat_select_has_row(const struct irqstat_select *sel,
			    const struct irqstat_row *row)
{
	return has_row(sel, row_key(row), row->instance);
}

bool irqstat_select_has_desc(const struct irqstat_select *sel,
			     const struct irqstat_desc *desc)
{
	return has_row(sel, desc_key(desc), desc->instance);
}

bool irqstat_select_has_cpu(const struct irqstat_select *sel, uint32_t cpu)
{
	return !sel->cpus.n || ranges_has(&sel->cpus, cpu);
}

static void put_cell(const struct arrays *a, size_t n,
		     const struct irqstat_snapshot *snap, size_t i)
{
	a->cpu[n] = snap->cpu[i];
	a->count[n] = snap->count[i];
	if (snap->cell_flags)
		a->cell_flags[n] = snap->cell_flags[i];
}

/* The row as it is with those of its cells that were put from @first on. */
static struct irqstat_row row_of(const struct arrays *a,
				 const struct irqstat_snapshot *snap,
				 const struct irqstat_row *like, size_t first,
				 size_t end)
{
	struct irqstat_row row = *like;
	unsigned int flags = 0;
	size_t i;

	row.first = (uint32_t)first;
	row.n = (uint32_t)(end - first);
	row.total = 0;
	for (i = first; i < end; i++) {
		row.total += a->count[i];
		flags |= snap->cell_flags ? a->cell_flags[i] : 0;
	}
	if (snap->cell_flags && row.n)
		row.flags = (uint16_t)((row.flags & ~STEP_ROW_FLAGS) |
				       step_row_flags(flags));
	return row;
}

static void filter_row(struct irqstat_select *sel,
		       const struct irqstat_snapshot *snap,
		       const struct irqstat_row *row)
{
	const struct arrays *a = &sel->arrays;
	size_t first = sel->n_entries, n = first;
	uint32_t i;

	for (i = row->first; i < row->first + row->n; i++) {
		if (!sel->cpus.n || ranges_has(&sel->cpus, snap->cpu[i]))
			put_cell(a, n++, snap, i);
	}
	if (n == first && row->n)
		return;
	a->rows[sel->n_rows++] = row_of(a, snap, row, first, n);
	sel->n_entries = n;
}

const struct irqstat_snapshot *
irqstat_select_filter(struct irqstat_select *sel,
		      const struct irqstat_snapshot *snap)
{
	size_t i;

	if (needs_descs(sel) && !sel->is_resolved) {
		errno = EINVAL;
		return NULL;
	}
	if (!needs_descs(sel) && !sel->irqs.n && !sel->cpus.n)
		return snap;
	if (arrays_reserve(&sel->arrays, snap->n_rows, snap->n_entries,
			   snap->nr_cpu_ids))
		return NULL;
	sel->n_rows = 0;
	sel->n_entries = 0;
	for (i = 0; i < snap->n_rows; i++) {
		if (irqstat_select_has_row(sel, &snap->rows[i]))
			filter_row(sel, snap, &snap->rows[i]);
	}
	arrays_publish(&sel->arrays, &sel->filtered, snap, snap->nr_cpu_ids,
		       sel->n_rows, sel->n_entries);
	if (snap->cell_flags)
		sel->filtered.cell_flags = sel->arrays.cell_flags;
	return &sel->filtered;
}
