/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * onterm.c - run a command on a terminal: onterm [-o] [-b] [-w COLUMNS] [-k TEXT] SCREEN COMMAND...
 *
 * Its standard error is a terminal of its own, and what it writes there goes to the file SCREEN as it
 * is. Leaves with the command's status, as a shell tells it.
 *
 *	-o       its standard output is the terminal, too
 *	-b       it is in the background of the terminal
 *	-w       how wide the terminal is, else 80
 *	-k TEXT  when TEXT has appeared, somebody types the key that interrupts, once
 */
#include "base/compiler.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99, EXIT_SIGNALED = 128, INTERRUPT = 3, MAX_SCREEN = 1 << 20 };

static bool with_stdout, in_background;
static unsigned short columns = 80;
static const char *awaited;

static void need(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	_exit(EXIT_TROUBLE);
}

/* Bytes arrive as they are written, and what is typed is not shown. */
static void set_up(int tty)
{
	const struct winsize size = { .ws_row = 24, .ws_col = columns };
	struct termios t;

	need(tcgetattr(tty, &t) == 0, "tcgetattr");
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_lflag &= ~(tcflag_t)ECHO;
	t.c_lflag |= ISIG;
	t.c_cc[VINTR] = INTERRUPT;
	need(tcsetattr(tty, TCSANOW, &t) == 0, "tcsetattr");
	need(ioctl(tty, TIOCSWINSZ, &size) == 0, "TIOCSWINSZ");
}

static int status_of(pid_t pid)
{
	int status;

	need(waitpid(pid, &status, 0) == pid, "waitpid");
	return WIFSIGNALED(status) ? EXIT_SIGNALED + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The first of a session, to which the terminal belongs. */
NORETURN static void run(int tty, char **argv)
{
	need(setsid() >= 0, "setsid");
	need(ioctl(tty, TIOCSCTTY, 0) == 0, "TIOCSCTTY");
	set_up(tty);
	if (in_background) {
		pid_t pid = fork();

		need(pid >= 0, "fork");
		if (pid)
			_exit(status_of(pid));
		need(setpgid(0, 0) == 0, "setpgid");
	}
	/* whoever runs us may ignore it */
	signal(SIGINT, SIG_DFL);
	dup2(tty, STDERR_FILENO);
	if (with_stdout)
		dup2(tty, STDOUT_FILENO);
	close(tty);
	execvp(argv[0], argv);
	need(false, argv[0]);
	_exit(EXIT_TROUBLE);
}

/* Until nobody has the terminal any more, which reads as an error. */
static void watch(int master, FILE *screen)
{
	static char seen[MAX_SCREEN];
	size_t len = 0;
	ssize_t n;

	while ((n = read(master, seen + len, sizeof(seen) - len)) > 0) {
		fwrite(seen + len, 1, (size_t)n, screen);
		len += (size_t)n;
		if (!awaited || !memmem(seen, len, awaited, strlen(awaited)))
			continue;
		awaited = NULL;
		need(write(master, &(char){ INTERRUPT }, 1) == 1, "the key");
	}
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+obw:k:")) >= 0) {
		with_stdout |= c == 'o';
		in_background |= c == 'b';
		if (c == 'w')
			columns = (unsigned short)strtoul(optarg, NULL, 10);
		if (c == 'k')
			awaited = optarg;
	}
	need(argc - optind >= 2, "give SCREEN and COMMAND");

	FILE *screen = fopen(argv[optind], "wb");
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	need(screen && master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "a terminal");

	int tty = open(ptsname(master), O_RDWR | O_NOCTTY);
	need(tty >= 0, "a terminal");

	pid_t pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		close(master);
		run(tty, argv + optind + 1);
	}
	close(tty);
	watch(master, screen);
	need(fclose(screen) == 0, argv[optind]);
	return status_of(pid);
}
