"""The closing line that tools/test counts."""
import pages


def pytest_generate_tests(metafunc):
    """A test of a `page` is one of each page, unless it names others."""
    if "page" in metafunc.fixturenames and not list(metafunc.definition.iter_markers("parametrize")):
        metafunc.parametrize("page", pages.ALL, ids=repr)


def pytest_terminal_summary(terminalreporter):
    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
