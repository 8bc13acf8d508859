"""The same with asyncio."""
import asyncio
import gc
import inspect
import warnings

import blemu
import pytest
from blemu.central import Session
from conftest import CLOCK, KEYS, LAMP


def on_lamp(test):
    """Runs a coroutine function with a lamp in memory."""
    async def body():
        async with blemu.aio.run(LAMP) as lamp:
            await test(lamp)

    def run():
        asyncio.run(body())

    run.__name__ = test.__name__
    return run


@on_lamp
async def test_steers_and_checks(lamp):
    await lamp.set(level=3)
    assert await lamp.get("level") == 3
    await lamp.wire("turn", state=1)
    [event] = await lamp.expect("] wire turn state=1")
    assert event.fields == {"state": 1}
    assert [event.kind for event in await lamp.journal(after=2)] == ["wire-in", "log"]
    assert (await lamp.status()).definition == "Lamp"


@on_lamp
async def test_is_used_while_something_is_expected(lamp):
    expected = [asyncio.ensure_future(lamp.expect(f"] wire turn state={state}")) for state in (1, 2)]
    await asyncio.sleep(0)
    for state in 1, 2:
        await lamp.wire("turn", state=state)
    assert [[event.fields for event in await each] for each in expected] == [[{"state": 1}], [{"state": 2}]]


@on_lamp
async def test_shows_both_sides_of_a_failed_expectation(lamp):
    with pytest.raises(blemu.ExpectationError, match=r"(?s)'connect' did not come within 0.050 s.*->       connect"):
        await lamp.expect("connect", within=0.05)


@on_lamp
async def test_iterates_over_events(lamp):
    kinds = []
    async for event in lamp.events():
        kinds.append(event.kind)
        if event.kind == "on-air":
            await lamp.wire("turn", state=1)
        if event.kind == "log":
            await lamp.stop()
    assert kinds[:3] == ["on-air", "wire-in", "log"]
    with pytest.raises(blemu.Error, match="the device has ended"):
        await lamp.status()


@on_lamp
async def test_fails_what_waits_when_it_ends(lamp):
    expected = asyncio.ensure_future(lamp.expect("connect", within=60))
    await asyncio.sleep(0.05)
    await lamp.stop()
    with pytest.raises(blemu.Error, match="the device has ended"):
        await expected


@on_lamp
async def test_may_end_within_a_statement_for_a_fault_or_a_central(lamp):
    async with lamp.fault("drop on switch"), lamp.central():
        await lamp.stop()


@on_lamp
async def test_refuses_more_than_it_reads(lamp):
    with pytest.raises(blemu.Error, match="a line has at most"):
        await lamp.wire(bytes(500_000))
    assert await lamp.get("level") == 1


@on_lamp
async def test_gives_up_an_expectation(lamp):
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(lamp.expect("connect", within=60), 0.05)
    assert await lamp.get("level") == 1


def test_leaves_nothing_open():
    async def body():
        async with blemu.aio.run(LAMP) as lamp:
            phone = lamp.central()
            await phone.connect()
            await blemu.aio.Device(lamp.path).status()

    gc.collect()  # what other tests have left
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        asyncio.run(body())
        gc.collect()
    assert [str(each.message) for each in warned] == []


@on_lamp
async def test_plays_the_central(lamp):
    async with lamp.central() as central:
        await central.subscribe("switch")
        await central.write("switch", "turn", state=1)
        await lamp.expect("> switch turn state=1", "< switch turn state=1")
        assert await central.read("switch") == b"\xA5\x01"
    await lamp.expect("disconnect")


