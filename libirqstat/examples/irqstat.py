#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
"""irqstat.py [SECONDS [FILE]]: what counted in that time, by name.

An example of libirqstat in Python. Only what is used is declared, in the order of
irqstat.h; later versions of the library add members at the end.
"""
import ctypes as c
import os
import sys
import time

lib = c.CDLL("libirqstat.so.0", use_errno=True)


class Sum(c.Structure):
    _fields_ = [("count", c.c_uint64), ("id", c.c_uint32), ("n_rows", c.c_uint32),
                ("name", c.c_void_p), ("name_len", c.c_size_t)]


class Sums(c.Structure):
    _fields_ = [("total", c.c_uint64), ("n_sums", c.c_size_t), ("sums", c.POINTER(Sum))]


class Delta(c.Structure):
    _fields_ = [("interval_ns", c.c_uint64), ("clock_step_ns", c.c_int64), ("counts", c.c_void_p)]


def call(name, *args, result=c.c_void_p):
    """Calls a function of the library; where it sets errno, this raises OSError."""
    function = getattr(lib, "irqstat_" + name)
    function.restype = result
    value = function(*[c.c_void_p(a) if isinstance(a, int) else a for a in args])
    if value in (None, -1):
        raise OSError(c.get_errno(), os.strerror(c.get_errno()), name)
    return value


def main(seconds="1", path=None):
    handle = call("open", path and os.fsencode(path))
    differ, adder = call("differ_new"), call("adder_new")
    call("read", handle, result=c.c_int)
    before = call("snapshot_dup", call("snapshot_get", handle))
    time.sleep(float(seconds))
    call("read", handle, result=c.c_int)
    delta = Delta.from_address(call("delta_make", differ, before, call("snapshot_get", handle)))
    sums = Sums.from_address(call("sums_by_label", adder, delta.counts, call("descs_get", handle)))
    for s in sorted(sums.sums[:sums.n_sums], key=lambda s: -s.count):
        if s.count:
            name = c.string_at(s.name, s.name_len).decode(errors="replace")
            print(f"{s.count:10} {s.count * 1e9 / delta.interval_ns:12.2f}/s {name}")
    print(f"{sums.total:10} in all")
    lib.irqstat_snapshot_free(c.c_void_p(before))
    lib.irqstat_adder_free(c.c_void_p(adder))
    lib.irqstat_differ_free(c.c_void_p(differ))
    lib.irqstat_close(c.c_void_p(handle))


try:
    main(*sys.argv[1:])
except OSError as error:
    sys.exit(f"irqstat.py: {error.filename}: {error.strerror}")
