"""Runs the command that follows: its exit code, seconds, processor seconds and peak, as JSON.

The peak of a new process counts from the memory of the one that starts it, so that a small one
must: nothing else is imported here.
"""

import json
import os
import subprocess
import sys
import time

start = time.monotonic()
process = subprocess.Popen(sys.argv[1:])
_, status, spent = os.wait4(process.pid, 0)
json.dump([os.waitstatus_to_exitcode(status), time.monotonic() - start,
           spent.ru_utime + spent.ru_stime, spent.ru_maxrss], sys.stdout)