@on_lamp
async def test_receives_what_the_device_sends(lamp):
    async with lamp.central() as phone, lamp.central() as other:
        await phone.subscribe("switch")
        first, second = (asyncio.ensure_future(phone.next("switch", within=60)) for _ in range(2))
        await asyncio.sleep(0)
        for state in 1, 2, 3:
            await phone.write("switch", "turn", state=state)
        assert [(await each).fields for each in (first, second)] == [{"state": 1}, {"state": 2}]
        assert [each.fields["state"] for each in await phone.notifications("FFE1")] == [1, 2, 3]
        assert (await phone.next(within=0)).value == b"\xA5\x03"
        with pytest.raises(blemu.ExpectationError, match="^nothing more came from 'switch' within 0.050 s"):
            await phone.next("switch", within=0.05)
        assert [phone.address, other.address] == (await lamp.status()).centrals
        assert await other.notifications() == []
        with pytest.raises(blemu.Error, match="^no characteristic is called 'swich'"):
            await phone.next("swich")
        await lamp.disconnect(phone.address)
        with pytest.raises(blemu.Error, match="^the connection has ended"):
            await phone.next("switch", within=60)
        awaited = asyncio.ensure_future(other.next(within=60))
        await other.read("switch")
        await lamp.stop()
        with pytest.raises(blemu.EndedError):
            await awaited


def test_lets_time_pass_and_takes_bytes_numbers_and_uuids_as_the_other_client():
    async def body():
        async with blemu.aio.run(CLOCK) as clock, clock.central(mtu=100) as central:
            await central.subscribe("ffe1")
            await clock.advance(600)
            assert len(await clock.expect("< FFE1", exactly=10)) == 10
            with pytest.raises(TypeError, match=r"bytes\(\[2\]\)"):
                await clock.send("time", 2)
        async with blemu.aio.run(KEYS) as keys:
            await keys.set(key=b"\x0A", is_encoding=True)
            assert await keys.get("key", "is_encoding") == {"key": b"\x0A", "is_encoding": True}

    asyncio.run(body())


def test_says_that_there_is_no_device():
    async def body():
        async with blemu.aio.Device("nobody"):
            pass

    with pytest.raises(blemu.Error, match="no device is running at .*nobody.sock"):
        asyncio.run(body())


def test_says_why_it_does_not_start():
    async def body():
        async with blemu.aio.run("no-such-device"):
            pass

    with pytest.raises(blemu.Error, match="there is no definition 'no-such-device'"):
        asyncio.run(body())


@pytest.mark.parametrize("waiting, awaited", [
    (blemu.Device, blemu.aio.Device), (blemu.Central, blemu.aio.Central), (blemu.Fault, blemu.aio.Fault),
    (blemu.Interception, blemu.aio.Interception), (blemu, blemu.aio)])
def test_has_the_same_functions(waiting, awaited):
    def names(function):
        # A function that is passed to `intercept` may be asynchronous here: its type differs.
        return [(each.name, each.kind, each.default) for each in inspect.signature(function).parameters.values()]

    def functions(owner):
        members = inspect.getmembers(owner, inspect.isfunction)
        return {name: function for name, function in members if not name.startswith("_")}

    there, here = functions(waiting), functions(awaited)
    assert [name for name in there if name not in here] == []
    for name, function in there.items():
        assert names(here[name]) == names(function), name
        assert function.__doc__ and here[name].__doc__, name


class Performer:
    """What methods of a device, a central and a fault work on. It performs nothing."""
    number, DONE = 1, object()

    def __init__(self):
        self._device = self._connection = self
        self._session = Session("00:00:00:00:00:02", None)

    def perform(self, steps):
        return self.DONE

    _perform = perform

    def close(self):
        return self.DONE


@pytest.mark.parametrize("method", [
    pytest.param(twin.__wrapped__, id=twin.__qualname__)
    for awaited in (blemu.aio.Device, blemu.aio.Central, blemu.aio.Fault)
    for twin in vars(awaited).values() if hasattr(twin, "__wrapped__")])
def test_its_methods_can_be_those_that_wait(method):
    _, *parameters = inspect.signature(method).parameters.values()
    values = {"content": "turn", "seconds": 1}
    needed = [each.name for each in parameters if each.name in values or each.default is each.empty and each.kind < each.VAR_POSITIONAL]
    assert method(Performer(), *(values.get(name, "switch") for name in needed)) is Performer.DONE
