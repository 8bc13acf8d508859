"""Devices in memory, and the Pythons of their clients."""
import os
import pathlib
import sys

import pytest

from asking import PROGRAM, Clients

#: Seconds that a client waits for anything, only against hanging
PATIENCE = float(os.environ.get("PATIENCE", 30))


def later_python():
    """The command of Debian 13's Python, from its root (tools/debian), and its environment."""
    root = pathlib.Path(os.environ["DEBIAN13"])
    loader, = root.glob("usr/lib/*-linux-gnu/ld-linux-*.so.*")
    paths = [root / "clients/lib/python3.13/site-packages", os.environ["PYTHONPATH"]]
    return ([str(loader), "--library-path", str(loader.parent), str(root / "usr/bin/python3.13")],
            {"PYTHONHOME": str(root / "usr"), "PYTHONPATH": os.pathsep.join(map(str, paths))})


@pytest.fixture(scope="session")
def clients():
    """The processes that run clients: in the Python of these tests, and in Debian 13's, which has later ones."""
    command, environment = later_python()
    pythons = {True: Clients([sys.executable, PROGRAM]), False: Clients([*command, PROGRAM], env=os.environ | environment)}
    yield pythons
    for python in pythons.values():
        python.end()


@pytest.fixture
def reads(clients):
    """Runs a device in memory, and returns what a client says of it, with the device's log: see README.md."""
    def reads(device, code, settings={}, own_python=False, arguments=(), **known):
        known = {"name": "", "patience": PATIENCE} | known
        return clients[own_python].ask(code, known, 3 * PATIENCE, [str(device), settings, [str(each) for each in arguments]])

    return reads


def pytest_configure(config):
    for line in ("repeats: in the virtual machine, it runs with --all; in memory, always",
                 "transports(*names): those of its device in the virtual machine, unless it is bluez"):
        config.addinivalue_line("markers", line)


def pytest_terminal_summary(terminalreporter):
    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
