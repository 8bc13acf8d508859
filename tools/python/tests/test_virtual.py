"""Virtual time: the clock of an event loop and of devices whose clocks stand."""
import asyncio
import concurrent.futures
import pathlib
import threading
import time

import blemu
import pytest
from blemu import virtual
from conftest import CLOCK, LAMP

SLOW = pathlib.Path(__file__).with_name("slow.yaml")


def test_a_retry_after_half_a_minute_takes_none_of_it():
    async def main():
        async with blemu.aio.run(SLOW, faults="drop in on questions twice") as slow, slow.central() as phone:
            await phone.subscribe("answers")
            for number in range(5):
                await phone.write("questions", "question", number=number)
                try:
                    return (await phone.next("answers", within=31)).fields, asyncio.get_running_loop().time()
                except blemu.ExpectationError:
                    await asyncio.sleep(30)

    assert virtual.run(main()) == ({"number": 2}, 152.0)


async def history():
    """What two devices send, and when, while tasks sleep, and a fault delays some of it at random."""
    loop, came = asyncio.get_running_loop(), []

    async def note(phone, characteristic, count):
        await phone.subscribe(characteristic)
        for _ in range(count):
            value = await phone.next(characteristic, within=120)
            came.append((loop.time(), value.attribute, value.value))

    async def ask(phone):
        for number in range(3):
            await phone.write("questions", "question", number=number)
            came.append((loop.time(), "asked", number))
            await asyncio.sleep(40.5)

    async with blemu.aio.run(CLOCK, seed=7) as clock, clock.central() as first:
        await asyncio.sleep(1.25)
        async with blemu.aio.run(SLOW, seed=7, faults="delay 2s jitter 3s out") as slow, slow.central() as second:
            await asyncio.gather(note(first, "time", 2), note(second, "answers", 3), ask(second))
            seconds = [(await each.status()).seconds for each in (clock, slow)]
    return came, seconds


def test_happens_twice_in_the_same_way():
    came, seconds = virtual.run(history())
    assert (came, seconds) == virtual.run(history())
    assert [each for each in came if each[1] == "time"] == [(60.0, "time", b"\x01"), (120.0, "time", b"\x02")]
    asked, answered = ([each[0] for each in came if each[1] == kind] for kind in ("asked", "answers"))
    assert asked == [1.25, 41.75, 82.25]
    delays = [answer - question for question, answer in zip(asked, answered)]
    assert all(32 <= each <= 35 for each in delays) and len(set(delays)) == 3
    assert seconds[0] - seconds[1] == 1.25  # the second has started later


def test_time_stands_while_a_function_runs_elsewhere():
    """Also if nobody waits for it any more."""
    async def main():
        loop = asyncio.get_running_loop()
        begun, may_end = threading.Event(), threading.Event()

        def work():
            begun.set()
            may_end.wait()
            return loop.time()

        async with blemu.aio.run(CLOCK) as clock:
            asleep = asyncio.ensure_future(asyncio.sleep(30))
            for executor in None, concurrent.futures.ThreadPoolExecutor(1):
                call = loop.run_in_executor(executor, work)
                await asyncio.to_thread(begun.wait)
                assert (await clock.status()).seconds == 0 and not asleep.done()
                if executor is None:
                    may_end.set()
                    assert await call == 0
                    begun.clear()
                    may_end.clear()
                else:
                    call.cancel()
                    await asyncio.to_thread(time.sleep, 0)
                    assert loop.time() == 0
                    may_end.set()
            await asleep
            return loop.time(), (await clock.status()).seconds

    assert virtual.run(main()) == (30.0, 30.0)


def test_time_stands_while_the_program_says_so():
    async def main():
        loop = asyncio.get_running_loop()
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        async with blemu.aio.run(CLOCK):
            with virtual.standing_still():
                answer = asyncio.ensure_future(reader.read(1))
                asleep = asyncio.ensure_future(asyncio.sleep(1))
                timer.start()
                assert await answer == b"1" and not asleep.done() and loop.time() == 0
            await asleep
            writer.close()
            return loop.time()

    import socket
    ours, theirs = socket.socketpair()
    timer = threading.Timer(0.1, theirs.send, [b"1"])
    assert virtual.run(main()) == 1.0
    timer.join()
    theirs.close()


