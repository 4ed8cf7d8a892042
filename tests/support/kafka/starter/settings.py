# SPDX-License-Identifier: Apache-2.0
"""What a node is started with: ports, server.properties, certificates, and a formatted data folder."""
import base64
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import tempfile
import uuid

from . import security
from .state import Failure

JVM = ["-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Djava.awt.headless=true",
       "-Dorg.slf4j.simpleLogger.logFile=System.out", "-Dorg.slf4j.simpleLogger.showDateTime=true",
       "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSS"]


def kafka_uuid():
    """22 characters, as Kafka writes ids; never with a leading dash, which a command line would take for a flag."""
    while True:
        text = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not text.startswith("-"):
            return text


def free_ports(count):
    """Ports free at this moment, all different, below the range that outgoing connections are given, so that a node
    that is down for a while finds its port free again."""
    try:
        lowest = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        lowest = 32768
    lower, upper = (15000, lowest - 1) if lowest > 18000 else (1024, 65535)
    held, ports = [], []
    try:
        for _ in range(2000):
            if len(ports) == count:
                return ports
            port = random.randint(lower, upper)
            if port in ports:
                continue
            probe = socket.socket()
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                probe.close()
                continue
            held.append(probe)
            ports.append(port)
    finally:
        for probe in held:
            probe.close()
    raise Failure(f"no {count} free ports between {lower} and {upper} on 127.0.0.1")


def in_use(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def properties(node, nodes, extra, secure):
    """The text of server.properties. node: {"id", "folder", "ports"}; secure: settings for the listeners that have
    ports besides the plain ones; extra: the caller's own settings, which win."""
    count = len(nodes)
    listeners = [f"PLAINTEXT://127.0.0.1:{node['ports']['plain']}",
                 f"CONTROLLER://127.0.0.1:{node['ports']['controller']}"]
    protocols = {"CONTROLLER": "PLAINTEXT",
                 **{name: name for name in ("PLAINTEXT", "SSL", "SASL_SSL", "SASL_PLAINTEXT")}}
    for key, (name, protocol) in security.LISTENERS.items():
        if key in node["ports"]:
            listeners.append(f"{name}://127.0.0.1:{node['ports'][key]}")
            protocols[name] = protocol
    replication, in_sync = (3, 2) if count >= 3 else (count, 1)
    settings = {
        "process.roles": "broker,controller",
        "node.id": node["id"],
        "controller.quorum.voters": ",".join(f"{n['id']}@127.0.0.1:{n['ports']['controller']}" for n in nodes),
        "listeners": ",".join(listeners),
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAINTEXT",
        "listener.security.protocol.map": ",".join(f"{name}:{protocol}" for name, protocol in protocols.items()),
        "log.dirs": f"{node['folder']}/data",
        "auto.create.topics.enable": "false",
        "group.initial.rebalance.delay.ms": 0,
        "offsets.topic.num.partitions": 4,
        "offsets.topic.replication.factor": replication,
        "transaction.state.log.num.partitions": 8,
        "transaction.state.log.replication.factor": replication,
        "transaction.state.log.min.isr": in_sync,
        "share.coordinator.state.topic.replication.factor": replication,
        "share.coordinator.state.topic.min.isr": in_sync,
        # Small buffers and few threads: several clusters share a small machine.
        "log.cleaner.dedupe.buffer.size": 4194304,
        "num.network.threads": 2,
        "num.io.threads": 4,
        "background.threads": 2,
        "log.segment.bytes": 67108864,
        # A busy machine is no reason to elect another controller.
        "controller.quorum.fetch.timeout.ms": 5000,
        "controller.quorum.request.timeout.ms": 5000,
    }
    settings.update(secure)
    settings.update(extra)
    return "".join(f"{key}={value}\n" for key, value in settings.items())


def _template(jars, version, transaction_version):
    """A data folder as StorageTool formats it, kept beside the jars: formatting a node is then a copy, not a JVM."""
    suffix = "default" if transaction_version is None else f"tv{transaction_version}"
    folder = pathlib.Path(jars).parent / f"format-{version}-{suffix}"
    if folder.is_dir():
        return folder
    work = pathlib.Path(tempfile.mkdtemp(prefix="format-work.", dir=folder.parent))
    try:
        node = {"id": 1, "folder": str(work), "ports": {"plain": 19092, "controller": 19093}}
        (work / "server.properties").write_text(properties(node, [node], {}, {}), encoding="utf-8")
        command = ["java", *JVM, "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", f"{jars}/*",
                   "kafka.tools.StorageTool", "format", "-t", kafka_uuid(), "-c", str(work / "server.properties")]
        if transaction_version is not None:
            command += ["--feature", f"transaction.version={transaction_version}"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            said = "\n".join((result.stdout + result.stderr).strip().splitlines()[-10:])
            raise Failure(f"Kafka {version} refused to format a data folder:\n{said}")
        try:
            (work / "data").rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder


def format_node(jars, version, transaction_version, node, cluster_id):
    """Fills the node's data folder: the template's feature levels, and ids of the node's own."""
    if version.startswith("3."):
        if transaction_version not in (None, 0):
            raise Failure(f"Kafka {version} has no transaction.version; it is there from 4.0 on")
        transaction_version = None
    data = pathlib.Path(node["folder"]) / "data"
    shutil.copytree(_template(jars, version, transaction_version), data)
    text = (data / "meta.properties").read_text(encoding="utf-8")
    for key, value in (("node.id", node["id"]), ("directory.id", kafka_uuid()), ("cluster.id", cluster_id)):
        text = re.sub(rf"(?m)^{re.escape(key)}=.*$", f"{key}={value}", text)
    (data / "meta.properties").write_text(text, encoding="utf-8")


def artifacts(version):
    """The folder of the release's jars, fetched when need be."""
    tool = pathlib.Path(__file__).resolve().parents[2] / "kafka-artifacts"
    result = subprocess.run([str(tool), version], stdout=subprocess.PIPE, text=True, check=False, env=os.environ)
    if result.returncode != 0:
        raise Failure(f"Apache Kafka {version} is not available (see above)")
    return result.stdout.strip().splitlines()[-1]
