"""Where the taxonomy of this package lies: `stol.open()` asks for it."""
import pathlib

#: The pack.
PATH = pathlib.Path(__file__).with_name("default.stolpack")
