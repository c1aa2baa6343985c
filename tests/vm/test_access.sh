#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Who may open the file, by the module's parameters.

# shellcheck source=tests/vm/lib/checks.sh
. /checks.sh

bin=/proc/interrupts_bin
group=4242
user=1000

# log_about PARAMETER: how often the kernel's log speaks of its value
log_about() {
	dmesg | grep -c "interrupts_bin: .*${1%%=*}"
}

# load_fails NAME PARAMETER: refused, with a word on why in the log, and nothing is left behind
load_fails() {
	name=$1
	said=$(log_about "$2")
	if insmod $module "$2" 2>/dev/null; then
		rmmod interrupts_bin
		echo "not ok $name: loaded"
	elif [ -e $bin ] || [ -e /sys/module/interrupts_bin ] || [ -e /sys/kernel/debug/interrupts_bin ]; then
		echo "not ok $name: something is left"
	elif [ "$(log_about "$2")" = "$said" ]; then
		echo "not ok $name: the log does not say why"
	else
		echo "ok $name"
	fi
}

mode() {
	stat -c '%a %u %g' $bin
}

# The default.
reload
expect default_mode_is_0440 '440 0 0' mode
expect root_may_read opened open-as
expect user_is_refused EACCES open-as --gid $user --group $user --uid $user
expect user_in_other_group_is_refused EACCES open-as --gid $user --group $group --uid $user
expect user_in_root_group_is_refused EPERM open-as --gid $user --group 0 --uid $user
expect root_without_capabilities_is_refused EPERM open-as --caps none
expect root_with_other_capabilities_is_refused EPERM open-as --caps dac_override
expect root_with_perfmon_may_read opened open-as --caps perfmon
expect root_with_sys_admin_may_read opened open-as --caps sys_admin
expect user_with_perfmon_is_refused_by_mode EACCES \
	open-as --gid $user --group $user --uid $user --caps perfmon
expect user_with_perfmon_in_root_group_may_read opened \
	open-as --gid $user --group 0 --uid $user --caps perfmon
expect user_with_perfmon_and_dac_override_may_read opened \
	open-as --gid $user --group $user --uid $user --caps perfmon,dac_read_search
expect root_of_a_user_namespace_is_refused EPERM open-as --userns
expect user_as_root_of_a_namespace_is_refused EACCES \
	open-as --gid $user --group $user --uid $user --userns
expect nobody_is_told_no_more_by_text opened open-as --uid $user --gid $user /proc/interrupts

# Another mount of proc is no way around it, and one for processes only has no such file.
mkdir /tmp/proc
mount -t proc proc /tmp/proc
expect second_mount_has_the_same_mode EACCES \
	open-as --gid $user --group $user --uid $user /tmp/proc/interrupts_bin
expect second_mount_serves_root opened open-as /tmp/proc/interrupts_bin
umount /tmp/proc
mount -t proc -o subset=pid proc /tmp/proc
expect subset_pid_hides_it ENOENT open-as /tmp/proc/interrupts_bin
umount /tmp/proc
rmdir /tmp/proc

# gid=
reload gid=$group
expect gid_owns_the_file "440 0 $group" mode
expect gid_member_may_read opened open-as --gid $user --group $group --uid $user
expect gid_as_own_group_may_read opened open-as --gid $group --group $user --uid $user
expect gid_non_member_is_refused EACCES open-as --gid $user --group $user --uid $user
expect gid_root_group_is_refused EACCES open-as --gid $user --group 0 --uid $user
expect gid_root_without_capabilities_is_refused EPERM open-as --caps none
expect gid_member_in_a_namespace_may_read opened \
	open-as --gid $user --group $group --uid $user --userns
expect gid_serves_root opened open-as

# mode=
reload mode=0444
expect mode_0444_is_set '444 0 0' mode
expect mode_0444_admits_users opened open-as --gid $user --group $user --uid $user
expect mode_0444_admits_root_without_capabilities opened open-as --caps none
expect mode_0444_admits_namespaces opened open-as --gid $user --group $user --uid $user --userns
reload mode=0400 gid=$group
expect mode_0400_refuses_the_group EACCES open-as --gid $user --group $group --uid $user
expect mode_0400_serves_root opened open-as

rmmod interrupts_bin
load_fails mode_0_is_refused mode=0
load_fails mode_0666_is_refused mode=0666
load_fails mode_0777_is_refused mode=0777
load_fails mode_decimal_is_refused mode=444
load_fails mode_no_number_is_refused mode=rw
load_fails gid_negative_is_refused gid=-2
load_fails gid_no_number_is_refused gid=adm
load_fails gid_beyond_32_bits_is_refused gid=99999999999
insmod $module
