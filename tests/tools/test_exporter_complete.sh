#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Completion of irqstat-exporter in bash, zsh and fish, and its manual, know all options:
# test_exporter_complete.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"
tool=$build/irqstat-exporter
top=$(cd "$(dirname "$0")/../.." && pwd)
files=$top/tools/completion
PATH=$(cd "$build" && pwd):$PATH
export PATH

# offers NAME CANDIDATES WORD...: what bash offers for the last word
offers()
{
	name=$1
	wanted=$2
	shift 2
	offered=$(bash -c '
		source "$1/irqstat-exporter.bash"
		shift
		COMP_WORDS=(irqstat-exporter "$@")
		COMP_CWORD=$#
		_irqstat_exporter
		printf "%s\n" "${COMPREPLY[@]}"' bash "$files" "$@" 2>&1 | tr '\n' ' ')
	report "$name" "$([ "$offered" = "$wanted" ] || echo "'$offered', not '$wanted'")"
}

"$tool" --help | grep -o -e '--[a-z-]*' | sort -u >"$dir/options"

offers bash_completes_options "--softirqs --source --softirqs-source " --so
offers bash_completes_series "rows rows-by-node rows-by-cpu " --series rows
offers bash_completes_series_in_a_list "cpus,nodes cpus,node-exporter " --series = cpus,no
offers bash_completes_no_numbers " " --max-series ""
cd "$dir" || exit 1
: >"a file.prom"
offers bash_completes_files "a file.prom " --textfile "a f"
cd - >/dev/null || exit 1
bash_options=$(bash -c 'source "$1"; COMP_WORDS=(x --); COMP_CWORD=1; _irqstat_exporter; printf "%s\n" "${COMPREPLY[@]}"' \
	bash "$files/irqstat-exporter.bash" | sort)
report bash_knows_all_options "$(echo "$bash_options" | diff "$dir/options" - | tr '\n' ' ')"

fish -c "source $files/irqstat-exporter.fish; complete -C 'irqstat-exporter --'" | cut -f 1 | sort >"$dir/fish"
report fish_knows_all_options "$(diff "$dir/options" "$dir/fish" | tr '\n' ' ')"
why=$(fish -c "source $files/irqstat-exporter.fish; complete -C 'irqstat-exporter --series cpus,node-'" | cut -f 1 | tr '\n' ' ')
report fish_completes_series_in_a_list "$([ "$why" = "cpus,node-exporter " ] || echo "$why")"

grep -o -e '--[a-z-]*' "$files/_irqstat-exporter" | sort -u >"$dir/zsh"
report zsh_knows_all_options "$(diff "$dir/options" "$dir/zsh" | tr '\n' ' ')"
cd "$dir" || exit 1
python zsh_completes "$files" <<'EOF'
import sys
from terminal import complete_in_zsh
complete_in_zsh(sys.argv[1], (
    ("irqstat-exporter --on", "irqstat-exporter --once"),
    ("irqstat-exporter --series cpus,node-", "irqstat-exporter --series cpus,node-exporter"),
    ("irqstat-exporter --textfile=a", "irqstat-exporter --textfile=a\\ file.prom"),
))
EOF
cd - >/dev/null || exit 1

sed -n 's/^\.It.* Fl -\([a-z-]*\).*/--\1/p; s/^\.It Fl -\([a-z-]*\).*/--\1/p' "$top/tools/man/irqstat-exporter.1" |
	sort -u >"$dir/page"
report page_describes_all_options "$(diff "$dir/options" "$dir/page" | tr '\n' ' ')"

exit "$failed"
