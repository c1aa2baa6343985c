#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat-text where there is no module: test_irqstat_text.sh BUILD_DIR
# One line a test: ok NAME, or not ok NAME: REASON.

build=${1:?usage: test_irqstat_text.sh BUILD_DIR}
tool=$build/irqstat-text
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

printf '           CPU0       \n  0:         45   IO-APIC   2-edge      timer\n' \
	>"$dir/text"
: >"$dir/empty"
printf 'IRQB' >"$dir/malformed"

# run ARGUMENT...: leaves $status, $dir/out and $dir/err
run()
{
	"$tool" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

report()
{
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		echo "not ok $1: $2"
		failed=1
	fi
}

# expect NAME STATUS STDOUT_FILE STDERR_TEXT
expect()
{
	why=
	[ "$status" -eq "$2" ] || why="exit code $status, not $2"
	cmp -s "$dir/out" "$3" || why="$why; other output"
	[ "$(cat "$dir/err")" = "$4" ] || why="$why; message: $(cat "$dir/err")"
	report "$1" "$why"
}

# expect_usage NAME FIRST_LINE_OF_STDERR
expect_usage()
{
	printf '%s\n%s\n' "$2" "Try 'irqstat-text --help'." >"$dir/usage"
	expect "$1" 2 "$dir/empty" "$(cat "$dir/usage")"
}

# le SIZE VALUE: as a number of SIZE bytes in the byte order of x86
le()
{
	left=$1
	value=$(($2))
	while [ "$left" -gt 0 ]; do
		# shellcheck disable=SC2059
		printf "\\$(printf %03o $((value & 255)))"
		value=$((value >> 8))
		left=$((left - 1))
	done
}

# header WINDOW FLAGS BYTES GENERATION: of three records, for one CPU
header()
{
	le 4 0x49525142 && le 2 1 && le 2 0 && le 2 16 && le 2 "$1" && le 4 "$2"
	le 8 "$3" && le 8 5 && le 8 "$4" && le 8 0 && le 8 0 && le 8 0
	le 8 0x40000000 && le 4 3 && le 4 1 && le 4 1 && le 4 0 && le 40 0
}

# record TYPE ID N_WORDS
record()
{
	le 4 "$2" && le 2 "$3" && le 1 "$1" && le 1 0
}

# source_file FLAGS GENERATION: descriptors have these, counters generation 1
source_file()
{
	{
		header 0 1 176 1
		record 1 0 1 && le 8 1
		record 2 0 1 && le 4 0 && le 4 45
		record 4 0 1 && le 8 5
	} >"$dir/source"
	{
		header 1 "$1" 232 "$2"
		record 16 0 2 && le 2 3 && le 2 8 && le 2 2 && le 2 4 && le 8 1
		record 17 0 7 && le 8 0 && le 8 2 && le 4 0x11 && le 4 0
		le 8 3 && le 2 7 && le 2 4 && le 2 5 && printf 'IO-APICedgetimer'
		le 2 0
		record 4 0 1 && le 8 5
	} >"$dir/descs"
	dd if="$dir/descs" of="$dir/source" bs=4096 seek=262144 2>/dev/null
}

absent="$dir/absent: No such file or directory"

run --source "$dir/absent" --text "$dir/text"
expect absent_source_copies_text 0 "$dir/text" ""

run --source "$dir/absent"
expect absent_source_is_not_replaced_by_this_machine 1 "$dir/empty" "irqstat-text: $absent"

run -v --source "$dir/absent" --text "$dir/text"
expect absent_source_is_told_if_verbose 0 "$dir/text" \
	"irqstat-text: $absent: copying $dir/text"

run --verbose --source "$dir/empty" --text "$dir/text"
expect masked_source_copies_text 0 "$dir/text" \
	"irqstat-text: $dir/empty: empty: masked or not available: copying $dir/text"

run --verbose --source "$dir/malformed" --text "$dir/text"
expect malformed_source_copies_text 0 "$dir/text" \
	"irqstat-text: $dir/malformed: malformed: copying $dir/text"

run --source /dev/zero --text "$dir/text"
expect endless_source_copies_text 0 "$dir/text" ""

run --source / --text "$dir/text"
expect directory_as_source_copies_text 0 "$dir/text" ""

source_file 1 1
run --verbose --source "$dir/source" --text "$dir/absent"
expect text_is_made_of_both_windows 0 "$dir/text" ""

"$tool" --source "$dir/source" >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect full_disk_fails_text_that_is_made 1 "$dir/empty" \
	"irqstat-text: standard output: No space left on device"

source_file 5 1
run --verbose --source "$dir/source" --text "$dir/malformed"
expect unknown_layout_copies_text 0 "$dir/malformed" \
	"irqstat-text: $dir/source: the layout is unknown: copying $dir/malformed"

source_file 1 2
run --verbose --source "$dir/source" --text "$dir/malformed"
expect changing_interrupts_copy_text 0 "$dir/malformed" \
	"irqstat-text: $dir/source: the interrupts keep changing: copying $dir/malformed"

i=0
while [ $i -lt 40000 ]; do
	echo "$i: a line of a text that is larger than the buffer"
	i=$((i + 1))
done >"$dir/large"
run --source "$dir/absent" --text "$dir/large"
expect large_text_is_copied_whole 0 "$dir/large" ""

run --source "$dir/absent" --text "$dir/absent"
expect neither_file_names_both 1 "$dir/empty" "irqstat-text: $absent; $absent"

run --source "$dir/absent" --text "$dir/empty"
expect masked_text_fails 1 "$dir/empty" \
	"irqstat-text: $absent; $dir/empty: empty: masked or not available"

run --source "$dir/absent" --text /
expect unreadable_text_fails 1 "$dir/empty" \
	"irqstat-text: $absent; /: Is a directory"

"$tool" --source "$dir/absent" --text "$dir/text" >/dev/full 2>"$dir/err"
status=$?
: >"$dir/out"
expect full_disk_fails 1 "$dir/empty" \
	"irqstat-text: standard output: No space left on device"

"$tool" --source "$dir/absent" --text "$dir/large" >/dev/full 2>"$dir/err"
status=$?
expect full_disk_fails_in_the_midst 1 "$dir/empty" \
	"irqstat-text: standard output: No space left on device"

"$tool" --help >/dev/full 2>"$dir/err"
status=$?
expect full_disk_fails_help 1 "$dir/empty" \
	"irqstat-text: standard output: No space left on device"

"$tool" --source "$dir/absent" --text "$dir/text" >&- 2>"$dir/err"
status=$?
expect closed_output_fails 1 "$dir/empty" \
	"irqstat-text: standard output: Bad file descriptor"

{
	"$tool" --source "$dir/absent" --text "$dir/large" 2>"$dir/err"
	echo $? >"$dir/status"
} | head -n 1 >"$dir/out"
why=
[ "$(cat "$dir/status")" -ne 0 ] || why="exit code 0"
[ ! -s "$dir/err" ] || why="$why; message: $(cat "$dir/err")"
report closed_pipe_is_quiet "$why"

{
	trap '' PIPE
	"$tool" --source "$dir/absent" --text "$dir/large" 2>"$dir/err"
	echo $? >"$dir/status"
} | head -n 1 >"$dir/out"
why=
[ "$(cat "$dir/status")" -eq 1 ] || why="exit code $(cat "$dir/status")"
[ ! -s "$dir/err" ] || why="$why; message: $(cat "$dir/err")"
report closed_pipe_is_quiet_if_sigpipe_is_ignored "$why"

run --bogus
expect_usage unknown_long_option "irqstat-text: --bogus: unknown option"

run -vx
expect_usage unknown_short_option "irqstat-text: -x: unknown option"

run --source
expect_usage option_without_value "irqstat-text: --source: needs a value"

run --help=no
expect_usage value_not_wanted "irqstat-text: --help=no: takes no value"

run file
expect_usage operand "irqstat-text: file: unexpected argument"

run --help
why=
[ "$status" -eq 0 ] || why="exit code $status"
grep -q '^Usage: irqstat-text ' "$dir/out" || why="$why; no usage"
for option in --source --text --verbose --help --version; do
	grep -q -e "$option" "$dir/out" || why="$why; $option is missing"
done
report help "$why"

run --version
why=
[ "$status" -eq 0 ] || why="exit code $status"
grep -Eq '^irqstat-text [0-9]+\.[0-9]+\.[0-9]+$' "$dir/out" ||
	why="$why; $(cat "$dir/out")"
report version "$why"

exit $failed
