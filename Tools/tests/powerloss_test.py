"""The reading of strace's logs in Tools/powerloss.py."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import powerloss

OPENED = '7 openat(AT_FDCWD, "{}", O_RDWR|O_CREAT, 0600) = 5\n'
WHOLE = '7 pwrite64(5, "\\x61\\x62", 2, 4096) = 2\n'
OTHER = '8 fsync(9) = 0\n'


def operations(lines):
    path = "".join(f"\\x{byte:02x}" for byte in b"/home/pack")
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        log.write_text(OPENED.format(path) + lines)
        return powerloss.Recording(log, "/home").operations


class RecordingTests(unittest.TestCase):
    def test_a_call_that_another_thread_interrupts_is_read_wherever_it_is_cut(self):
        whole = operations(WHOLE + OTHER)
        self.assertEqual(whole[-1], ("write", 1, 4096, b"ab"))
        call = WHOLE[2:-len(" = 2\n")]
        for end in (call.index("5,") + 2, call.index(", 2"), call.index(", 4096"), call.index(")")):
            for space in ("", " "):
                cut = (f"7 {call[:end]}{space}<unfinished ...>\n{OTHER}"
                       f"7 <... pwrite64 resumed>{call[end:]} = 2\n")
                self.assertEqual(operations(cut), whole, cut)


if __name__ == "__main__":
    unittest.main()
