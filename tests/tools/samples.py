# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# What tests of irqstat-exporter know of metrics: samples of a page in the classic format, and the counts of a text
# of /proc/interrupts, both as dictionaries.

import re


def of_page(text, *names):
    """{(name, frozenset of (label, value)): number}, of these names if there are any"""
    samples = {}
    for line in text.split("\n"):
        match = re.fullmatch(r"([a-zA-Z_:]+)(?:\{(.*)\})? (\S+)", line)
        if not match:
            assert not line or line.startswith("# "), line
            continue
        pairs = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)",?', match[2] or "")
        assert "".join(f'{k}="{v}",' for k, v in pairs).rstrip(",") == (match[2] or ""), line
        labels = frozenset((k, re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], v)) for k, v in pairs)
        if not names or match[1] in names:
            assert (match[1], labels) not in samples, line
            samples[match[1], labels] = float(match[3])
    return samples


def of_text(text):
    """[(id, {cpu: count}, fields behind the counts)], cpu None of a row with one count"""
    lines = text.split("\n")
    cpus = [int(word[3:]) for word in lines[0].split()]
    rows = []
    for line in filter(None, lines[1:]):
        label, rest = line.split(":", 1)
        words = rest.split()
        if len(cpus) > 1 and (len(words) == 1 or not words[1].isdigit()):
            rows.append((label.strip(), {None: int(words[0])}, words[1:]))
        else:
            counts = dict(zip(cpus, map(int, words[: len(cpus)])))
            rows.append((label.strip(), counts, words[len(cpus) :]))
    return rows
