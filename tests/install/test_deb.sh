#!/bin/bash
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# The Debian packages: lintian has no errors to tell, and in a Debian 12 of our own they install, do what they
# are for, keep what was configured when newer ones come, and leave nothing behind.

set -u -o pipefail

cd "$(dirname "$0")/../.." || exit
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/install/layer.sh
. tests/install/layer.sh

needs=(dkms systemd liburing-dev libmicrohttpd12 libncursesw6 libsmartcols1 pkg-config)

# newer DEB: the same in the next version, which comes with other configuration
newer() {
	local tree=$dir/tree conf

	rm -rf "$tree"
	dpkg-deb -R "$1" "$tree" &&
		sed -i 's/^Version: .*/&+1/; s/ (= \([0-9.]*\))/ (= \1+1)/g' "$tree/DEBIAN/control" || return
	while read -r conf; do
		echo "# newer" >>"$tree$conf"
	done < <(cat "$tree/DEBIAN/conffiles" 2>/dev/null)
	dpkg-deb --root-owner-group -b "$tree" "$dir/mnt/newer" >/dev/null
}

# Runs in the layer.
# shellcheck disable=SC2016
guest='
kernel=$(basename /lib/modules/*)
export DEBIAN_FRONTEND=noninteractive
packages="interrupts-bin-dkms irqstat irqstat-exporter libirqstat-dev libirqstat-uring0 libirqstat0"

check() {
	test=$1
	shift
	if "$@" >/tmp/said 2>&1; then
		echo "ok $test"
	else
		echo "not ok $test: $(tail -n 3 /tmp/said | tr "\n" " ")"
	fi
}
module_is_there() {
	[ "$(modinfo -k "$kernel" -F vermagic interrupts_bin | cut -d " " -f 1)" = "$kernel" ]
}
lists() {
	irqstat list -i /tmp/text -n -o IRQ,TOTAL | grep -q "^ *5 *10$"
}
exports() {
	irqstat-exporter --source /tmp/text --once | grep -q "irq=\"5\".* 10$"
}
units_are_fine() {
	systemd-analyze verify --man=no /lib/systemd/system/irqstat-exporter.* && getent group irqstat
}
enabled() {
	find /etc/systemd/system -name "irqstat*" | grep .
}
disabled() {
	! enabled
}
# program LIBRARY HEADER CALL: the call gives NULL
program() {
	printf "#include <%s>\nint main(void) { return %s != NULL; }\n" "$2" "$3" >/tmp/p.c
	gcc -Wall -Werror $(pkg-config --cflags "$1") -o /tmp/p /tmp/p.c $(pkg-config --libs "$1") && /tmp/p
}
manuals() {
	# They are left out of a minimal system, but not of the packages.
	for page in man1/irqstat.1 man1/irqstat-text.1 man3/libirqstat.3 man4/interrupts_bin.4 \
		man1/irqstat-exporter.1; do
		dpkg -L $packages | grep -q "/$page.gz$" || { echo "$page" && return 1; }
	done
}
configure() {
	for package in $packages; do
		cat "/var/lib/dpkg/info/$package.conffiles" 2>/dev/null
	done >/tmp/confs
	while read -r conf; do
		echo "# mine" >>"$conf"
	done </tmp/confs
	[ -s /tmp/confs ]
}
configuration_is_kept() {
	for conf in $(cat /tmp/confs); do
		grep -q "^# mine" "$conf" && ! grep -q "^# newer" "$conf" || return
	done
}
configuration_is_there() {
	for conf in $(cat /tmp/confs); do
		[ -e "$conf" ] || return
	done
}
files() {
	dpkg -L $packages | sort -u >/tmp/files
	[ -s /tmp/files ]
}
nothing_is_left() {
	left=$(while read -r file; do
		[ -d "$file" ] || [ ! -e "$file" ] || echo "$file"
	done </tmp/files)
	[ -z "$left" ] && [ -z "$(dkms status)" ] && ! modinfo -k "$kernel" interrupts_bin >/dev/null 2>&1 ||
		{ echo "left: $left $(dkms status)" && return 1; }
}

# A container has no init to be told of services.
printf "#!/bin/sh\nexit 101\n" >/usr/sbin/policy-rc.d
chmod +x /usr/sbin/policy-rc.d
printf "           CPU0       CPU1       \n  5:          3          7   IO-APIC   5-edge      x\n" >/tmp/text
{ find /mnt/debs ! -name "dkms_*" -name "*.deb" -exec dpkg -i {} + && dpkg -i /mnt/debs/dkms_*; } >/tmp/said 2>&1 ||
	{ echo "not ok what_they_need_installs: $(tail -n 1 /tmp/said)" && exit; }
check install dpkg -i /mnt/ours/*.deb
check module_is_built module_is_there
check irqstat_runs lists
check irqstat_text_runs irqstat-text --version
check exporter_runs exports
check units_are_fine units_are_fine
check units_are_enabled enabled
check program_is_built program libirqstat irqstat.h "irqstat_open(\"/nowhere\")"
check program_is_built_with_io_uring program libirqstat_uring irqstat_uring.h "irqstat_batch_new(2)"
check manuals_are_there manuals
check configure configure
check upgrade dpkg -i --force-confdef --force-confold /mnt/newer/*.deb
check upgrade_keeps_configuration configuration_is_kept
check module_is_there_after_upgrade module_is_there
check files files
check remove dpkg -r $packages
check removal_keeps_configuration configuration_is_there
check purge dpkg -P $packages
check purge_leaves_nothing nothing_is_left
check purge_leaves_no_unit_enabled disabled
'

mkdir -p "$dir/mnt/ours" "$dir/mnt/newer"
if scripts/deb >"$dir/said" 2>&1; then
	echo "ok deb: build and lintian"
else
	echo "not ok deb: build and lintian: $(grep -m 1 ^E: "$dir/said" || tail -n 1 "$dir/said")"
	exit
fi
for deb in build/deb/*.deb; do
	[[ $deb != *-dbgsym_* ]] || continue
	cp "$deb" "$dir/mnt/ours"
	newer "$deb" || echo "not ok deb: $deb: can't be made newer"
done
if root=$(tests/vm/kernels fetch 6.1) && debs "$root" .cache/deb-6.1 "${needs[@]}" >"$dir/said" 2>&1; then
	cp -r .cache/deb-6.1 "$dir/mnt/debs"
	layer "$root" "$dir/mnt" sh -c "$guest" | sed "s/^\(not ok\|ok\) /\1 deb: /"
else
	echo "not ok deb: $(tail -n 1 "$dir/said")"
fi
