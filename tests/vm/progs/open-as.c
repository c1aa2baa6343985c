/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * open-as [OPTION]... [FILE]: opens and reads FILE (/proc/interrupts_bin) as somebody
 * else, and says how that went: "opened", or the name of the error. Options, carried
 * out in this order:
 *
 *	--group GID	with this supplementary group, and no other
 *	--gid GID	as this group
 *	--uid UID	as this user
 *	--userns	as root of a new user namespace
 *	--caps LIST	with these capabilities (perfmon,sys_admin,...; none) and no others
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "raw.h"

static const struct {
	const char *name;
	int number;
} known[] = {
	{ "perfmon", CAP_PERFMON },
	{ "sys_admin", CAP_SYS_ADMIN },
	{ "dac_override", CAP_DAC_OVERRIDE },
	{ "dac_read_search", CAP_DAC_READ_SEARCH },
};

struct who {
	bool userns;
	long group, gid, uid;	/* -1: as it is */
	const char *caps;	/* NULL: as they are */
};

static void failed(const char *what)
{
	perror(what);
	exit(2);
}

static void write_file(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, line, strlen(line)) < 0)
		failed(path);
	close(fd);
}

static void userns_enter(void)
{
	char map[32];
	const unsigned int uid = getuid(), gid = getgid();

	/* Who has changed user may else not write these files. */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
		failed("PR_SET_DUMPABLE");
	if (unshare(CLONE_NEWUSER))
		failed("unshare");
	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", uid);
	write_file("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", gid);
	write_file("/proc/self/gid_map", map);
}

static void caps_set(uint64_t caps)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = (uint32_t)(caps >> 32 * i);
	if (syscall(SYS_capset, &head, data))
		failed("capset");
}

static uint64_t caps_parse(const char *list)
{
	uint64_t caps = 0;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(list, known[i].name))
			caps |= (uint64_t)1 << known[i].number;
	return caps;
}

static void become(const struct who *who)
{
	const gid_t group = (gid_t)who->group;

	if (who->group >= 0 && setgroups(1, &group))
		failed("setgroups");
	if (who->gid >= 0 && setresgid((gid_t)who->gid, (gid_t)who->gid, (gid_t)who->gid))
		failed("setresgid");
	/* Capabilities survive it, as they would with a service manager. */
	if (who->caps && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
		failed("PR_SET_KEEPCAPS");
	if (who->uid >= 0 && setresuid((uid_t)who->uid, (uid_t)who->uid, (uid_t)who->uid))
		failed("setresuid");
	if (who->userns)
		userns_enter();
	if (who->caps)
		caps_set(caps_parse(who->caps));
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "userns", no_argument, NULL, 'n' }, { "group", required_argument, NULL, 's' },
		{ "gid", required_argument, NULL, 'g' }, { "uid", required_argument, NULL, 'u' },
		{ "caps", required_argument, NULL, 'c' }, { NULL, 0, NULL, 0 },
	};
	struct who who = { .group = -1, .gid = -1, .uid = -1 };
	const char *path = BIN_PATH;
	char byte;
	int option, fd;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'n':
			who.userns = true;
			break;
		case 's':
			who.group = atol(optarg);
			break;
		case 'g':
			who.gid = atol(optarg);
			break;
		case 'u':
			who.uid = atol(optarg);
			break;
		case 'c':
			who.caps = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind < argc)
		path = argv[optind];
	become(&who);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		puts(strerrorname_np(errno));
	else
		puts(read(fd, &byte, 1) == 1 ? "opened" : strerrorname_np(errno));
	return 0;
}
