# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# comments.sh - the comments of C files, for tests that search them

# Prints the comments of C files, each line behind "FILE:LINE:".
comments_of_c()
{
	awk '
	FNR == 1 { comment = 0 }
	{
		line = $0
		text = ""
		while (line != "") {
			if (comment) {
				if (!(i = index(line, "*/"))) {
					text = text line
					break
				}
				text = text substr(line, 1, i - 1) " "
				line = substr(line, i + 2)
				comment = 0
			} else if (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047/)) {
				start = substr(line, RSTART, 2)
				line = substr(line, RSTART + RLENGTH)
				if (start == "//") {
					text = text line
					break
				}
				comment = start == "/*"
			} else {
				break
			}
		}
		if (text != "")
			print FILENAME ":" FNR ":" text
	}' "$@"
}
