"""What pytest reports of a mistake: the line of the test, and blemu's message. Nothing of this package."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import DESK, LAMP

HERE = pathlib.Path(__file__).parent
EXPECTED = HERE / "mistakes.expected"
HEADING = re.compile(r"^_+ (?:ERROR at setup of )?([\w.]+) _+\n", re.MULTILINE)


def reports(text):
    """The report of each test."""
    _, *parts = HEADING.split(text)
    return {name: report.strip("\n") for name, report in zip(parts[::2], parts[1::2])}


@pytest.fixture(scope="module")
def actual(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    shutil.copy(LAMP, folder / "lamp.yaml")
    shutil.copy(DESK, folder)
    (folder / "broken-desk.yaml").write_text(DESK.read_text().replace("lamp", "broken"))
    (folder / "broken.yaml").write_text(LAMP.read_text().replace("properties", "propertys"))
    shutil.copy(HERE / "mistakes.py", folder)
    options = ["-p", "blemu.pytest_plugin", "-p", "no:cacheprovider", "--no-header", "-rN"]
    done = subprocess.run([sys.executable, "-m", "pytest", *options, "mistakes.py"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "80"})
    assert done.returncode == 1, done.stdout + done.stderr
    text = re.sub(r"^(-+ journal of|=+ FAILURES).*\n([^_].*\n)*|^=+ .* in .* =+\n|^ +\^+\n", "", done.stdout, flags=re.MULTILINE)
    text = re.sub(r"(?<=Device\()'[^']*'|(?<= object) at 0x\w+| +$", "", text, flags=re.MULTILINE)
    if "BLEMU_RECORD" in os.environ:
        EXPECTED.write_text(text[HEADING.search(text).start():])
        pytest.fail(f"{EXPECTED.name} is new; is it right?")
    return reports(text)


@pytest.mark.parametrize("name", reports(EXPECTED.read_text()) if EXPECTED.exists() else ["none"])
def test_a_report_has_only_what_helps(actual, name):
    assert actual[name] == reports(EXPECTED.read_text())[name]


def test_each_mistake_has_a_report(actual):
    assert list(actual) == list(reports(EXPECTED.read_text()))
