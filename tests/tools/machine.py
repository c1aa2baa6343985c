# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
"""A machine, as the stream of the module and as the text of the kernel (7.1 and before), made apart from each other."""

import struct

DESC_OFFSET = 0x40000000
X86 = {"NMI": 1, "LOC": 2, "RES": 8, "CAL": 9, "TLB": 10, "ERR": 19, "MIS": 20}


class Irq:
    def __init__(self, number, chip, hwirq, flow, actions, counts):
        self.number, self.chip, self.hwirq, self.flow, self.actions = number, chip, hwirq, flow, actions
        self.counts = counts


class Counter:
    def __init__(self, label, text, counts):
        self.label, self.text, self.counts = label, text, counts

    @property
    def is_single(self):
        return self.label in ("ERR", "MIS")


class Machine:
    def __init__(self, cpus, irqs, counters):
        self.cpus, self.irqs, self.counters = cpus, irqs, counters

    def text(self):
        lines = ["           " + "".join("CPU%-8d" % cpu for cpu in self.cpus)]
        for irq in self.irqs:
            lines.append("%3d:" % irq.number + self._columns(irq) + "  %8s %3d-%-8s" % (irq.chip, irq.hwirq, irq.flow)
                         + ("  " + ", ".join(irq.actions) if irq.actions else ""))
        for counter in self.counters:
            if counter.is_single:
                lines.append("%3s: %10d" % (counter.label, counter.counts.get(None, 0)))
            else:
                lines.append("%3s:" % counter.label + self._columns(counter) + counter.text)
        return "\n".join(lines) + "\n"

    def _columns(self, row):
        return "".join(" %10d" % row.counts.get(cpu, 0) for cpu in self.cpus)

    def write_stream(self, path):
        """A file with holes: both windows at their offsets."""
        with open(path, "wb") as file:
            file.write(self._counters())
            file.seek(DESC_OFFSET)
            file.write(self._descriptors())

    def _window(self, window, records):
        body = b"".join(records) + record(4, 0, struct.pack("=Q", 7))
        header = struct.pack("=IHHHHI", 0x49525142, 1, 0, 16, window, 1)
        header += struct.pack("=QQQQQQQ", 128 + len(body), 7, 1, 10**9, 1000, 1, DESC_OFFSET)
        header += struct.pack("=IIII5Q", len(records) + 1, max(self.cpus) + 1, len(self.cpus), 0, 0, 0, 0, 0, 0)
        return header + body

    def _counters(self):
        mask = sum(1 << cpu for cpu in self.cpus)
        words = (max(self.cpus) + 64) // 64
        records = [record(1, 0, mask.to_bytes(8 * words, "little"))]
        rows = [(2, irq.number, irq) for irq in self.irqs]
        rows += sorted(((3, X86[counter.label], counter) for counter in self.counters), key=lambda row: row[1])
        for kind, number, row in rows:
            cells = sorted((0xffffffff if cpu is None else cpu, count) for cpu, count in row.counts.items() if count)
            if cells:
                records.append(record(kind, number, b"".join(struct.pack("=II", *cell) for cell in cells)))
        return self._window(0, records)

    def _descriptors(self):
        records = [record(16, 0, struct.pack("=HHHHII", 3, 8, 2, 4, 1, 0))]
        for irq in self.irqs:
            strings = [irq.chip, irq.flow] + irq.actions
            records.append(record(17, irq.number, struct.pack("=QQIIII", 1, irq.hwirq, 0x11, 0, len(strings), 0)
                                  + packed(strings)))
        for counter in self.counters:
            flags = 9 if counter.is_single else 1
            records.append(record(18, X86[counter.label], struct.pack("=II", flags, 2)
                                  + packed([counter.label, counter.text])))
        return self._window(1, records)


def packed(strings):
    strings = [string.encode() for string in strings]
    data = b"".join(struct.pack("=H", len(string)) for string in strings) + b"".join(strings)
    return data + bytes(-len(data) % 8)


def record(kind, number, payload):
    assert len(payload) % 8 == 0, len(payload)
    return struct.pack("=IHBB", number, len(payload) // 8, kind, 0) + payload


def server(cpus):
    """A machine with these CPUs, some disks and interfaces, and counts of every size."""
    last = cpus[-1]
    irqs = [
        Irq(0, "IO-APIC", 2, "edge", ["timer"], {cpus[0]: 45}),
        Irq(1, "IO-APIC", 1, "edge", ["i8042"], {}),
        Irq(9, "IO-APIC", 9, "fasteoi", ["acpi"], {cpu: 1 + cpu for cpu in cpus}),
        Irq(16, "IO-APIC", 16, "fasteoi", ["ehci_hcd:usb1", "eth1"], {last: 12345}),
        Irq(24, "PCI-MSI", 458752, "edge", ["PCIe PME"], {}),
        Irq(25, "PCI-MSI", 524288, "edge", [], {cpus[0]: 3}),
    ]
    for queue in range(2 * len(cpus)):
        cpu = cpus[queue % len(cpus)]
        irqs.append(Irq(30 + queue, "PCI-MSI", 1048576 + queue, "edge", ["nvme0q%d" % (queue + 1)],
                        {cpu: 4294967295 - queue if queue == 1 else 1000 * queue}))
    counters = [
        Counter("NMI", "   Non-maskable interrupts", {}),
        Counter("LOC", "   Local timer interrupts", {cpu: 3000000000 + cpu for cpu in cpus}),
        Counter("RES", "   Rescheduling interrupts", {cpu: 77 * cpu for cpu in cpus}),
        Counter("CAL", "   Function call interrupts", {cpu: 5 for cpu in cpus}),
        Counter("TLB", "   TLB shootdowns", {last: 1}),
        Counter("ERR", "", {None: 2}),
        Counter("MIS", "", {}),
    ]
    return Machine(cpus, irqs, counters)
