#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# irqstat-exporter and what it works with: promtool, node_exporter and Prometheus. Each is started here on a free
# port, and stopped. test_exporter_prometheus.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/tools/servers.sh
. "$(dirname "$0")/servers.sh"
tool=$build/irqstat-exporter

# Names as no driver should have, and rows and CPUs that come late.
{
	printf '            CPU0       CPU2       CPU3       CPU7       \n'
	printf '  0:         45          0          0          1   IO-APIC   2-edge      timer\n'
	printf '  9:          0          0          0          0   IO-APIC   9-fasteoi   acpi, with  blanks\n'
	printf ' 24: 4294967295 4294967294          0 4294967290   PCI-MSI-0000:00:01.0   0-edge      PCIe "PME", a\\b{c="d"}\n'
	printf ' 25:          0          0          7          0  xen-dyn    -event     eth0-q0-tx\n'
	printf ' 26:          0          3          0          0   GICv3  27 Level     arch_timer\n'
	printf ' 27:          0          0          0          0   None\n'
	printf '130:          9          0          0          0   PCI-MSI 18446744073709551615-edge      \303\244\n'
	printf 'NMI:          0          0          0          0   Non-maskable interrupts\n'
	printf 'LOC:        900        800        700        600   Local timer interrupts\n'
	printf 'ERR:          2\n'
	printf 'MIS:          0\n'
} >"$dir/odd"
sed 's/timer$/\xff\xc0\x1c"\\timer/; s/acpi/\xe2\x82/' "$dir/odd" >"$dir/invalid"

for series in rows cpus nodes rows-by-node rows-by-cpu node-exporter \
	rows,cpus,nodes,rows-by-node,rows-by-cpu,node-exporter; do
	why=
	for options in "" "--zeros --softirqs" "--max-series 3" "--source $dir/invalid --zeros" "--source $dir/absent"; do
		# shellcheck disable=SC2086
		said=$("$tool" --once --series "$series" $options 2>/dev/null | promtool check metrics 2>&1) ||
			why="$options: ${said:-exit code $?}"
	done
	report "promtool_accepts $series" "$why"
done

# same_as_node_exporter NAME: of $dir/proc/interrupts
same_as_node_exporter()
{
	serve node_exporter "$listening" prometheus-node-exporter --path.procfs="$dir/proc" \
		--collector.disable-defaults --collector.interrupts --web.disable-exporter-metrics \
		--web.listen-address=127.0.0.1:0
	"$tool" --once --series node-exporter --zeros --max-series 0 --source "$dir/proc/interrupts" >"$dir/before"
	curl -s -S -m 60 "$address/metrics" >"$dir/theirs"
	"$tool" --once --series node-exporter --zeros --max-series 0 --source "$dir/proc/interrupts" >"$dir/after"
	stop
	python "$1" "$dir" <<-EOF
		import sys, samples
		dir = sys.argv[1]
		theirs, before, after = (samples.of_page(open(f"{dir}/{name}").read(), "node_interrupts_total")
		                         for name in ("theirs", "before", "after"))
		# They number columns.
		cpus = sorted({int(v) for _, labels in before for k, v in labels if k == "cpu"})
		theirs = {(name, frozenset((k, str(cpus[int(v)]) if k == "cpu" else v) for k, v in labels)): n
		          for (name, labels), n in theirs.items()}
		assert theirs, "node_exporter has nothing"
		assert len(theirs) % len(cpus) == 0, (len(theirs), len(cpus))
		for odd in set(theirs) ^ set(before):
		    sys.exit(f"{'only theirs' if odd in theirs else 'only ours'}: {odd}")
		for key, n in theirs.items():
		    if not before[key] <= n <= after[key]:
		        sys.exit(f"{key}: {before[key]} <= {n} <= {after[key]}")
	EOF
}

mkdir "$dir/proc"
cp "$dir/odd" "$dir/proc/interrupts"
same_as_node_exporter same_as_node_exporter_of_odd_rows
python3 - >"$dir/proc/interrupts" <<EOF
import random
random.seed(1)
print(" " * 12 + "".join(f"CPU{cpu:<8}" for cpu in range(64)))
for irq in range(24, 324):
    counts = "".join("%11d" % (random.randrange(2**32) if random.random() < 0.05 else 0) for cpu in range(64))
    print(f"{irq:3}:{counts}  IR-PCI-MSIX-0000:{irq:02x}:00.0  {irq:4}-edge      nvme{irq}q{irq}")
for name, text in ("LOC", "Local timer interrupts"), ("RES", "Rescheduling interrupts"):
    print(f"{name}:" + "".join("%11d" % random.randrange(2**32) for cpu in range(64)) + f"   {text}")
