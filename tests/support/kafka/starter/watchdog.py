# SPDX-License-Identifier: Apache-2.0
"""A process that outlives a test only to clean up after it: when the owner is gone, the cluster goes too."""
import os
import select
import signal
import subprocess
import sys
import time

from . import nodes
from .state import Cluster, Failure, alive, start_time


def launch(cluster, script):
    """Starts the watchdog of a cluster whose data names its owner, and returns its identity."""
    child = subprocess.Popen([sys.executable, "-S", str(script), "_watch", str(cluster.folder)], cwd="/",
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             start_new_session=True)
    return [child.pid, start_time(child.pid)]


def watch(folder):
    """Returns when the cluster was stopped by others, or after having stopped it because its owner is gone."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    cluster = Cluster(folder).load()
    owner = cluster.data.get("owner")
    poller = select.poll()
    try:
        handle = os.pidfd_open(owner[0])
        poller.register(handle, select.POLLIN)
    except (OSError, AttributeError):
        handle = None
    while alive(owner):
        if handle is None:
            time.sleep(0.2)
        else:
            poller.poll(1000)
        if not cluster.folder.is_dir():
            return 0
    try:
        # A start under way notices the owner's end by itself and cleans up; then the folder is gone.
        with cluster.locked(patience=20.0):
            if cluster.folder.is_dir():
                nodes.end_cluster(cluster.load(), also_watchdog=False)
    except Failure:
        return 1
    return 0
