/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarfsome.c - a smaller program of the same sort: dwarfsome FILE EVERY
 *
 * Keep each EVERY-th unit of FILE's .debug_info, put them together at the start of the section, and let it
 * end there. All else stays: units refer to what is in other sections, and to DIEs of their own, so
 * what is kept means what it meant (with -flto, dwz or type units that is not so). FILE is 64-bit ELF in
 * this machine's byte order, and the section not compressed; it is changed where it lies.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path, const char *what)
{
	fprintf(stderr, "dwarfsome: '%s': %s\n", path, what);
	return EXIT_FAILURE;
}

static Elf64_Shdr *find_section(void *file, size_t size, const char *name)
{
	const Elf64_Ehdr *ehdr = file;
	const char *bytes = file;

	if (size < sizeof(*ehdr) || memcmp(file, ELFMAG, SELFMAG) != 0 ||
	    ehdr->e_ident[EI_CLASS] != ELFCLASS64 || ehdr->e_shoff > size ||
	    ehdr->e_shoff % _Alignof(Elf64_Shdr) ||
	    (size - ehdr->e_shoff) / sizeof(Elf64_Shdr) < ehdr->e_shnum ||
	    ehdr->e_shstrndx >= ehdr->e_shnum)
		return NULL;

	void *table = (uint8_t *)file + ehdr->e_shoff;
	Elf64_Shdr *shdrs = table;
	const Elf64_Shdr *names = &shdrs[ehdr->e_shstrndx];
	for (size_t i = 1; i < ehdr->e_shnum; i++) {
		uint64_t at = names->sh_offset + shdrs[i].sh_name;

		if (at < size && size - at > strlen(name) && !strcmp(bytes + at, name) &&
		    shdrs[i].sh_offset <= size && shdrs[i].sh_size <= size - shdrs[i].sh_offset)
			return &shdrs[i];
	}
	return NULL;
}

/* Returns the length of what was kept; *nr counts units, *kept those of them. */
static size_t keep(uint8_t *info, size_t size, unsigned long every, size_t *nr, size_t *kept)
{
	size_t to = 0, from = 0, total;
	uint32_t len;

	for (*nr = *kept = 0; size - from > sizeof(len); from += total, ++*nr) {
		memcpy(&len, info + from, sizeof(len));
		total = (size_t)len + sizeof(len);
		if (len >= 0xfffffff0 || total > size - from)
			break;
		if (*nr % every != 0)
			continue;
		memmove(info + to, info + from, total);
		to += total;
		++*kept;
	}
	return to;
}

int main(int argc, char **argv)
{
	unsigned long every = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	struct stat st;
	size_t nr, kept;

	if (!every) {
		fprintf(stderr, "dwarfsome: give FILE and EVERY\n");
		return EXIT_FAILURE;
	}

	int fd = open(argv[1], O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return fail(argv[1], "cannot open");
	uint8_t *file = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		return fail(argv[1], "cannot map");
	Elf64_Shdr *info = find_section(file, (size_t)st.st_size, ".debug_info");
	if (!info || info->sh_flags & SHF_COMPRESSED)
		return fail(argv[1], "no .debug_info to be read as it is");
	info->sh_size = keep(file + info->sh_offset, info->sh_size, every, &nr, &kept);
	printf("%zu of %zu units, %llu bytes\n", kept, nr, (unsigned long long)info->sh_size);
	return munmap(file, (size_t)st.st_size) || close(fd) ? fail(argv[1], "cannot write") :
							       EXIT_SUCCESS;
}
