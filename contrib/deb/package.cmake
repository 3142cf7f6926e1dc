# SPDX-License-Identifier: GPL-2.0-only
#
# A package for Debian: "cmake --workflow --preset deb". It needs dpkg-dev, which finds out what the binary
# depends on. With SOURCE_DATE_EPOCH set, the same source gives the same bytes, wherever it is built,
# under one umask: the mode of "debian-binary" is as that has it.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The btfenc maintainers <maintainers@btfenc.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "turns debug information into BTF, as pahole does")
set(CPACK_PACKAGE_DESCRIPTION
"It reads the DWARF of kernels, modules, objects and other programs, and writes the types, functions and
variables that it finds as BTF, the type format of the Linux kernel and of BPF programs. It also checks,
compares and prints BTF.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded if they are there: for --btf_header, and for files that xz has compressed. The notes in section
# .note.dlopen say the same.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libbpf1, libdw1, liblzma5")
if(BTFENC_PAHOLE)
	set(CPACK_DEBIAN_PACKAGE_PROVIDES pahole)
	set(CPACK_DEBIAN_PACKAGE_CONFLICTS "pahole, dwarves")
	set(CPACK_DEBIAN_PACKAGE_REPLACES "pahole, dwarves")
endif()
# whatever the umask of the one who builds it
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
	OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/stage.cmake)
include(CPack)
