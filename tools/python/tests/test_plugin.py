"""The pytest plugin, in runs of pytest within this one."""
import pytest
from conftest import DESK, LAMP


@pytest.fixture
def run_test(pytester):
    """Runs a file of tests, and returns pytest's result."""
    def run_test(text, *arguments, configuration=""):
        pytester.makeconftest(configuration)
        pytester.makepyfile(f"import blemu, pytest\nLAMP, DESK = {str(LAMP)!r}, {str(DESK)!r}\n" + text)
        return pytester.runpytest("-p", "blemu.pytest_plugin", "-p", "no:cacheprovider", *arguments)

    return run_test


def test_starts_the_device_of_the_marker(run_test):
    result = run_test("""
@pytest.mark.blemu(LAMP, settings={"level": 3}, seed=7)
def test_level(blemu_device):
    assert blemu_device.get("level") == 3
    assert blemu_device.status().transport == "loopback"
""", "--strict-markers")
    result.assert_outcomes(passed=1)


def test_starts_several_devices(run_test):
    result = run_test("""
def test_two(blemu_run):
    left, right = blemu_run(LAMP), blemu_run(LAMP, settings={"level": 2})
    left.set(level=5)
    assert (left.get("level"), right.get("level")) == (5, 2)
""")
    result.assert_outcomes(passed=1)