def test_does_nothing_to_other_loops():
    async def main():
        with virtual.standing_still():
            return isinstance(asyncio.get_running_loop(), virtual.Loop)

    assert asyncio.run(main()) is False


def test_waits_for_what_is_outside_if_nothing_else_can_happen():
    async def main():
        loop = asyncio.get_running_loop()
        came = loop.create_future()
        timer = threading.Timer(0.1, loop.call_soon_threadsafe, [came.set_result, 1])
        timer.start()
        return await came, loop.time()

    assert virtual.run(main()) == (1, 0.0)


def test_expectations_have_the_loop_s_time():
    async def main():
        loop, seen = asyncio.get_running_loop(), []
        async with blemu.aio.run(CLOCK) as clock, clock.central() as phone:
            await phone.subscribe("time")
            [event] = await clock.expect("< time", within=100)
            seen.append((loop.time(), event.value))
            with pytest.raises(blemu.ExpectationError) as caught:
                await clock.expect("< time", within=59.5)
            seen.append((loop.time(), caught.value.message))
            await clock.expect("< time", within=1)
            with pytest.raises(blemu.ExpectationError, match="came more than once|came more than 1 time"):
                await clock.expect("< time", at_most=1, within=130)
            seen.append(loop.time())
            await clock.expect("disconnect", never=True, within=10)
            seen.append(loop.time())
            with pytest.raises(blemu.ExpectationError) as caught:
                await clock.expect("* minutes == 99", within=5)
            seen.append(caught.value.message)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(clock.expect("disconnect", within=60), 2)
            seen.append(loop.time())
        return seen

    assert virtual.run(main()) == [
        (60.0, b"\x01"), (119.5, "'< time' did not come within 59.500 s"), 240.0, 250.0, "'* minutes == 99' is not true within 5.000 s: minutes is 4", 257.0]


def test_lets_time_pass_for_all():
    async def main():
        loop, woken = asyncio.get_running_loop(), []

        async def sleep():
            await asyncio.sleep(45)
            woken.append(loop.time())

        async with blemu.aio.run(CLOCK) as clock, blemu.aio.run(SLOW) as slow, clock.central() as phone:
            await phone.subscribe("time")
            asleep = asyncio.ensure_future(sleep())
            await clock.advance(600)
            assert len(await clock.expect("< time", exactly=10)) == 10
            await asleep
            return woken, loop.time(), await slow.get("tens"), [(await each.status()).seconds for each in (clock, slow)]

    assert virtual.run(main()) == ([45.0], 600.0, 60, [600.0, 600.0])


def test_a_function_that_waits_in_the_loop_lets_time_pass():
    async def main():
        loop = asyncio.get_running_loop()
        with blemu.run(CLOCK) as clock, clock.central() as phone:
            phone.subscribe("time")
            asleep = asyncio.ensure_future(asyncio.sleep(30))
            await asyncio.sleep(0)
            clock.expect("< time", within=60)
            assert loop.time() == 60 and not asleep.done()
            await asleep
            return loop.time(), clock.status().seconds

    assert virtual.run(main()) == (60.0, 60.0)


def test_a_thread_beside_the_loop_cannot():
    async def main():
        async with blemu.aio.run(LAMP) as lamp:
            with blemu.Device(lamp.path) as device:
                assert await asyncio.to_thread(device.get, "level") == 1
                for wait in (lambda: device.expect("connect"), lambda: device.advance(1), lambda: device.central().next(within=1)):
                    with pytest.raises(blemu.Error, match="only the event loop lets time pass"):
                        await asyncio.to_thread(wait)

    virtual.run(main())


