/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * Bursts: in time, in order, none lost, without a worker thread, and gone without a
 * trace when they are called off.
 *
 * burst			checks them in a quiet machine
 * burst --forbidden ERROR	checks that it is done without io_uring, for this reason
 * burst --hang			starts one that takes an hour, says so, and waits for it
 * burst --unload UNLOAD LOAD	checks one in the midst of which the module goes
 */
#define _GNU_SOURCE
#include <time.h>

#include <irqstat_uring.h>

#include "arrays.h"
#include "events.h"

#define MS   UINT64_C(1000000)
#define HOUR (3600 * 1000 * MS)
#define N    200

static struct irqstat *is;
static struct irqstat_burst *burst;

static uint64_t boottime_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

static const char *way_is(enum irqstat_uring_way way, int error)
{
	const struct irqstat_uring_info *info = irqstat_burst_info(burst);

	return info->way == way && info->error == error ? NULL :
	       why("way %d: %s", info->way, strerror(info->error));
}

static const char *new_burst(enum irqstat_source source, unsigned int n, uint64_t interval_ns,
			     unsigned int flags)
{
	is = irqstat_open_source(source, NULL);
	if (!is)
		return why_errno("open");
	burst = irqstat_burst_new(is, n, interval_ns, flags);
	return burst ? NULL : why_errno("irqstat_burst_new");
}

static const char *new_burst_by_uring(unsigned int n, uint64_t interval_ns)
{
	const char *wrong = new_burst(IRQSTAT_SOURCE_MODULE, n, interval_ns, 0);

	if (wrong)
		return wrong;
	/* Waits that end in success came with Linux 5.16. */
	return kernel_is_since(5, 16) ? way_is(IRQSTAT_URING_WAY_URING, 0) :
					way_is(IRQSTAT_URING_WAY_PREAD, EOPNOTSUPP);
}

static void free_burst(void)
{
	irqstat_burst_free(burst);
	irqstat_close(is);
}

static const char *snapshots_are_right(uint64_t begin)
{
	struct irqstat_snapshot *last = NULL, *now;
	const char *wrong = NULL;
	unsigned int i;

	for (i = 0; !wrong && i < N; i++, last = now) {
		if (irqstat_burst_next(burst))
			return why_errno("irqstat_burst_next");
		now = copy_of(is);
		if (now->time_ns < begin + i * MS)
			wrong = why("snapshot %u: too early", i);
		if (!wrong && last && now->time_ns < last->time_ns)
			wrong = why("snapshot %u: before the last", i);
		if (!wrong && last && now->sequence != last->sequence + 1)
			wrong = why("snapshot %u: %llu after %llu", i,
				    (unsigned long long)now->sequence,
				    (unsigned long long)last->sequence);
		if (!wrong && last)
			wrong = lies_between(last, now, now);
		irqstat_snapshot_free(last);
	}
	irqstat_snapshot_free(last);
	if (!wrong && irqstat_burst_next(burst) != 1)
		wrong = "there are more";
	return wrong;
}

static const char *take(void)
{
	const uint64_t begin = boottime_ns();

	if (irqstat_burst_start(burst))
		return why_errno("irqstat_burst_start");
	if (irqstat_burst_wait(burst, N) != N)
		return why_errno("irqstat_burst_wait");
	return snapshots_are_right(begin);
}

static const char *burst_is_right(void)
{
	const int punts = event_open("io_uring/io_uring_queue_async_work");
	const char *wrong = new_burst_by_uring(N, MS);
	int i;

	if (punts < 0)
		return why_errno("perf_event_open");
	for (i = 0; !wrong && i < 3; i++)
		wrong = take();
	if (!wrong && (event_count(punts) || workers_count()))
		wrong = why("%u punts, %u workers", (unsigned int)event_count(punts),
			    workers_count());
	close(punts);
	free_burst();
	return wrong;
}

static const char *burst_by_pread_is_right(void)
{
	const char *wrong = new_burst(IRQSTAT_SOURCE_MODULE, N, MS, IRQSTAT_URING_NEVER);

	wrong = wrong ? wrong : take();
	free_burst();
	return wrong;
}

