"""A standalone cluster of Spark on this machine, for tests and benchmarks: a master and workers of one core."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

# A cluster that has not said after so many seconds that it stands never will.
END_IF_THIS_HANGS = 120


class Process:
    """A daemon of Spark, and what it has said."""

    def __init__(self, name, arguments, environment, log):
        import pyspark
        home = pathlib.Path(pyspark.__file__).parent
        self.log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen([str(home / "bin/spark-class"), f"org.apache.spark.deploy.{name}", *arguments], stdout=file,
                                            stderr=subprocess.STDOUT, env={**os.environ, **environment, "SPARK_HOME": str(home)})

    def wait_for(self, pattern):
        pause = threading.Event()
        for _ in range(10 * END_IF_THIS_HANGS):
            found = re.search(pattern, self.log.read_text(errors="replace"))
            if found:
                return found
            if self.process.poll() is not None:
                break
            pause.wait(0.1)
        raise RuntimeError(f"Spark did not start: {self.log.read_text(errors='replace')[-2000:]}")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Cluster:
    """Master and workers, whose Python is this one; the driver is this process."""

    def __init__(self, workers=2, memory="1g", environment=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stol-spark"))
        environment = {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "SPARK_NO_DAEMONIZE": "1",
                       "SPARK_LOCAL_DIRS": str(self.folder / "local"), **(environment or {})}
        os.environ.update(environment)
        self.processes = []
        self.worked, self.watching, self.lock, self.is_stopped = {}, None, threading.Lock(), threading.Event()
        try:
            master = self._start("master.Master", ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"], environment)
            self.address = master.wait_for(r"Starting Spark master at (spark://\S+)").group(1)
            for number in range(workers):
                self._start("worker.Worker", ["--host", "127.0.0.1", "--cores", "1", "--memory", memory, "--webui-port", "0",
                                              "--work-dir", str(self.folder / f"work{number}"), self.address], environment)
            for worker in self.processes[1:]:
                worker.wait_for("Successfully registered with master")
        except BaseException:
            self.stop()
            raise

    def _start(self, name, arguments, environment):
        self.processes.append(Process(name, arguments, environment, self.folder / f"{len(self.processes)}.log"))
        return self.processes[-1]

    def session(self, memory="512m", **options):
        """A session with an executor on each worker."""
        from pyspark.sql import SparkSession
        builder = SparkSession.builder.master(self.address).appName("stol")
        settings = {"spark.ui.enabled": "false", "spark.executor.memory": memory, "spark.executor.cores": "1", "spark.driver.memory": "1g",
                    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.log.level": "ERROR",
                    "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "4",
                    "spark.sql.warehouse.dir": str(self.folder / "warehouse"), **options}
        for name, value in settings.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()

    def processor_seconds(self):
        """What the workers, their executors and the Pythons of these have worked: other work on the machine counts little in it."""
        if not self.watching:
            self.watching = threading.Thread(target=self._watch, daemon=True)
            self.watching.start()
        return self._look()

    def _watch(self):
        # Of a Python that has ended nobody knows what it has worked: its parent does not wait for it.
        while not self.is_stopped.wait(0.5):
            self._look()

    def _look(self):
        """Seconds of all processes below the workers, those that have ended as they were last seen."""
        children, seconds, ticks = {}, {}, os.sysconf("SC_CLK_TCK")
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            number = int(path.parent.name)
            children.setdefault(int(fields[1]), []).append(number)
            # A process by its number and its start, as numbers come again.
            seconds[number] = (number, fields[19]), sum(map(int, fields[11:13])) / ticks
        waiting = [process.process.pid for process in self.processes[1:]]
        with self.lock:
            while waiting:
                number = waiting.pop()
                waiting += children.get(number, ())
                if number in seconds:
                    process, worked = seconds[number]
                    self.worked[process] = worked
            return sum(self.worked.values())

    def stop(self):
        self.is_stopped.set()
        for process in reversed(self.processes):
            process.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
