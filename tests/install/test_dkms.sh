#!/bin/bash
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# DKMS builds, installs and removes the module from what "make install-dkms" puts in place, for an old and
# a new kernel: in a throw-away layer over their folders (tests/vm/kernels), that has Debian's dkms on top.

set -u -o pipefail

cd "$(dirname "$0")/../.." || exit
version=$(sed -n 's/^VERSION = //p' Makefile)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/install/layer.sh
. tests/install/layer.sh

# Runs in the layer.
# shellcheck disable=SC2016
guest='
version=$1
kernel=$(basename /lib/modules/*)
name=interrupts-bin/$version

check() {
	test=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		echo "ok $test"
	else
		echo "not ok $test: $(tail -n 1 /tmp/said)"
	fi
}
status_is() {
	dkms status "$name" | tee /dev/stderr | grep -q ": $1"
}
file() {
	modinfo -k "$kernel" -F filename interrupts_bin 2>/dev/null
}
is_for_the_kernel() {
	[ "$(modinfo -k "$kernel" -F vermagic interrupts_bin | cut -d " " -f 1)" = "$kernel" ]
}
is_of_the_version() {
	[ "$(modinfo -k "$kernel" -F version interrupts_bin)" = "$version" ]
}
loads_alone() {
	[ "$(modprobe --set-version="$kernel" --show-depends interrupts_bin)" = "insmod $(file) " ]
}
is_gone() {
	[ -z "$(file)" ] && [ -z "$(dkms status "$name")" ]
}

export DEBIAN_FRONTEND=noninteractive
# Last the one that wants others to be there when it is unpacked.
{ find /mnt/debs ! -name "dkms_*" -name "*.deb" -exec dpkg -i {} + && dpkg -i /mnt/debs/dkms_*; } >/tmp/said 2>&1 ||
	{ echo "not ok dkms_installs: $(tail -n 1 /tmp/said)" && exit; }
cp -r /mnt/root/. /
check is_added dkms add "$name"
check is_built dkms build "$name" -k "$kernel"
check is_installed dkms install "$name" -k "$kernel"
check status_is_installed status_is installed
check module_is_for_the_kernel is_for_the_kernel
check module_is_of_the_version is_of_the_version
check module_needs_no_other loads_alone
check is_removed dkms remove "$name" --all
check is_gone is_gone
# As it happens when the package of a new kernel arrives.
dkms add "$name" >/dev/null
check is_built_for_a_new_kernel dkms autoinstall -k "$kernel"
check module_for_a_new_kernel_is_there test -n "$(file)"
'

mkdir -p "$dir/mnt/root"
make -s --no-print-directory install-dkms DESTDIR="$dir/mnt/root" PREFIX=/usr || exit
for kernel in 6.1 6.12; do
	if root=$(tests/vm/kernels fetch "$kernel") && debs "$root" ".cache/dkms-$kernel" dkms >"$dir/said" 2>&1; then
		rm -rf "$dir/mnt/debs"
		cp -r ".cache/dkms-$kernel" "$dir/mnt/debs"
		layer "$root" "$dir/mnt" sh -c "$guest" sh "$version" |
			sed "s/^\(not ok\|ok\) /\1 dkms: $kernel: /"
	else
		echo "not ok dkms: $kernel: $(tail -n 1 "$dir/said")"
	fi
done
