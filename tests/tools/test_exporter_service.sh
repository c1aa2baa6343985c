#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# The units of irqstat-exporter, without systemd as init: what it says of them, and the exporter as they leave it, with
# no user, no capabilities and no network but a socket that is passed. test_exporter_service.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/tools/servers.sh
. "$(dirname "$0")/servers.sh"
here=$(dirname "$0")
units=$here/../../dist/systemd
service=$dir/irqstat-exporter.service
nobody=65534
group=4711

# What nobody can reach.
chmod 755 "$dir"
cp "$build/irqstat-exporter" "$dir"
tool=$dir/irqstat-exporter

cp "$units/irqstat-exporter.socket" "$dir"
sed "s|@BINDIR@|$dir|" "$units/irqstat-exporter.service.in" >"$service"
why=$(systemd-analyze verify --man=no "$service" "$dir/irqstat-exporter.socket" 2>&1 | grep irqstat | tail -n 1)
report units_are_ones_of_systemd "$why"
why=$(systemd-analyze security --offline=true --no-pager --threshold=15 "$service" 2>&1) && why=
report service_is_hardened "$(echo "$why" | tail -n 1)"
port=$(sed -n 's/^ListenStream=127.0.0.1:\([0-9]*\)$/\1/p' "$dir/irqstat-exporter.socket")
report socket_is_on_the_port_of_the_program "$("$tool" --help | grep -q "localhost:$port/" || echo "not $port")"

# setting NAME FILE SECTION LINE
setting()
{
	report "$1" "$(awk -v section="[$3]" -v line="$4" '/^\[/ { here = $0 } here == section && $0 == line { found = 1 }
		END { if (!found) print "no " line " in " section }' "$2")"
}
setting service_is_tried_again_for_ever "$service" Unit StartLimitIntervalSec=0
setting service_is_started_again_however_it_ended "$service" Service Restart=always
setting service_is_tried_again_in_its_time "$service" Service RestartSec=10
setting socket_may_come_before_its_address "$dir/irqstat-exporter.socket" Socket FreeBind=yes

mkdir "$dir/etc"
echo root:x:0: >"$dir/etc/group"
why=
systemd-sysusers --root="$dir" --inline "$(grep -v '^#' "$units/irqstat.sysusers")" >"$dir/said" 2>&1 ||
	why=$(tail -n 1 "$dir/said")
joins=$(sed -n 's/^SupplementaryGroups=//p' "$service")
grep -q "^$joins:" "$dir/etc/group" || why="$why; no group $joins"
report group_of_the_service_is_made "$why"

# activate NAME COMMAND...: serves on a passed socket, under COMMAND; leaves its port in $url
activate()
{
	name=$1
	shift
	rm -f "$dir/port"
	serve "$name" "$serving" perl "$here/odd_clients.pl" - activate "$dir/port" "$@"
	url=http://127.0.0.1:$(cat "$dir/port")/metrics
}

# scraped NAME LINE
scraped()
{
	why=
	curl -s -S -m 20 "$url" >"$dir/out" 2>"$dir/err" || why="curl: $(cat "$dir/err")"
	grep -qxF "$2" "$dir/out" || why="$why; no $2"
	report "$1" "$why"
}

# confined OPTION_OF_SETPRIV PROGRAM SOURCE: what the unit leaves a process
cat >"$dir/confined" <<END
#!/bin/sh
exec unshare --net setpriv --reuid $nobody --regid $nobody "\$1" \
	--bounding-set -all --inh-caps -all --no-new-privs "\$2" --source "\$3"
END
chmod 755 "$dir/confined"
cp "$dir/text" "$dir/gid"
chown "0:$group" "$dir/gid"
chmod 440 "$dir/gid"

activate with_group "$dir/confined" "--groups=$group" "$tool" "$dir/gid"
scraped service_reads_by_its_group 'irqstat_interrupts_total{irq="ERR"} 2'
scraped service_reads_again 'irqstat_reads_total{file="interrupts"} 2'
why=$(awk -v uid=$nobody '$1 == "Uid:" && $2 != uid || $1 ~ /^Cap(Eff|Prm|Bnd)/ && $2 !~ /^0+$/ { print $1, $2 }' \
	"/proc/${servers##* }/status")
report service_has_no_rights "$why"
stop
activate without_group "$dir/confined" --clear-groups "$tool" "$dir/gid"
scraped service_without_its_group_tells_why \
	'irqstat_source_info{file="interrupts",source="none",reason="Permission denied"} 1'
stop

serve local 's/^Listening on \(.*\) as 3\.$/\1/p' systemd-socket-activate -l "$dir/socket" "$tool" --source "$dir/text"
curl -s -S -m 20 --unix-socket "$dir/socket" http://localhost/metrics >"$dir/out" 2>"$dir/err"
report local_socket_is_served "$(grep -qxF 'irqstat_interrupts_total{irq="ERR"} 2' "$dir/out" || cat "$dir/err")"
report local_socket_is_told "$(grep -qxF "irqstat-exporter: $dir/socket: serving /metrics" "$dir/local.log" ||
	tail -n 1 "$dir/local.log")"
stop

# What systemd would refuse, it does not call.
members()
{
	systemd-analyze syscall-filter "$1" | sed '1d; s/#.*//' | while read -r member; do
		case $member in
		@*) members "$member" ;;
		?*) echo "$member" ;;
		esac
	done
}
members @system-service | sort -u >"$dir/all"
{ members @privileged && members @resources; } | sort -u >"$dir/refused"
comm -23 "$dir/all" "$dir/refused" >"$dir/allowed"
filter=$(sed -n 's/^SystemCallFilter=//p' "$service" | tr '\n' ' ')
report filter_is_the_one_tested "$([ "$filter" = "@system-service ~@privileged @resources " ] || echo "$filter")"
activate traced strace -D -f -qq -o "$dir/calls" "$tool" --source "$dir/text" --softirqs
scraped traced_is_served 'irqstat_interrupts_total{irq="ERR"} 2'
stop
sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$dir/calls" | sort -u >"$dir/called"
why=$(comm -23 "$dir/called" "$dir/allowed" | tr '\n' ' ')
grep -q '^accept' "$dir/called" || why="$why; the trace ends early"
report calls_are_those_of_the_filter "$why"

exit "$failed"
