# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# shellcheck shell=bash
#
# Completion of irqstat(1) in bash.

_irqstat() {
	local line word=${COMP_WORDS[COMP_CWORD]}

	[ "$word" != = ] || word=
	COMPREPLY=()
	while IFS= read -r line; do
		if [ "$line" = FILE ]; then
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
			return
		fi
		line=${line%%$'\t'*}
		[[ $line != "$word"* ]] || COMPREPLY+=("$line")
	done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	# More may follow in a list.
	[ "${#COMPREPLY[@]}" != 1 ] || [[ ${COMPREPLY[0]} != *,* ]] || compopt -o nospace 2>/dev/null
}

complete -F _irqstat irqstat
