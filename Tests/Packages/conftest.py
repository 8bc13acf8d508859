"""The packages, once for all tests, and the closing line that tools/test counts."""
import pytest

import debian
from commands import made


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="also test the container image")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    return made("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """The packages of the release, by name."""
    return debian.make(tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="session")
def older(packages, tmp_path_factory):
    """A package of blemu 0.0.1."""
    return debian.with_version(packages["blemu"], "0.0.1", tmp_path_factory.mktemp("older"))


@pytest.fixture(params=debian.SUITES)
def root(request, tmp_path):
    """A root file system of Debian, as it is after Debian's installation."""
    with debian.Root(request.param, tmp_path) as made:
        yield made


def pytest_terminal_summary(terminalreporter):
    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
