#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""onlock.py WAY FILE NEW COMMAND... - change a file while a command waits for its lock

Holds the lock that btfenc takes, and runs COMMAND. As soon as COMMAND has opened FILE for writing, which it does to
lock it, FILE gets the content of NEW, and the lock is released. WAY is one of:

    write    overwrite FILE
    touch    the same, and set its time of modification back
    rename   rename NEW to FILE
    not      leave FILE as it is
    stop     no lock: stop COMMAND while it has FILE mapped to read it, and rename NEW to FILE

The exit status is that of the command, as a shell gives it; 77 if /proc does not show open files, or
if COMMAND is too fast to be stopped.
"""
import fcntl
import os
import signal
import struct
import subprocess
import sys
import time

F_OFD_SETLK = 37


def has_open(pid, file):
    """Has the process opened @file for reading and writing?"""
    folder = f"/proc/{pid}/"
    for fd in os.listdir(folder + "fd"):
        try:
            if os.path.samestat(os.stat(folder + "fd/" + fd), file):
                with open(folder + "fdinfo/" + fd) as f:
                    flags = int(f.read().split("flags:")[1].split()[0], 8)
                if flags & os.O_ACCMODE == os.O_RDWR:
                    return True
        except OSError:
            pass  # closed meanwhile
    return False


def change(way, fd, file, new, was):
    if way == "rename":
        os.rename(new, file)
    elif way != "not":
        with open(new, "rb") as f:
            data = f.read()
        os.pwrite(fd, data, 0)
        os.ftruncate(fd, len(data))
        if way == "touch":
            os.utime(fd, ns=(was.st_atime_ns, was.st_mtime_ns))


def has_mapped(pid, file):
    inode = str(os.stat(file).st_ino)
    try:
        with open(f"/proc/{pid}/maps") as maps:
            return any(line.split()[4] == inode for line in maps)
    except OSError:
        return False  # it has ended


def is_stopped(pid):
    with open(f"/proc/{pid}/stat") as f:
        return f.read().rpartition(")")[2].split()[0] == "T"


def change_when_mapped(file, new, command):
    """Returns the exit status of @command, or None if it ended before it could be stopped."""
    child = subprocess.Popen(command)
    while child.poll() is None:
        if not has_mapped(child.pid, file):
            continue
        child.send_signal(signal.SIGSTOP)
        while child.poll() is None and not is_stopped(child.pid):
            pass
        changed = child.poll() is None and has_mapped(child.pid, file)
        if changed:
            os.rename(new, file)
        child.send_signal(signal.SIGCONT)
        if changed:
            return child.wait()
    return None


def main():
    way, file, new, *command = sys.argv[1:]
    if way == "stop":
        for _ in range(100):
            status = change_when_mapped(file, new, command)
            if status is not None:
                sys.exit(128 - status if status < 0 else status)
        sys.exit(77)
    fd = os.open(file, os.O_RDWR)
    was = os.fstat(fd)
    fcntl.fcntl(fd, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
    if not os.path.exists("/proc/self/fdinfo"):
        sys.exit(77)
    # returns after exec: before it, the child has our own descriptor
    child = subprocess.Popen(command)
    for _ in range(20000):
        if child.poll() is not None or has_open(child.pid, was):
            break
        time.sleep(0.001)
    if child.poll() is not None or not has_open(child.pid, was):
        child.kill()
        sys.exit("onlock.py: the command never waits for the lock")
    change(way, fd, file, new, was)
    os.close(fd)
    status = child.wait()
    sys.exit(128 - status if status < 0 else status)


main()
