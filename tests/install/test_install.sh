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

# linker_is_told TARGET ARGUMENT...: when that is made, programs are to find libraries in new places, or no more
linker_is_told() {
	rm -f "$dir/told"
	make -s --no-print-directory "$@" PREFIX="$dir/prefix" LDCONFIG="touch $dir/told" && [ -e "$dir/told" ]
}

linker_is_not_told() {
	! linker_is_told "$@" && [ -d "$dir/staged$dir/prefix" ]
}

# Folders of other packages stay: those that are ours have our name.
nothing_is_left() {
	local left
	left=$(find "$dir/root" \( ! -type d -o -path '*interrupts-bin*' -o -path '*irqstat*' \) -printf '%P\n' | xargs)
	[ -z "$left" ] || { echo "left: $left" && return 1; }
}

# config OPTION LIBRARY
config() {
	PKG_CONFIG_LIBDIR=$dir/root/usr/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config) \
		PKG_CONFIG_SYSROOT_DIR=$dir/root pkg-config "$@"
}

# builds COMPILER LIBRARY HOW...: a program that reads, and fails as it should
builds() {
	local compiler=$1 library=$2 flags
	shift 2
	flags=$(config --cflags "$library") || return
	# shellcheck disable=SC2086
	$compiler $flags -I"$dir/root/usr/include" -Wall -Werror -o "$dir/program" "$dir/$library.c" "$@" &&
		LD_LIBRARY_PATH=$dir/root/usr/lib "$dir/program"
}

builds_shared() {
	# shellcheck disable=SC2046
	builds "$1" "$2" $(config --libs "$2") && [[ $(readelf -d "$dir/program") = *$2.so.* ]]
}

builds_static() {
	builds cc libirqstat "$dir/root/usr/lib/libirqstat.a"
}

builds_static_uring() {
	# shellcheck disable=SC2046
	builds cc libirqstat_uring -static $(config --static --libs libirqstat_uring)
}

version_is_ours() {
	[ "$(config --modversion "$1")" = "$(sed -n 's/^VERSION = //p' Makefile)" ]
}

# All pages there are, each in its section.
pages_are_there() {
	local page
	for page in {kernel,libirqstat,tools}/man/*.[0-9]; do
		page=${page##*/}
		[ -s "$dir/root/usr/share/man/man${page##*.}/$page" ] || { echo "$page is missing" && return 1; }
	done
}

# The unit names the program by where it is.
unit_starts_the_exporter() {
	local program
	program=$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$dir/root/usr/lib/systemd/system/irqstat-exporter.service")
	[[ -n $program && -x $dir/root$program ]] || { echo "starts '$program'" && return 1; }
}

examples_say_nothing() {
	! grep -hv '^#' "$dir"/root/usr/share/doc/interrupts-bin/examples/modprobe.d/* | grep .
}

cat >"$dir/libirqstat.c" <<'END'
#include <errno.h>
#include <irqstat.h>
#include <linux/interrupts_bin.h>

int main(void)
{
	return irqstat_open("/nowhere") || errno != ENOENT || IRQBIN_MAGIC != 0x49525142;
}
END

cat >"$dir/libirqstat_uring.c" <<'END'
#include <errno.h>
#include <irqstat_uring.h>

int main(void)
{
	struct irqstat_batch *batch = irqstat_batch_new(IRQSTAT_URING_NEVER);

	return !batch || irqstat_batch_add_file(batch, "/nowhere") >= 0 || errno != ENOENT;
}
END

check installs target install
for library in libirqstat libirqstat_uring; do
	check a_program_builds_with_shared_$library builds_shared cc $library
	check a_program_in_c++_builds_with_shared_$library builds_shared "g++ -x c++" $library
	check pkg_config_tells_the_version_of_$library version_is_ours $library
done
check a_program_builds_with_static_libirqstat builds_static
check a_program_builds_with_static_libirqstat_uring builds_static_uring
check pages_are_installed pages_are_there
check unit_starts_the_exporter unit_starts_the_exporter
check uninstalls target uninstall
check nothing_is_left nothing_is_left

check install_tells_the_linker linker_is_told install
check uninstall_tells_the_linker linker_is_told uninstall
check install_for_a_package_does_not linker_is_not_told install DESTDIR="$dir/staged"

check installs_for_dkms target install-dkms
check examples_leave_the_defaults examples_say_nothing
check uninstalls_for_dkms target uninstall-dkms
check nothing_is_left_of_dkms nothing_is_left
