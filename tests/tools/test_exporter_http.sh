#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat-exporter as a server: test_exporter_http.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"
tool=$build/irqstat-exporter
here=$(dirname "$0")
server=

# stop [SIGNAL]: ends the server, leaves its exit code in $status
stop()
{
	[ -n "$server" ] || return
	kill "-${1:-TERM}" "$server"
	wait "$server"
	status=$?
	server=
}
trap 'stop; rm -rf "$dir"' EXIT

# start ARGUMENT...: a server on a free port, at $url
start()
{
	stop
	: >"$dir/err"
	"$tool" --listen 127.0.0.1:0 "$@" 2>"$dir/err" >"$dir/out" &
	server=$!
	until_line ': serving /metrics$'
	url=http://$(sed -n 's/^irqstat-exporter: \(.*\): serving \/metrics$/\1/p' "$dir/err")
}

# until_line PATTERN: the server has said it
until_line()
{
	tries=500
	until grep -q "$1" "$dir/err"; do
		tries=$((tries - 1))
		if [ "$tries" = 0 ] || ! kill -0 "$server"; then
			echo "not ok server: it did not say $1: $(cat "$dir/err")"
			exit 1
		fi
		sleep 0.02
	done
}

# get ARGUMENT...: of /metrics, as curl gets it; leaves $status and $dir/out
get()
{
	curl -s -S -m 20 "$@" "$url/metrics" >"$dir/out" 2>"$dir/curl"
	status=$?
}

