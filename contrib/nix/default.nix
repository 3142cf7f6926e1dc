# SPDX-License-Identifier: GPL-2.0-only
#
# nix-build -E '(import <nixpkgs> { }).callPackage ./contrib/nix { }'
{ lib, stdenv, cmake, ninja, pkg-config, patchelf, elfutils, libbpf, xz, zlib, zstd }:

stdenv.mkDerivation {
  pname = "btfenc";
  version = "0.3.0";
  src = lib.cleanSource ../..;

  nativeBuildInputs = [ cmake ninja pkg-config patchelf ];
  buildInputs = [ elfutils libbpf xz zlib zstd ];
  cmakeBuildType = "RelWithDebInfo";

  # btfenc loads these when a file needs them, so the linker does not record their place.
  postFixup = ''
    patchelf --add-rpath ${lib.makeLibraryPath [ elfutils libbpf xz ]} $out/bin/btfenc
  '';

  meta = {
    description = "Generator of BTF from DWARF, a drop-in replacement for pahole -J";
    license = lib.licenses.gpl2Only;
    platforms = lib.platforms.linux;
    mainProgram = "btfenc";
  };
}
