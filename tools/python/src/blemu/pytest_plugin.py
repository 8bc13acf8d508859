"""pytest's fixtures and options for devices, and their part of a report."""
from __future__ import annotations

import asyncio
import difflib
import functools
import inspect
import pathlib
from typing import Any, Callable, Coroutine, Dict, Generator, Iterator, List, Optional, Sequence, Tuple

import pytest

from . import bleak, virtual
from .command import Definition
from .device import Device
from .errors import Error, is_hidden
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .forgetting import forget
from .running import Run, run
from .stands import Stand, up

#: The parts of Python's library whose lines say nothing about a mistake in the use of a device.
LIBRARY = ("asyncio", "concurrent", "contextlib")

#: How many events of a device's journal the report of a failed test shows.
SHOWN = 40

_devices = pytest.StashKey[List[Tuple[str, Device]]]()
#: The event loops that a test in virtual time has made.
_loops = pytest.StashKey[List[virtual.Loop]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("blemu", "virtual Bluetooth LE peripherals")
    group.addoption("--blemu-on", metavar="TRANSPORT", default="loopback",
                    help="where devices run whose marker or stand does not say: loopback (default; in memory), bluez or exact "
                         "(each on the first free adapter), bluez:ADAPTER, exact:ADAPTER, or labgrid[:TARGET], on the machine of a target of --lg-env (default: main)")
    group.addoption("--blemu-program", metavar="PATH",
                    help="the program to run (default: that of the environment variable BLEMU, or blemu on the PATH)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "blemu(definition, **options): the device of the fixture 'blemu_device'. The options are those of "
                   "blemu.run, as in @pytest.mark.blemu('hm-10', on='bluez:hci0', settings={'local-name': 'Robot'})")
    config.addinivalue_line(
        "markers", "blemu_stand(stand, *names, **options): the stand of the fixture 'blemu_stand'. The arguments are those of "
                   "blemu.up, as in @pytest.mark.blemu_stand('desk.yaml', on='bluez')")


class Runner:
    """Starts devices for the rest of a test, or of what the fixture is for. It takes the arguments of `blemu.run`."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def __call__(self, *definition: Definition, **options: Any) -> Device:
        return _start(self._request, definition, options)

    def __repr__(self) -> str:
        return f"<{self._request.fixturename}>"


def _start_devices(request: pytest.FixtureRequest) -> Runner:
    """Starts devices, with the arguments of `blemu.run`: `lamp = blemu_run("lamp.yaml", seed=7)`.

    They end with the test; those of `blemu_class_run`, `blemu_module_run` and `blemu_session_run`, with the class, the file or the run.
    """
    return Runner(request)


def _start_marked_device(request: pytest.FixtureRequest) -> Device:
    """The device of the marker `@pytest.mark.blemu("hm-10", …)`, for a test.

    `blemu_class_device` is that of a class's marker for all of its tests, `blemu_module_device` that of `pytestmark` for a file.
    """
    arguments, options = _marked(request)
    try:
        return _start(request, arguments, options)
    except (Error, TypeError, ValueError) as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.fixture
def blemu_stand(request: pytest.FixtureRequest) -> Stand[Device]:
    """The devices of the marker `@pytest.mark.blemu_stand("desk.yaml", …)`, by their names: `blemu_stand["scale"]`."""
    marker = request.node.get_closest_marker("blemu_stand")
    try:
        if marker is None:
            raise Error("the fixture 'blemu_stand' needs a marker that names the stand: @pytest.mark.blemu_stand(\"desk.yaml\")")
        return _start_stand(request, marker.args, marker.kwargs)
    except (Error, TypeError, ValueError) as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.fixture
def blemu_bleak(request: pytest.FixtureRequest) -> Iterator[bleak.Air]:
    """Lets bleak find, connect and talk to the test's devices in memory.

    When a device shows a passkey, the user enters `blemu_bleak.passkey`, or by default that one. If the marker or `--blemu-on` names
    another transport, bleak uses Bluetooth.
    """
    if _is_in_memory(request.node):
        with bleak.in_memory(running=False) as air:
            yield air
    else:
        yield bleak.Air()


blemu_run = pytest.fixture(_start_devices, name="blemu_run")
blemu_class_run = pytest.fixture(_start_devices, name="blemu_class_run", scope="class")
blemu_module_run = pytest.fixture(_start_devices, name="blemu_module_run", scope="module")
blemu_session_run = pytest.fixture(_start_devices, name="blemu_session_run", scope="session")
blemu_device = pytest.fixture(_start_marked_device, name="blemu_device")
blemu_class_device = pytest.fixture(_start_marked_device, name="blemu_class_device", scope="class")
blemu_module_device = pytest.fixture(_start_marked_device, name="blemu_module_device", scope="module")


@pytest.fixture
def blemu_virtual_time(request: pytest.FixtureRequest) -> Generator[Callable[[Coroutine[Any, Any, Any]], Any], None, None]:
    """Lets the event loops of a test have virtual time, as in `blemu.virtual.run`: that of its devices in memory.

    A function that is no coroutine may call `asyncio.run`, or what this returns: `blemu_virtual_time(main())`. On the air, time is real.
    """
    yield asyncio.run
    if inspect.iscoroutinefunction(request.function) and request.node.stash.get(_loops, None) == []:
        pytest.fail("the test's event loop is not in virtual time: the loop is another's, or was made for several tests", pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    """Gives the loops of a test virtual time that asks for it, before any fixture makes one."""
    if not _is_virtual(item):
        yield
        return
    with virtual.loops() as made:
        item.stash[_loops] = made
        yield


@pytest.hookimpl
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Optional[bool]:
    """Runs a coroutine function in virtual time, unless another plugin does."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj) or _loops not in pyfuncitem.stash:
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True


def _is_virtual(item: pytest.Item) -> bool:
    """Whether a test asks for virtual time, and its devices are in memory."""
    return "blemu_virtual_time" in getattr(item, "fixturenames", ()) and _is_in_memory(item)


def _is_in_memory(node: Any) -> bool:
    """Whether the devices of a test are in memory: the nearest marker says so, or else the option."""
    marked = [marker.kwargs["on"] for marker in node.iter_markers("blemu") if "on" in marker.kwargs]
    on: str = [*marked, node.config.getoption("--blemu-on")][0]
    return on == "loopback"


def _marked(request: pytest.FixtureRequest) -> Tuple[Sequence[Any], Dict[str, Any]]:
    """The arguments of all markers of a test, its class and its file. Those nearer to the test win."""
    arguments: Sequence[Any] = ()
    options: Dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("blemu"))):
        settings = {**options.get("settings", {}), **marker.kwargs.get("settings", {})}
        options.update(marker.kwargs)
        if settings:
            options["settings"] = settings
        if marker.args:
            arguments = marker.args
            options.pop("definition", None)
        elif "definition" in marker.kwargs:
            arguments = ()
    if not arguments and "definition" not in options:
        pytest.fail(f"the fixture '{request.fixturename}' needs a marker that names the device: @pytest.mark.blemu(\"hm-10\")",
                    pytrace=False)
    return arguments, options


