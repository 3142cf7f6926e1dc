#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""faults.py [OPTION...] FOLDER TARGET[,TARGET] COMMAND [ARGUMENT...] - let each system call fail, and check the files

Runs COMMAND in a copy of FOLDER once, which gives the new TARGETs; and then again and again in fresh copies, with each
of its system calls

    failing with each error that it can have,
    failing from then on (if it is one that needs room on a disk),
    transferring a single byte (if it transfers any),
    being the last one before SIGKILL,
    being the last one before SIGTERM,
    being the last one before another process cuts the first target to no byte, or half of them.

After each run a target is the old one or the new one, byte for byte; status 0 means that all are new; else one line
reports the error; no other file is left. After SIGKILL a temporary file may be left, and more states of a file are
whole: the old or the new one with bytes behind its end ("+"), and an ELF file that is the new one but for a gap; then
COMMAND, run once more, makes of all but the second the new one. After a cut the contents of the target do not count,
but COMMAND must not die. Before main() the dynamic linker may do what it wants if it fails; then only the files count.

Prints a table by system call, and each breach; exit status 1 if there is any. $INJECT (inject.c) interferes.

    --no-proc  without /proc
    --no-temp  without files that have no name (O_TMPFILE)
    --quick    from main() on, no signals, and of errors the first alone: for a sanitizer, which has calls of its own
    --once     do not run it again after SIGKILL
