/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <irqstat_uring.h>

#include "cmd.h"

static struct irqstat *open_source(const struct options *o)
{
	if (o->input)
		return input_open(o->input);
	if (o->is_softirq)
		return irqstat_open_source(IRQSTAT_SOURCE_TEXT, SOFTIRQ_PATH);
	if (o->source)
		return irqstat_open_source(o->source, NULL);
	return irqstat_open(NULL);
}

static const char *name_of(const struct options *o, const struct irqstat *is)
{
	if (o->input)
		return input_name(o->input);
	if (o->is_softirq)
		return SOFTIRQ_PATH;
	if (o->source == IRQSTAT_SOURCE_MODULE || (is && !irqstat_source_errno(is) && !o->source))
		return IRQSTAT_PATH;
	return IRQSTAT_TEXT_PATH;
}

int feed_open(struct feed *feed, const struct options *o)
{
	*feed = (struct feed){
		.options = o,
		.is = open_source(o),
		.differ = irqstat_differ_new(),
		.running = irqstat_totals_new(),
	};
	feed->name = name_of(o, feed->is);
	if (!feed->is)
		return complain_errno(feed->name);
	if (!feed->differ || !feed->running)
		return out_of_memory();
	return EXIT_SUCCESS;
}

int feed_close(struct feed *feed, int code)
{
	if (!code && feed->is_cut)
		code = complain(feed->name, "cut short");
	irqstat_close(feed->is);
	irqstat_differ_free(feed->differ);
	irqstat_totals_free(feed->running);
	irqstat_snapshot_free(feed->first);
	return code;
}

bool feed_is_capture(const struct feed *feed)
{
	return irqstat_source_get(feed->is) == IRQSTAT_SOURCE_CAPTURE;
}

static bool is_of_procfs(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

bool feed_knows_uptime(const struct feed *feed)
{
	return !feed->options->input || irqstat_source_get(feed->is) != IRQSTAT_SOURCE_TEXT ||
	       is_of_procfs(irqstat_fileno(feed->is));
}

struct irqstat *feed_open_again(const struct feed *feed)
{
	int fd = fcntl(irqstat_fileno(feed->is), F_DUPFD_CLOEXEC, 0);
	struct irqstat *is = fd < 0 ? NULL : irqstat_fdopen(fd);

	if (!is && fd >= 0)
		close(fd);
	return is;
}

const char *feed_host(struct feed *feed)
{
	const char *host = irqstat_capture_host(feed->is);

	if (host)
		return host;
	if (!*feed->host)
		gethostname(feed->host, sizeof(feed->host) - 1);
	return feed->host;
}

const char *feed_rows(const struct feed *feed)
{
	const struct irqstat_descs *descs = feed->descs;

	return descs->n_descs && descs->descs[0].kind == IRQSTAT_SOFTIRQ ? "softirqs" :
									   "interrupts";
}

/* One that could not be taken, or had no room, is not among them. */
static int next_of_burst(struct feed *feed)
{
	int ret;

	while ((ret = irqstat_burst_next(feed->burst)) < 0) {
		feed->n_lost++;
		feed->lost_errno = errno;
	}
	errno = 0;
	return ret;
}

/* The module may be unloaded, or loaded, at any time: the next read chooses anew. */
static int read_snapshot(struct feed *feed)
{
	int ret;

	if (feed->burst)
		return next_of_burst(feed);
	ret = irqstat_read(feed->is);
	if (ret < 0 && errno == EIO && !feed->options->input && !feed->options->source)
		ret = irqstat_read(feed->is);
	feed->name = name_of(feed->options, feed->is);
	return ret;
}

/* A list of CPUs that has none of this machine's is a mistake, not zero interrupts. */
static int check_cpus(const struct feed *feed)
{
	uint32_t cpu;

	if (!feed->options->has_cpus)
		return EXIT_SUCCESS;
	for (cpu = 0; cpu < feed->snap->nr_cpu_ids; cpu++) {
		if (irqstat_select_has_cpu(feed->options->select[0], cpu))
			return EXIT_SUCCESS;
	}
	return misused("--cpu-list", "has none of the machine's CPUs");
}

static const struct irqstat_snapshot *filter(struct feed *feed, unsigned int i,
					     const struct irqstat_snapshot *snap)
{
	struct irqstat_select *select = feed->options->select[i];

	if (irqstat_select_resolve(select, feed->descs))
		return NULL;
	return irqstat_select_filter(select, snap);
}

static int step(struct feed *feed, const struct irqstat_snapshot *from)
{
	feed->delta = irqstat_delta_make(feed->differ, from, feed->snap);
	if (!feed->delta)
		return out_of_memory();
	feed->step = filter(feed, 1, feed->delta->counts);
	return feed->step ? EXIT_SUCCESS : out_of_memory();
}

static int add_total(struct feed *feed)
{
	if (irqstat_totals_add(feed->running, feed->snap))
		return out_of_memory();
	feed->total = filter(feed, 0, irqstat_totals_get(feed->running));
	return feed->total ? EXIT_SUCCESS : out_of_memory();
}

/* Does this snapshot go on from the one before? In a capture it need not. */
static bool goes_on(const struct irqstat_snapshot *before, const struct irqstat_snapshot *snap)
{
	return before && before->boot == snap->boot && before->time_ns < snap->time_ns;
}

static int begin(struct feed *feed)
{
	int code;

	irqstat_totals_free(feed->running);
	irqstat_snapshot_free(feed->first);
	feed->first = NULL;
	feed->running = irqstat_totals_new();
	if (!feed->running)
		return out_of_memory();
	if (feed->keeps_first) {
		feed->first = irqstat_snapshot_dup(feed->snap);
		if (!feed->first)
			return out_of_memory();
	}
	code = add_total(feed);
	return !code && feed->is_since_boot ? step(feed, NULL) : code;
}

static int add(struct feed *feed)
{
	const struct irqstat_snapshot *before = irqstat_snapshot_previous(feed->is);
	int code;

	feed->delta = NULL;
	feed->step = NULL;
	if (!feed->total)
		return begin(feed);
	if (!goes_on(before, feed->snap))
		return feed_is_capture(feed) ? begin(feed) :
			       complain(feed->name, "of one moment: nothing counts in it");
	code = add_total(feed);
	return code ? code : step(feed, before);
}

int feed_sum_up(struct feed *feed)
{
	return step(feed, feed->first);
}

int feed_read(struct feed *feed, bool *is_end)
{
	int ret = read_snapshot(feed), err;

	if (ret < 0)
		return complain_errno(feed->name);
	*is_end = ret;
	feed->is_cut = ret && errno;
	if (ret)
		return EXIT_SUCCESS;
	feed->snap = irqstat_snapshot_get(feed->is);
	feed->descs = irqstat_descs_get(feed->is);
	if (!feed->descs)
		return complain_errno(feed->name);
	if (feed->options->is_softirq && strcmp(feed_rows(feed), "softirqs"))
		return complain(feed->name, "has no softirqs");
	err = check_cpus(feed);
	return err ? err : add(feed);
}
