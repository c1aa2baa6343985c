/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#ifndef TEXTFILE_H
#define TEXTFILE_H

#include <stddef.h>

/*
 * textfile_replace - put other contents into a file, all at once
 *
 * Whoever opens it gets the old or the new, never a part. Returns 0; or -1 with
 * EINVAL if there is something else than a file at @path, or the errno of
 * mkstemp(3), write(2) or rename(2): the file is then as it was.
 */
int textfile_replace(const char *path, const char *bytes, size_t len);

#endif /* TEXTFILE_H */
