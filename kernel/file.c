// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/interrupts_bin: two windows in one file, and who may open it.
 *
 * Interrupt counts tell on what a machine's users do (keystrokes, power), and
 * container runtimes hide /proc/interrupts for it. They don't know of this file,
 * so it is closed by default to all but monitoring.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "irqbin.h"

#define FILE_NAME	"interrupts_bin"
#define NO_GROUP	((unsigned int)-1)

static ushort mode = 0440;
module_param(mode, ushort, 0444);
MODULE_PARM_DESC(mode, "file mode (default 0440); 0444 opens the file to everyone");

static unsigned int gid = NO_GROUP;
module_param(gid, uint, 0444);
MODULE_PARM_DESC(gid, "group whose members may open the file (default: none)");

struct open_file {
	struct mutex lock;		/* for all below */
	struct irqbin_snapshot snap;
	void *descs;			/* a copy; NULL until they are read */
	size_t descs_bytes;
	size_t descs_size;
};

static struct proc_dir_entry *entry;

static bool may_open(void)
{
	if (mode & 0004 || (gid != NO_GROUP && in_egroup_p(make_kgid(&init_user_ns, gid))))
		return true;
	/* Last: security modules log it when they refuse a capability. */
	return perfmon_capable();
}

static int file_open(struct inode *inode, struct file *file)
{
	struct open_file *open;

	if (file->f_mode & FMODE_WRITE)
		return -EINVAL;
	if (!may_open())
		return -EPERM;
	open = kzalloc(sizeof(*open), GFP_KERNEL_ACCOUNT);
	if (!open)
		return -ENOMEM;
	mutex_init(&open->lock);
	file->private_data = open;
	/* Reads know IOCB_NOWAIT: io_uring needs no thread for them. */
	file->f_mode |= FMODE_NOWAIT;
	return 0;
}

static int file_release(struct inode *inode, struct file *file)
{
	struct open_file *open = file->private_data;

	irqbin_snapshot_free(&open->snap);
	kvfree(open->descs);
	mutex_destroy(&open->lock);
	kfree(open);
	return 0;
}

/* Finds the window's bytes; a read at its start takes it anew. */
static int counters_get(struct open_file *open, bool start, bool nowait, const void **data,
			size_t *bytes)
{
	const struct irqbin_snapshot *snap = &open->snap;
	int err;

	if (start || !snap->sequence) {
		err = irqbin_snapshot_take(&open->snap, nowait);
		if (err)
			return err;
	}
	*data = snap->out[snap->shown].word;
	*bytes = snap->out[snap->shown].used * sizeof(u64);
	return 0;
}

/* Who keeps descriptors that are no longer the newest pays for them. */
static int descs_copy(struct open_file *open, const struct irqbin_window *window, bool nowait)
{
	void *larger;

	if (window->bytes > open->descs_size) {
		larger = irqbin_alloc(window->bytes, nowait);
		if (!larger)
			return nowait ? -EAGAIN : -ENOMEM;
		kvfree(open->descs);
		open->descs = larger;
		open->descs_size = window->bytes;
	}
	memcpy(open->descs, window->word, window->bytes);
	open->descs_bytes = window->bytes;
	return 0;
}

static int descs_get(struct open_file *open, bool start, bool nowait, const void **data,
		     size_t *bytes)
{
	struct irqbin_window *window;
	int err;

	if (start || !open->descs) {
		window = irqbin_window_get(nowait);
		if (IS_ERR(window))
			return PTR_ERR(window);
		err = descs_copy(open, window, nowait);
		irqbin_window_put(window);
		if (err)
			return err;
	}
	*data = open->descs;
	*bytes = open->descs_bytes;
	return 0;
}

/* Called with the lock held. */
static ssize_t window_read(struct open_file *open, struct kiocb *iocb, struct iov_iter *to)
{
	const bool nowait = iocb->ki_flags & IOCB_NOWAIT;
	const bool descs = iocb->ki_pos >= IRQBIN_DESC_OFFSET;
	const u64 at = iocb->ki_pos - (descs ? IRQBIN_DESC_OFFSET : 0);
	const void *data;
	size_t bytes, copied;
	int err;

	err = descs ? descs_get(open, !at, nowait, &data, &bytes) :
		      counters_get(open, !at, nowait, &data, &bytes);
	if (err)
		return err;
	if (at >= bytes)
		return 0;
	copied = copy_to_iter(data + at, bytes - at, to);
	if (!copied)
		return -EFAULT;
	iocb->ki_pos += copied;
	return copied;
}

static ssize_t file_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct open_file *open = iocb->ki_filp->private_data;
	ssize_t ret;

	if (!iov_iter_count(to))
		return 0;
	if (iocb->ki_flags & IOCB_NOWAIT) {
		if (!mutex_trylock(&open->lock))
			return -EAGAIN;
	} else if (mutex_lock_interruptible(&open->lock)) {
		return -ERESTARTSYS;
	}
	ret = window_read(open, iocb, to);
	mutex_unlock(&open->lock);
	return ret;
}

static const struct proc_ops file_ops = {
	.proc_open	= file_open,
	.proc_read_iter	= file_read_iter,
	.proc_lseek	= no_seek_end_llseek,
	.proc_release	= file_release,
};

/* Every number is a group, but not every one a mode: 0 would be another one to procfs. */
int irqbin_file_check(void)
{
	if (!mode || mode & ~0444) {
		pr_err(KBUILD_MODNAME ": mode=%#o is not of read bits only, as 0440 is\n",
		       mode);
		return -EINVAL;
	}
	return 0;
}

int irqbin_file_init(void)
{
	entry = proc_create(FILE_NAME, mode, NULL, &file_ops);
	if (!entry)
		return -ENOMEM;
	if (gid != NO_GROUP)
		proc_set_user(entry, GLOBAL_ROOT_UID, make_kgid(&init_user_ns, gid));
	return 0;
}

/* Waits for readers in flight, and closes the file for all who hold it open. */
void irqbin_file_exit(void)
{
	proc_remove(entry);
}
