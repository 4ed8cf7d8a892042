# SPDX-License-Identifier: Apache-2.0
"""SCRAM users and ACLs of a running cluster: the administrative requests for them, and waits until each node knows."""
import hashlib
import os
import struct
import time

from . import protocol, security
from .state import Failure

SASL_HANDSHAKE, DESCRIBE_ACLS, CREATE_ACLS, DELETE_ACLS, SASL_AUTHENTICATE, ALTER_SCRAM = 17, 29, 30, 31, 36, 51
SCRAM_TYPES = {"SCRAM-SHA-256": 1, "SCRAM-SHA-512": 2}
RESOURCES = {"topic": 2, "group": 3, "cluster": 4, "id": 5}
OPERATIONS = {"All": 2, "Read": 3, "Write": 4, "Create": 5, "Delete": 6, "Alter": 7, "Describe": 8, "ClusterAction": 9,
              "DescribeConfigs": 10, "AlterConfigs": 11, "IdempotentWrite": 12}
LITERAL, PREFIXED, ANY, DENY, ALLOW = 3, 4, 1, 2, 3


def acl_of(text):
    """PRINCIPAL:OPERATION[,OPERATION...]:KIND[:NAME]; a NAME that ends with * is a prefix, * alone is every name."""
    principal, _, rest = text.partition(":")
    operations, _, resource = rest.partition(":")
    kind, _, name = resource.partition(":")
    wrong = [each for each in operations.split(",") if each not in OPERATIONS]
    if wrong or kind not in RESOURCES or not principal or (not name) != (kind == "cluster"):
        raise ValueError(f'"{text}": an ACL is USER:OPERATION[,OPERATION...]:{"|".join(RESOURCES)}[:NAME]; '
                         f'operations are {", ".join(OPERATIONS)}')
    name = name or "kafka-cluster"
    prefixed = name.endswith("*") and name != "*"
    return [{"principal": f"User:{principal}", "operation": OPERATIONS[each], "resource": RESOURCES[kind],
             "name": name[:-1] if prefixed else name, "pattern": PREFIXED if prefixed else LITERAL}
            for each in operations.split(",")]


def _compact(data):
    length, out = len(data) + 1, b""
    while length >= 0x80:
        out += bytes([length & 0x7F | 0x80])
        length >>= 7
    return out + bytes([length]) + data


def add_scram_users(port, mechanism, timeout=15.0):
    """AlterUserScramCredentials v0 for every user, salted here as the admin client does."""
    number = SCRAM_TYPES[mechanism]
    changes = []
    for user in security.USERS:
        salt = os.urandom(16)
        salted = hashlib.pbkdf2_hmac(mechanism[6:].replace("-", ""), user["password"].encode(), salt,
                                     security.ITERATIONS)
        changes.append(_compact(user["name"].encode()) + struct.pack(">bi", number, security.ITERATIONS) +
                       _compact(salt) + _compact(salted) + b"\0")
    body = b"\1" + bytes([len(changes) + 1]) + b"".join(changes) + b"\0"
    reader = protocol.ask(port, ALTER_SCRAM, 0, body, timeout)
    reader.take("b")  # the header's tags
    reader.take("i")
    for _ in range(reader.take("B") - 1):
        name = reader.raw(reader.take("B") - 1).decode()
        error = reader.take("h")
        length = reader.take("B")
        message = reader.raw(length - 1).decode() if length else ""
        reader.take("b")
        if error:
            raise Failure(f'the {mechanism} user "{name}" was not added: {message or error}')


def _binding(acl, permission):
    return (struct.pack(">b", acl["resource"]) + protocol.string(acl["name"]) + struct.pack(">b", acl["pattern"]) +
            protocol.string(acl["principal"]) + protocol.string("*") + struct.pack(">bb", acl["operation"], permission))


def change_acls(ports, acls, remove=False, deny=False):
    """Adds or removes ACLs, v1 of the requests, and returns when every node at ports acts by them."""
    permission = DENY if deny else ALLOW
    body = struct.pack(">i", len(acls)) + b"".join(_binding(acl, permission) for acl in acls)
    reader = protocol.ask(ports[0], DELETE_ACLS if remove else CREATE_ACLS, 1, body, 15.0)
    reader.take("i")
    reader.take("i")  # how many: as many as were asked
    for acl in acls:
        error, message = reader.take("h"), reader.text()
        if error:
            raise Failure(f'the ACL of {acl["principal"]} on {acl["name"]} was not changed: {message or error}')
        if remove:
            break  # each answer goes on with the bindings it found; the wait below sees whether they are gone
    deadline = time.monotonic() + 20
    for port in ports:
        for acl in acls:
            while _known(port, acl, permission) == remove:
                if time.monotonic() > deadline:
                    raise Failure(f"the node at port {port} does not know the ACLs in time")
                time.sleep(0.02)


def _known(port, acl, permission):
    reader = protocol.ask(port, DESCRIBE_ACLS, 1, _binding(acl, permission), 5.0)
    reader.take("i")
    error, message = reader.take("h"), reader.text()
    if error:
        raise Failure(f"the node at port {port} does not tell its ACLs: {message or error}")
    return reader.take("i") > 0


def wait_logins(ports, mechanism, deadline):
    """Returns when the nodes at these SASL_PLAINTEXT ports know the last user: the broker sends a SCRAM challenge to
    whom it knows only."""
    user = security.USERS[-1]["name"].replace("=", "=3D").replace(",", "=2C")
    first = f"n,,n={user},r=starter".encode()
    for port in ports:
        while True:
            with protocol.Connection(port, 5.0) as connection:
                connection.ask(SASL_HANDSHAKE, 1, protocol.string(mechanism)).take("h")
                reader = connection.ask(SASL_AUTHENTICATE, 0, struct.pack(">i", len(first)) + first)
                if reader.take("h") == 0:
                    break
            if time.monotonic() > deadline:
                raise Failure(f"the node at port {port} does not know the SCRAM users in time")
            time.sleep(0.05)
