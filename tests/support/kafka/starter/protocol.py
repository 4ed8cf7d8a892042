# SPDX-License-Identifier: Apache-2.0
"""The few requests of Kafka's protocol that a starter needs, over a plain socket.

Versions are the last ones without compact encodings; Apache Kafka 3.9 and every 4.x release so far answer them.
"""
import socket
import struct

METADATA, FIND_COORDINATOR, CREATE_TOPICS = 3, 10, 19
# Requests of which every version has compact encodings: their headers carry tags.
FLEXIBLE = {(51, 0)}


class ProtocolError(Exception):
    """A broker did not answer, or answered something else than was asked."""


def string(text):
    if text is None:
        return struct.pack(">h", -1)
    data = text.encode()
    return struct.pack(">h", len(data)) + data


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        try:
            values = struct.unpack_from(">" + form, self.data, self.at)
        except struct.error as error:
            raise ProtocolError("the broker's answer is cut short") from error
        self.at += struct.calcsize(">" + form)
        return values[0]

    def text(self):
        length = self.take("h")
        if length < 0:
            return None
        return self.raw(length).decode()

    def raw(self, length):
        data = self.data[self.at:self.at + length]
        self.at += length
        return data

    def array(self, read_one):
        return [read_one() for _ in range(max(0, self.take("i")))]


def _receive(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise ProtocolError("the broker closed the connection")
        data += part
    return data


class Connection:
    """One connection to 127.0.0.1:port; requests go one after the other."""

    def __init__(self, port, timeout):
        self.port, self.timeout, self.socket = port, timeout, None

    def __enter__(self):
        try:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=self.timeout)
        except OSError as error:
            raise ProtocolError(f"127.0.0.1:{self.port}: {error}") from error
        return self

    def __exit__(self, *_failure):
        self.socket.close()

    def ask(self, api, version, body):
        header = struct.pack(">hhi", api, version, 1) + string("bellwether-cluster-starter")
        if (api, version) in FLEXIBLE:
            header += b"\0"
        try:
            self.socket.sendall(struct.pack(">i", len(header) + len(body)) + header + body)
            length = struct.unpack(">i", _receive(self.socket, 4))[0]
            reader = Reader(_receive(self.socket, length))
        except OSError as error:
            raise ProtocolError(f"127.0.0.1:{self.port}: {error}") from error
        if reader.take("i") != 1:
            raise ProtocolError(f"127.0.0.1:{self.port}: the answer belongs to another request")
        return reader


def ask(port, api, version, body, timeout):
    with Connection(port, timeout) as connection:
        return connection.ask(api, version, body)


def metadata(port, topics=(), timeout=2.0):
    """What the node at port knows: {"brokers": {id: port}, "topics": {name: [leader of partition 0, ...]}}."""
    body = struct.pack(">i", len(topics)) + b"".join(string(topic) for topic in topics) + b"\0"
    reader = ask(port, METADATA, 4, body, timeout)
    reader.take("i")

    def broker():
        node, _host, broker_port, _rack = reader.take("i"), reader.text(), reader.take("i"), reader.text()
        return node, broker_port

    def partition():
        reader.take("h")
        index, leader = reader.take("i"), reader.take("i")
        reader.array(lambda: reader.take("i"))
        reader.array(lambda: reader.take("i"))
        return index, leader

    def topic():
        _error, name, _internal = reader.take("h"), reader.text(), reader.take("b")
        return name, [leader for _index, leader in sorted(reader.array(partition))]

    brokers = dict(reader.array(broker))
    reader.text()
    reader.take("i")  # the "controller": under KRaft some broker that forwards
    return {"brokers": brokers, "topics": dict(reader.array(topic))}


def create_topics(port, topics, timeout=15.0):
    """topics: dicts of name, partitions, replication and config. Says for each what went wrong: {name: text}."""
    body = struct.pack(">i", len(topics))
    for topic in topics:
        body += string(topic["name"]) + struct.pack(">ihi", topic["partitions"], topic["replication"], 0)
        body += struct.pack(">i", len(topic["config"]))
        body += b"".join(string(key) + string(value) for key, value in topic["config"].items())
    body += struct.pack(">ib", int(timeout * 1000), 0)
    reader = ask(port, CREATE_TOPICS, 4, body, timeout + 5)
    reader.take("i")

    def result():
        name, error, message = reader.text(), reader.take("h"), reader.text()
        return name, error, message

    return {name: message or f"error {error}" for name, error, message in reader.array(result) if error}


def find_coordinator(port, transactional_id, timeout=2.0):
    """The error code of FindCoordinator for a transactional id; 0 when its coordinator is there."""
    reader = ask(port, FIND_COORDINATOR, 1, string(transactional_id) + b"\1", timeout)
    reader.take("i")
    return reader.take("h")
