"""Common fixtures, and the way in which pytest runs and reports tests in the virtual machine."""
import collections
import contextlib
import faulthandler
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import traceback

import pytest

pytest.register_assert_rewrite("att", "wire")
import air as monitor  # noqa: E402
import bluez
from att import Central
from device import PROGRAM, REPOSITORY
from meanwhile import Meanwhile
from patience import SILENCE
from published import Published
from wire import Wire


@pytest.fixture
def contexts():
    """An exit stack. The test's contexts are left after the test."""
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def case():
    """Runs a part of a test. If it fails, the test continues, and at its end reports the names of all failed parts."""
    @contextlib.contextmanager
    def case(name):
        try:
            yield
        except Exception:
            failed.append(f"{name}\n{traceback.format_exc()}")

    failed = []
    yield case
    if failed:
        pytest.fail("\n".join(failed), pytrace=False)


@pytest.fixture
def air():
    """The advertising of the controllers."""
    return monitor.air()


@pytest.fixture
def central():
    """A central on hci1, connected to hci0."""
    with Central() as central:
        yield central


@pytest.fixture
def meanwhile(contexts):
    """Calls a function on a thread; see Meanwhile."""
    with Meanwhile() as meanwhile:
        yield meanwhile


@pytest.fixture
def wire(contexts, meanwhile):
    return Wire(contexts, meanwhile)


@pytest.fixture(scope="session")
def published():
    """The published clients of Tests/Clients; see Published."""
    published = Published()
    yield published
    published.end()


@pytest.fixture
def reads(request, published):
    """Runs a device and one of these clients, on each transport of the test in turn."""
    return functools.partial(published.reads, request.param)


@pytest.fixture
def installed():
    """blemu where every user may run it: the repository may be in a folder that is closed to others."""
    prefix = pathlib.Path(tempfile.mkdtemp())
    shutil.copytree(REPOSITORY / "Peripherals", prefix / "share/blemu/Peripherals")
    (prefix / "bin").mkdir()
    shutil.copy(PROGRAM, prefix / "bin/blemu")
    bluez.run("chmod", "-R", "a+rX", prefix)
    yield prefix / "bin/blemu"
    shutil.rmtree(prefix)


