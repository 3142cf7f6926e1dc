#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""onterm.py [-o] [-b] [-w COLUMNS] [-k TEXT] SCREEN COMMAND... - run a command on a terminal

The command's standard error is a terminal of its own. All output to the terminal goes to the file SCREEN, unchanged.
The exit status is that of the command, as a shell gives it.

    -o       its standard output is the terminal, too
    -b       it is in the background of the terminal
    -w       the width of the terminal, else 80
    -k TEXT  when TEXT has appeared, the key that interrupts is pressed, once
"""
import fcntl
import getopt
import os
import signal
import struct
import sys
import termios

INTERRUPT = b"\3"


def status_of(pid):
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return 128 - status if status < 0 else status


def run(tty, options, command):
    """The first process of a session, to which the terminal belongs."""
    os.setsid()
    fcntl.ioctl(tty, termios.TIOCSCTTY, 0)
    # output is unchanged, and input is not shown
    iflag, oflag, cflag, lflag, ispeed, ospeed, cc = termios.tcgetattr(tty)
    cc[termios.VINTR] = INTERRUPT
    lflag = lflag & ~termios.ECHO | termios.ISIG
    termios.tcsetattr(tty, termios.TCSANOW, [iflag, oflag & ~termios.OPOST, cflag, lflag, ispeed, ospeed, cc])
    fcntl.ioctl(tty, termios.TIOCSWINSZ, struct.pack("4H", 24, int(options.get("-w", 80)), 0, 0))
    if "-b" in options:
        pid = os.fork()
        if pid:
            os._exit(status_of(pid))
        os.setpgid(0, 0)
    # Python and the caller ignore some
    for ignored in signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ:
        signal.signal(ignored, signal.SIG_DFL)
    os.dup2(tty, 2)
    if "-o" in options:
        os.dup2(tty, 1)
    os.execvp(command[0], command)


def watch(master, screen, awaited):
    """Copy until no process has the terminal open, which reads as an error."""
    seen = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:
            return
        screen.write(data)
        seen += data
        if awaited and awaited in seen:
            awaited = None
            os.write(master, INTERRUPT)


def main():
    options, (screen, *command) = getopt.getopt(sys.argv[1:], "obw:k:")
    options = dict(options)
    try:
        master, tty = os.openpty()
    except OSError as e:
        sys.exit(f"a terminal: {e.strerror}")
    pid = os.fork()
    if not pid:
        try:
            run(tty, options, command)
        finally:
            os._exit(99)
    os.close(tty)
    with open(screen, "wb") as f:
        watch(master, f, os.fsencode(options.get("-k", "")))
    sys.exit(status_of(pid))


main()
