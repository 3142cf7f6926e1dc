#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""onlock.py WAY FILE NEW COMMAND... - change a file while a command waits for its lock

Holds the lock that btfenc takes, and runs COMMAND. As soon as COMMAND has opened FILE for writing, which it does to
lock it, FILE gets the content of NEW, and the lock is released. WAY is one of:

    write    overwrite FILE
    touch    the same, and set its time of modification back
    rename   rename NEW to FILE
    not      leave FILE as it is

The exit status is that of the command, as a shell gives it; 77 if /proc does not show open files.
"""
import fcntl
import os
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


def main():
    way, file, new, *command = sys.argv[1:]
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
