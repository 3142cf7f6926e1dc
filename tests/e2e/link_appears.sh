#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# a symbolic link that another user makes while btfenc opens or names its output is not followed

. "${0%/*}/../lib/testlib.sh"

need gcc
[ "$(id -u)" = 0 ] || skip "only root can make a link of another user"
gcc_c x.o <<\END
struct s { int x; };
int f(struct s *s) { return s->x; }
END
# At the step $STEP, the link all/out.btf appears, which leads to the file "victim".
gcc -shared -fPIC -o race.so -xc - -ldl <<\END || fail "gcc failed"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void attack(const char *step, const char *name)
{
	int saved = errno;
	size_t len = strlen(name);

	if (!strcmp(getenv("STEP"), step) && len >= 7 && !strcmp(name + len - 7, "out.btf") &&
	    !symlink("../victim", "all/out.btf") && lchown("all/out.btf", 65534, 65534))
		abort();
	errno = saved;
}

int stat(const char *path, struct stat *st)
{
	int (*real)(const char *, struct stat *) = dlsym(RTLD_NEXT, "stat");
	int ret = real(path, st);

	attack("look", path);
	return ret;
}

int stat64(const char *path, struct stat64 *st)
{
	int (*real)(const char *, struct stat64 *) = dlsym(RTLD_NEXT, "stat64");
	int ret = real(path, st);

	attack("look", path);
	return ret;
}

int linkat(int from, const char *old, int to, const char *name, int flags)
{
	int (*real)(int, const char *, int, const char *, int) = dlsym(RTLD_NEXT, "linkat");

	attack("name", name);
	return real(from, old, to, name, flags);
}
END
echo "of another user" >victim

# race STEP ARGUMENT...
race()
{
	rm -rf all
	mkdir all
	chmod 1777 all
	run env STEP="$1" LD_PRELOAD="$PWD/race.so" sh -c 'shift; exec btfenc "$@"' sh "$@"
	[ -L all/out.btf ] || [ "$1" = name ] || fail "$*: no link has appeared"
	[ "$(cat victim)" = "of another user" ] || fail "$*: the target of the link has changed"
}

race look --btf_encode_detached=all/out.btf x.o
expect_error "'all/out.btf': cannot follow the link of another user: Permission denied"
race look --btf_encode_detached=/dev/null --btf_report=all/out.btf x.o
expect_error "'all/out.btf': cannot follow the link of another user: Permission denied"
# the new file replaces the link
race name --btf_encode_detached=all/out.btf x.o
expect_status 0
[ -f all/out.btf ] && [ ! -L all/out.btf ] || fail "no new file"
race name -J --btf_archive=all/out.btf x.o

# A link of one's own is followed there, too.
rm all/out.btf
ln -s ../victim all/out.btf
run_silent btfenc --btf_encode_detached=all/out.btf x.o
[ -L all/out.btf ] || fail "the link was replaced"
run_ok btfenc -F btf --btf_check victim