static const char *burst_of_text_is_right(void)
{
	const char *wrong = new_burst(IRQSTAT_SOURCE_TEXT, N, MS, 0);

	wrong = wrong ? wrong : way_is(IRQSTAT_URING_WAY_PREAD, EOPNOTSUPP);
	wrong = wrong ? wrong : take();
	free_burst();
	return wrong;
}

/* What was called off is not read: the module would have counted it. */
static const char *burst_is_called_off(void)
{
	const char *wrong = new_burst_by_uring(IRQSTAT_BURST_MAX, HOUR);
	uint64_t sequence;

	if (!wrong && irqstat_burst_start(burst))
		wrong = why_errno("irqstat_burst_start");
	if (!wrong && (irqstat_burst_wait(burst, 1) != 1 || irqstat_burst_next(burst)))
		wrong = why_errno("the first");
	sequence = wrong ? 0 : irqstat_snapshot_get(is)->sequence;
	irqstat_burst_free(burst);
	if (!wrong && irqstat_read(is))
		wrong = why_errno("irqstat_read");
	if (!wrong && irqstat_snapshot_get(is)->sequence != sequence + 1)
		wrong = why("%llu snapshots more", (unsigned long long)
			    (irqstat_snapshot_get(is)->sequence - sequence - 1));
	irqstat_close(is);
	return wrong;
}

static const char *burst_outlives_its_handle(void)
{
	const char *wrong = new_burst_by_uring(N, MS);

	if (!wrong && irqstat_burst_start(burst))
		wrong = why_errno("irqstat_burst_start");
	irqstat_close(is);
	if (!wrong && irqstat_burst_wait(burst, N) != N)
		wrong = why_errno("irqstat_burst_wait");
	irqstat_burst_free(burst);
	return wrong;
}

static const char *without_io_uring(int error)
{
	const char *wrong = new_burst(IRQSTAT_SOURCE_MODULE, N, MS, 0);

	wrong = wrong ? wrong : way_is(IRQSTAT_URING_WAY_PREAD, error);
	wrong = wrong ? wrong : take();
	free_burst();
	return wrong;
}

static int hang(void)
{
	if (new_burst_by_uring(1000, HOUR) || irqstat_burst_start(burst))
		return 1;
	puts("started");
	fflush(stdout);
	return irqstat_burst_wait(burst, 1000) < 0;
}

static const char *unloaded_in_mid_burst(const char *unload, const char *load)
{
	const char *wrong = new_burst_by_uring(N, 10 * MS);
	int i, n;

	if (!wrong && irqstat_burst_start(burst))
		wrong = why_errno("irqstat_burst_start");
	if (wrong)
		return wrong;
	n = irqstat_burst_wait(burst, 5);
	if (system(unload))
		return "the module could not be unloaded";
	if (n < 5 || irqstat_burst_wait(burst, N) != N)
		return why_errno("irqstat_burst_wait");
	for (i = 0; !irqstat_burst_next(burst); i++)
		;
	if (i < n || i == N || errno != EIO)
		return why("snapshot %d, %d seen before: %s", i, n, strerror(errno));
	for (i++; i < N; i++)
		if (irqstat_burst_next(burst) != -1 || errno != EIO)
			return why("snapshot %d: %s", i, strerror(errno));
	if (irqstat_burst_next(burst) != 1)
		return "there are more";
	free_burst();
	return system(load) ? "the module could not be loaded" : NULL;
}

int main(int argc, char **argv)
{
	static const struct check checks[] = {
		{ "burst_is_right_without_a_worker", burst_is_right },
		{ "burst_by_pread_is_right", burst_by_pread_is_right },
		{ "burst_of_text_is_right", burst_of_text_is_right },
		{ "burst_is_called_off", burst_is_called_off },
		{ "burst_outlives_its_handle", burst_outlives_its_handle },
	};

	if (argc == 2 && !strcmp(argv[1], "--hang"))
		return hang();
	if (argc == 3 && !strcmp(argv[1], "--forbidden"))
		return report("burst_without_io_uring", without_io_uring(atoi(argv[2])));
	if (argc == 4 && !strcmp(argv[1], "--unload"))
		return report("burst_outlives_the_module",
			      unloaded_in_mid_burst(argv[2], argv[3]));
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}