def test_an_interception_may_take_its_time():
    async def main():
        async def answer(event):
            await asyncio.sleep(0.5)
            return b"\x07"

        loop = asyncio.get_running_loop()
        async with blemu.aio.run(SLOW) as slow, slow.central() as phone:
            async with slow.intercept("read answers", answer):
                assert await phone.read("answers") == b"\x07" and loop.time() == 0.5
            async with slow.intercept("read answers", answer, within=0.25):
                assert await phone.read("answers") == b"\x00"
                return loop.time()

    assert virtual.run(main()) >= 0.75


def test_refuses_a_device_whose_time_passes_by_itself(lamp):
    async def main():
        async with blemu.aio.Device(lamp.path):
            pass

    with pytest.raises(blemu.Error, match="(?s)the device's time passes by itself.*hold_clock=True"):
        virtual.run(main())


def test_goes_on_when_a_device_ends():
    async def main():
        async with blemu.aio.run(CLOCK) as clock, blemu.aio.run(CLOCK) as other:
            await other.stop()
            await asyncio.sleep(30)
            return (await clock.status()).seconds

    assert virtual.run(main()) == 30.0


def test_needs_no_device_and_ends_as_asyncio_does():
    async def main():
        await asyncio.to_thread(int)
        await asyncio.sleep(1_000_000.0005)
        return asyncio.get_running_loop().time()

    assert virtual.run(main()) == 1_000_000.001
    with pytest.raises(ZeroDivisionError):
        virtual.run(_fail())
    loop = asyncio.new_event_loop()
    loop.close()
    assert not isinstance(loop, virtual.Loop)


async def _fail():
    return 1 / 0


# Without a loop


@pytest.fixture
def clock():
    with blemu.run(CLOCK, hold_clock=True) as device:
        yield device


def test_waiting_lets_the_time_of_a_held_clock_pass(clock):
    with clock.central() as phone:
        phone.subscribe("time")
        assert clock.status().seconds == 0
        assert clock.expect("< time", within=100)[0].value == b"\x01"
        assert clock.status().seconds == 60
        assert phone.next("time").value == b"\x01" and clock.status().seconds == 60
        with pytest.raises(blemu.ExpectationError, match="^nothing more came from 'time' within 59.500 s"):
            phone.next("time", within=59.5)
        assert phone.next("time", within=0.5).value == b"\x02"
        with pytest.raises(blemu.ExpectationError, match="^'disconnect' did not come within 10.000 s"):
            clock.expect("disconnect", within=10)
        clock.expect("< time", exactly=2, within=50)
        assert clock.status().seconds == 180
        clock.advance(600)
        assert len(clock.expect("< time", exactly=10)) == 10
        assert clock.status().seconds == 780


def test_devices_with_held_clocks_have_one_time(clock):
    with blemu.run(SLOW, hold_clock=True) as slow:
        slow.expect("connect", never=True, within=20)
        assert [each.status().seconds for each in (clock, slow)] == [20, 20]
        clock.advance(30)
        assert slow.get("tens") == 5


def test_answers_that_need_time_get_it(clock):
    with blemu.run(SLOW, hold_clock=True, faults="answer 20s late on answers") as slow, slow.central() as phone:
        assert phone.read("answers") == b"\x00"
        assert clock.status().seconds == slow.status().seconds == 20


def test_a_thread_that_answers_has_time():
    def answer(event):
        assert slow.get("tens") == 0
        time.sleep(0.1)
        return b"\x07"

    with blemu.run(SLOW, hold_clock=True) as slow, slow.central() as phone, slow.intercept("read answers", answer):
        for _ in range(3):
            assert phone.read("answers") == b"\x07"
        assert slow.status().seconds == 0


def test_other_devices_keep_their_own_time(clock, lamp):
    with pytest.raises(blemu.ExpectationError):
        lamp.expect("connect", within=0.05)
    assert clock.status().seconds == 0


def test_a_link_takes_time(clock):
    with blemu.run(SLOW, hold_clock=True, link_time=True) as slow, slow.central() as phone:
        start = slow.status().seconds
        assert phone.read("answers") == b"\x00"
        # The request waits for a connection event, and the response for the one after it.
        assert 0.03 < slow.status().seconds - start <= 0.06
