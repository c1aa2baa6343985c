#!/bin/bash
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# What "make install" puts in place is enough to build a program, and "make uninstall" takes all of it away.

set -u -o pipefail

cd "$(dirname "$0")/../.." || exit
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# check NAME COMMAND...
check() {
	local name=$1 said
	shift
	if said=$("$@" 2>&1); then
		echo "ok install: $name"
	else
		echo "not ok install: $name: $(tail -n 1 <<<"$said")"
	fi
}

# target TARGET: into a root of its own
target() {
	make -s --no-print-directory "$1" DESTDIR="$dir/root" PREFIX=/usr
}

nothing_is_left() {
	local left
	left=$(find "$dir/root" ! -type d -printf '%P\n' | xargs)
	[ -z "$left" ] || { echo "left: $left" && return 1; }
}

config() {
	PKG_CONFIG_LIBDIR=$dir/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dir/root pkg-config "$@" libirqstat
}

# builds LIBRARY: a program that reads, and fails as it should
builds() {
	local flags
	flags=$(config --cflags) || return
	# shellcheck disable=SC2086
	cc $flags -I"$dir/root/usr/include" -o "$dir/program" "$dir/program.c" "$@" &&
		LD_LIBRARY_PATH=$dir/root/usr/lib "$dir/program"
}

builds_shared() {
	# shellcheck disable=SC2046
	builds $(config --libs) && [[ $(readelf -d "$dir/program") = *libirqstat.so.* ]]
}

builds_static() {
	builds "$dir/root/usr/lib/libirqstat.a"
}

version_is_ours() {
	[ "$(config --modversion)" = "$(sed -n 's/^VERSION = //p' Makefile)" ]
}

# All pages there are, each in its section.
pages_are_there() {
	local page
	for page in {kernel,libirqstat,tools}/man/*.[0-9]; do
		page=${page##*/}
		[ -s "$dir/root/usr/share/man/man${page##*.}/$page" ] || { echo "$page is missing" && return 1; }
	done
}

examples_say_nothing() {
	! grep -hv '^#' "$dir"/root/usr/share/doc/interrupts-bin/examples/modprobe.d/* | grep .
}

cat >"$dir/program.c" <<'END'
#include <errno.h>
#include <irqstat.h>
#include <linux/interrupts_bin.h>

int main(void)
{
	return irqstat_open("/nowhere") || errno != ENOENT || IRQBIN_MAGIC != 0x49525142;
}
END

check installs target install
check a_program_builds_with_the_shared_library builds_shared
check a_program_builds_with_the_static_library builds_static
check pkg_config_tells_the_version version_is_ours
check pages_are_installed pages_are_there
check uninstalls target uninstall
check nothing_is_left nothing_is_left

check installs_for_dkms target install-dkms
check examples_leave_the_defaults examples_say_nothing
check uninstalls_for_dkms target uninstall-dkms
check nothing_is_left_of_dkms nothing_is_left
