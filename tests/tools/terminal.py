# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
"""A program in a terminal of our own: what it shows, what is typed, and another size at any time."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

import pyte


class Terminal:
    def __init__(self, command, columns=100, lines=30, environment=None):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
            os.environ.update(environment or {})
            os.execvp(command[0], command)

    def _read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            self._reap()
            return False
        self.raw += data
        self.stream.feed(data)
        return True

    def _reap(self):
        if self.status is None:
            _, status = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(status)

    def wait(self, condition, seconds=30):
        """Until the condition, of the lines shown, is true; the lines if it became so."""
        end = time.monotonic() + seconds
        while not condition(self.screen.display):
            if self.status is not None or time.monotonic() > end:
                sys.exit("never seen; instead: " + " | ".join(line.strip() for line in self.screen.display if line.strip()))
            self._read(0.1)
        return self.screen.display

    def wait_for(self, words, seconds=30):
        return self.wait(lambda lines: any(words in line for line in lines), seconds)

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def end(self, seconds=30):
        """Until it ends; its exit code."""
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            self._read(0.1)
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self._reap()
            sys.exit("it does not end")
        return self.status

    def style(self, line, column):
        """Foreground, background, bold, reverse of a character."""
        char = self.screen.buffer[line][column]
        return char.fg, char.bg, char.bold, char.reverse


def complete_in_zsh(files, cases):
    """What is typed in a shell that has the completions in files, and what the tab key makes of it."""
    terminal = Terminal(["zsh", "-f", "-i"], environment={"PS1": "ready> "})
    terminal.send("fpath=(%s $fpath); autoload -Uz compinit; compinit -u -D; echo loa''ded\n" % files)
    terminal.wait_for("loaded")
    for typed, completed in cases:
        terminal.send(typed + "\t")
        terminal.wait_for("> " + completed)
        terminal.send("\025")
    terminal.send("exit\n")
    terminal.end()
