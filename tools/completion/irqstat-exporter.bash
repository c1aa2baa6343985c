# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# shellcheck shell=bash
#
# Completion of irqstat-exporter(1) in bash.

_irqstat_exporter() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} list

	# --name=value is three words here.
	if [ "$word" = = ]; then
		word=
	elif [ "$before" = = ]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	COMPREPLY=()
	case $before in
	--series)
		list=
		[[ $word != *,* ]] || list=${word%,*},
		mapfile -t COMPREPLY < <(compgen -P "$list" \
			-W "rows cpus nodes rows-by-node rows-by-cpu node-exporter" -- "${word##*,}")
		compopt -o nospace 2>/dev/null
		return
		;;
	--source | --softirqs-source | --textfile)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--listen | --interval | --rows | --include | --exclude | --cpus | --max-series)
		return
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "--listen --once --textfile --interval --openmetrics --series --softirqs
		--zeros --rows --include --exclude --cpus --max-series --source --softirqs-source --help --version" -- "$word")
}

complete -F _irqstat_exporter irqstat-exporter