def _start(request: pytest.FixtureRequest, arguments: Sequence[Any], options: Dict[str, Any]) -> Device:
    _check(run, options)
    if len(arguments) + ("definition" in options) != 1:
        raise Error(f"a device has one definition, not {len(arguments) + ('definition' in options)}", hint='all other arguments have names, as in on="loopback"')
    process = _process(request, *arguments, **_chosen(request, options))
    device = process.__enter__()
    request.addfinalizer(functools.partial(_end, process))
    _keep(request, pathlib.PurePath(process.command.definition).name, device, has_state="state" in options)
    return device


def _start_stand(request: pytest.FixtureRequest, arguments: Sequence[Any], options: Dict[str, Any]) -> Stand[Device]:
    _check(up, options)
    process = up(*arguments, **_chosen(request, options))
    stand = process.__enter__()
    request.addfinalizer(functools.partial(_end, process))
    for name, device in stand.items():
        _keep(request, name, device)
    return stand


def _chosen(request: pytest.FixtureRequest, options: Dict[str, Any]) -> Dict[str, Any]:
    """The arguments, also those of the command line."""
    chosen = {"on": request.config.getoption("--blemu-on"), "program": request.config.getoption("--blemu-program"), **options}
    if request.scope == "function" and chosen["on"] == "loopback" and _is_virtual(request.node):
        chosen.setdefault("hold_clock", True)
    return chosen


