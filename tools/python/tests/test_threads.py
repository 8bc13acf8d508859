"""A device that several threads or tasks use at once."""
import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import blemu
import pytest


def test_a_function_that_answers_uses_the_device_of_the_test(lamp):
    with lamp.central() as central, lamp.intercept("read switch", lambda event: bytes([lamp.get("level")]), within=20):
        begun = time.monotonic()
        for _ in range(50):
            assert central.read("switch") == b"\x01"
    assert time.monotonic() - begun < 20


def test_each_thread_gets_its_own_answers(lamp):
    def ask(number):
        return [lamp.get(f"level + {number}") for _ in range(100)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [[1 + number] * 100 for number in range(8)]


def test_a_thread_waits_while_another_asks(lamp):
    with ThreadPoolExecutor(1) as pool:
        expected = pool.submit(lamp.expect, "] wire turn state=2", within=60)
        for state in 1, 2:
            lamp.wire("turn", state=state)
        [event] = expected.result()
        assert event.fields == {"state": 2}


def test_a_thread_reads_on_when_the_one_that_has_read_is_done(lamp):
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(lamp.expect, "] wire turn state=1", within=60)
        time.sleep(0.1)
        second = pool.submit(lamp.expect, "] wire turn state=2", within=60)
        time.sleep(0.1)
        with blemu.Device(lamp.path) as wire_side:
            wire_side.wire("turn", state=1)
            first.result()
            wire_side.wire("turn", state=2)
            second.result()


def test_threads_share_the_place_of_the_last_expectation(lamp):
    outcome = lamp.wire("turn", state=1)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lamp.expect, "] wire turn").result()
    lamp.expect("] wire turn", never=True)
    lamp.expect("] wire turn", after=outcome.after)


def test_threads_that_wait_get_an_error_when_the_connection_is_closed(lamp):
    device = blemu.Device(lamp.path)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(device.expect, "connect", within=60) for _ in range(2)]
        time.sleep(0.1)
        device.close()
        for each in waiting:
            with pytest.raises(blemu.Error):
                each.result(timeout=20)
    with pytest.raises(blemu.Error):
        device.status()


def test_threads_that_wait_get_an_error_when_the_device_ends(lamp):
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(lamp.expect, "connect", within=60) for _ in range(2)]
        time.sleep(0.1)
        lamp.stop()
        for each in waiting:
            with pytest.raises(blemu.Error, match="the device has ended"):
                each.result(timeout=20)


def test_tasks_share_one_connection_from_the_first_request_on(lamp, monkeypatch):
    connections = 0
    connect = asyncio.open_unix_connection

    async def count(*arguments):
        nonlocal connections
        connections += 1
        return await connect(*arguments)

    async def body():
        monkeypatch.setattr(asyncio, "open_unix_connection", count)
        device = blemu.aio.Device(lamp.path)
        answers = await asyncio.gather(*(device.get(f"level + {number}") for number in range(200)))
        assert answers == [1 + number for number in range(200)]
        await device.close()
        assert connections == 1

    asyncio.run(body())


def test_tasks_learn_that_there_is_no_device():
    async def body():
        device = blemu.aio.Device("/tmp/no-such-device.sock")
        for answer in await asyncio.gather(device.status(), device.status(), return_exceptions=True):
            assert isinstance(answer, blemu.Error) and "no device is running" in answer.message

    asyncio.run(body())
