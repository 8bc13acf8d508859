"""The farm that the tests share, and the closing line that tools/test counts."""
import pytest
from farm import Farm

MACHINES, PLACES = 2, 10


@pytest.fixture(scope="session")
def farm(tmp_path_factory):
    return Farm(tmp_path_factory.mktemp("farm"), MACHINES, PLACES)


def pytest_terminal_summary(terminalreporter):
    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