# odd NAME ARGUMENT...: does to the server what no client should, says nothing or what is wrong
odd()
{
	name=$1
	shift
	report "$name" "$(timeout 60 perl "$here/odd_clients.pl" "${url#http://}" "$@" 2>&1)"
}

# has NAME LINE
has()
{
	why=
	[ "$status" -eq 0 ] || why="curl: $(cat "$dir/curl")"
	grep -qxF "$2" "$dir/out" || why="$why; no $2"
	report "$1" "$why"
}

start --source "$dir/text"
get
has metrics_are_served 'irqstat_interrupts_total{irq="LOC",name="Local timer interrupts"} 2400'
why=
grep -q '^process_resident_memory_bytes [1-9][0-9]*$' "$dir/out" || why="no such metric"
report metrics_of_the_process_are_served "$why"

get -D "$dir/header" -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5'
why=
grep -qi '^content-type: application/openmetrics-text; version=1.0.0; charset=utf-8' "$dir/header" ||
	why=$(grep -i content-type "$dir/header")
[ "$(tail -n 1 "$dir/out")" = "# EOF" ] || why="$why; no # EOF"
report openmetrics_is_negotiated "$why"

get -D "$dir/header"
why=
grep -qi '^content-type: text/plain; version=0.0.4; charset=utf-8' "$dir/header" ||
	why=$(grep -i content-type "$dir/header")
report classic_is_what_others_get "$why"

# code NAME CODE CURL_ARGUMENT...
code()
{
	name=$1 expected=$2
	shift 2
	got=$(curl -s -m 20 -o "$dir/out" -w '%{http_code}' "$@")
	report "$name" "$([ "$got" = "$expected" ] || echo "status $got")"
}

code index_is_a_page 200 "$url/"
code other_paths_are_not_found 404 "$url/metrics/x"
code query_is_ignored 200 "$url/metrics?x=y"
code head_is_answered 200 -I "$url/metrics"
code post_is_refused 405 -d x "$url/metrics"
code delete_is_refused 405 -X DELETE "$url/metrics"
code get_with_a_body_is_answered 200 -X GET -d "$(head -c 20000 /dev/zero | tr '\0' x)" "$url/metrics"

odd garbage_is_harmless garbage
odd huge_headers_are_refused huge
odd request_byte_by_byte_is_answered slow_request
odd connections_that_say_nothing_are_harmless silent 400
odd connections_that_never_read_are_harmless unread 100
odd connections_cut_off_are_harmless cut 300
odd pipelined_requests_are_answered pipeline
get
has server_is_unimpressed 'irqstat_interrupts_total{irq="ERR"} 2'

i=0
while [ $i -lt 50 ]; do
	curl -s -m 30 -o "$dir/at_once.$i" "$url/metrics" &
	curls="${curls:-} $!"
	i=$((i + 1))
done
why=
for pid in $curls; do
	wait "$pid" || why="curl: exit code $?"
done
whole=$(cat "$dir"/at_once.* | grep -cxF 'irqstat_interrupts_total{irq="ERR"} 2')
[ "$whole" -eq 50 ] || why="$why; $whole of 50"
report many_scrapes_at_once "$why"

other=${url#http://}
"$tool" --listen "$other" --source "$dir/text" >"$dir/out" 2>"$dir/err2"
status=$?
cp "$dir/err2" "$dir/err"
expect_error port_in_use 1 "irqstat-exporter: $other: Address already in use"

stop TERM
report sigterm_ends_it "$([ "$status" -eq 0 ] || echo "exit code $status")"
start --source "$dir/text"
stop INT
report sigint_ends_it "$([ "$status" -eq 0 ] || echo "exit code $status")"

# sources that come and go
start --source "$dir/comes"
get
has absent_source_is_down 'irqstat_up{file="interrupts"} 0'
cp "$dir/text" "$dir/comes"
get
has source_that_comes_is_up 'irqstat_interrupts_total{irq="ERR"} 2'
: >"$dir/comes"
get
has masked_source_is_down 'irqstat_up{file="interrupts"} 0'
cat "$dir/later" >"$dir/comes"
get
has counters_go_on_after_that 'irqstat_interrupts_total{irq="LOC",name="Local timer interrupts"} 5400'
get
has reads_that_failed_are_counted 'irqstat_read_errors_total{file="interrupts"} 2'
stop
cat >"$dir/expected" <<EOF
irqstat-exporter: ${url#http://}: serving /metrics
irqstat-exporter: $dir/comes: No such file or directory
irqstat-exporter: $dir/comes: can be read again
irqstat-exporter: $dir/comes: empty: masked or not available
irqstat-exporter: $dir/comes: can be read again
EOF
report changes_are_told_once "$(diff "$dir/expected" "$dir/err" | head -n 3 | tr '\n' ' ')"

# another file at the same path
start --source "$dir/comes"
get
sed 's/ 5400 / 5500 /; s/^LOC: *1900/LOC:       2000/' "$dir/later" >"$dir/new"
mv "$dir/new" "$dir/comes"
get
has source_that_is_replaced_is_read 'irqstat_interrupts_total{irq="LOC",name="Local timer interrupts"} 5500'
rm "$dir/comes"
get
has source_that_is_removed_is_down 'irqstat_up{file="interrupts"} 0'
printf '           CPU0       \nAAA:          1   first\nBBB:        100   second\n' >"$dir/comes"
get
printf '           CPU0       \nBBB:        101   second\nAAA:          2   first\n' >"$dir/new"
mv "$dir/new" "$dir/comes"
get
has named_rows_do_not_change_places 'irqstat_interrupts_total{irq="AAA",name="first"} 2'

# counters that never fall
start --source "$dir/wraps"
cat >"$dir/wraps" <<EOF
           CPU0       CPU1       
 24: 4294967290          5   PCI-MSI 65536-edge      eth0
EOF
get
cat >"$dir/wraps" <<EOF
           CPU0       CPU1       
 24:          4          5   PCI-MSI 65536-edge      eth0
EOF
get
has wrap_is_counted_on 'irqstat_interrupts_total{irq="24",name="eth0",chip="PCI-MSI"} 4294967305'
cat >"$dir/wraps" <<EOF
           CPU0       
 24:          6   PCI-MSI 65536-edge      eth0
EOF
get
has cpu_that_went_offline_still_counts 'irqstat_interrupts_total{irq="24",name="eth0",chip="PCI-MSI"} 4294967307'

for address in x ::1:80 host:port 127.0.0.1:65536 127.0.0.1: '[::1' 256.1.1.1:80; do
	"$tool" --listen "$address" >"$dir/out" 2>"$dir/err"
	status=$?
	why=
	[ "$status" -eq 1 ] || why="exit code $status"
	[ "$(wc -l <"$dir/err")" -eq 1 ] || why="$why; $(cat "$dir/err")"
	report "impossible_address $address" "$why"
done

# A name that has one address twice, and none of this machine.
printf '192.0.2.1 twice\n192.0.2.1 twice\n127.0.0.1 localhost\n' >"$dir/hosts"
if unshare --mount mount --bind "$dir/hosts" /etc/hosts 2>"$dir/err"; then
	# shellcheck disable=SC2016
	timeout 60 unshare --mount sh -c 'mount --bind "$0" /etc/hosts && exec "$@"' "$dir/hosts" \
		"$tool" --listen twice:0 --source "$dir/text" >"$dir/out" 2>"$dir/err"
	status=$?
	expect_error address_of_another_machine 1 "irqstat-exporter: twice:0: Cannot assign requested address"
else
	echo "skip address_of_another_machine: $(head -n 1 "$dir/err")"
fi

exporter=$tool
tool=$dir/under

# A CPU that the machine did not have when the server began.
printf '#!/bin/sh\nmount --bind "%s" /sys/devices/system/node && exec "%s" "$@"\n' "$dir/nodes" "$exporter" >"$dir/inner"
printf '#!/bin/sh\nexec unshare --mount sh "%s" "$@"\n' "$dir/inner" >"$tool"
chmod 755 "$tool"
mkdir -p "$dir/nodes/node0" "$dir/nodes/node1"
echo 0-1 >"$dir/nodes/node0/cpulist"
: >"$dir/nodes/node1/cpulist"
printf '      CPU0       CPU1       \nLOC: 5 6 Local timer interrupts\n' >"$dir/grows"
if unshare --mount mount --bind "$dir/nodes" /sys/devices/system/node 2>"$dir/err"; then
	start --series nodes --source "$dir/grows"
	get
	echo 3 >"$dir/nodes/node1/cpulist"
	printf '      CPU0       CPU1       CPU3       \nLOC: 5 6 7 Local timer interrupts\n' >"$dir/grows"
	get
	printf '      CPU0       CPU1       CPU3       \nLOC: 5 6 9 Local timer interrupts\n' >"$dir/grows"
	get
	has cpu_that_comes_has_its_node 'irqstat_node_interrupts_total{node="1"} 2'
	stop
else
	echo "skip cpu_that_comes_has_its_node: $(head -n 1 "$dir/err")"
fi

# Too few descriptors, from the beginning and later.
printf '#!/bin/sh\nulimit -n 24\nexec "%s" "$@"\n' "$exporter" >"$tool"
chmod 755 "$tool"
start --source "$dir/text"
odd connections_leave_descriptors_for_the_source silent 100
stop
printf '#!/bin/sh\nexec strace -D -qq -r -e trace=accept4 -o "%s" "%s" "$@"\n' "$dir/calls" "$exporter" >"$tool"
start --source "$dir/text"
tries=500
until last=$(find "/proc/$server/fd" -lname 'anon_inode:*eventpoll*' | grep .) || [ $tries = 0 ]; do
	tries=$((tries - 1))
	sleep 0.02
done
prlimit --pid "$server" --nofile=$((${last##*/} + 1)):
curl -s -S -m 60 "$url/metrics" >"$dir/out" 2>"$dir/curl" &
pid=$!
tries=500
until [ "$(grep -c EMFILE "$dir/calls")" -gt 3 ] || [ $tries = 0 ]; do
	tries=$((tries - 1))
	sleep 0.02
done
prlimit --pid "$server" --nofile=1024:
wait "$pid"
status=$?
has connection_waits_for_a_descriptor 'irqstat_interrupts_total{irq="ERR"} 2'
report server_does_not_spin_meanwhile \
	"$(awk '/EMFILE/ && n++ && $1 < 0.05 { print "again after " $1 " s"; exit } END { if (!n) print "nothing seen" }' \
		"$dir/calls")"
stop
tool=$exporter

# sockets that systemd passes
stop
perl "$here/odd_clients.pl" - activate "$dir/port" "$tool" --source "$dir/text" 2>"$dir/activated" &
server=$!
tries=500
until [ -s "$dir/port" ] || [ $tries = 0 ]; do
	tries=$((tries - 1))
	sleep 0.02
done
url=http://127.0.0.1:$(cat "$dir/port")
get
has passed_socket_is_served 'irqstat_interrupts_total{irq="ERR"} 2'
report passed_socket_is_told "$(grep -qxF "irqstat-exporter: ${url#http://}: serving /metrics" "$dir/activated" ||
	cat "$dir/activated")"
stop

exit "$failed"
