# SPDX-License-Identifier: Apache-2.0
"""Starts, watches and stops Apache Kafka clusters on this machine's loopback. Python's standard library alone."""
