# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# shellcheck shell=sh
#
# What the tests of irqstat share. They run as test_NAME.sh BUILD_DIR and print a line a test: ok NAME, or
# not ok NAME: REASON. $failed is their exit code.

build=${1:?usage: $0 BUILD_DIR}
# shellcheck disable=SC2034
tool=$build/irqstat
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2034
failed=0
export LC_ALL=C.UTF-8 TERM=linux
unset NO_COLOR COLUMNS LINES

# The python that has Debian's modules.
python=python3
python3 -c 'import pyte' 2>/dev/null || python=/usr/bin/python3
PYTHONPATH=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1

: >"$dir/empty"

# One machine, a second apart: CPU2 is offline.
cat >"$dir/text" <<EOF
           CPU0       CPU1       CPU3       
  0:         45          0          0   IO-APIC   2-edge      timer
  9:          1         20        300   IO-APIC   9-fasteoi   acpi
 24:          0          0          0   PCI-MSI 65536-edge      PCIe PME, aerdrv, pciehp
 30: 4000000000 4000000001          7   PCI-MSI 524288-edge      nvme0q1
 31:          2          0          5   PCI-MSI 524289-edge      nvme0q2
NMI:          0          0          0   Non-maskable interrupts
LOC:        900        800        700   Local timer interrupts
TLB:          3          0          4   TLB shootdowns
ERR:          2
MIS:          0
EOF
cat >"$dir/later" <<EOF
           CPU0       CPU1       CPU3       
  0:         45          0          0   IO-APIC   2-edge      timer
  9:          1         21        301   IO-APIC   9-fasteoi   acpi
 24:          0          0          0   PCI-MSI 65536-edge      PCIe PME, aerdrv, pciehp
 30: 4000000100 4000000001          7   PCI-MSI 524288-edge      nvme0q1
 31:          2          0       1005   PCI-MSI 524289-edge      nvme0q2
NMI:          0          0          0   Non-maskable interrupts
LOC:       1900       1800       1700   Local timer interrupts
TLB:          3         10          4   TLB shootdowns
ERR:          2
MIS:          0
EOF

# run ARGUMENT...: leaves $status, $dir/out and $dir/err
run()
{
	"$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	asked=
	for word in list top cpu heat burst record replay info; do
		[ "${1:-}" != "$word" ] || asked=" $word"
	done
}

# report NAME [REASON]
report()
{
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		echo "not ok $1: $2"
		# shellcheck disable=SC2034
		failed=1
	fi
}

# expect NAME STATUS STDERR_TEXT: standard output is what comes on standard input
expect()
{
	why=
	cat >"$dir/expected"
	[ "$status" -eq "$2" ] || why="exit code $status, not $2"
	diff "$dir/expected" "$dir/out" >"$dir/diff" || why="$why; output: $(head -n 4 "$dir/diff" | tr '\n' ' ')"
	[ "$(cat "$dir/err")" = "$3" ] || why="$why; message: $(cat "$dir/err")"
	report "$1" "$why"
}

# expect_error NAME STATUS STDERR_TEXT: and nothing else is written
expect_error()
{
	expect "$@" <"$dir/empty"
}

# expect_misuse NAME MESSAGE: and the help of the command that was run is pointed to
expect_misuse()
{
	expect_error "$1" 2 "$2
Try 'irqstat$asked --help'."
}

# python NAME ARGUMENT...: the program on standard input says nothing, or what is wrong
python()
{
	name=$1
	shift
	why=$("$python" - "$@" 2>&1) || why=${why:-exit code $?}
	report "$name" "$(echo "$why" | tail -n 1)"
}
