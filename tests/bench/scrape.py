#!/usr/bin/python3
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# What one scrape of a large machine costs its exporter, irqstat-exporter against node_exporter: CPU time, memory,
# bytes and series. Both read the same text, a file; irqstat-exporter also the same counts as the module gives them.
# Before each scrape all counts that are not 0 have moved. What the kernel needs to make them is not in here: for that
# see run.
#
# CPU time is that of all threads of the exporter, by the scheduler's clock, per scrape. Memory is VmHWM: the most that
# the whole process has had resident, its program and libraries included, from its start through all scrapes; private
# is what of it no other process can share, RssAnon, the most that was seen after a scrape. The garbage collector of
# node_exporter makes both differ by a fifth from run to run.
#
# scrape.py [--json FILE] [--cpus N] [--irqs N] [--scrapes N] BUILD_DIR

import argparse
import gzip
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

COUNTERS = (
    (1, "NMI", "Non-maskable interrupts", 0), (2, "LOC", "Local timer interrupts", 1),
    (3, "SPU", "Spurious interrupts", 0), (4, "PMI", "Performance monitoring interrupts", 0),
    (5, "IWI", "IRQ work interrupts", 1), (6, "RTR", "APIC ICR read retries", 0),
    (8, "RES", "Rescheduling interrupts", 1), (9, "CAL", "Function call interrupts", 1),
    (10, "TLB", "TLB shootdowns", 1), (11, "TRM", "Thermal event interrupts", 0),
    (14, "MCE", "Machine check exceptions", 0), (15, "MCP", "Machine check polls", 1),
)
DESC_OFFSET = 0x40000000
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
# As Prometheus 2.42 asks.
HEADERS = {
    "Accept": "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
              "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
    "Accept-Encoding": "gzip",
}


