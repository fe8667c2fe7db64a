"""One wheel for all Pythons of a system: the package and the C library, which Tools/doors has built."""
import os
import pathlib
import platform

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):
    def initialize(self, version, build_data):
        library = pathlib.Path(os.environ["STOL_LIBRARY"]).resolve()
        # Tools/tests/doors_test.py holds the library to what manylinux_2_28 has.
        build_data["tag"] = f"py3-none-manylinux_2_28_{platform.machine()}"
        build_data["pure_python"] = False
        build_data["force_include"][str(library)] = "stol/libstol.so.1"
