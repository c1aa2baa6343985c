/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/*
 * An errno says what open(2) or read(2) met with; what lies behind it can be
 * found out. Nothing here needs more rights than the program has.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd.h"

#define MODULE_DIR "/sys/module/interrupts_bin"

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

/* Has the first line, or any line, of this file these words in it? */
static bool has_words(const char *path, const char *words)
{
	FILE *file = fopen(path, "re");
	char line[4096];
	bool found = false;

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = strstr(line, words);
	fclose(file);
	return found;
}

static bool is_installed(void)
{
	struct utsname name;
	char path[sizeof(name.release) + 64];

	if (uname(&name))
		return false;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", name.release);
	return has_words(path, "/interrupts_bin.ko");
}

static bool is_container(void)
{
	return !has_words("/proc/self/uid_map", " 4294967295") || exists("/.dockerenv") ||
	       exists("/run/.containerenv");
}

static bool is_locked_down(void)
{
	return has_words("/sys/kernel/security/lockdown", "[integrity]") ||
	       has_words("/sys/kernel/security/lockdown", "[confidentiality]");
}

/* May the mode of the file keep this process out? Root's capabilities aside. */
static bool is_kept_out(const struct stat *st)
{
	return geteuid() && !(st->st_mode & S_IROTH);
}

static void add_user(struct text *text, uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	if (user)
		text_printf(text, "%s", user->pw_name);
	else
		text_printf(text, "%u", uid);
}

static void add_group(struct text *text, gid_t gid)
{
	const struct group *group = getgrgid(gid);

	if (group)
		text_printf(text, "%s", group->gr_name);
	else
		text_printf(text, "%u", gid);
}

bool why_mode(struct text *text, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	text_printf(text, "%04o ", (unsigned int)st.st_mode & 07777);
	add_user(text, st.st_uid);
	text_add(text, ":", 1);
	add_group(text, st.st_gid);
	return true;
}

static void add_denied(struct text *text)
{
	struct stat st;

	text_printf(text, "it may not be read: ");
	if (!stat(IRQSTAT_PATH, &st) && is_kept_out(&st)) {
		why_mode(text, IRQSTAT_PATH);
		text_printf(text, ", and you are ");
		add_user(text, geteuid());
	} else {
		text_printf(text, "not its mode, but a security policy forbids it");
	}
}

void why_reason(struct text *text, int err)
{
	switch (err) {
	case ENOENT:
		text_printf(text, exists(MODULE_DIR) ?
					  "it is loaded, but this /proc does not show its file" :
				  is_installed() || is_container() ?
					  "it is not loaded" :
					  "it is neither loaded nor installed");
		break;
	case EACCES:
		add_denied(text);
		break;
	case EPERM:
		text_printf(text, "it takes CAP_PERFMON or CAP_SYS_ADMIN%s, which this process "
				  "does not have",
			    is_container() ? " on the host, not in a container" : "");
		break;
	case ENODATA:
		text_printf(text, "its file is masked: an empty one was put over it");
		break;
	case EPROTONOSUPPORT:
		text_printf(text, "it speaks a version that this program does not know");
		break;
	case EBADMSG:
		text_printf(text, "what it gave makes no sense");
		break;
	case EIO:
		text_printf(text, "it was unloaded");
		break;
	default:
		text_printf(text, "its file: %s", strerror(err));
	}
}

static void advise_loading(struct text *text)
{
	if (exists(MODULE_DIR))
		text_printf(text, "Mount all of /proc: without subset=pid; in a systemd unit, "
				  "ProcSubset=all");
	else if (is_container())
		text_printf(text, "Load it on the host, a container can't: modprobe interrupts_bin");
	else if (is_installed())
		text_printf(text, "As root: modprobe interrupts_bin");
	else
		text_printf(text, "Install the package interrupts-bin-dkms; or, where its "
				  "sources are:\nmake module && insmod build/interrupts_bin.ko");
	if (!exists(MODULE_DIR) && is_locked_down())
		text_printf(text, "\nThis kernel is locked down (Secure Boot): it takes only "
				  "modules signed with\na key that it knows: see mokutil(1)");
}

void why_advice(struct text *text, int err)
{
	struct stat st;

	switch (err) {
	case ENOENT:
		advise_loading(text);
		break;
	case EACCES:
		if (!stat(IRQSTAT_PATH, &st) && is_kept_out(&st))
			text_printf(text, "Run it as root; or give it to a group that you are in: "
					  "modprobe interrupts_bin gid=GID");
		else
			text_printf(text, "Allow to read " IRQSTAT_PATH " in the policy of "
					  "AppArmor or SELinux");
		break;
	case EPERM:
		text_printf(text, "Give it CAP_PERFMON: in a systemd unit, "
				  "AmbientCapabilities=CAP_PERFMON; or load the\nmodule for a "
				  "group that it is in: modprobe interrupts_bin gid=GID");
		break;
	case ENODATA:
		text_printf(text, "Run it on the host; or have the container's runtime not mask "
				  IRQSTAT_PATH);
		break;
	case EPROTONOSUPPORT:
		text_printf(text, "Update this program to the module's version");
		break;
	case EBADMSG:
		text_printf(text, "Another file of that name? Otherwise this is a bug: please "
				  "report it");
		break;
	case EIO:
		text_printf(text, "Try again");
		break;
	default:
		break;
	}
}

const char *uring_reason(int err)
{
	switch (err) {
	case EPERM:
		return "forbidden, see kernel.io_uring_disabled";
	case EOPNOTSUPP:
		return "the kernel is too old for it";
	case ENOSYS:
		return "the kernel has none, or a filter says so";
	default:
		return strerror(err);
	}
}