"""
import argparse
import errno
import os
import signal
import struct
import subprocess
import sys
import tempfile

OLD, LONGER, NEW, NEW_LONGER, GAP, BROKEN = range(6)
STATES = ('old', 'old and more', 'new', 'new and more', 'new with a gap', 'broken')

# The columns of the table. DONE_ALL_THE_SAME: reports an error, but the files are new. KILLED and the five columns
# behind it: by the state of the worst target.
TRIED, REFUSED, DONE, DONE_ALL_THE_SAME, CUT, TERMINATED, KILLED = range(7)
WIDTHS = (5, 8, 5, 5, 6, 6, 7, 6, 6, 6, 6, 6)

# System calls of x86-64: name, number, what it is, errors. "short": it may transfer less than it should; "room": it
# needs room, and if there is none, then there is none for a while; "memory": a sanitizer makes it, too, and does not go
# on without; "never": it cannot fail, or not so that a program goes on.
CALLS = '''
openat 257 - EMFILE EACCES EIO ENOSPC EINTR
read 0 short EIO EINTR
pread64 17 short EIO EINTR
write 1 short,room ENOSPC EIO EDQUOT EINTR
pwrite64 18 short,room ENOSPC EIO EDQUOT EFBIG EINTR
copy_file_range 326 short,room ENOSPC EIO EXDEV EOPNOTSUPP EINTR
fallocate 285 room ENOSPC EOPNOTSUPP EINTR
ftruncate 77 - EIO EPERM
close 3 - EIO ENOSPC EINTR
mmap 9 memory ENOMEM
brk 12 memory ENOMEM
mremap 25 memory ENOMEM
munmap 11 memory ENOMEM
mprotect 10 memory ENOMEM
madvise 28 memory EINVAL ENOMEM
newfstatat 262 - EIO ENOENT ENOMEM
fstat 5 - EIO ENOMEM
stat 4 - EIO ENOENT
lstat 6 - EIO ENOENT
statfs 137 - EIO ENOSYS
fstatfs 138 - EIO ENOSYS
fcntl 72 - ENOLCK EINTR EINVAL
access 21 - ENOENT EACCES
readlink 89 - EIO EACCES
linkat 265 - EIO ENOSPC EPERM ENOENT
renameat 264 - EIO ENOSPC EACCES EBUSY
unlinkat 263 - EIO
fchmod 91 - EPERM EIO
fchown 93 - EPERM
flistxattr 196 - EOPNOTSUPP ENOMEM
fgetxattr 193 - ENODATA ENOMEM
fsetxattr 190 - ENOSPC EPERM
getrandom 318 - ENOSYS EAGAIN
prlimit64 302 - EPERM
sched_getaffinity 204 - ENOSYS
clone3 435 - ENOSYS EAGAIN
rt_sigaction 13 - EINVAL
rt_sigprocmask 14 - EINVAL
rseq 334 never
arch_prctl 158 never
set_tid_address 218 never
set_robust_list 273 never
futex 202 never
rt_sigreturn 15 never
exit 60 never
exit_group 231 never
(others) -1 - EIO
'''
FCNTL, RT_SIGACTION = 72, 13


class Call:
    def __init__(self, line):
        self.name, number, flags, *errors = line.split()
        self.number = int(number)
        self.flags = flags.split(',')
        self.errors = [getattr(errno, name) for name in errors]
        self.row = [0] * len(WIDTHS)


def stop(text):
    print('faults: ' + text, file=sys.stderr)
    sys.exit(2)


# --- files: a dictionary of names, with bytes and mode each ----------------------------------------------------------

def read_folder(folder):
    files = {}
    for entry in os.scandir(folder):
        with open(entry.path, 'rb') as file:
            files[entry.name] = (file.read(), entry.stat().st_mode & 0o7777)
    return files


def empty_folder(folder):
    for entry in os.scandir(folder):
        os.unlink(entry.path)


def fill_folder(folder, files):
    for name, (data, mode) in files.items():
        fd = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(fd, 'wb') as file:
            file.write(data)


# --- an ELF file with a gap, or without ------------------------------------------------------------------------------

def elf_contents(data):
    """The number of segments and the sections of ELF64, without their offsets in the file"""
    if data[:6] != b'\x7fELF\2\1':
        raise ValueError
    (shoff,) = struct.unpack_from('<Q', data, 40)
    segments, entry, nr, names = struct.unpack_from('<4H', data, 56)
    headers = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + i * entry) for i in range(nr)]
    sections = []
    for name, kind, flags, addr, offset, size, *others in headers[1:]:
        start = headers[names][4] + name
        content = b'' if kind in (0, 8) else data[offset:offset + size]
        if kind not in (0, 8) and len(content) != size:
            raise ValueError
        sections.append((data[start:data.index(b'\0', start)], kind, flags, addr, size, others, content))
    return segments, sections


def same_elf(a, b):
    try:
        return elf_contents(a) == elf_contents(b)
    except (IndexError, ValueError, struct.error):
        return False


# --- one run and its result ------------------------------------------------------------------------------------------

class Result:
    def __init__(self, matrix, status):
        self.status = status
        self.exited = os.WIFEXITED(status)
        self.succeeded = status == 0
        self.files = read_folder(matrix.folder)
        matrix.output.seek(0)
        self.said = matrix.output.read()
        states = [matrix.state_of(self.files, name) for name in matrix.targets]
        self.worst, self.best = max(states), min(states)


class Matrix:
    def __init__(self, args, folder):
        self.folder = folder
        self.output = open(os.memfd_create('output'), 'w+b', buffering=0)
        self.before = self.after = read_folder(args.folder)
        self.targets = args.targets.split(',')
        self.command = args.command
        self.quick, self.once = args.quick, args.once
        self.without = '-' + 'proc' * args.no_proc + 'temp' * args.no_temp
        self.calls = [Call(line) for line in CALLS.strip().split('\n')]
        self.by_number = {call.number: call for call in self.calls}
        self.main_at = 0  # the first call of main()
        self.runs = self.breaches = 0

    def state_of(self, files, name):
        old, new, now = (all_files.get(name, (None,))[0] for all_files in (self.before, self.after, files))
        if now == new:
            return NEW
        if now == old:
            return OLD
        if now is None:
            return BROKEN
        if new is not None and now.startswith(new):
            return NEW_LONGER
        if old is not None and now.startswith(old):
            return LONGER
        return GAP if new is not None and same_elf(now, new) else BROKEN

    def run(self, way='nothing', at=0, number=0, value=0):
        """Run the command in the folder as it is; the result, and the numbers of its calls"""
        self.output.seek(0)
        self.output.truncate()
        report = os.memfd_create('report', 0)
        inject = [os.environ['INJECT'], report, way, at, number, value, self.targets[0], self.without]
        done = subprocess.run([str(word) for word in inject] + self.command, cwd=self.folder, stdout=self.output,
                              stderr=self.output, pass_fds=(report,), check=False)
        if done.returncode == 77:
            print('not on this machine')
            sys.exit(77)
        os.lseek(report, 0, os.SEEK_SET)
        with open(report, 'rb') as file:
            status, *calls = (int(word) for word in file.read().split())
        return Result(self, status), calls

    def left_over(self, result, temps_may_be):
        """The name of a file that is there neither before nor after"""
        for name in result.files:
            if name not in self.before and name not in self.after:
                if not temps_may_be or not name.startswith('.btfenc-'):
                    return name
        return None

    def said_once(self, said):
        """One line reports the error; of a batch there is another, how many failed"""
        lines = said.count(b'\n')
        return len(said) > 8 and said.startswith(b'btfenc: ') and (
            lines == 1 or lines <= len(self.targets) + 1 and b' files failed, ' in said)

    def judge_failed(self, result, at, by_signal):
        """After an error, or a signal that can be handled: what is wrong, or None"""
        signalled = os.WIFSIGNALED(result.status)
        if self.left_over(result, False):
            return self.left_over(result, False)
        if result.worst in (BROKEN, LONGER) or result.best == LONGER:
            return 'a target is neither old nor new'
        if at < self.main_at and not result.succeeded:
            return None
        if not by_signal and signalled:
            return 'it dies'
        if signalled and os.WTERMSIG(result.status) != signal.SIGTERM:
            return 'it dies of another signal'
        if result.worst > NEW and not result.said:
            return 'there is a gap, and no message'
        if result.succeeded and result.best < NEW:
            return 'it exits with 0, but a target is not new'
        if result.exited and not result.succeeded and not self.said_once(result.said):
            return 'it reports nothing, or too much'
        return None

    def judge_cut(self, result):
        """After another process cut the first target"""
        if self.left_over(result, False):
            return self.left_over(result, False)
        if not result.exited:
            return 'it dies'
        if not result.succeeded and not self.said_once(result.said):
            return 'it reports nothing, or too much'
        return None

    def judge_killed(self, result):
        """After SIGKILL: the same command again must not mind what happened"""
        if result.worst == BROKEN:
            return 'a target is broken'
        if self.left_over(result, True) or self.once:
            return self.left_over(result, True)
        again, _ = self.run()
        if again.status:
            return 'the next run fails'
        if again.best < NEW or again.worst > NEW_LONGER:
            return 'the next run makes something else'
        return self.left_over(again, True)

    def try_once(self, call, at, number, way, value=0):
        empty_folder(self.folder)
        fill_folder(self.folder, self.before)
        result, _ = self.run(way, at, number, value)
        self.runs += 1
        if way == 'cut':
            column, wrong = CUT, self.judge_cut(result)
        elif way == 'signal' and value == signal.SIGKILL:
            column, wrong = KILLED + result.worst, self.judge_killed(result)
        else:
            wrong = self.judge_failed(result, at, way == 'signal')
            if way == 'signal':
                column = TERMINATED
            elif result.succeeded:
                column = DONE
            else:
                column = DONE_ALL_THE_SAME if result.best >= NEW else REFUSED
        call.row[column] += 1
        if wrong:
            self.breaches += 1
            what = {'error': errno.errorcode.get, 'errors': errno.errorcode.get,
                    'signal': signal.strsignal}.get(way, str)(value)
            print(f'call {at}, {call.name}, {way} {what}: {wrong} (status {result.status:#x}, '
                  f'targets {STATES[result.best]} to {STATES[result.worst]})')
            print(result.said.decode(errors='replace'), end='', flush=True)

    def try_call(self, at, number):
        call = self.by_number.get(number, self.by_number[-1])
        if self.quick and 'memory' in call.flags:
            return
        call.row[TRIED] += 1
        if not self.quick:
            self.try_once(call, at, number, 'signal', int(signal.SIGKILL))
            self.try_once(call, at, number, 'signal', int(signal.SIGTERM))
            if at >= self.main_at:
                self.try_once(call, at, number, 'cut', 0)
                self.try_once(call, at, number, 'cut', len(self.before.get(self.targets[0], (b'',))[0]) // 2)
        for error in call.errors[:1] if self.quick else call.errors:
            self.try_once(call, at, number, 'error', error)
        if not self.quick and 'room' in call.flags:
            self.try_once(call, at, number, 'errors', errno.ENOSPC)
        if not self.quick and 'short' in call.flags:
            self.try_once(call, at, number, 'short')

    def try_all(self):
        fill_folder(self.folder, self.before)
        result, calls = self.run()
        if result.status:
            stop(f'the command fails without a fault ({result.status:#x}): {result.said.decode(errors="replace").rstrip()}')
        self.after = result.files
        for name in self.targets:
            if self.state_of(self.before, name) != OLD:
                stop(f"'{name}' stays as it is")
        # main() begins with a look at standard input
        self.main_at = calls.index(FCNTL) if FCNTL in calls else len(calls)
        for at in range(self.main_at if self.quick else 0, len(calls)):
            # a handler for each signal is one long series in which nothing else happens: its ends suffice
            around = calls[at - 4:at + 5] if at >= 4 else []
            if len(around) < 9 or set(around) != {RT_SIGACTION}:
                self.try_call(at, calls[at])

    def print_table(self):
        print('                         | failing:             | CUT:  | TERM: | KILL:')
        print('system call        calls | refused  done  both | ended | whole |    old   old+    new   new+    gap broken')
        rows = [(call.name, call.row) for call in self.calls if call.row[TRIED]]
        for name, row in rows + [('all', [sum(column) for column in zip(*(call.row for call in self.calls))])]:
            print(f'{name:<18}', end='')
            for i, (width, number) in enumerate(zip(WIDTHS, row)):
                print(' |' if i in (REFUSED, CUT, TERMINATED, KILLED) else ' ', f'{number:{width}}', sep='', end='')
            print()
        print(f'{self.runs} runs, {self.breaches} breaches')


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for option in '--no-proc', '--no-temp', '--quick', '--once':
        parser.add_argument(option, action='store_true')
    parser.add_argument('folder')
    parser.add_argument('targets')
    parser.add_argument('command', nargs=argparse.REMAINDER)
    with tempfile.TemporaryDirectory(prefix='faults.', dir='.') as folder:
        matrix = Matrix(parser.parse_args(), folder)
        matrix.try_all()
        matrix.print_table()
    return 1 if matrix.breaches else 0


if __name__ == '__main__':
    sys.exit(main())