EOF
same_as_node_exporter same_as_node_exporter_of_64_cpus
rm "$dir/proc/interrupts"
ln -s /proc/interrupts "$dir/proc/interrupts"
same_as_node_exporter same_as_node_exporter_of_this_machine

serve exporter "$serving" "$tool" --listen 127.0.0.1:0 --source "$dir/invalid" --series rows,rows-by-cpu
invalid=$address
serve host "$serving" "$tool" --listen 127.0.0.1:0
cat >"$dir/prometheus.yml" <<EOF
global:
  scrape_interval: 200ms
scrape_configs:
  - job_name: invalid
    static_configs: [{targets: ["$invalid"]}]
  - job_name: host
    static_configs: [{targets: ["$address"]}]
EOF
"$tool" --once >"$dir/before"
serve prometheus "$listening" prometheus --config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/tsdb" \
	--web.listen-address=127.0.0.1:0

# query EXPRESSION: as JSON, in $dir/json
query()
{
	curl -s -S -m 20 -G --data-urlencode "query=$1" "http://$address/api/v1/query" >"$dir/json"
}

tries=500
until query 'count(count_over_time(irqstat_up[1m]) >= 2) == 2' && grep -q '"result":\[{' "$dir/json" || [ $tries = 0 ]; do
	tries=$((tries - 1))
	sleep 0.05
done
query 'up'
python prometheus_scrapes_both "$dir/json" <<EOF
import json, sys
result = json.load(open(sys.argv[1]))["data"]["result"]
assert sorted((r["metric"]["job"], r["value"][1]) for r in result) == [("host", "1"), ("invalid", "1")], result
EOF

query '{__name__=~"irqstat_interrupts.*", job="invalid"}'
python prometheus_has_the_counts_of_the_text "$dir/json" "$dir/invalid" <<EOF
import json, samples, sys
result = json.load(open(sys.argv[1]))["data"]["result"]
text = samples.of_text(open(sys.argv[2], encoding="utf-8", errors="replace").read())
totals, cells = {}, {}
for r in result:
    labels = r["metric"]
    if labels["__name__"] == "irqstat_interrupts_total":
        totals[labels["irq"]] = float(r["value"][1])
    else:
        cells[labels["irq"], labels["cpu"]] = float(r["value"][1])
assert totals == {id: sum(counts.values()) for id, counts, _ in text if any(counts.values())}, totals
assert cells == {(id, "none" if cpu is None else str(cpu)): n for id, counts, _ in text
                 for cpu, n in counts.items() if n}, cells
names = {r["metric"].get("name") for r in result}
assert '\ufffd\ufffd\x1c"\\\\timer' in names, names
EOF

query 'irqstat_interrupts_total{job="host"}'
"$tool" --once >"$dir/after"
python prometheus_has_the_counts_of_this_machine "$dir" <<EOF
import json, samples, sys
dir = sys.argv[1]
result = json.load(open(f"{dir}/json"))["data"]["result"]
before, after = ({dict(labels)["irq"]: n for (_, labels), n in
                  samples.of_page(open(f"{dir}/{name}").read(), "irqstat_interrupts_total").items()}
                 for name in ("before", "after"))
got = {r["metric"]["irq"]: float(r["value"][1]) for r in result}
assert set(before) <= set(got) <= set(after), set(got) ^ set(after)
for irq, n in got.items():
    assert before.get(irq, 0) <= n <= after[irq], (irq, before.get(irq), n, after[irq])
EOF

query 'sum by (cpu) (rate(irqstat_interrupts_by_cpu_total{job="invalid"}[10s]))'
python prometheus_computes_rates "$dir/json" <<EOF
import json, sys
result = json.load(open(sys.argv[1]))["data"]["result"]
assert {r["metric"]["cpu"]: r["value"][1] for r in result} == dict.fromkeys(["0", "2", "3", "7", "none"], "0"), result
EOF

# A textfile, the way it goes when node_exporter is there already.
stop
mkdir "$dir/textfiles"
"$tool" --textfile "$dir/textfiles/irqstat.prom" --source "$dir/odd" --softirqs
serve node_exporter "$listening" prometheus-node-exporter --collector.disable-defaults --collector.textfile \
	--collector.textfile.directory="$dir/textfiles" --web.listen-address=127.0.0.1:0
curl -s -S -m 60 "$address/metrics" >"$dir/theirs"
stop
python node_exporter_passes_a_textfile_on "$dir/theirs" "$dir/textfiles/irqstat.prom" <<EOF
import samples, sys
# It adds labels that others of the name have, with nothing in them.
theirs, ours = ({(name, frozenset((k, v) for k, v in labels if v)): n for (name, labels), n in
                 samples.of_page(open(file).read()).items()} for file in sys.argv[1:])
assert theirs["node_textfile_scrape_error", frozenset()] == 0
for key, n in ours.items():
    assert theirs[key] == n, key
EOF

exit "$failed"
