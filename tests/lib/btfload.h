/* SPDX-License-Identifier: GPL-2.0-only */
/* btfload.h - ask the kernel that runs about BTF, without a library */
#ifndef BTFENC_TESTS_BTFLOAD_H
#define BTFENC_TESTS_BTFLOAD_H

#include "base/bytes.h"

#include <errno.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 0 if it is accepted, else the error. */
static inline int btf_load(struct bytes b)
{
	union bpf_attr attr = { 0 };

	attr.btf = (uintptr_t)b.ptr;
	attr.btf_size = (uint32_t)b.len;

	int fd = (int)syscall(SYS_bpf, BPF_BTF_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Is it the kernel's BTF checker that refuses, or somebody who does not let us ask it? */
static inline bool btf_load_is_denied(int err)
{
	return err == EPERM || err == EACCES || err == ENOSYS || err == ENOMEM;
}

#endif
