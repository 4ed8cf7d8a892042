# SPDX-License-Identifier: Apache-2.0
"""What the command line's own words mean."""
import argparse
import re

from . import access

COORDINATION_TOPIC = "__coordination_state"


def topic_of(text):
    """NAME:PARTITIONS[:REPLICATION][:key=value]..."""
    name, *rest = text.split(":")
    if not rest or not rest[0].isdigit() or int(rest[0]) < 1:
        raise argparse.ArgumentTypeError(f'"{text}": a topic is NAME:PARTITIONS[:REPLICATION][:key=value]...')
    topic = {"name": name, "partitions": int(rest[0]), "replication": None, "config": {}}
    for part in rest[1:]:
        if part.isdigit():
            topic["replication"] = int(part)
        else:
            topic["config"].update([setting_of(part)])
    return topic


def setting_of(text):
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f'"{text}": a setting is key=value')
    return key, value


def name_of(text):
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", text):
        raise argparse.ArgumentTypeError(f'"{text}": a name is letters, digits, dot, dash and underscore')
    return text


def completed(topic, count):
    """The topic with what was left open filled in; the coordination topic is compacted wherever it comes from."""
    replication = topic["replication"] or min(count, 3)
    config = dict(topic["config"])
    if topic["name"] == COORDINATION_TOPIC:
        config = {"cleanup.policy": "compact", "min.insync.replicas": "2" if replication >= 3 else "1", **config}
    return {**topic, "replication": replication, "config": config}


def acl_of(text):
    try:
        return access.acl_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