@pytest.fixture
def nobody_may():
    """The system bus does not let the user 'nobody' send to bluetoothd."""
    def reload():
        bluez.run("dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                  "org.freedesktop.DBus.ReloadConfig")

    denial = pathlib.Path("/etc/dbus-1/system.d/deny-nobody.conf")
    denial.write_text("""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><policy user="nobody"><deny send_destination="org.bluez"/></policy></busconfig>""")
    reload()
    yield
    denial.unlink()
    reload()


def pytest_addoption(parser):
    parser.addoption("--sharing", type=pathlib.Path, metavar="FOLDER",
                     help="a folder shared by several machines (tools/vm --share), empty at first; "
                          "each takes the next class of tests that no other has taken")
    parser.addoption("--emulated", action="store_true", help="only the tests that user-mode Linux leaves out (takes_time and debian_kernel in pytest.ini)")
    parser.addoption("--undecided", type=pathlib.Path, metavar="FILE",
                     help="write the names of failed tests to FILE and count them as neither passed nor failed: another machine decides")
    parser.addoption("--all", action="store_true", help="also what mostly repeats other tests, such as each section of the bundled transcripts")


def pytest_generate_tests(metafunc):
    if "reads" in metafunc.fixturenames:
        transports = metafunc.definition.get_closest_marker("transports")
        metafunc.parametrize("reads", transports.args if transports else ["bluez"], indirect=True)


def pytest_configure(config):
    config.option.blemu_program = config.option.blemu_program or PROGRAM
    # Tests/VM/run always passes the folder, so that pytest finds this file. If there are other arguments, only they count.
    config.args = [each for each in config.args if pathlib.Path(each).resolve() != config.rootpath] or config.args


def pytest_collection_modifyitems(config, items):
    """Leaves out the tests for the emulated machine (pytest.ini), or all others; and without --all those that repeat others."""
    def leave_out(are_left_out):
        left_out = [item for item in items if are_left_out(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]

    if config.option.emulated or "User Mode Linux" in pathlib.Path("/proc/cpuinfo").read_text():
        emulated = {item for item in items if item.get_closest_marker("takes_time") or item.get_closest_marker("debian_kernel")}
        leave_out(lambda item: (item in emulated) != config.option.emulated)
    if not config.option.all:
        leave_out(lambda item: item.get_closest_marker("repeats"))


def pytest_sessionstart(session):
    if session.config.option.collectonly:
        return
    if not os.path.exists("/run/radio.pid"):  # tools/vm.d/bin/radio-start
        pytest.exit("these tests need BlueZ and virtual controllers: Tests/VM/run --help", returncode=64)
    session.config.pluginmanager.register(Report(session.config), "report")
    keep_in_memory(pathlib.Path(PROGRAM))
    monitor.air()


def keep_in_memory(program):
    """Replaces the program by a copy in memory. Otherwise each of a few hundred starts would read it from the host's file
    system."""
    copy = pathlib.Path(tempfile.mkdtemp()) / program.name
    shutil.copy(program, copy)
    subprocess.run(["mount", "--bind", copy, program], check=True)


#: Stands before the number of a portion in a group's name.
PORTION = " portion "


def group_name(item):
    """Names the tests that one machine takes together: a class, a portion of one (test_transcripts.py), or a file's functions."""
    name = item.nodeid.partition("[")[0].rpartition("::")[0]
    portion = getattr(item, "callspec", None) and item.callspec.params.get("runs")
    return name if portion is None else f"{name}{PORTION}{portion}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Lets several machines share the tests, group by group. The largest come first: the machines should end together."""
    folder = session.config.option.sharing
    if folder is None or session.config.option.collectonly:
        return None
    groups = collections.defaultdict(list)
    for item in session.items:
        groups[group_name(item)].append(item)
    for name, group in sorted(groups.items(), key=lambda each: (PORTION not in each[0], -len(each[1]))):
        try:
            (folder / name).mkdir()
        except FileExistsError:
            continue  # another machine has taken it
        for item, following in zip(group, [*group[1:], None]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    """Adds the failures of other machines for --lf. Undecided tests have not failed."""
    if session.config.option.undecided is not None and session.exitstatus == pytest.ExitCode.TESTS_FAILED:
        session.exitstatus = pytest.ExitCode.OK
    if session.config.option.sharing is not None:
        plugins, others = session.config.pluginmanager, session.config.cache.get("cache/lastfailed", {})
        ours, cache = plugins.getplugin("report").started, plugins.getplugin("lfplugin")
        cache.lastfailed = {name: True for name in cache.lastfailed if name in ours} | {name: True for name in others if name not in ours}


class Report:
    """Prints a line per test with its time, followed by its output or failure. Then "N passed, N failed"."""

    def __init__(self, config):
        self.terminal, self.undecided = config.pluginmanager.getplugin("terminalreporter"), config.option.undecided
        self.started, self.standard_error = {}, os.dup(2)  # before pytest captures it
        self.has_failed = False

    def pytest_runtest_logstart(self, nodeid):
        self.started[nodeid] = time.monotonic()
        faulthandler.dump_traceback_later(SILENCE, exit=True, file=self.standard_error)

    def pytest_report_teststatus(self, report):
        if report.when == "call" and not report.skipped:
            seconds = time.monotonic() - self.started[report.nodeid]
            return report.outcome, "", f"{'ok' if report.passed else 'FAILED'} {seconds:.2f} s"

    def pytest_collectreport(self, report):
        if report.failed:
            self.terminal.write_line(report.longreprtext)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.has_failed = True
            self.terminal.write_line("\n".join([report.longreprtext, *(text for title, text in report.sections)]))
        elif report.when == "call" and report.capstdout:
            self.terminal.write_line(report.capstdout.rstrip())

    def pytest_runtest_logfinish(self, nodeid):
        """Starts bluetoothd again after a failure: the tests after it need one, and the adapters powered."""
        if self.has_failed:
            self.has_failed = False
            subprocess.run(["bluetoothd-restart"], stdout=self.standard_error, stderr=self.standard_error)

    def pytest_unconfigure(self):
        failed = {report.nodeid: report for kind in ("failed", "error") for report in self.terminal.stats.get(kind, ())}
        passed = {report.nodeid for report in self.terminal.stats.get("passed", ())} - failed.keys()
        for nodeid, report in sorted(failed.items()):
            self.terminal.write_line(f"{'UNDECIDED' if self.undecided else 'FAILED'} {nodeid}")
            self.terminal.write_line(f"  {report.when}: {reason(report)}"[:500])
        if self.undecided:
            self.undecided.write_text("".join(f"{nodeid}\n" for nodeid in failed))
            failed = {}
        self.terminal.write_line(f"{len(passed)} passed, {len(failed)} failed")


def reason(report):
    """Returns the first line of the error that failed the test."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else report.longreprtext).partition("\n")[0]
