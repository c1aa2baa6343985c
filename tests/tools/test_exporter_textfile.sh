#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat-exporter with a file that it writes on a small disk, again and again, and with a reader who leaves:
# test_exporter_textfile.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"
tool=$build/irqstat-exporter
disk=$dir/disk
later='node_interrupts_total{cpu="0",type="LOC",info="Local timer interrupts",devices=""} 1900'

# The disk is there for this process only.
if [ -z "$HAS_DISK" ]; then
	rm -rf "$dir"
	if ! unshare --mount true 2>/dev/null; then
		echo "skip full_disk: can't mount one"
		exit 0
	fi
	HAS_DISK=1 exec unshare --mount sh "$0" "$build"
fi
mkdir "$disk"
mount -t tmpfs -o size=12k tmpfs "$disk" || exit 1
trap 'umount "$disk"; rm -rf "$dir"' EXIT

# until_true COMMAND...: or says that it did not come
until_true()
{
	tries=1000
	until "$@" 2>/dev/null; do
		tries=$((tries - 1))
		if [ $tries = 0 ]; then
			echo "never: $*"
			return
		fi
		sleep 0.02
	done
}

run --textfile "$disk/irq.prom" --series node-exporter,rows-by-cpu --zeros --source "$dir/text"
cp "$disk/irq.prom" "$dir/first"
why=$(cat "$dir/err")
size=$(wc -c <"$dir/first")
[ "$size" -gt 6144 ] && [ "$size" -lt 12288 ] || why="$why; $size bytes are not more than half of the disk"
report small_disk_has_room_for_one "$why"
run --textfile "$disk/irq.prom" --series node-exporter,rows-by-cpu --zeros --source "$dir/later"
expect_error full_disk_is_told 1 "irqstat-exporter: $disk/irq.prom: No space left on device"
report full_disk_leaves_the_file "$(cmp "$dir/first" "$disk/irq.prom" 2>&1)"
report full_disk_has_nothing_else "$(find "$disk" -type f ! -name irq.prom)"

"$tool" --textfile "$disk/irq.prom" --interval 1 --series node-exporter,rows-by-cpu --zeros --source "$dir/later" \
	2>"$dir/err" &
writer=$!
why=$(until_true grep -q "No space left" "$dir/err")
# It has waited for three intervals more.
waits=$(awk '/^voluntary/ { print $2 }' "/proc/$writer/status")
# shellcheck disable=SC2016
why=$why$(until_true awk -v from="$waits" '/^voluntary/ { exit $2 < from + 3 }' "/proc/$writer/status")
mount -o remount,size=64k "$disk" || why="$why; no larger disk"
why=$why$(until_true grep -qxF "$later" "$disk/irq.prom")
report interval_goes_on_when_there_is_room "$why"
moved=$(sed 's/^LOC:       1900/LOC:       2900/' "$dir/later")
echo "$moved" >"$dir/later"
why=$(until_true grep -qxF "${later% *} 2900" "$disk/irq.prom")
report interval_follows_the_counters "$why"
kill -TERM "$writer"
wait "$writer"
status=$?
cat >"$dir/expected" <<EOF
irqstat-exporter: $disk/irq.prom: No space left on device
irqstat-exporter: $disk/irq.prom: can be written again
EOF
report interval_tells_changes_once "$(diff "$dir/expected" "$dir/err" | head -n 3 | tr '\n' ' ')"
report interval_ends_by_sigterm "$([ "$status" -eq 0 ] || echo "exit code $status")"
report interval_leaves_nothing_else "$(find "$disk" -type f ! -name irq.prom)"

# A reader who leaves has no need of a message. More than a pipe holds.
awk 'BEGIN { for (c = 0; c < 64; c++) printf "CPU%d ", c; print ""
	for (r = 0; r < 64; r++) { printf "%d:", r; for (c = 0; c < 64; c++) printf " 1"; print " chip " r "-edge x" } }' \
	>"$dir/large"
for action in - ''; do
	{
		# shellcheck disable=SC2064
		trap "$action" PIPE
		"$tool" --once --source "$dir/large" --series node-exporter 2>"$dir/err"
		echo $? >"$dir/status"
	} | true
	why=
	[ "$(cat "$dir/status")" -ne 0 ] || why="exit code 0"
	[ ! -s "$dir/err" ] || why="$why; message: $(cat "$dir/err")"
	report "closed_pipe_is_quiet${action:+_by_signal}" "$why"
done

exit "$failed"
