"""What a disk may hold after the power fails in the middle of a command: for Tools/torture.

The file operations of the command are recorded with strace.  A crash keeps what had been
synchronized before it: data by fsync of the file, names by fsync of the folder.  Of all else any
subset may have reached the disk, writes in part (Pillai et al. 2014, "All File Systems Are Not
Created Equal", section 3).
"""
import os
import pathlib
import re
import shutil

CALLS = "openat,write,pwrite64,fsync,fdatasync,rename,mkdir,unlink,unlinkat,rmdir,close,dup"
SECTOR = 512


class Recording:
    """The operations on files below a folder, in order."""

    def __init__(self, log, root, existing=()):
        """`existing`: the files that were there before, which an opening does not make."""
        self.root = str(root)
        self.left = set(map(str, existing))
        self.existing = {}        # path -> number, of those that were opened
        self.operations = []      # (kind, object, ...); of names, the object is their folder
        self.inode_of = {}        # path -> number
        self.count = 0
        open_files = {}
        for line in whole_lines(pathlib.Path(log).read_text(errors="replace")):
            match = re.match(r"(?:\d+\s+)?(\w+)\((.*)\)\s+= (-?\d+)", line)
            if not match or int(match[3]) < 0:
                continue
            call, arguments, result = match[1], match[2], int(match[3])
            texts = [unescape(text) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]
            number = re.match(r"(\d+)", arguments)
            if call == "openat":
                open_files[result] = self.opened(texts[0].decode(), "O_CREAT" in arguments,
                                                 "O_TRUNC" in arguments)
            elif call in ("close", "dup"):
                if call == "dup":
                    open_files[result] = open_files.get(int(number[1]))
                else:
                    open_files.pop(int(number[1]), None)
            elif call in ("write", "pwrite64") and open_files.get(int(number[1])):
                kind, target = open_files[int(number[1])]
                offset = int(re.search(r", (\d+)$", arguments)[1]) if call == "pwrite64" else 0
                if kind == "file":
                    self.operations.append(("write", target, offset, texts[0][:result]))
            elif call in ("fsync", "fdatasync") and open_files.get(int(number[1])):
                self.operations.append(("sync", open_files[int(number[1])][1]))
            elif call in ("mkdir", "unlink", "rmdir"):
                self.named(call, texts[0].decode())
            elif call == "unlinkat":
                kind, target = open_files.get(int(number[1])) or (None, None)
                if kind == "folder":
                    self.named("unlink", f"{target}/{texts[0].decode()}")
            elif call == "rename":
                self.renamed(texts[0].decode(), texts[1].decode())

    def inside(self, path):
        return path.startswith(self.root + "/") or path == self.root

    def opened(self, path, creates, truncates):
        path = path.rstrip("/")
        if not self.inside(path):
            return None
        if path in self.left and path not in self.inode_of:
            self.left.remove(path)
            self.count += 1
            self.inode_of[path] = self.existing[path] = self.count
        if creates and path not in self.inode_of:
            self.count += 1
            self.inode_of[path] = self.count
            self.operations.append(("create", os.path.dirname(path), path, self.count))
        if path in self.inode_of:
            return ("file", self.inode_of[path])
        return ("folder", path) if not truncates else None

    def named(self, call, path):
        if self.inside(path):
            self.operations.append((call, os.path.dirname(path), path))
            self.inode_of.pop(path, None)
            self.left.discard(path)

    def renamed(self, old, new):
        if not self.inside(old):
            return
        self.operations.append(("rename", os.path.dirname(new), old, new))
        for path in [path for path in self.inode_of if path == old or path.startswith(old + "/")]:
            self.inode_of[new + path[len(old):]] = self.inode_of.pop(path)

    def crash(self, base, draw):
        """The files of one possible disk: path -> bytes, or None for a folder."""
        end = draw.randint(0, len(self.operations))
        synchronized = set()
        durable = [False] * end
        for index in range(end - 1, -1, -1):
            operation = self.operations[index]
            if operation[0] == "sync":
                synchronized.add(operation[1])
            else:
                durable[index] = operation[1] in synchronized
        files, content = {**base, **self.existing}, {
            number: bytearray(base[path]) for path, number in self.existing.items()}
        for index, operation in enumerate(self.operations[:end]):
            kind = operation[0]
            if kind == "sync" or not durable[index] and draw.random() < 0.5:
                continue
            if kind == "write":
                data = operation[3]
                if not durable[index] and draw.random() < 0.3:
                    data = data[:draw.randrange(0, len(data) + 1, SECTOR)]
                block = content.setdefault(operation[1], bytearray())
                block.extend(bytes(max(0, operation[2] + len(data) - len(block))))
                block[operation[2]:operation[2] + len(data)] = data
                continue
            path = operation[2]
            if kind == "rename":
                if path not in files:
                    continue
                for old in [old for old in files if old == path or old.startswith(path + "/")]:
                    files[operation[3] + old[len(path):]] = files.pop(old)
            elif operation[1] not in files and operation[1] != self.root:
                continue
            elif kind == "create":
                files[path] = operation[3]
            elif kind == "mkdir":
                files.setdefault(path, None)
            elif kind == "unlink" or not any(other.startswith(path + "/") for other in files):
                files.pop(path, None)
        return {path: bytes(content.get(value, b"")) if isinstance(value, int) else value
                for path, value in files.items()}


def whole_lines(text):
    """The lines of strace, those of calls that another thread interrupted put together."""
    begun = {}
    for line in text.splitlines():
        thread = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[thread] = line[:-len("<unfinished ...>")].rstrip()
            continue
        resumed = re.match(r"\d+\s+<\.\.\. \w+ resumed>", line)
        yield begun.pop(thread, "") + line[resumed.end():] if resumed else line


def unescape(text):
    return bytes.fromhex(text.replace("\\x", ""))


def snapshot(root):
    """What a folder holds: path -> bytes, or None for a folder."""
    found = {str(root): None}
    for path in sorted(pathlib.Path(root).rglob("*")):
        found[str(path)] = None if path.is_dir() else path.read_bytes()
    return found


def materialize(files, root):
    shutil.rmtree(root, ignore_errors=True)
    for path in sorted(files):
        if files[path] is None:
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            pathlib.Path(path).write_bytes(files[path])