class Machine:
    """Counts of interrupts and CPUs, 2 % of which are not 0, and of architecture counters."""

    def __init__(self, n_cpus, n_irqs):
        rng = self.rng = random.Random(1)
        self.n_cpus = n_cpus
        self.irqs = {24 + i: {cpu: rng.randrange(1, 2**rng.randrange(1, 32)) for cpu in
                              sorted(rng.sample(range(n_cpus), max(1, n_cpus // 50)))} for i in range(n_irqs)}
        self.counters = {id: {cpu: rng.randrange(1, 2**31) for cpu in range(n_cpus)} if counts else {}
                         for id, _, _, counts in COUNTERS}

    def move(self):
        for counts in list(self.irqs.values()) + list(self.counters.values()):
            for cpu in counts:
                counts[cpu] = (counts[cpu] + self.rng.randrange(1, 1000)) % 2**32

    def names(self, irq):
        return f"IR-PCI-MSIX-0000:{irq % 4 + 16:02x}:00.0", irq - 24, f"mlx5_comp{irq}@pci:0000:{irq % 4 + 16:02x}:00.0"

    def text(self):
        def cells(counts):
            cells = [f"{0:11}"] * self.n_cpus
            for cpu, count in counts.items():
                cells[cpu] = f" {count:10}"
            return "".join(cells)
        lines = [" " * 11 + "".join(f"CPU{cpu:<8}" for cpu in range(self.n_cpus))]
        for irq, counts in self.irqs.items():
            chip, hwirq, name = self.names(irq)
            lines.append(f"{irq:3}:{cells(counts)}  {chip} {hwirq:4}-edge      {name}")
        for id, label, text, _ in COUNTERS:
            lines.append(f"{label}:{cells(self.counters[id])}   {text}")
        lines += ["ERR:          0", "MIS:          0", ""]
        return "\n".join(lines).encode()

    def window(self, number, records):
        body = b"".join(struct.pack("=IHBB", id, len(payload) // 8, type, 0) + payload for type, id, payload in records)
        header = struct.pack("=IHHHHIQQQQQQQIIII40x", 0x49525142, 1, 0, 16, number, 1, 128 + len(body), 1, 1,
                             time.clock_gettime_ns(time.CLOCK_BOOTTIME), 0, 0, DESC_OFFSET, len(records), self.n_cpus,
                             self.n_cpus, 0)
        return header + body

    def counts(self):
        def pairs(counts):
            return b"".join(struct.pack("=II", *pair) for pair in counts.items())
        online = struct.pack(f"={(self.n_cpus + 63) // 64}Q",
                             *(2**min(64, self.n_cpus - i) - 1 for i in range(0, self.n_cpus, 64)))
        return self.window(0, [(1, 0, online)] + [(2, irq, pairs(c)) for irq, c in self.irqs.items()] +
                           [(3, id, pairs(c)) for id, c in self.counters.items() if c] + [(4, 0, struct.pack("=Q", 1))])

    def descs(self):
        def strings(*names):
            table = struct.pack(f"={len(names)}H", *map(len, names)) + b"".join(names)
            return table + b"\0" * (-len(table) % 8)
        records = [(16, 0, struct.pack("=HHHHII", 3, 8, 2, 4, 1, 0))]
        for irq in self.irqs:
            chip, hwirq, name = self.names(irq)
            fixed = struct.pack("=QQIIII", 0, hwirq, 0x11, 0, 3, 0)
            records.append((17, irq, fixed + strings(chip.encode(), b"edge", name.encode())))
        for id, label, text, _ in COUNTERS:
            records.append((18, id, struct.pack("=II", 1, 2) + strings(label.encode(), b"   " + text.encode())))
        return self.window(1, records + [(4, 0, struct.pack("=Q", 1))])


class Server:
    def __init__(self, command, pattern):
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            match = re.search(pattern, line)
            if match:
                self.url = f"http://{match[1]}/metrics"
                return
        sys.exit(f"{command[0]}: it did not start")

    def cpu_ns(self):
        tasks = f"/proc/{self.process.pid}/task"
        return sum(int(open(f"{tasks}/{task}/schedstat").read().split()[0]) for task in os.listdir(tasks))

    def memory_kb(self, what):
        return int(re.search(what + r":\s*(\d+)", open(f"/proc/{self.process.pid}/status").read())[1])

    def scrape(self):
        with DIRECT.open(urllib.request.Request(self.url, headers=HEADERS), timeout=60) as answer:
            sent = answer.read()
            return len(sent), gzip.decompress(sent) if answer.headers["Content-Encoding"] == "gzip" else sent

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def measure(server, n, move):
    """One scrape once it runs, and the most memory since it started"""
    private = 0
    for _ in range(2):
        move()
        sent, page = server.scrape()
    begin = server.cpu_ns()
    for _ in range(n):
        move()
        sent, page = server.scrape()
        private = max(private, server.memory_kb("RssAnon"))
    result = {"cpu_us": (server.cpu_ns() - begin) / n / 1000, "memory_kb": server.memory_kb("VmHWM"),
              "private_kb": private, "bytes": len(page), "sent_bytes": sent,
              "series": len(re.findall(rb"^(?:node|irqstat|irqstat_cpu)_interrupts_\w+\{", page, re.M))}
    server.stop()
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", help="one object a line")
    parser.add_argument("--cpus", type=int, default=256)
    parser.add_argument("--irqs", type=int, default=560)
    parser.add_argument("--scrapes", type=int, default=40)
    parser.add_argument("build")
    args = parser.parse_args()

    machine = Machine(args.cpus, args.irqs)
    results = {}
    with tempfile.TemporaryDirectory() as dir:
        text = open(f"{dir}/interrupts", "wb", buffering=0)
        module = open(f"{dir}/interrupts_bin", "wb", buffering=0)
        os.pwrite(module.fileno(), machine.descs(), DESC_OFFSET)

        def move():
            machine.move()
            os.pwrite(text.fileno(), machine.text(), 0)
            os.pwrite(module.fileno(), machine.counts(), 0)

        move()
        server = Server(["prometheus-node-exporter", f"--path.procfs={dir}", "--collector.disable-defaults",
                         "--collector.interrupts", "--web.disable-exporter-metrics",
                         "--web.listen-address=127.0.0.1:0"], r'"Listening on" address=(\S+)')
        results["node_exporter"] = measure(server, args.scrapes, move)
        for name, options in (
            ("node-exporter, zeros", ["--series=node-exporter", "--zeros", "--max-series=0"]),
            ("node-exporter", ["--series=node-exporter"]),
            ("rows-by-cpu", ["--series=rows-by-cpu"]),
            ("rows,cpus", ["--series=rows,cpus"]),
            ("rows", []),
        ):
            for file in text, module:
                command = [f"{args.build}/irqstat-exporter", "--listen=127.0.0.1:0", f"--source={file.name}"]
                server = Server(command + options, r": (\S+): serving /metrics")
                results[f"{name}, {'text' if file is text else 'module'}"] = measure(server, args.scrapes, move)

    base = results["node_exporter"]
    print(f"one scrape, {args.cpus} CPUs, {args.irqs} interrupts; memory: peak of the whole process")
    print(f"  {'':29} {'CPU time':>10} {'x':>5} {'memory':>9} {'x':>5} {'private':>9} {'x':>5} "
          f"{'bytes':>9} {'sent':>9} {'series':>7}")
    for name, r in results.items():
        x = {key: base[key] / value for key, value in r.items()}
        print(f"  {name:29} {r['cpu_us'] / 1000:7.2f} ms {x['cpu_us']:5.0f} "
              f"{r['memory_kb'] / 1024:6.1f} MB {x['memory_kb']:5.1f} "
              f"{r['private_kb'] / 1024:6.1f} MB {x['private_kb']:5.1f} "
              f"{r['bytes']:9} {r['sent_bytes']:9} {r['series']:7}")
    if args.json:
        with open(args.json, "w") as file:
            for name, r in results.items():
                for key, value in r.items():
                    print(json.dumps({"name": f"scrape_{key}", "exporter": name, "kernel": "native", "smp": args.cpus,
                                      "irqs": args.irqs, "value": round(value), "unit": key.rsplit("_", 1)[-1]}),
                          file=file)


if __name__ == "__main__":
    main()
