/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_section_out_safe.c - what happens to the file while sections are put in: its names,
 * its mode, its life if something goes wrong
 */
#include "tests/lib/elfparts.h"

#include <errno.h>

/* ---- the file as such ---- */

TEST_IN_FOLDER(in_place_the_inode_and_all_mode_bits_survive)
{
	make_plain("f", elf_kinds[0]);
	CHECK(chmod("f", 06751) == 0);
	struct stat old = stat_of("f");
	CHECK_OK(put("f", ".BTF", noise_of(1000)));
	CHECK_EQ(stat_of("f").st_ino, old.st_ino);
	CHECK_EQ(stat_of("f").st_mode & 07777, 06751);
	CHECK_EQ(count_files(), 1);
}

TEST_IN_FOLDER(a_symbolic_link_is_followed)
{
	CHECK(mkdir("sub", 0755) == 0 && symlink("../f", "sub/link") == 0);
	CHECK(symlink("sub/link", "chain") == 0);
	make_plain("f", elf_kinds[0]);
	CHECK_OK(put("chain", ".BTF", MAKE_TEXT("types")));
	check_section("f", ".BTF", MAKE_TEXT("types"));
	CHECK(link("f", "other") == 0); /* from now on it is replaced */
	CHECK_OK(put("chain", ".BTF", MAKE_TEXT("other types")));
	check_section("f", ".BTF", MAKE_TEXT("other types"));
	check_section("other", ".BTF", MAKE_TEXT("types"));

	struct stat st;
	CHECK(lstat("chain", &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(lstat("sub/link", &st) == 0 && S_ISLNK(st.st_mode));
}

TEST_IN_FOLDER(other_names_of_the_file_keep_the_old_content)
{
	make_plain("f", elf_kinds[0]);
	CHECK(chmod("f", 0640) == 0 && link("f", "cache") == 0);
	CLEANUP(free_bytes) struct bytes old = read_whole("f");
	CHECK_OK(put("f", ".BTF", noise_of(1000)));
	check_same_file("cache", old);
	check_section("f", ".BTF", noise_of(1000));
	check_plain_parts("f");
	CHECK_EQ(stat_of("f").st_mode & 07777, 0640);
	CHECK_EQ(stat_of("cache").st_nlink, 1);
	CHECK_EQ(count_files(), 2);

	/* and the copy is what it would have become in place */
	CLEANUP(free_bytes) struct bytes copied = read_whole("f");
	CHECK_OK(put("cache", ".BTF", noise_of(1000)));
	check_same_file("cache", copied);
}

TEST_IN_FOLDER(a_large_gap_is_closed)
{
	struct make_section parts[] = {
		{ ".text", SHT_PROGBITS, SHF_ALLOC, 16, .data = MAKE_TEXT("code code code") },
		{ ".BTF", SHT_PROGBITS, 0, 1, .data = noise_of(sizeof(noise)) },
		{ ".debug_info", SHT_PROGBITS, 0, 64, .data = MAKE_TEXT("what the code means") },
		{ ".debug_str", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("strings") },
	};

	for (int linked = 0; linked < 2; linked++) {
		write_elf("f", elf_kinds[0], linked, parts, 4);
		CHECK_OK(put("f", ".BTF", noise_of(1000)));
		CHECK(stat_of("f").st_size < 4096);
		check_section("f", ".BTF", noise_of(1000));
		check_section("f", ".text", parts[0].data);
		check_section("f", ".debug_info", parts[2].data);
		check_section("f", ".debug_str", parts[3].data);
		CHECK_EQ(header_of("f", ".debug_info").sh.sh_offset % 64, 0);

		CLEANUP(free_bytes) struct bytes once = read_whole("f");
		CHECK_OK(put("f", ".BTF", noise_of(2000)));
		CHECK_OK(put("f", ".BTF", noise_of(1000)));
		check_same_file("f", once);
	}
}

TEST_IN_FOLDER(a_running_program_can_be_encoded)
{
	int in[2], ready[2];
	char c;

	if (access("/bin/cat", R_OK) != 0)
		SKIP("no /bin/cat to run");
	CHECK(system("cp /bin/cat prog") == 0);
	CHECK(pipe(in) == 0 && pipe2(ready, O_CLOEXEC) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		dup2(in[0], 0);
		close(in[1]);
		execl("./prog", "prog", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(ready[1]);
	CHECK_EQ(read(ready[0], &c, 1), 0); /* closed by exec */
	CHECK(open("prog", O_WRONLY) < 0 && errno == ETXTBSY);

	struct err *e = put("prog", ".BTF", noise_of(1000));
	int status;
	close(in[1]);
	close(ready[0]);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK_OK(e);
	check_section("prog", ".BTF", noise_of(1000));
	CHECK(system("echo yes | ./prog | grep -q yes") == 0);
	CHECK_EQ(count_files(), 1);
}

/* ---- what goes wrong ---- */

TEST_IN_FOLDER(what_is_not_a_regular_file_is_refused)
{
	CHECK(mkdir("dir", 0755) == 0 && mkfifo("pipe", 0644) == 0);
	CHECK_ERR_TEXT(put("dir", ".BTF", MAKE_TEXT("types")), ERR_IO, "'dir': not a regular file");
	CHECK_ERR_TEXT(put("pipe", ".BTF", MAKE_TEXT("types")), ERR_IO, "not a regular file");
	CHECK_ERR_TEXT(put("/dev/null", ".BTF", MAKE_TEXT("types")), ERR_IO, "not a regular file");
	CHECK_ERR_TEXT(put("nothing", ".BTF", MAKE_TEXT("types")), ERR_IO, "No such file");
	CHECK_EQ(count_files(), 2);
}

TEST_IN_FOLDER(without_room_the_file_stays_as_it_was)
{
	for (int links = 1; links <= 2; links++) {
		make_plain("f", elf_kinds[0]);
		CHECK_OK(put("f", ".BTF", noise_of(100)));
		unlink("g");
		CHECK(links == 1 || link("f", "g") == 0);
		CLEANUP(free_bytes) struct bytes old = read_whole("f");
		/* in place it takes the room twice, for a moment */
		size_t enough = links == 1 ? 100000 : 50000;
		for (size_t limit = old.len; limit < enough; limit += 5001) {
			int status = in_child(limit, false, put_noise);

			CHECK(WIFEXITED(status));
			CHECK_EQ(WEXITSTATUS(status), 1 + ERR_IO);
			check_same_file("f", old);
			CHECK_EQ(count_files(), links);
		}
	}
}

TEST_IN_FOLDER(a_killed_run_leaves_a_valid_file_and_the_next_one_repairs_it)
{
	make_plain("f", elf_kinds[0]);
	CHECK_OK(put("f", ".BTF", noise_of(NOISE_LEN)));
	CLEANUP(free_bytes) struct bytes want = read_whole("f");
	for (size_t limit = 55000; limit < 100000; limit += 11000) {
		make_plain("f", elf_kinds[0]);
		CHECK_OK(put("f", ".BTF", noise_of(100)));

		/* the first write gets as far as the limit, the second one is deadly */
		int status = in_child(limit, true, put_noise);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
		CHECK_EQ(stat_of("f").st_size, limit);
		check_section("f", ".BTF", noise_of(100));
		check_plain_parts("f");

		CHECK_OK(put("f", ".BTF", noise_of(NOISE_LEN)));
		check_same_file("f", want);
	}
}

TEST_IN_FOLDER(of_runs_at_the_same_time_one_wins)
{
	enum { RUNS = 8, ROUNDS = 25 };

	make_plain("f", elf_kinds[0]);
	for (int i = 0; i < RUNS; i++) {
		if (fork() != 0)
			continue;
		for (int k = 0; k < ROUNDS; k++) {
			struct bytes mine = { noise + 100 * i + k, 2000u * (unsigned int)(i + 1) };
			struct section_content c = { .name = ".BTF", .data = mine };
			/* half of them replace the file, now and then */
			char name[16];
			snprintf(name, sizeof(name), "l%d", i);
			/* what was found under the name can be replaced before it is linked */
			while (i % 2 && k % 5 == 0 && link("f", name) != 0) {
				if (errno != ENOENT)
					_exit(2);
			}
			struct err *e = section_put("f", &c, 1, false, &put_diags);
			unlink(name);
			if (e) {
				printf("# %s\n", err_text(e));
				_exit(1);
			}
		}
		_exit(0);
	}
	for (int i = 0; i < RUNS; i++) {
		int status;

		CHECK(wait(&status) > 0);
		CHECK_EQ(status, 0);
	}
	check_plain_parts("f");
	CHECK_EQ(count_files(), 1);

	CLEANUP(free_found) struct found f = find("f", ".BTF");
	CHECK(f.index && f.data.len % 2000 == 0 && f.data.len / 2000 - 1 < RUNS);
	const uint8_t *from = noise + 100 * (f.data.len / 2000 - 1);
	bool whole = false;
	for (int k = 0; k < ROUNDS; k++)
		whole |= memcmp(from + k, f.data.ptr, f.data.len) == 0;
	CHECK(whole);
}