def _check(function: Callable[..., Any], options: Dict[str, Any]) -> None:
    """Whether the function has these arguments."""
    known = inspect.signature(function).parameters
    for name in options:
        if name not in known:
            similar = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean '{similar[0]}'?" if similar else f"known: {', '.join(known)}"
            raise Error(f"blemu.{function.__name__} has no argument '{name}'", hint=hint)


def _keep(request: pytest.FixtureRequest, name: str, device: Device, *, has_state: bool = False) -> None:
    """Prepares a device for its test, whose report will show its journal."""
    status = device.status()
    if status.transport != "loopback" and status.address is not None and not has_state:
        forget(status.address)  # the last test's device had this address, too, and perhaps other attributes
    request.node.stash.setdefault(_devices, []).append((name, device))


def _process(request: pytest.FixtureRequest, definition: Any, *, on: str, **options: Any) -> Run:
    """Prepares `blemu run`, here or on the machine of a target of labgrid."""
    manager, _, role = on.partition(":")
    if manager != "labgrid":
        return run(definition, on=on, **options)
    if not request.config.pluginmanager.hasplugin("labgrid"):
        pytest.fail(f"'{on}' needs the plugin of labgrid: pip install 'blemu[labgrid]'", pytrace=False)
    environment = request.getfixturevalue("env")
    target = environment.get_target(role or "main")
    if target is None:
        pytest.fail(f"the environment {environment.config.filename} has no target '{role or 'main'}'", pytrace=False)
    process: Run = target.get_driver("BlemuDriver").run(definition, **options)
    return process


def _end(process: Run) -> None:
    try:
        process.__exit__(None, None, None)
    except Error as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Adds the journals of a failed test's devices to its report, also of those that its class, file or run has."""
    if call.excinfo is not None and not item.config.getoption("fulltrace"):
        _hide_library(call.excinfo)
    report: pytest.TestReport = (yield).get_result()
    if report.failed and report.when != "teardown":
        for node in item.listchain():
            for name, device in node.stash.get(_devices, []):
                report.sections.append((f"journal of {name}", _journal(device)))
        if call.excinfo is not None and _asked_bluez(item, call.excinfo):
            report.sections.append(("blemu", "bleak has used the Bluetooth of this machine. With the fixture 'blemu_bleak', it finds the devices of the test."))


def _asked_bluez(item: pytest.Item, failure: pytest.ExceptionInfo[BaseException]) -> bool:
    """Whether bleak has failed with BlueZ, in a test whose devices are in memory."""
    in_memory = _is_in_memory(item) and "blemu_bleak" not in getattr(item, "fixturenames", ())
    return in_memory and any("bleak/backends/bluezdbus" in str(entry.path) for entry in failure.traceback)


def _hide_library(failure: pytest.ExceptionInfo[BaseException]) -> None:
    """Leaves the lines of Python's library out of the report of a failure whose last line is this package's, and hidden."""
    traces = [failure.tb]
    while (following := traces[-1].tb_next) is not None:
        traces.append(following)
    if is_hidden(failure) and traces[-1].tb_frame.f_globals.get("__tracebackhide__") is is_hidden:
        shown = [each for each in traces if each.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in LIBRARY]
        for each, other in zip(shown, shown[1:]):
            each.tb_next = other


def _journal(device: Device) -> str:
    """The last lines of a device's journal. It has a connection of its own: the test's may be in use."""
    try:
        with Device(device.path) as other:
            omitted = max(0, other.status().events - SHOWN)
            text = other.journal_text(after=omitted)
    except Error as error:
        return str(error)
    return f"… {omitted} earlier events\n{text}" if omitted else text
