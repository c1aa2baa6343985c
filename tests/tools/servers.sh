# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
# shellcheck shell=sh disable=SC2034,SC2154
#
# Servers that a test starts, each on a free port, and stops. Behind lib.sh.

servers=

# serve NAME PATTERN COMMAND...: leaves the address, which PATTERN finds in what it says, in $address
serve()
{
	log=$dir/$1.log
	pattern=$2
	shift 2
	: >"$log"
	"$@" >"$log" 2>&1 &
	servers="$servers $!"
	tries=1500
	until address=$(sed -n "$pattern" "$log" | grep .); do
		tries=$((tries - 1))
		if [ $tries = 0 ] || ! kill -0 $!; then
			echo "not ok $(basename "$log" .log): it did not start: $(tail -n 1 "$log")"
			exit 1
		fi
		sleep 0.02
	done
}

# stop: all of them
stop()
{
	for pid in $servers; do
		kill "$pid" && wait "$pid"
	done 2>/dev/null
	servers=
}
trap 'stop; rm -rf "$dir"' EXIT

# Prometheus and node_exporter say where they listen, irqstat-exporter what it serves.
listening='s/.*msg="Listening on" address=\(127.*\)/\1/p'
serving='s/^irqstat-exporter: \(127.*\): serving .*/\1/p'
