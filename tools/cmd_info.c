/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * irqstat info: where counters come from here, and why not from the module. Of a
 * file only what is of the machine that it is of.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include <irqstat_uring.h>

#include "cmd.h"

#define FACTS_MAX  24
#define NAME_WIDTH 18

struct fact {
	const char *name;
	unsigned int flags; /* COLUMN_* */
	struct text text;
};

struct facts {
	struct fact list[FACTS_MAX];
	size_t n;
};

/* The text of a new fact. */
static struct text *fact(struct facts *facts, const char *name, unsigned int flags)
{
	struct fact *f = &facts->list[facts->n++];

	f->name = name;
	f->flags = flags;
	return &f->text;
}

/* An open source that was read once (a capture: as often as it could be), or why not. */
struct probe {
	struct irqstat *is;
	const struct irqstat_descs *descs;
	int err;
	uint64_t n_snapshots;
	uint64_t first_ns;	/* CLOCK_REALTIME */
	bool is_cut;
};

static void probe(struct probe *p, struct irqstat *is)
{
	int ret = -1;

	p->is = is;
	do {
		if (is)
			ret = irqstat_read(is);
		if (ret)
			break;
		if (!p->n_snapshots++)
			p->first_ns = irqstat_snapshot_get(is)->realtime_ns;
	} while (irqstat_source_get(is) == IRQSTAT_SOURCE_CAPTURE);
	p->is_cut = ret == 1 && errno;
	p->err = ret < 0 ? errno : p->n_snapshots ? 0 : ENODATA;
	if (!p->err)
		p->descs = irqstat_descs_get(is);
	if (!p->err && !p->descs)
		p->err = errno;
}

static void add_kernel(struct facts *facts)
{
	struct utsname name;

	if (!uname(&name))
		text_printf(fact(facts, "KERNEL", 0), "%s %s %s", name.sysname, name.release,
			    name.machine);
}

static const char *file_of(const struct options *o, enum irqstat_source source)
{
	if (o->input)
		return input_name(o->input);
	if (o->is_softirq)
		return SOFTIRQ_PATH;
	return source == IRQSTAT_SOURCE_MODULE ? IRQSTAT_PATH : IRQSTAT_TEXT_PATH;
}

static void add_source(struct facts *facts, const struct options *o, const struct probe *p)
{
	static const char *const names[] = { "none", "module", "text", "capture" };
	enum irqstat_source source = p->err ? 0 : irqstat_source_get(p->is);
	const char *file = file_of(o, source);
	struct text *mode;

	text_printf(fact(facts, "SOURCE", 0), "%s", names[source]);
	if (!source)
		return;
	text_printf(fact(facts, "FILE", 0), "%s", file);
	mode = fact(facts, "FILE_MODE", 0);
	if (!why_mode(mode, file))
		facts->n--;
}

static void add_uring(struct facts *facts)
{
	struct irqstat_batch *batch = irqstat_batch_new(0);
	const struct irqstat_uring_info *info;
	struct text *text = fact(facts, "IO_URING", 0);

	if (!batch) {
		facts->n--;
		return;
	}
	info = irqstat_batch_info(batch);
	if (info->way == IRQSTAT_URING_WAY_URING)
		text_printf(text, "usable");
	else
		text_printf(text, "not usable: %s", uring_reason(info->error));
	irqstat_batch_free(batch);
}

static void add_module(struct facts *facts, int err)
{
	text_printf(fact(facts, "MODULE", 0), err ? "not used" : "used");
	if (!err)
		return;
	why_reason(fact(facts, "REASON", 0), err);
	why_advice(fact(facts, "ADVICE", 0), err);
}

/* What the loaded module says of itself; it may be another than the one that is installed. */
static void add_module_version(struct facts *facts)
{
	FILE *file = fopen("/sys/module/interrupts_bin/version", "re");
	char version[64];

	if (file && fgets(version, sizeof(version), file))
		text_add(fact(facts, "MODULE_VERSION", 0), version, strcspn(version, "\n"));
	if (file)
		fclose(file);
}

static void add_stream_version(struct facts *facts, const struct irqstat_snapshot *snap)
{
	if (snap->stream_major)
		text_printf(fact(facts, "STREAM_VERSION", 0), "%u.%u", snap->stream_major,
			    snap->stream_minor);
}

