"""What goes wrong on purpose."""
import asyncio
import gc

import blemu
import pytest
from conftest import LAMP


def test_goes_wrong_as_long_as_a_statement_lasts(lamp):
    with lamp.central() as central:
        central.subscribe("switch")
        with lamp.fault("refuse write-not-permitted", "on switch"):
            with pytest.raises(blemu.RefusedError, match="write-not-permitted"):
                central.write("switch", "turn", state=1)
            [fault] = lamp.faults()
            assert (fault["fault"], fault["struck"]) == ("refuse write-not-permitted on switch", 1)
        assert lamp.faults() == []
        central.write("switch", "turn", state=1)
        lamp.expect("< switch turn state=1")


def test_tells_what_the_phone_gets_from_what_the_lamp_sends(lamp):
    with lamp.central() as phone:
        phone.subscribe("switch")
        with lamp.fault("drop out once"):
            phone.write("switch", "turn", state=1)
            lamp.expect("> switch turn state=1", "sent switch turn state=1")
            lamp.expect("< switch", within=0, never=True)
            phone.write("switch", "turn", state=2)
            lamp.expect("< switch turn state=2")
        lamp.expect("sent switch", "sent switch", after=0)
        lamp.expect("< switch", after=0, exactly=1)
        lines = lamp.transcript().splitlines()
        assert [line for line in lines if line.startswith("< ")] == ["< switch  A5 02  # turn state=2"]


def test_goes_wrong_without_a_statement(lamp):
    fault = lamp.fault("stop advertising")
    assert [each["number"] for each in lamp.faults()] == [fault.number]
    fault.remove()
    assert lamp.faults() == []
    fault.remove()


def test_goes_wrong_from_the_start():
    with blemu.run(LAMP, faults=["drop out on switch", "refuse connections"]) as lamp:
        assert [fault["fault"] for fault in lamp.faults()] == ["drop out on switch", "refuse connections"]


def test_ends_all_faults_at_once():
    with blemu.run(LAMP, faults=["drop out on switch"]) as lamp, lamp.fault("stop advertising"):
        lamp.clear_faults()
        assert lamp.faults() == []
        with lamp.fault("stop advertising"):
            assert [fault["number"] for fault in lamp.faults()] == [3]


def test_explains_a_fault_that_there_is_not(lamp):
    with pytest.raises(blemu.Error, match="no fault is called 'dorp'"), lamp.fault("dorp"):
        pass


def test_goes_wrong_with_asyncio():
    async def body():
        async with blemu.aio.run(LAMP) as lamp:
            async with lamp.fault("stop advertising") as number:
                assert [fault["number"] for fault in await lamp.faults()] == [number]
            assert await lamp.faults() == []
            async with lamp.fault("stop advertising"):
                await lamp.clear_faults()
                assert await lamp.faults() == []
            fault = await lamp.fault("stop advertising")
            assert [each["number"] for each in await lamp.faults()] == [fault.number]
            await fault.remove()
            assert await lamp.faults() == []

    asyncio.run(body())


def test_warns_of_a_fault_that_nobody_awaits():
    async def body():
        async with blemu.aio.run(LAMP) as lamp:
            with pytest.warns(RuntimeWarning, match="never awaited"):
                lamp.fault("stop advertising")
                gc.collect()

    asyncio.run(body())
