# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# Lines of KERNEL SMP IRQS PHASE NAME MEDIAN LOWEST UNIT to tables, or with json=1 to one object a line. Names
# of the busy phase end in _busy there. In the phase "count", a nanosecond is an instruction.

function time(ns) {
	if (ns == "")
		return "-"
	return ns < 1e6 ? sprintf("%.1f us", ns / 1e3) : sprintf("%.2f ms", ns / 1e6)
}

# The sum of two figures, the second of which may be "".
function sum(values, phase, a, b) {
	if (!((run, phase, a) in values))
		return 0
	return values[run, phase, a] + (b == "" ? 0 : values[run, phase, b])
}

function quotient(values, phase, a, b, c, d,    below) {
	below = sum(values, phase, c, d)
	return below ? sprintf("%.1f", sum(values, phase, a, b) / below) : "-"
}

# (a + b) / (c + d) of the medians, the lowest values and the instructions; what is asked of it.
function ratio(text, a, b, c, d, least) {
	printf "  %-44s %8s %8s %8s %8s %8s  >= %d\n", text, quotient(mid, "quiet", a, b, c, d),
		quotient(low, "quiet", a, b, c, d), quotient(mid, "busy", a, b, c, d),
		quotient(low, "busy", a, b, c, d), quotient(low, "count", a, b, c, d), least
}

# Sources read together: io_uring against pread(2).
function batches(kind, n,    u, p) {
	u = "uring_" kind "_" n
	p = "pread_" kind "_" n
	if (!((run, "quiet", u) in mid))
		return
	printf "  %-18s %6d %6d %12s %12s %8s %8s %8s %6d\n", n " " kind, mid[run, "quiet", u "_calls"],
		mid[run, "quiet", p "_calls"], time(mid[run, "quiet", u]), time(mid[run, "quiet", p]),
		quotient(mid, "quiet", p, "", u), quotient(low, "quiet", p, "", u),
		quotient(low, "count", p, "", u), mid[run, "quiet", u "_punts"]
}

function all_batches() {
	printf "  %-18s %6s %6s %12s %12s %8s %8s %8s %6s\n", "read together", "calls", "pread",
		"time", "pread", "ratio", "lowest", "instr.", "punts"
	batches("module", 1)
	batches("module", 8)
	batches("module", 64)
	batches("raw", 1)
	batches("raw", 8)
	batches("raw", 64)
}

function report(    i, name, bytes, most) {
	print "\n" run
	printf "  %-18s %12s %12s %12s %12s %14s\n", "", "quiet", "lowest", "busy", "lowest", "instructions"
	for (i = 1; i <= n_names; i++) {
		name = names[i]
		if (name ~ /^(uring|pread)_/)
			continue
		if (unit[name] == "ns")
			printf "  %-18s %12s %12s %12s %12s %14s\n", name, time(mid[run, "quiet", name]),
				time(low[run, "quiet", name]), time(mid[run, "busy", name]),
				time(low[run, "busy", name]), low[run, "count", name]
		else
			printf "  %-18s %12s %12s %12s %12s %14s %s\n", name, mid[run, "quiet", name], "",
				mid[run, "busy", name], "", "", unit[name]
	}
	printf "  %-44s %8s %8s %8s %8s %8s  %s\n", "", "quiet", "lowest", "busy", "lowest", "instr.",
		"asked for at 64 CPUs"
	ratio("text_read / bin_read", "text_read", "", "bin_read", "", 30)
	ratio("text_read / bin_read_fresh", "text_read", "", "bin_read_fresh", "", 8)
	ratio("(text_read + text_parse) / (bin_read + decode)", "text_read", "text_parse", "bin_read",
		"bin_decode", 45)
	ratio("cat / irqstat_text", "cat", "", "irqstat_text", "", 3)
	ratio("cat / irqstat_text, to a file", "cat_file", "", "irqstat_text_file", "", 3)
	if ((run, "quiet", "bin_read_by_2") in mid)
		printf "  a read beside another reader / alone: text %s, binary %s\n",
			quotient(mid, "quiet", "text_read_by_2", "", "text_read_by_1"),
			quotient(mid, "quiet", "bin_read_by_2", "", "bin_read_by_1")
	all_batches()
	bytes = mid[run, "quiet", "bin_bytes"]
	most = 8 * mid[run, "quiet", "pairs"] + 8 * mid[run, "quiet", "records"] + 256
	printf "  bytes: %d, may be %d: %s; irqstat-text writes what cat does: %s\n", bytes, most,
		bytes <= most ? "yes" : "NO", mid[run, "quiet", "identical"] ? "yes" : "NO"
}

function object(phase, name,    value) {
	if (!((run, phase, name) in mid) || (phase == "count" && unit[name] != "ns"))
		return
	# The first runs of a program count more; the lowest is what repeats.
	value = phase == "count" ? low[run, phase, name] : mid[run, phase, name]
	printf "{\"name\": \"%s\", \"kernel\": \"%s\", \"smp\": %d, \"irqs\": %d, \"nonzero\": %d, " \
		"\"value\": %d, \"lowest\": %d, \"unit\": \"%s\"}\n",
		name suffix[phase], kernel[run], smp[run], irqs[run], mid[run, phase, "nonzero"],
		value, low[run, phase, name], phase == "count" ? "instructions" : unit[name]
}

BEGIN {
	suffix["quiet"] = ""
	suffix["busy"] = "_busy"
	suffix["count"] = "_instructions"
}

{
	run = $1 ", " $2 " CPUs, " $3 " interrupts"
	if (!(run in seen)) {
		seen[run] = 1
		runs[++n_runs] = run
		kernel[run] = $1
		smp[run] = $2
		irqs[run] = $3
	}
	if (!($5 in unit)) {
		unit[$5] = $8
		names[++n_names] = $5
	}
	mid[run, $4, $5] = $6
	low[run, $4, $5] = $7
}

END {
	for (r = 1; r <= n_runs; r++) {
		run = runs[r]
		if (!json) {
			report()
			continue
		}
		for (i = 1; i <= n_names; i++) {
			object("quiet", names[i])
			object("busy", names[i])
			object("count", names[i])
		}
	}
}
