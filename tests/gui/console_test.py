#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the built console on the sandbox: roles appear, a failover is seen, the filter filters, the theme switches,
copying works, SIGTERM ends it. Reads through AT-SPI what a screen reader would read, types through xdotool.

Usage: console_test.py PROGRAM FOLDER-FOR-PICTURES. With BELLWETHER_WRITE_IMAGES=1 the pictures also go to docs/images.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import pyatspi
from gi.repository import GLib

PROGRAM = sys.argv.pop(1)
PICTURES = pathlib.Path(sys.argv.pop(1))
IMAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "images"


def wait_for(what, condition, seconds):
    """The first truthy answer of condition(), or a failure that says what was waited for and seen last."""
    end = time.monotonic() + seconds
    seen = None
    while True:
        try:
            seen = condition()
            if seen:
                return seen
        except (GLib.Error, LookupError, NotImplementedError) as trouble:  # the tree changes while it is read
            seen = trouble
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s; last seen: {seen!r}")
        time.sleep(0.1)


def walk(node, depth=0):
    yield node
    if depth < 14:
        for index in range(node.childCount):
            child = node.getChildAtIndex(index)
            if child is not None:
                yield from walk(child, depth + 1)


class Console:
    """The program and what a screen reader sees of it."""

    def __init__(self, *arguments):
        environment = dict(os.environ, QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", QT_ACCESSIBILITY="1", TZ="Europe/Berlin")
        self.process = subprocess.Popen([PROGRAM, *arguments], env=environment, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.found = {}

    def application(self):
        desktop = pyatspi.Registry.getDesktop(0)
        for index in range(desktop.childCount):
            application = desktop.getChildAtIndex(index)
            if application is not None and application.get_process_id() == self.process.pid:
                return application
        raise LookupError("the program is not known to the accessibility bus yet")

    def part(self, role, name):
        """The showing part of that role and name."""
        for node in walk(self.application()):
            if node.getRole() == role and node.name == name and node.getState().contains(pyatspi.STATE_SHOWING):
                return node
        return None

    def text_of(self, name):
        """What a label with that accessible name says."""
        for node in walk(self.application()):
            if node.name == name and node.getRole() == pyatspi.ROLE_LABEL:
                return node.description
        return None

    def rows(self):
        """The role list as lists of cell texts: verdict, role, holder, since, age."""
        table = self.part(pyatspi.ROLE_TABLE, "Roles")
        if table is None:
            return []
        cells = table.queryTable()
        return [[cells.getAccessibleAt(row, column).name for column in range(cells.nColumns)]
                for row in range(cells.nRows)]

    def press(self, button):
        node = wait_for(f"button {button}", lambda: self.part(pyatspi.ROLE_PUSH_BUTTON, button), 10)
        node.queryAction().doAction(0)

    def window(self):
        out = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", "Bellwether"],
                             capture_output=True, text=True, check=False).stdout.split()
        return out[0] if out else None

    def key(self, *keys):
        subprocess.run(["xdotool", "key", "--clearmodifiers", *keys], check=True)

    def type(self, text):
        subprocess.run(["xdotool", "type", "--delay", "30", text], check=True)

    def picture(self, name):
        PICTURES.mkdir(parents=True, exist_ok=True)
        file = PICTURES / name
        subprocess.run(["import", "-window", self.window(), str(file)], check=True)
        if os.environ.get("BELLWETHER_WRITE_IMAGES"):
            IMAGES.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, IMAGES / name)
        return file

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def brightness(file):
    out = subprocess.run(["convert", str(file), "-colorspace", "Gray", "-format", "%[fx:mean]", "info:"],
                         capture_output=True, text=True, check=True).stdout
    return float(out)