def test_shows_the_journal_and_both_sides_of_a_failed_expectation(run_test):
    result = run_test("""
@pytest.mark.blemu(LAMP)
def test_turn(blemu_device):
    blemu_device.wire("turn", state=1)
    blemu_device.expect("] wire turn state=2", within=0.05)
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        ">       blemu_device.expect(\"] wire turn state=2\", within=0.05)",
        "E       blemu.ExpectationError: '] wire turn state=2' did not come within 0.050 s; in event 2, state is 1, not 2",
        "E       ->       ] wire turn state=2*",
        "E             2 *] wire  A5 01  turn state=1",
        "*- journal of lamp.yaml -*",
        "Lamp as \"Lamp\" on loopback *",
        "*] wire  A5 01 *",
        "*the wire turns it to 1",
    ])
    # The plugin's and the package's own lines are noise.
    assert "operations." not in result.stdout.str() and "_perform" not in result.stdout.str()


def test_shows_the_end_of_a_long_journal(run_test):
    result = run_test("""
@pytest.mark.blemu(LAMP)
def test_turn(blemu_device):
    for state in range(50):
        blemu_device.wire("turn", state=state)
    assert False
""")
    result.stdout.fnmatch_lines(["… 61 earlier events", "*the wire turns it to 49"])
    assert "turns it to 29" not in result.stdout.str()


def test_fails_a_test_whose_device_does_not_start(run_test):
    result = run_test("""
@pytest.mark.blemu("no-such-device")
def test_nothing(blemu_device):
    pass
""")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["blemu did not start (exit status 66):", "*there is no definition 'no-such-device'"])


def test_fails_a_test_whose_device_crashes(run_test):
    result = run_test("""
import os
@pytest.mark.blemu(LAMP)
def test_nothing(blemu_device):
    os.kill(blemu_device.status().process, 9)
""")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["blemu did not end well (killed by signal 9)"])


def test_shows_none_of_its_own_lines_when_a_device_fails(run_test):
    result = run_test("""
import os
@pytest.mark.blemu("no-such-device")
def test_start(blemu_device):
    pass

def test_crash(blemu_run):
    os.kill(blemu_run(LAMP).status().process, 9)
""")
    result.assert_outcomes(passed=1, errors=2)
    result.stdout.no_fnmatch_line("*ExitStack*")
    result.stdout.no_fnmatch_line("*running.py*")
    assert len(result.stdout.lines) < 25


def test_ends_devices_with_their_test(run_test):
    result = run_test("""
import os
processes = []

def test_two(blemu_run):
    processes.extend(blemu_run(LAMP).status().process for _ in range(2))

def test_none():
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    assert len(processes) == 2
""")
    result.assert_outcomes(passed=2)


def test_has_devices_for_a_file_a_class_and_the_run(run_test):
    result = run_test("""
pytestmark = pytest.mark.blemu(LAMP, settings={"level": 3})
seen = {}

@pytest.fixture(scope="session")
def lamp(blemu_session_run):
    return blemu_session_run(LAMP)

@pytest.fixture(scope="module")
def other(blemu_module_run):
    return blemu_module_run(LAMP)

@pytest.mark.blemu(settings={"local-name": "Robot"})
class TestClass:
    def test_one(self, blemu_class_device, blemu_module_device, lamp, other, blemu_class_run):
        seen.update(own=blemu_class_device, file=blemu_module_device)
        assert blemu_class_device.get("level", "local-name") == {"level": 3, "local-name": "Robot"}
        assert blemu_module_device.get("level", "local-name") == {"level": 3, "local-name": "Lamp"}
        lamp.set(level=9)

    def test_two(self, blemu_class_device, blemu_module_device, lamp):
        assert (blemu_class_device, blemu_module_device) == (seen["own"], seen["file"])
        assert lamp.get("level") == 9

def test_later(blemu_module_device, blemu_device, lamp):
    with pytest.raises(blemu.EndedError):
        seen["own"].status()
    assert blemu_module_device is seen["file"] and blemu_device is not seen["file"]
    assert lamp.get("level") == 9
""")
    result.assert_outcomes(passed=3)


def test_shows_the_journal_of_a_device_of_the_file(run_test):
    result = run_test("""
pytestmark = pytest.mark.blemu(LAMP)

def test_turn(blemu_module_device):
    blemu_module_device.wire("turn", state=1)
    assert False
""")
    result.stdout.fnmatch_lines(["*- journal of lamp.yaml -*", "*the wire turns it to 1"])


def test_runs_the_stand_of_the_marker(run_test):
    result = run_test("""
@pytest.mark.blemu_stand(DESK)
def test_both(blemu_stand):
    assert [device.status().transport for device in blemu_stand.values()] == ["loopback", "loopback"]
    blemu_stand["left"].wire("turn", state=1)
    assert False

@pytest.mark.blemu_stand(DESK, "left")
class TestClass:
    def test_one(self, blemu_stand):
        assert list(blemu_stand) == ["left"]
""", "--strict-markers")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*- journal of left -*", "*the wire turns it to 1", "*- journal of right -*"])


def test_runs_the_devices_of_a_stand_where_the_option_says(run_test):
    result = run_test("""
@pytest.mark.blemu_stand(DESK)
def test_both(blemu_stand):
    pass
""", "--blemu-on", "pigeon")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["blemu did not start:", "*pigeon*"])


def test_merges_markers(run_test):
    result = run_test("""
@pytest.mark.blemu("no-such-device", on="loopback", settings={"level": 3, "local-name": "Robot"}, seed=7)
class TestClass:
    @pytest.mark.blemu(LAMP, settings={"level": 4})
    def test_one(self, blemu_device):
        assert blemu_device.get("level", "local-name") == {"level": 4, "local-name": "Robot"}

    @pytest.mark.blemu(definition=LAMP)
    def test_two(self, blemu_device):
        assert blemu_device.get("level") == 3
""", "--blemu-on", "pigeon")
    result.assert_outcomes(passed=2)


def test_asks_for_a_marker(run_test):
    result = run_test("def test_nothing(blemu_device): pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the fixture 'blemu_device' needs a marker that names the device: *"])


def test_the_marker_wins_over_the_option(run_test):
    text = """
@pytest.mark.blemu(LAMP, on="loopback")
def test_chosen(blemu_device):
    pass

@pytest.mark.blemu(LAMP)
def test_default(blemu_device):
    pass
"""
    result = run_test(text, "--blemu-on", "pigeon")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*pigeon*"])


def test_runs_the_program_of_the_option(run_test):
    result = run_test("def test_nothing(blemu_run): blemu_run(LAMP)\n", "--blemu-program", "/bin/false")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E * blemu did not start (exit status 1)"])


VIRTUAL = """
import asyncio

SLEEP = 86_400

async def client(path):
    begun = asyncio.get_running_loop().time()
    async with blemu.aio.Device(path) as device:
        await asyncio.sleep(SLEEP)
        return asyncio.get_running_loop().time() - begun, (await device.status()).seconds

"""
COROUTINE = VIRTUAL + """
import {plugin}

{fixture}
async def early():
    await asyncio.sleep(SLEEP)

{marker}
@pytest.mark.blemu(LAMP)
async def test_sleep({argument}blemu_device, blemu_virtual_time):
    assert await client(blemu_device.path) == (SLEEP, SLEEP)
    assert asyncio.get_running_loop().time() == {seconds}
"""


def test_gives_a_test_virtual_time(run_test):
    result = run_test(VIRTUAL + """
@pytest.mark.blemu(LAMP)
def test_sleep(blemu_device, blemu_virtual_time, blemu_run):
    assert asyncio.run(client(blemu_device.path)) == (SLEEP, SLEEP)
    assert blemu_virtual_time(client(blemu_run(LAMP).path)) == (SLEEP, SLEEP)
    blemu_device.advance(1)
    assert blemu_device.status().seconds == 2 * SLEEP + 1

async def test_coroutine(blemu_virtual_time, blemu_run):
    await asyncio.gather(*(client(blemu_run(LAMP).path) for _ in range(2)))
    assert asyncio.get_running_loop().time() == SLEEP

def test_other(blemu_run):
    loop = asyncio.new_event_loop()
    loop.close()
    assert not isinstance(loop, blemu.virtual.Loop)
    assert blemu_run(LAMP).advance(1).after == 1
    assert 1 <= blemu_run(LAMP).status().seconds + 1 < SLEEP
""")
    result.assert_outcomes(passed=3)


def test_gives_a_stand_virtual_time(run_test):
    result = run_test(VIRTUAL + f"""
@pytest.mark.blemu_stand({str(DESK)!r})
async def test_sleep(blemu_stand, blemu_virtual_time):
    assert await client(blemu_stand["left"].path) == (SLEEP, SLEEP)
    assert blemu_stand["right"].status().seconds == SLEEP
""")
    result.assert_outcomes(passed=1)


def test_a_device_for_several_tests_has_its_own_time(run_test):
    result = run_test(VIRTUAL + """
pytestmark = pytest.mark.usefixtures("blemu_virtual_time")

@pytest.fixture(scope="module")
def lamp(blemu_module_run):
    return blemu_module_run(LAMP, hold_clock=True)

def test_one(lamp):
    assert asyncio.run(client(lamp.path)) == (SLEEP, SLEEP)

def test_two(lamp, blemu_module_run):
    assert asyncio.run(client(lamp.path)) == (SLEEP, 2 * SLEEP)
    with pytest.raises(blemu.Error, match="the device's time passes by itself"):
        asyncio.run(client(blemu_module_run(LAMP).path))
""")
    result.assert_outcomes(passed=2)


@pytest.mark.parametrize("plugin, fixture, marker", [
    ("pytest_asyncio", "@pytest_asyncio.fixture", "@pytest.mark.asyncio"),
    ("anyio", "@pytest.fixture", '@pytest.mark.anyio\n@pytest.mark.parametrize("anyio_backend", ["asyncio"])')], ids=["asyncio", "anyio"])
@pytest.mark.parametrize("argument, seconds", [("", "SLEEP"), ("early, ", "2 * SLEEP")], ids=["test", "fixture"])
def test_gives_the_loop_of_another_plugin_virtual_time(run_test, plugin, fixture, marker, argument, seconds):
    pytest.importorskip(plugin)
    text = COROUTINE.format(plugin=plugin, fixture=fixture, marker=marker, argument=argument, seconds=seconds)
    run_test(text).assert_outcomes(passed=1)


def test_says_that_a_loop_has_no_virtual_time(run_test):
    result = run_test("""
import asyncio

async def test_sleep(blemu_virtual_time):
    await asyncio.sleep(0)
""", configuration="""
import asyncio

def pytest_pyfunc_call(pyfuncitem):
    return LOOP.run_until_complete(pyfuncitem.obj(None)) or True

LOOP = asyncio.new_event_loop()
""")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["the test's event loop is not in virtual time: *"])


def test_time_is_real_on_the_air(run_test):
    result = run_test("""
import asyncio

def is_virtual():
    loop = asyncio.new_event_loop()
    loop.close()
    return isinstance(loop, blemu.virtual.Loop)

def test_option(blemu_virtual_time):
    assert not is_virtual()
    assert blemu_virtual_time(asyncio.sleep(0, 1)) == 1

@pytest.mark.blemu(LAMP, on="loopback")
class TestClass:
    def test_class(self, blemu_virtual_time):
        assert is_virtual()

    @pytest.mark.blemu(on="exact:hci0")
    def test_marker(self, blemu_virtual_time):
        assert not is_virtual()
""", "--blemu-on", "bluez:hci0")
    result.assert_outcomes(passed=3)
