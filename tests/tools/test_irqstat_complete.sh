#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Completion of irqstat in bash, zsh and fish, and what is written of its options: test_irqstat_complete.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
files=$top/tools/completion
page=$top/tools/man/irqstat.1
PATH=$(cd "$build" && pwd):$PATH
export PATH

# candidates WORD...: the words that bash offers for the last one
candidates()
{
	bash -c '
		source "$1/irqstat.bash"
		shift
		COMP_WORDS=(irqstat "$@")
		COMP_CWORD=$#
		_irqstat
		printf "%s\n" "${COMPREPLY[@]}"' bash "$files" "$@" 2>&1 | tr '\n' ' '
}

# offers NAME CANDIDATES WORD...
offers()
{
	name=$1
	wanted=$2
	shift 2
	offered=$(candidates "$@")
	why=
	[ "$offered" = "$wanted" ] || why="'$offered', not '$wanted'"
	report "$name" "$why"
}

offers commands_are_completed "heat " he
offers options_are_completed "--scale " heat --sc
offers options_of_list_are_those_without_command "--threshold " --thr
offers no_other_options_are_completed " " list --sc
offers values_are_completed "log linear " heat --scale l
offers values_behind_an_equals_sign_are_completed "log linear " heat --scale = l
offers values_of_letters_are_completed "log linear " heat -k l
offers values_of_letters_in_a_row_are_completed "log linear " heat -bk l
offers columns_are_completed "IRQ,TOTAL " -o IRQ,TO
offers columns_to_add_are_completed "+TOTAL " list -o +TO
offers columns_to_sort_by_are_completed "TOTAL " list -s TO
offers columns_that_do_not_sort_are_not_completed " " list -s COUNTS
offers switches_have_no_value "--softirq --sort --source " list -J --s
cd "$dir" || exit 1
: >"a file"
offers files_are_completed "a file " list -i "a "
cd - >/dev/null || exit 1

why=$(fish -c "source $files/irqstat.fish; complete -C 'irqstat heat --scale l'" 2>&1 | tr '\n' ' ')
[ "$why" != "linear log " ] || why=
report fish_completes_values "$why"

why=$(fish -c "source $files/irqstat.fish; complete -C 'irqstat heat --scale=l'" 2>&1 | tr '\n' ' ')
[ "$why" != "--scale=linear --scale=log " ] || why=
report fish_completes_values_behind_an_equals_sign "$why"

why=$(fish -c "source $files/irqstat.fish; complete -C 'irqstat he'" 2>&1)
[ "$why" != "heat	Show which rows count on which CPUs, as a map of colours" ] || why=
report fish_describes_commands "$why"

cd "$dir" || exit 1
python zsh_completes "$files" <<'EOF'
import sys
from terminal import complete_in_zsh
complete_in_zsh(sys.argv[1], (
    ("irqstat he", "irqstat heat"),
    ("irqstat heat --sca", "irqstat heat --scale"),
    ("irqstat heat --scale li", "irqstat heat --scale linear"),
    ("irqstat heat --scale=li", "irqstat heat --scale=linear"),
    ("irqstat list -o IRQ,HAND", "irqstat list -o IRQ,HANDLER"),
    ("irqstat list -i a", "irqstat list -i a\\ file"),
))
EOF
cd - >/dev/null || exit 1

# What help, completion and manual say is the same.
why=
for command in $(irqstat __complete '' | cut -f 1); do
	grep -q "^\.Cm $command\$\|^\.Op Cm $command\$" "$page" || why="$why; $command has no synopsis in the manual"
	grep -q "^\.Ss irqstat $command\$" "$page" || why="$why; $command has no section in the manual"
	for option in $(irqstat "$command" --help | grep -o -e '^  .\{4\}--[a-z-]*' | sed 's/.*--//'); do
		irqstat __complete "$command" - | grep -q "^--$option	" || why="$why; $command: $option is not completed"
		grep -q "Fl -$option\( \|\$\)" "$page" || why="$why; $command: $option is not in the manual"
	done
done
report every_option_is_documented_and_completed "$why"

exit $failed
