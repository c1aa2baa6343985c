#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat says the same of the module and of the text of the same kernel.

dir=$(mktemp -d)

# report NAME [REASON]
report() {
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		echo "not ok $1: $2"
	fi
}

# table SOURCE FILE: its rows as "IRQ TOTAL NAME"
table() {
	irqstat list --source "$1" -s IRQ -n -P -o IRQ,TOTAL,NAME >"$2" 2>"$dir/err" || cat "$dir/err" >>"$2"
}

# between NAME BEFORE OURS AFTER: the same rows, and no count of ours outside the other two
between() {
	reason=$(awk -F'"' '
		FILENAME == ARGV[1] { name[$2] = $6; least[$2] = $4; n++ }
		FILENAME == ARGV[2] { order[++m] = $2; total[$2] = $4; ours[$2] = $6 }
		FILENAME == ARGV[3] { most[$2] = $4 }
		END {
			if (m != n || m < 20)
				print m " rows, not " n
			for (i = 1; i <= m; i++) {
				irq = order[i]
				if (!(irq in name) || name[irq] != ours[irq])
					print irq ": named " ours[irq] ", not " name[irq]
				else if (total[irq] + 0 < least[irq] + 0 || total[irq] + 0 > most[irq] + 0)
					print irq ": " total[irq] " is not between " least[irq] " and " most[irq]
			}
		}' "$2" "$3" "$4" | head -n 1)
	report "$1" "$reason"
}

ip link set eth0 up
load /dev/nvme0n1 &
load=$!
cat /proc/interrupts >/dev/null
irqstat-text >/dev/null

# The module may show what it holds of ERR and MIS some seconds later; they do not move here.
for i in 1 2 3; do
	table text "$dir/before"
	table module "$dir/ours"
	table text "$dir/after"
	between "list_of_module_and_text_agree_$i" "$dir/before" "$dir/ours" "$dir/after"
done

# A CPU that is offline: the text hides what it counted, the module does not, and both say which are online.
echo 0 >/sys/devices/system/cpu/cpu2/online
table text "$dir/before"
irqstat list --source module -s IRQ -n -P -o IRQ,TOTAL,NAME -C 0-1,3 >"$dir/ours"
irqstat list --source text -s IRQ -n -P -o IRQ,TOTAL,NAME -C 0-1,3 >"$dir/after"
grep -v '"\(ERR\|MIS\)"' "$dir/before" >"$dir/before.cpus"
grep -v '"\(ERR\|MIS\)"' "$dir/ours" >"$dir/ours.cpus"
grep -v '"\(ERR\|MIS\)"' "$dir/after" >"$dir/after.cpus"
between list_of_some_cpus_agrees_with_one_offline "$dir/before.cpus" "$dir/ours.cpus" "$dir/after.cpus"
online=$(irqstat info -P | sed 's/.*CPUS_ONLINE="\([0-9]*\)".*/\1/')
report info_tells_online_cpus "$([ "$online" = 3 ] || echo "$online")"
echo 1 >/sys/devices/system/cpu/cpu2/online
kill $load

irqstat info -P >"$dir/info"
report info_says_that_the_module_is_used \
	"$(grep -q 'SOURCE="module" FILE="/proc/interrupts_bin" FILE_MODE="0440 .* MODULE="used"' "$dir/info" || cat "$dir/info")"

said=$(unshare -U -r irqstat info)
report info_says_what_root_of_a_container_lacks \
	"$(echo "$said" | grep -q 'reason  *it takes CAP_PERFMON or CAP_SYS_ADMIN on the host, not in a container' || echo "$said" | head -n 9 | tr '\n' ' ')"

# Bursts of the module are one submission, on every kernel that has what it takes. 5.10 reads such files by a worker.
case $(uname -r) in
5.10.*) how='by pread' why='not by io_uring: the kernel is too old for it' ;;
*) how='by io_uring' why='' ;;
esac
irqstat burst -n 100 -d 2ms >"$dir/out" 2>&1
report burst_is_by_io_uring_where_it_can_be "$({ grep -q "^100 snapshots in .* $how\$" "$dir/out" &&
	[ "$(grep 'not by' "$dir/out")" = "$why" ]; } || head -n 2 "$dir/out" | tr '\n' ' ')"
said=$(irqstat burst -n 20 -d 2ms --no-uring 2>&1)
report burst_does_without_io_uring "$(echo "$said" | grep -q '^20 snapshots in .* by pread$' || echo "$said" | head -n 2 | tr '\n' ' ')"

# What was recorded of the module can be shown without it.
irqstat record -n 3 -d 100ms "$dir/capture" 2>"$dir/err"
code=$?
report record_of_the_module "$([ $code = 0 ] || cat "$dir/err")"
irqstat list -i "$dir/capture" -n -P -o IRQ,NAME -s IRQ >"$dir/recorded"
irqstat list --source text -n -P -o IRQ,NAME -s IRQ >"$dir/now"
report record_keeps_the_names "$(diff "$dir/recorded" "$dir/now" | head -n 3 | tr '\n' ' ')"

: >"$dir/top"
irqstat top -J -d 50ms >"$dir/top" &
top=$!
while [ "$(wc -l <"$dir/top")" -lt 2 ]; do
	usleep 10000
done
rmmod interrupts_bin
n=$(wc -l <"$dir/top")
while [ "$(wc -l <"$dir/top")" -lt $((n + 3)) ] && kill -0 $top 2>/dev/null; do
	usleep 10000
done
report top_goes_on_with_the_text_when_the_module_is_unloaded "$(kill -0 $top 2>&1)"
kill -TERM $top
wait $top
code=$?
report top_ends_well "$([ $code = 0 ] || echo "exit code $code")"
# Not one interval is as if all had been counted again.
report top_makes_nothing_up "$(awk -F'"delta":' '{ split($2, d, ","); if (d[1] > 1000000) print }' "$dir/top" | head -n 1)"

said=$(irqstat info)
report info_says_that_there_is_no_module \
	"$(echo "$said" | grep -q 'reason  *it is neither loaded nor installed' || echo "$said" | tr '\n' ' ')"
[ "$(irqstat replay "$dir/capture" -J | wc -l)" = 2 ]
report replay_needs_no_module "$(irqstat replay "$dir/capture" -J 2>&1 >/dev/null)"
insmod /interrupts_bin.ko
rm -r "$dir"
