"""Common fixtures, the pictures of failures, and the closing line that tools/test counts."""
import pathlib
import re

import pytest

import programs
from app import App
from browser import Browser
from elsewhere import Elsewhere
from page import Page

#: Where pictures are left.
PICTURES = programs.REPOSITORY / ".build/web"


def pytest_addoption(parser):
    parser.addoption("--slow", type=int, default=1, metavar="N", help="slow pages down N times")
    parser.addoption("--all", action="store_true", help="an hour of a busy device, not twenty minutes")


@pytest.fixture(scope="session")
def the_browser(request):
    with Browser(slowness=request.config.getoption("--slow")) as browser:
        yield browser


@pytest.fixture
def browser(the_browser):
    """The browser, as if it had just been started."""
    yield the_browser
    the_browser.close_other_windows()
    the_browser.open("about:blank")
    the_browser.resize("laptop")
    the_browser.prefer()


@pytest.fixture
def stand(tmp_path):
    """Devices of this test."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    stand = programs.Stand(folder)
    yield stand
    stand.end_all()


@pytest.fixture
def server(stand):
    server = programs.WebServer(stand)
    yield server
    server.end()


@pytest.fixture
def page(browser, server):
    """The page, opened with the address that blemu web has printed."""
    page = Page(browser, server)
    browser.log()
    page.sign_in()
    yield page
    assert not [entry["message"] for entry in browser.log() if "Uncaught" in entry["message"]]


@pytest.fixture
def app(browser, stand):
    """A web app on another origin, which blemu web allows."""
    with Elsewhere() as elsewhere:
        server = programs.WebServer(stand, "127.0.0.1:0", "--allow-origin", elsewhere.origin)
        app = App(browser, server, elsewhere)
        browser.log()
        yield app
        server.end()
    assert not [entry["message"] for entry in browser.log() if "Uncaught" in entry["message"]]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Keeps a picture of the page when a test fails, and what the browser has logged."""
    report = (yield).get_result()
    browser = item.funcargs.get("the_browser") if hasattr(item, "funcargs") else None
    if report.when != "call" or not report.failed or browser is None:
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    file = PICTURES / f"failed-{re.sub(r'[^a-z0-9]+', '-', item.name)}.png"
    try:
        file.write_bytes(browser.picture())
        log = "\n".join(entry["message"] for entry in browser.log()[-20:])
        report.sections.append(("page", f"{browser.url}\na picture of it: {file}\n{log}"))
    except Exception as error:  # the test has failed already
        report.sections.append(("page", f"no picture: {error}"))


def pytest_sessionstart(session):
    for old in pathlib.Path(PICTURES).glob("failed-*.png"):
        old.unlink()


def pytest_terminal_summary(terminalreporter):
    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error")}
    if counts["failed"]:
        terminalreporter.write_line(f"pictures of failures: {PICTURES}")
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
