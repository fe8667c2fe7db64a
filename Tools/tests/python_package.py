"""The package of Doors/python as it is installed, else as it lies here with the library that Tools/doors has built."""
import importlib
import os
import sys
import unittest

from door import LIBRARY, PACK, ROOT, SEED, Door
from door import Pack as DoorPack

try:
    import numpy
except ImportError as error:
    raise unittest.SkipTest("numpy is missing") from error
try:
    import stol
except ImportError:
    if not LIBRARY.exists():
        raise unittest.SkipTest(f"{LIBRARY} is missing: Tools/doors builds it") from None
    os.environ.setdefault("STOL_LIBRARY", str(LIBRARY))
    sys.path.insert(0, str(ROOT / "Doors/python"))
    import stol


def library(name):
    """A library that columns may be of, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is missing: its columns are not tested", file=sys.stderr)
        return None


pandas, polars, pyarrow = library("pandas"), library("polars"), library("pyarrow")
