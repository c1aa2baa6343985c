#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Every example of the manuals works: test_man_examples.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

man=$(cd "$(dirname "$0")/../../tools/man" && pwd)
PATH=$(cd "$build" && pwd):$PATH
export PATH
cp "$dir/text" "$dir/interrupts.txt"
cd "$dir" || exit 1

for page in irqstat irqstat-text irqstat-exporter; do
	sed -n '/^\.Sh EXAMPLES/,/^\.Sh DIAGNOSTICS/s/^\.Dl //p' "$man/$page.1" >examples
	[ -s examples ] || report "$page.1" "it has no examples"
	while IFS= read -r example; do
		timeout 60 sh -c "$example" >out 2>err </dev/null
		status=$?
		why=
		[ "$status" = 0 ] || why="exit code $status: $(head -n 1 err)"
		[ ! -s err ] || why="$why; $(head -n 1 err)"
		report "$page.1: $example" "$why"
	done <examples
done

cd / || exit 1
exit $failed
