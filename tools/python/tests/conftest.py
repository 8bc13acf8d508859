"""Common fixtures, and the closing line that tools/test counts."""
import pathlib

import blemu
import pytest

LAMP, CLOCK, KEYS, DESK = (pathlib.Path(__file__).with_name(f"{name}.yaml") for name in ("lamp", "clock", "keys", "desk"))

pytest_plugins = ["pytester", "blemu.pytest_plugin"]


@pytest.fixture
def lamp():
    """A lamp in memory."""
    with blemu.run(LAMP, seed=7) as device:
        yield device


def pytest_terminal_summary(terminalreporter):
    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
