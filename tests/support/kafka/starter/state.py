# SPDX-License-Identifier: Apache-2.0
"""What is known of the running clusters: one folder for each in a per-user runtime folder, and process identities."""
import contextlib
import fcntl
import json
import os
import pathlib
import shutil
import time


class Failure(Exception):
    """What failed, where, and what to do next, for a person to read."""


def start_time(pid):
    """The kernel's start tick of a process, or None when there is none. With the pid it names one process for good."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def alive(identity):
    """identity: [pid, start tick], as start_time told it when the process was ours to see."""
    return identity is not None and start_time(identity[0]) == identity[1]


def process_state(identity):
    """The kernel's letter for a live process (T: stopped), or None."""
    if not alive(identity):
        return None
    try:
        with open(f"/proc/{identity[0]}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return None


def runtime_folders():
    """Where cluster folders may be. New ones go to the first; another session may have used the second."""
    folders = [pathlib.Path(f"/tmp/bellwether-{os.getuid()}")]
    session = os.environ.get("XDG_RUNTIME_DIR")
    if session and os.access(session, os.W_OK):
        folders.insert(0, pathlib.Path(session) / "bellwether")
    return folders


def _private(folder):
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise Failure(f"{folder} belongs to another user or is writable by others; remove it, or set XDG_RUNTIME_DIR")


class Cluster:
    """One cluster's folder: state.json, written as a whole, and a lock that whoever changes the cluster holds."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = self.folder.name
        self.data = {}

    @staticmethod
    def create(name):
        root = runtime_folders()[0]
        _private(root)
        clusters = root / "clusters"
        _private(clusters)
        folder = clusters / name
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            return None
        return Cluster(folder)

    @staticmethod
    def all():
        found = []
        for root in runtime_folders():
            folder = root / "clusters"
            if folder.is_dir():
                found += [Cluster(entry).load() for entry in sorted(folder.iterdir()) if entry.is_dir()]
        return found

    @staticmethod
    def find(name):
        for cluster in Cluster.all():
            if cluster.name == name:
                return cluster
        names = ", ".join(cluster.name for cluster in Cluster.all()) or "none"
        raise Failure(f'no cluster is named "{name}"; running: {names} (kafka-cluster list)')

    def load(self):
        try:
            self.data = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.data = {}
        return self

    def save(self):
        fresh = self.folder / "state.json.new"
        fresh.write_text(json.dumps(self.data, indent=2), encoding="utf-8")
        fresh.replace(self.folder / "state.json")

    @contextlib.contextmanager
    def locked(self, patience=60.0):
        """Holds the cluster's lock. After patience seconds it goes on all the same: a stop must not wait for ever."""
        try:
            handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise Failure(f'the cluster "{self.name}" is gone') from error
        try:
            deadline = time.monotonic() + patience
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        break
                    time.sleep(0.05)
            yield
        finally:
            os.close(handle)

    def node(self, number):
        for node in self.data.get("nodes", []):
            if node["id"] == number:
                return node
        known = ", ".join(str(node["id"]) for node in self.data.get("nodes", []))
        raise Failure(f'the cluster "{self.name}" has no node {number}; it has {known}')

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in (self.folder.parent, self.folder.parent.parent):
            with contextlib.suppress(OSError):
                folder.rmdir()
