// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where per-CPU variables are, from the kernel's own type information. What BTF
 * says of a variable is its offset in the per-CPU section: nothing secret, the
 * file is readable by all.
 */
#include <uapi/linux/btf.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "irqbin.h"

#define BTF_PATH	"/sys/kernel/btf/vmlinux"
#define BTF_SIZE_MAX	(64U << 20)

struct btf_view {
	const char *types;
	u32 types_len;
	const char *strings;
	u32 strings_len;
};

/* Bytes behind a type's header: a fixed part, and one for each of its vlen. */
static const struct {
	u8 known;
	u8 fixed;
	u8 each;
} kind_size[] = {
	[1] = { 1, 4, 0 },	/* INT */
	[2] = { 1, 0, 0 },	/* PTR */
	[3] = { 1, 12, 0 },	/* ARRAY */
	[4] = { 1, 0, 12 },	/* STRUCT */
	[5] = { 1, 0, 12 },	/* UNION */
	[6] = { 1, 0, 8 },	/* ENUM */
	[7] = { 1, 0, 0 },	/* FWD */
	[8] = { 1, 0, 0 },	/* TYPEDEF */
	[9] = { 1, 0, 0 },	/* VOLATILE */
	[10] = { 1, 0, 0 },	/* CONST */
	[11] = { 1, 0, 0 },	/* RESTRICT */
	[12] = { 1, 0, 0 },	/* FUNC */
	[13] = { 1, 0, 8 },	/* FUNC_PROTO */
	[14] = { 1, 4, 0 },	/* VAR */
	[15] = { 1, 0, 12 },	/* DATASEC */
	[16] = { 1, 0, 0 },	/* FLOAT */
	[17] = { 1, 4, 0 },	/* DECL_TAG */
	[18] = { 1, 0, 0 },	/* TYPE_TAG */
	[19] = { 1, 0, 12 },	/* ENUM64 */
};

static bool name_is(const struct btf_view *btf, u32 off, const char *name)
{
	return off < btf->strings_len && strlen(name) < btf->strings_len - off &&
	       !strcmp(btf->strings + off, name);
}

static void section_search(const struct btf_var_secinfo *info, u32 num, const u32 *id,
			   unsigned int n, u32 *offset, unsigned int *found)
{
	unsigned int i;

	for (; num; num--, info++) {
		for (i = 0; i < n; i++) {
			if (id[i] && info->type == id[i] && info->size >= sizeof(u32)) {
				offset[i] = info->offset;
				*found |= 1U << i;
			}
		}
	}
}

/* Variables come before the section that holds them. */
static int types_search(const struct btf_view *btf, const char *const name[], unsigned int n,
			u32 *offset)
{
	u32 id[8] = { }, at = 0, type_id = 1, len;
	unsigned int i, found = 0;

	for (; btf->types_len - at >= sizeof(struct btf_type); type_id++, at += len) {
		const struct btf_type *type = (const void *)(btf->types + at);
		const u32 kind = BTF_INFO_KIND(type->info), vlen = BTF_INFO_VLEN(type->info);

		if (kind >= ARRAY_SIZE(kind_size) || !kind_size[kind].known)
			return -EINVAL;
		len = sizeof(*type) + kind_size[kind].fixed + kind_size[kind].each * vlen;
		if (len > btf->types_len - at)
			return -EINVAL;
		if (kind == BTF_KIND_VAR)
			for (i = 0; i < n; i++)
				if (name_is(btf, type->name_off, name[i]))
					id[i] = type_id;
		if (kind == BTF_KIND_DATASEC && name_is(btf, type->name_off, ".data..percpu"))
			section_search((const void *)(type + 1), vlen, id, n, offset, &found);
	}
	return found == (1U << n) - 1 ? 0 : -ENOENT;
}

static int view_set(const char *data, size_t size, struct btf_view *btf)
{
	const struct btf_header *hdr = (const void *)data;
	u64 body = size - sizeof(*hdr);

	if (size < sizeof(*hdr) || hdr->magic != BTF_MAGIC || hdr->hdr_len != sizeof(*hdr))
		return -EINVAL;
	if ((u64)hdr->type_off + hdr->type_len > body ||
	    (u64)hdr->str_off + hdr->str_len > body || !hdr->str_len || hdr->type_off % 4)
		return -EINVAL;
	btf->types = data + sizeof(*hdr) + hdr->type_off;
	btf->types_len = hdr->type_len;
	btf->strings = data + sizeof(*hdr) + hdr->str_off;
	btf->strings_len = hdr->str_len;
	return btf->strings[btf->strings_len - 1] ? -EINVAL : 0;
}

/**
 * irqbin_btf_find - find per-CPU variables of the kernel
 * @name: their names
 * @n: how many, up to 8
 * @offset: where to put their offsets in the per-CPU section
 *
 * Return: 0 if all were found, or a negative error
 */
int irqbin_btf_find(const char *const name[], unsigned int n, u32 offset[])
{
	struct btf_view btf;
	struct file *file;
	loff_t pos = 0;
	ssize_t size;
	char *data;
	int err;

	file = filp_open(BTF_PATH, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	size = i_size_read(file_inode(file));
	data = size > 0 && size <= BTF_SIZE_MAX ? kvmalloc(size, GFP_KERNEL) : NULL;
	if (!data) {
		err = -ENOMEM;
		goto out;
	}
	while (pos < size) {
		ssize_t got = kernel_read(file, data + pos, size - pos, &pos);

		if (got <= 0)
			break;
	}
	err = pos == size ? view_set(data, size, &btf) : -EIO;
	if (!err)
		err = types_search(&btf, name, n, offset);
	kvfree(data);
out:
	filp_close(file, NULL);
	return err;
}
