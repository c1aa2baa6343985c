/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "reason.h"

const char *reason_of(int err)
{
	switch (err) {
	case ENODATA:
		return "empty: masked or not available";
	case EBADMSG:
		return "malformed";
	case EPROTONOSUPPORT:
		return "of another version or byte order";
	default:
		return strerror(err);
	}
}
