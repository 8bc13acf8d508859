"""The example of tools/examples: a client under test, and the bugs that its tests find."""
import subprocess
import sys

import pytest

import bluez
from device import REPOSITORY
from patience import SILENCE

EXAMPLES = REPOSITORY / "tools/examples"


def run(*arguments):
    try:
        done = subprocess.run([sys.executable, EXAMPLES / "run", *arguments], cwd=EXAMPLES, capture_output=True, text=True, timeout=SILENCE)
    finally:
        bluez.disconnect("hci1")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_the_client_passes_its_ten_tests():
    assert run("--client")[-1] == "10 passed, 0 failed"


@pytest.mark.parametrize("bug", ["lost_notification", "torn_frame", "reconnect", "wrong_checksum", "slow_device"])
def test_finds_the_planted_bug(bug):
    assert run("--found", bug)[-1] == "1 passed, 0 failed"
