# SPDX-License-Identifier: GPL-2.0-only
#
# What the policy of Debian has beyond an installation: manual pages are compressed, and there is a copyright
# file. CPack runs this over the files before it packs them.

# Without these tools CPack makes a package that depends on nothing, or fails with an unrelated message.
foreach(tool file dpkg-shlibdeps gzip)
	find_program(found_${tool} ${tool})
	if(NOT found_${tool})
		message(FATAL_ERROR "no '${tool}': install the packages file, dpkg-dev and gzip")
	endif()
endforeach()

file(GLOB_RECURSE files ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
foreach(file ${files})
	if(file MATCHES "/man/man[0-9]/[^/]*\\.[0-9]$")
		execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
	elseif(file MATCHES "/doc/[^/]*/README.md$")
		cmake_path(GET file PARENT_PATH doc)
		configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${doc}/copyright COPYONLY)
	endif()
endforeach()