static void add_snapshot(struct facts *facts, const struct probe *p)
{
	const struct irqstat_snapshot *snap = irqstat_snapshot_get(p->is);

	text_printf(fact(facts, "GENERATION", COLUMN_NUMBER), "%llu",
		    (unsigned long long)snap->generation);
	text_printf(fact(facts, "GENERATION_EXACT", COLUMN_BOOL), snap->generation_exact ? "yes" : "no");
	text_printf(fact(facts, "COUNT_BITS", COLUMN_NUMBER), "%u", snap->count_bits);
	text_printf(fact(facts, "CPUS_ONLINE", COLUMN_NUMBER), "%u", snap->n_online);
	text_printf(fact(facts, "ROWS", COLUMN_NUMBER), "%zu", p->descs->n_descs);
	text_printf(fact(facts, "ROWS_COUNTED", COLUMN_NUMBER), "%zu", snap->n_rows);
	text_printf(fact(facts, "COUNTS", COLUMN_NUMBER), "%zu", snap->n_entries);
	text_printf(fact(facts, "READ_US", COLUMN_NUMBER), "%.1f",
		    (double)snap->duration_ns / 1000);
}

static void print_name(const char *name)
{
	int n = 0;

	for (; *name; name++, n++)
		putchar(*name == '_' ? ' ' : tolower((unsigned char)*name));
	printf("%*s", NAME_WIDTH - n, "");
}

static void print_value(const struct text *value)
{
	const char *p = value->bytes, *end = p + value->len;
	struct text text = { 0 };

	while (p < end) {
		const char *line = p;

		for (; p < end && *p != '\n'; p++)
			;
		text_clear(&text);
		text_add_visible(&text, line, (size_t)(p - line));
		printf("%.*s\n", (int)text.len, text.len ? text.bytes : "");
		if (p < end && ++p < end)
			printf("%*s", NAME_WIDTH, "");
	}
	text_free(&text);
}

static void add_capture(struct facts *facts, const struct probe *p)
{
	if (irqstat_source_get(p->is) != IRQSTAT_SOURCE_CAPTURE)
		return;
	text_printf(fact(facts, "HOST", 0), "%s", irqstat_capture_host(p->is));
	text_printf(fact(facts, "SNAPSHOTS", COLUMN_NUMBER), "%llu",
		    (unsigned long long)p->n_snapshots);
	text_add_time(fact(facts, "FROM", 0), p->first_ns);
	text_add_time(fact(facts, "UNTIL", 0), irqstat_snapshot_get(p->is)->realtime_ns);
	text_printf(fact(facts, "CUT_SHORT", COLUMN_BOOL), p->is_cut ? "yes" : "no");
}

/* Line after line: people read down. */
static void print_lines(const struct facts *facts)
{
	size_t i;

	for (i = 0; i < facts->n; i++) {
		print_name(facts->list[i].name);
		print_value(&facts->list[i].text);
	}
}

static int print(const struct facts *facts, const struct options *o)
{
	struct table *table;
	size_t i;
	int code;

	if (o->format == FORMAT_TABLE) {
		print_lines(facts);
		return output_end();
	}
	table = table_new("info", o);
	if (!table)
		return out_of_memory();
	for (i = 0; i < facts->n; i++)
		table_add_column(table, facts->list[i].name, facts->list[i].flags);
	table_add_row(table);
	for (i = 0; i < facts->n; i++)
		table_set(table, i, &facts->list[i].text);
	code = table_print(table);
	table_free(table);
	return code ? code : output_end();
}

static void open_probes(const struct options *o, struct probe *module, struct probe *other)
{
	if (o->input) {
		probe(other, input_open(o->input));
		return;
	}
	if (!o->is_softirq && o->source != IRQSTAT_SOURCE_TEXT)
		probe(module, irqstat_open_source(IRQSTAT_SOURCE_MODULE, NULL));
	if (o->source != IRQSTAT_SOURCE_MODULE)
		probe(other, irqstat_open_source(IRQSTAT_SOURCE_TEXT,
						 o->is_softirq ? SOFTIRQ_PATH : NULL));
}

int cmd_info(struct options *o)
{
	struct probe module = { 0 }, other = { 0 };
	const struct probe *used;
	struct facts facts = { .n = 0 };
	size_t i;
	int code;

	open_probes(o, &module, &other);
	used = module.descs || o->source == IRQSTAT_SOURCE_MODULE ? &module : &other;
	text_printf(fact(&facts, "PROGRAM", 0), PROGRAM " " IRQSTAT_VERSION);
	if (!o->input)
		add_kernel(&facts);
	add_source(&facts, o, used);
	if (module.descs || module.err)
		add_module(&facts, module.err);
	if (!o->input)
		add_module_version(&facts);
	if (used->descs)
		add_stream_version(&facts, irqstat_snapshot_get(used->is));
	if (!o->input)
		add_uring(&facts);
	if (used->descs) {
		add_capture(&facts, used);
		add_snapshot(&facts, used);
	}
	code = print(&facts, o);
	if (!code && !used->descs) {
		errno = used->err;
		code = complain_errno(
			file_of(o, used == &module ? IRQSTAT_SOURCE_MODULE : IRQSTAT_SOURCE_TEXT));
	}
	for (i = 0; i < facts.n; i++)
		text_free(&facts.list[i].text);
	irqstat_close(module.is);
	irqstat_close(other.is);
	return code;
}
