#!/bin/sh
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Configuration and rules of Prometheus, and a dashboard, for irqstat-exporter: test_exporter_monitoring.sh BUILD_DIR

# shellcheck source=tests/tools/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/tools/servers.sh
. "$(dirname "$0")/servers.sh"
tool=$build/irqstat-exporter
top=$(cd "$(dirname "$0")/../.." && pwd)
files=$top/dist/prometheus

# passes NAME COMMAND...
passes()
{
	name=$1
	shift
	why=
	said=$("$@" 2>&1) || why="exit code $?: $(echo "$said" | tail -n 3 | tr '\n' ' ')"
	report "$name" "$why"
}

cp "$files"/* "$dir"
for targets in irqstat node; do
	echo '[{targets: ["127.0.0.1:1"]}]' >"$dir/$targets-targets.yml"
done
passes configuration_is_one_of_prometheus promtool check config "$dir/prometheus.yml"
passes rules_are_ones_of_prometheus promtool check rules "$files/irqstat.rules.yml"
passes rules_make_of_counters_what_they_say promtool test rules "$top/tests/tools/irqstat.rules_test.yml"

# The relabelling, by its effect: the exporter as the target.
cat >"$dir/source" <<EOF
           CPU0       CPU1
 24:          1          2   PCI-MSI 1-edge      mlx5_comp1
 25:          3          4   PCI-MSI 2-edge      nvme0q1
SPU:          5          6   Spurious interrupts
LOC:          7          8   Local timer interrupts
EOF
serve all "$serving" "$tool" --listen 127.0.0.1:0 --softirqs --source "$dir/source" \
	--series rows,cpus,nodes,rows-by-node,rows-by-cpu,node-exporter
curl -s -S -m 20 "http://$address/metrics" >"$dir/page" || exit 1
serve exporter "$serving" "$tool" --listen 127.0.0.1:0 --series rows,rows-by-cpu,node-exporter --source "$dir/source"
for targets in irqstat node; do
	echo "[{targets: [\"$address\"]}]" >"$dir/$targets-targets.yml"
done
sed -i 's/scrape_interval: 15s/scrape_interval: 200ms/' "$dir/prometheus.yml"
serve prometheus "$listening" prometheus --config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/tsdb" \
	--web.listen-address=127.0.0.1:0

python configuration_relabels_as_it_says "$address" <<'EOF'
import json, sys, time, urllib.parse, urllib.request
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))

def query(expression):
    url = f"http://{sys.argv[1]}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    return json.load(direct.open(url, timeout=20))["data"]["result"]

until = time.monotonic() + 60
while len(query('irqstat_up')) < 2 and time.monotonic() < until:
    time.sleep(0.05)
have = sorted((m["__name__"], m.get("cpu", ""), m.get("irq", m.get("type")), m["instance"])
              for m in (r["metric"] for r in query('{__name__=~".*_interrupts.*", job=~"irqstat|node"}'))
              if (m["job"] == "irqstat") == m["__name__"].startswith("irqstat"))
by_cpu, rows, theirs = "irqstat_interrupts_by_cpu_total", "irqstat_interrupts_total", "node_interrupts_total"
instance = {h[3] for h in have if h[0] == rows}
assert instance == {"127.0.0.1"}, instance
assert [h[:3] for h in have] == sorted(
    [(by_cpu, cpu, "24") for cpu in "01"] + [(rows, "", irq) for irq in ("24", "25", "LOC")] +
    [(theirs, cpu, irq) for cpu in "01" for irq in ("24", "25", "LOC")]), have
EOF

# Every expression, with its variables put in, and no name that nobody makes.
python dashboard_asks_what_can_be_answered "$address" "$dir" <<'EOF'
import json, re, sys, urllib.error, urllib.parse, urllib.request
address, dir = sys.argv[1:]
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
dashboard = json.load(open(f"{dir}/irqstat-dashboard.json"))
made = set(re.findall(r"^(irqstat_\w+|process_\w+)", open(f"{dir}/page").read(), re.M))
rules = set(re.findall(r"- record: (\S+)", open(f"{dir}/irqstat.rules.yml").read()))
made |= rules
expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
assert len(expressions) >= 15, expressions
used = expressions + re.findall(r"expr: (?:>-\n\s+)?((?:.|\n\s{10,})*)", open(f"{dir}/irqstat.rules.yml").read())
for text in used:
    for name in re.findall(r"\b[a-z:_]*(?:irqstat|process)_[a-z0-9:_]+", text):
        assert name in made, (name, text)
for rule in rules:
    assert any(rule in expression for expression in expressions), f"{rule} is not in the dashboard"
for expression in expressions:
    for variable, value in (("$job", "irqstat"), ("$instance", ".*"), ("$__rate_interval", "1m")):
        expression = expression.replace(variable, value)
    assert "$" not in expression, expression
    url = f"http://{address}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    try:
        assert json.load(direct.open(url, timeout=20))["status"] == "success", expression
    except urllib.error.HTTPError as error:
        sys.exit(f"{expression}: {error.read().decode()}")
places = [tuple(sorted(p["gridPos"].items())) for p in dashboard["panels"]]
assert len(set(places)) == len(places), "panels on top of each other"
EOF

exit "$failed"
