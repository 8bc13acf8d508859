"""Waiting for an expectation that a program gives up."""
import asyncio
import contextlib
import json
import signal
import socket
import subprocess

import blemu
import pytest
from blemu.command import find_program


class Script:
    """A device that says what a test tells it to."""

    def __init__(self, folder):
        self.path = str(folder / "script.sock")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self._listener.settimeout(20)

    def accept(self):
        self._connection, _ = self._listener.accept()
        self._connection.settimeout(20)
        self._lines = self._connection.makefile("rb")

    def request(self):
        request = json.loads(self._lines.readline())
        return request["id"], request["method"], request["params"]

    def answer(self, number, **members):
        self._connection.sendall(json.dumps({"jsonrpc": "2.0", "id": number, **members}).encode() + b"\n")


@pytest.fixture
def script(tmp_path):
    return Script(tmp_path)


@contextlib.contextmanager
def interrupted(error, after=0.1):
    """Raises an error in the main thread after a while, as Ctrl-C and the time limits of pytest do."""
    def interrupt(number, frame):
        raise error

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, after)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), TimeoutError("the test's own"), ConnectionResetError("the test's own")])
def test_an_interrupted_expectation_is_cancelled_and_its_answer_dropped(script, error):
    device = blemu.Device(script.path)
    script.accept()
    with pytest.raises(type(error)) as caught, interrupted(error):
        device.expect("connect", within=60)
    assert caught.value is error
    assert script.request() == (1, "expect", {"lines": ["connect"], "within": 60000})
    assert script.request() == (2, "cancel", {"id": 1})
    script.answer(1, error={"code": -32002, "message": "the request was cancelled"})
    script.answer(2, result={"cancelled": True})
    script.answer(3, result={"values": {"level": 7}})
    assert device.get("level") == 7


def test_what_does_not_wait_is_not_cancelled(script):
    device = blemu.Device(script.path)
    script.accept()
    with pytest.raises(KeyboardInterrupt), interrupted(KeyboardInterrupt()):
        device.get("level")
    script.answer(1, result={"values": {"level": 6}})
    script.answer(2, result={"values": {"level": 7}})
    assert device.get("level") == 7
    assert [script.request()[:2] for _ in range(2)] == [(1, "get"), (2, "get")]


def test_a_device_that_cannot_cancel_does_no_harm(script):
    device = blemu.Device(script.path)
    script.accept()
    with pytest.raises(KeyboardInterrupt), interrupted(KeyboardInterrupt()):
        device.expect("connect", within=60)
    script.answer(2, error={"code": -32601, "message": "no method is called 'cancel'"})
    script.answer(3, result={"values": {"level": 7}})
    assert device.get("level") == 7


def test_a_cancelled_task_cancels_its_expectation(script):
    async def body():
        async with blemu.aio.Device(script.path) as device:
            script.accept()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(device.expect("connect", within=60), 0.1)
            get = asyncio.ensure_future(device.get("level"))
            requests = [await asyncio.to_thread(script.request) for _ in range(3)]
            assert requests[1] == (2, "cancel", {"id": 1})
            assert requests[2][:2] == (3, "get")
            script.answer(1, error={"code": -32002, "message": "the request was cancelled"})
            script.answer(2, result={"cancelled": True})
            script.answer(3, result={"values": {"level": 7}})
            assert await get == 7

    asyncio.run(body())


@pytest.fixture
def lamp_that_cancels(lamp):
    schema = subprocess.run([find_program(), "schema", "control"], capture_output=True, text=True, check=True).stdout
    if "cancel" not in json.loads(schema)["$defs"]:
        pytest.skip("this blemu does not know the method 'cancel'")
    return lamp


def test_the_next_expectation_gets_what_a_given_up_one_has_waited_for(lamp_that_cancels):
    lamp = lamp_that_cancels
    with pytest.raises(KeyboardInterrupt), interrupted(KeyboardInterrupt()):
        lamp.expect("] wire turn", within=60)
    lamp.wire("turn", state=1)
    [event] = lamp.expect("] wire turn", within=20)
    assert event.fields == {"state": 1}
    assert "waiting" not in [each["state"] for each in lamp.expectations()]


def test_the_next_expectation_of_a_task_gets_what_a_cancelled_one_has_waited_for(lamp_that_cancels):
    async def body():
        async with blemu.aio.Device(lamp_that_cancels.path) as lamp:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(lamp.expect("] wire turn", within=60), 0.1)
            await lamp.wire("turn", state=1)
            [event] = await lamp.expect("] wire turn", within=20)
            assert event.fields == {"state": 1}
            assert "waiting" not in [each["state"] for each in await lamp.expectations()]

    asyncio.run(body())
