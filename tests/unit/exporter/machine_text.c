/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#define _GNU_SOURCE

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine_text.h"
#include "suite.h"

void machine_start(struct machine *m, unsigned int series)
{
	*m = (struct machine){ .fd = memfd_create("machine", 0) };
	ck_assert_int_ge(m->fd, 0);
	snprintf(m->path, sizeof(m->path), "/proc/self/fd/%d", m->fd);
	ck_assert(!feed_init(&m->feed, m->path));
	m->select = irqstat_select_new();
	ck_assert_ptr_nonnull(m->select);
	ck_assert(!families_init(&m->families, series));
}

void machine_stop(struct machine *m)
{
	feed_free(&m->feed);
	irqstat_select_free(m->select);
	view_free(&m->view);
	families_free(&m->families);
	page_free(&m->e.page);
	close(m->fd);
}

void machine_set(struct machine *m, const char *text)
{
	ck_assert(!ftruncate(m->fd, 0));
	ck_assert_int_eq(pwrite(m->fd, text, strlen(text), 0),
			 (ssize_t)strlen(text));
}

static void drop_comments(struct page *page)
{
	const char *from = page->bytes, *end = page->bytes + page->len;
	char *to = page->bytes;

	while (from < end) {
		const char *next = (const char *)memchr(from, '\n',
							(size_t)(end - from)) + 1;

		if (*from != '#') {
			memmove(to, from, (size_t)(next - from));
			to += next - from;
		}
		from = next;
	}
	page_end(page, to);
}

const char *machine_page(struct machine *m, enum subject subject)
{
	page_clear(&m->e.page);
	families_begin(&m->families);
	ck_assert(!feed_read(&m->feed));
	ck_assert(!view_make(&m->view, feed_totals(&m->feed), m->feed.descs,
			     m->select));
	ck_assert(!families_put(&m->families, &m->e, subject, &m->view));
	drop_comments(&m->e.page);
	page_put(&m->e.page, "", 1);
	ck_assert(!m->e.page.failed);
	return m->e.page.bytes;
}