class ConsoleTest(unittest.TestCase):
    def setUp(self):
        self.console = Console("--theme", "light")
        self.addCleanup(self.console.end)

    def test_as_a_person_would(self):
        console = self.console
        window = wait_for("a window", console.window, 20)
        subprocess.run(["xdotool", "windowactivate", "--sync", window], check=True)
        wait_for("rows in the role list", lambda: len(console.rows()) >= 3, 20)
        wait_for("judged roles", lambda: any("authoritative" in row[0] for row in console.rows()), 30)
        self.assertIn("Roles (", wait_for("the headline", lambda: console.text_of("Number of roles"), 5))

        # A failover: some role comes to be held by another member than before.
        holders = {}

        def changed_hands():
            for row in console.rows():
                verdict, role, holder = row[0], row[1], row[2]
                if "authoritative" in verdict and holder:
                    before = holders.setdefault(role, holder)
                    if before != holder:
                        return f"{role}: {before} -> {holder}"
            return None

        print("failover seen:", wait_for("a failover", changed_hands, 75))
        light = console.picture("console-light.png")

        # The filter: by key, by letters, and away with Esc.
        everyone = console.rows()
        wanted = everyone[0][1]
        console.key("slash")
        console.type(wanted)
        wait_for("the filtered list", lambda: [row[1] for row in console.rows()] == [
            row[1] for row in console.rows() if wanted in row[1] or wanted in row[2]] and len(console.rows()) < len(everyone), 10)
        console.key("Escape")
        wait_for("the whole list again", lambda: len(console.rows()) == len(everyone), 10)

        # Another role with the keyboard.
        first = console.text_of("Role")
        console.key("j")
        wait_for("another role", lambda: console.text_of("Role") != first, 10)

        # The theme.
        console.press("Switch between light and dark")
        wait_for("a dark window", lambda: brightness(console.picture("console-dark.png")) < 0.35, 10)
        self.assertGreater(brightness(light), 0.6)

        # Help opens with ? and Enter does nothing in it.
        console.key("question")
        wait_for("the help", lambda: console.part(pyatspi.ROLE_DIALOG, "Bellwether: help"), 10)
        console.key("Return")
        self.assertIsNotNone(console.part(pyatspi.ROLE_DIALOG, "Bellwether: help"))
        console.key("Escape")
        wait_for("the help to go", lambda: console.part(pyatspi.ROLE_DIALOG, "Bellwether: help") is None, 10)

        # The plot is one node with a text alternative.
        plot = [node for node in walk(console.application()) if node.name == "Timeline of roles"]
        self.assertTrue(plot and "led by" in plot[0].description, plot)

        begun = time.monotonic()
        console.process.send_signal(signal.SIGTERM)
        self.assertEqual(console.process.wait(timeout=10), 0)
        print(f"closed within {time.monotonic() - begun:.2f} s")


class WithoutDisplayTest(unittest.TestCase):
    def run_without(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
        environment.update(variables)
        return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=60)

    def test_says_so(self):
        for variables in ({}, {"QT_QPA_PLATFORM": "xcb"}, {"DISPLAY": ":987"}):
            done = self.run_without(**variables)
            self.assertEqual(done.returncode, 2, variables)
            self.assertIn("no window can open", done.stderr)
            self.assertIn("--screenshot", done.stderr)

    def test_screenshot(self):
        file = PICTURES / "screenshot.png"
        file.unlink(missing_ok=True)
        done = self.run_without("--screenshot", str(file), "--size", "1000x700", "--scale", "2", "--theme", "dark")
        self.assertEqual(done.returncode, 0, done.stderr)
        size = subprocess.run(["identify", "-format", "%wx%h", str(file)], capture_output=True, text=True, check=True)
        self.assertEqual(size.stdout, "2000x1400")
        self.assertLess(brightness(file), 0.35)

    def test_versions_and_wrong_usage(self):
        done = self.run_without("--version")
        self.assertEqual(done.returncode, 0)
        for name in ("Bellwether ", "Qt 6.", "QCustomPlot ", "librdkafka "):
            self.assertIn(name, done.stdout)
        self.assertEqual(self.run_without("--no-such-option").returncode, 2)
        self.assertIn("--size", self.run_without("--screenshot", "x.png", "--size", "big").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
