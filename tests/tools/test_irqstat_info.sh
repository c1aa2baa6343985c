#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat info: test_irqstat_info.sh BUILD_DIR
# As root also in a root directory of our own making, which has the /proc and /sys that a test wants.

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

# says NAME LINE: among what it wrote is this line, words one blank apart
says()
{
	why=
	sed 's/  */ /g; s/^ //' "$dir/out" | grep -qxF -e "$2" || why="not '$2': $(tr -s ' \n' ' ' <"$dir/out")"
	report "$1" "$why"
}

run info -i "$dir/text"
says input_is_text "source text"
says input_has_its_cpus "cpus online 3"
says input_has_its_rows "rows 10"
says input_has_its_counts "counts 15"

"$tool" info -i - <"$dir/text" >"$dir/out"
says standard_input_is_text "source text"

run info -i "$dir/text" -J
python json_is_one_object "$dir/out" <<EOF
import json, sys
[info] = json.load(open(sys.argv[1]))["info"]
assert info["source"] == "text" and info["rows_counted"] == 7 and info["count_bits"] == 32, info
assert info["generation_exact"] is True, info
EOF

run info -i "$dir/text" -P
why=
grep -q 'SOURCE="text".* CPUS_ONLINE="3"' "$dir/out" || why=$(cat "$dir/out")
report pairs "$why"

"$python" -c 'from machine import server; import sys; server([0, 1]).write_stream(sys.argv[1])' "$dir/stream"
run info -i "$dir/stream"
says stream_has_its_version "stream version 1.0"
says stream_is_of_the_module "source module"

# A file is of any machine: nothing of this one is told with it.
"$tool" record -n 1 -i "$dir/text" "$dir/capture"
why=
for file in text stream capture; do
	run info -i "$dir/$file"
	why=$why$(grep -E '^(kernel|module|reason|advice|io uring)' "$dir/out")
done
report file_is_not_of_this_machine "$why"

run info
why=
grep -q "^kernel  *Linux $(uname -r) " "$dir/out" || why=$(head -n 2 "$dir/out" | tr '\n' ' ')
report kernel_of_this_machine_is_told "$why"

run info -i "$dir/absent"
says absent_file_is_no_source "source none"
why=
[ "$status" = 1 ] || why="exit code $status"
[ "$(cat "$dir/err")" = "irqstat: $dir/absent: No such file or directory" ] || why="$why; $(cat "$dir/err")"
report absent_file_fails "$why"


[ "$(id -u)" = 0 ] || exit $failed

root=$dir/root
file=$root/proc/interrupts_bin
modules=$root/lib/modules/$(uname -r)
chmod 755 "$dir"
mkdir -p "$root/proc/self" "$root/sys/module" "$modules" "$root/etc"
cp "$tool" "$root/irqstat"
cp "$dir/text" "$root/proc/interrupts"
ldd "$tool" | grep -o '/[^ ]*' | while read -r library; do
	mkdir -p "$root${library%/*}"
	cp -L "$library" "$root$library"
done
echo 'root:x:0:0::/:' >"$root/etc/passwd"
echo 'nobody:x:65534:65534::/:' >>"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
echo 'passwd: files
group: files' >"$root/etc/nsswitch.conf"

# try [USER]: what it says in there, as root if nobody else
try()
{
	chroot --userspec="${1:-0}:${1:-0}" "$root" /irqstat info >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

container='         0     100000      65536'
host='         0          0 4294967295'

echo "$host" >"$root/proc/self/uid_map"
try
says absent_module_is_told "reason it is neither loaded nor installed"
says absent_module_is_to_be_installed "advice Install the package interrupts-bin-dkms; or, where its sources are:"
says text_is_used_without_module "source text"
report text_is_enough "$([ "$status" = 0 ] || cat "$dir/err")"

echo 'updates/dkms/interrupts_bin.ko.xz:' >"$modules/modules.dep"
try
says installed_module_is_told "reason it is not loaded"
says installed_module_is_to_be_loaded "advice As root: modprobe interrupts_bin"

mkdir -p "$root/sys/kernel/security"
echo 'none [integrity] confidentiality' >"$root/sys/kernel/security/lockdown"
try
says locked_down_kernel_is_told "This kernel is locked down (Secure Boot): it takes only modules signed with"
rm "$root/sys/kernel/security/lockdown"

echo "$container" >"$root/proc/self/uid_map"
try
says container_is_to_ask_the_host "advice Load it on the host, a container can't: modprobe interrupts_bin"
echo "$host" >"$root/proc/self/uid_map"

mkdir "$root/sys/module/interrupts_bin"
try
says hidden_file_is_told "reason it is loaded, but this /proc does not show its file"
says hidden_file_is_to_be_shown "advice Mount all of /proc: without subset=pid; in a systemd unit, ProcSubset=all"

: >"$file"
try
says masked_file_is_told "reason its file is masked: an empty one was put over it"

chmod 440 "$file"
try 65534
says denied_file_is_told "reason it may not be read: 0440 root:root, and you are nobody"
says denied_file_is_to_be_given \
	"advice Run it as root; or give it to a group that you are in: modprobe interrupts_bin gid=GID"

echo garbage >"$file"
try
says malformed_stream_is_told "reason what it gave makes no sense"

printf 'BQRI\002\000\000\000' >"$file"
try
says unknown_version_is_told "reason it speaks a version that this program does not know"
says unknown_version_is_to_be_met "advice Update this program to the module's version"

rm "$file"
ln -s interrupts_bin "$file"
try
says any_other_error_is_told "reason its file: Too many levels of symbolic links"

: >"$root/proc/interrupts"
try
says nothing_is_left "source none"
why=
[ "$status" = 1 ] || why="exit code $status"
[ "$(cat "$dir/err")" = "irqstat: /proc/interrupts: empty: masked or not available" ] || why="$why; $(cat "$dir/err")"
report nothing_left_fails "$why"

exit $failed
