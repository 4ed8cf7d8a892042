# SPDX-License-Identifier: Apache-2.0
"""Node processes: start, readiness, signals, and an end that leaves nothing behind."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

from . import protocol
from .settings import JVM
from .state import Failure, alive, process_state, start_time


class AddressInUse(Exception):
    """Another process took a port between our choice of it and the broker's bind."""


def spawn(node, jars, log_levels=()):
    """Starts the node's JVM and notes its identity in node["process"]. It outlives this process. log_levels: pairs of
    a logger's name and its level."""
    folder = pathlib.Path(node["folder"])
    levels = [f"-Dorg.slf4j.simpleLogger.log.{logger}={level}" for logger, level in log_levels]
    command = ["java", *JVM, *levels, "-cp", f"{jars}/*", "kafka.Kafka", str(folder / "server.properties")]
    with open(folder / "log", "ab") as log:
        node["log_start"] = log.tell()
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                     cwd=folder, start_new_session=True)
        except FileNotFoundError as error:
            raise Failure("java is missing; what to do: packaging/setup/install-packages test") from error
    node["process"] = [child.pid, start_time(child.pid)]
    return child


def log_of(node):
    """What the node has logged since its latest start."""
    with open(pathlib.Path(node["folder"]) / "log", "rb") as log:
        log.seek(node.get("log_start", 0))
        return log.read().decode(errors="replace")


def _check(node, name):
    if alive(node["process"]):
        return
    text = log_of(node)
    if "Address already in use" in text:
        raise AddressInUse()
    tail = "\n".join(text.strip().splitlines()[-25:])
    raise Failure(f'node {node["id"]} of cluster "{name}" ended while starting; the last lines of its log:\n{tail}')


def wait_ready(cluster, nodes, deadline, still_wanted=lambda: True):
    """Returns when every one of nodes answers and sees all of them as brokers. A broker is seen once the controller
    has accepted it, so a controller is elected then too."""
    missing = "no answer yet"
    expected = {node["id"] for node in nodes}
    pending = list(nodes)
    while pending:
        if not still_wanted():
            raise Failure("the owner process is gone")
        node = pending[0]
        for each in nodes:
            _check(each, cluster.name)
        try:
            seen = protocol.metadata(node["ports"]["plain"])["brokers"]
            if expected <= set(seen):
                pending.pop(0)
                continue
            missing = f"it sees the brokers {sorted(seen)} of {sorted(expected)}"
        except protocol.ProtocolError as error:
            missing = str(error)
        if time.monotonic() > deadline:
            tail = "\n".join(log_of(node).strip().splitlines()[-15:])
            raise Failure(f'node {node["id"]} of cluster "{cluster.name}" is not ready in time: {missing}; '
                          f"the last lines of its log:\n{tail}")
        time.sleep(0.05)


def warm_up(nodes, deadline):
    """Makes the coordinators' own topic exist, which the first transactional client would wait a second for."""
    while time.monotonic() < deadline:
        try:
            if protocol.find_coordinator(nodes[0]["ports"]["plain"], "bellwether-warm-up") == 0:
                return wait_leaders(nodes, "__transaction_state", deadline)
        except protocol.ProtocolError:
            pass
        time.sleep(0.05)
    raise Failure("the cluster found no transaction coordinator in time")


def wait_leaders(nodes, topic, deadline):
    while True:
        try:
            seen = [protocol.metadata(node["ports"]["plain"], [topic])["topics"].get(topic) for node in nodes]
            if all(leaders and min(leaders) >= 0 for leaders in seen):
                return None
        except protocol.ProtocolError:
            pass
        if time.monotonic() > deadline:
            raise Failure(f'the topic "{topic}" got no leaders in time')
        time.sleep(0.05)


def send(node, number):
    if not alive(node["process"]):
        raise Failure(f"node {node['id']} is not running")
    os.kill(node["process"][0], number)


def wait_gone(identities, seconds):
    """Those still alive after at most so many seconds. Reaps our own children on the way."""
    deadline = time.monotonic() + seconds
    while True:
        for pid, _tick in identities:
            try:
                os.waitpid(pid, os.WNOHANG)
            except (ChildProcessError, OSError):
                pass
        left = [identity for identity in identities if alive(identity)]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.02)


def end(identities, patience=4.0):
    """SIGTERM, a bounded wait, SIGKILL. A stopped process gets SIGCONT, without which it cannot act on a SIGTERM."""
    identities = [identity for identity in identities if alive(identity)]
    for pid, _tick in identities:
        try:
            os.kill(pid, signal.SIGTERM)
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass
    for pid, tick in wait_gone(identities, patience):
        if start_time(pid) == tick:
            os.kill(pid, signal.SIGKILL)
    return wait_gone(identities, 5.0)


def strays(folder):
    """Processes of this user whose command line names a server.properties below folder: a starter killed between the
    spawn and the note of it leaves such a one. The folder's random name makes the match certain."""
    found = []
    if not folder:
        return found
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if entry.stat().st_uid != os.getuid():
                continue
            arguments = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(argument.startswith(os.fsencode(folder) + b"/") and argument.endswith(b"/server.properties")
               for argument in arguments):
            identity = [int(entry.name), start_time(int(entry.name))]
            if identity[1] is not None:
                found.append(identity)
    return found


def end_cluster(cluster, also_watchdog=True):
    """Stops every process of the cluster and removes its data and its entry."""
    data = cluster.data
    identities = [node["process"] for node in data.get("nodes", []) if node.get("process")]
    end(identities, patience=2.0)  # the data goes anyway
    folder = data.get("folder")
    left = end(strays(folder), patience=1.0)
    watchdog = data.get("watchdog")
    if also_watchdog and watchdog and watchdog[0] != os.getpid():
        left += end([watchdog], patience=2.0)
    if left:
        pids = ", ".join(str(pid) for pid, _tick in left)
        raise Failure(f'cluster "{cluster.name}": could not end the processes {pids}; its data stays in {folder}')
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    cluster.remove()


def describe_node(node):
    letter = process_state(node.get("process"))
    if letter is None:
        return "down"
    return "paused" if letter == "T" else "up"
