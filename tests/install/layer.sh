# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# shellcheck shell=bash
#
# Sourced: throw-away layers over the folders of tests/vm/kernels. dir is a folder for them to stand in.

# layer ROOT DIR COMMAND...: inside ROOT, with DIR at /mnt; what it changes elsewhere is gone with it
layer() {
	# shellcheck disable=SC2154
	mkdir -p "$dir/layer"
	# shellcheck disable=SC2016
	unshare --mount sh -eu -c '
		layer=$1 root=$2 mnt=$3
		shift 3
		mount -t tmpfs tmpfs "$layer"
		mkdir "$layer/upper" "$layer/work" "$layer/root"
		mount -t overlay -o "lowerdir=$root,upperdir=$layer/upper,workdir=$layer/work" overlay "$layer/root"
		mount -t proc proc "$layer/root/proc"
		mount --rbind /dev "$layer/root/dev"
		mount --bind "$mnt" "$layer/root/mnt"
		exec chroot "$layer/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"
	' sh "$dir/layer" "$@"
}

# debs ROOT DIR PACKAGE...: these packages and what they take that is not in ROOT, fetched into DIR, once
debs() {
	local root=$1 debs=$2

	shift 2
	[ "$(cat "$debs/list" 2>/dev/null)" != "$*" ] || return 0
	rm -rf "$debs.new"
	mkdir -p "$debs.new"
	# shellcheck disable=SC2016
	layer "$root" "$debs.new" sh -ec '
		apt-get -qq -o Acquire::Retries=5 update
		apt-get -qq -o Acquire::Retries=5 -o Dir::Cache::archives=/mnt \
			install -y --no-install-recommends --download-only "$@"
		rm -rf /mnt/lock /mnt/partial
	' sh "$@" && echo "$*" >"$debs.new/list" && rm -rf "$debs" && mv "$debs.new" "$debs"
}
