"""A program that answers in place of the rules."""
import asyncio
import threading

import blemu
import pytest
from blemu.errors import RefusedError
from conftest import LAMP


@pytest.fixture
def central(lamp):
    with lamp.central() as central:
        central.subscribe("switch")
        yield central


def test_a_function_answers_a_read(lamp, central):
    events = []

    def answer(event):
        events.append(event)
        return b"\x2A"

    with lamp.intercept("read switch", answer):
        assert central.read("switch") == b"\x2A"
    assert central.read("switch") == b"\x00"
    [event] = events
    assert (event.number, event.kind, event.attribute, event.central) == (0, "read", "switch", central.address)


@pytest.mark.parametrize("answer, sent", [
    (b"\x01\x02", "01 02"), ("turn state=7", "A5 07"), (blemu.Answer("turn", state=8), "A5 08"),
    (bytearray(b"\x03"), "03"), (blemu.Answer(b"\x04", place="switch"), "04"),
])
def test_a_function_answers_a_message(lamp, central, answer, sent):
    with lamp.intercept("> switch turn state=1", lambda event: answer):
        central.write("switch", "turn", state=1)
        lamp.expect("> switch turn state=1", f"< switch {sent}")
        central.write("switch", "turn", state=2)
        lamp.expect("< switch turn state=2")


def test_a_function_answers_without_a_statement(lamp, central):
    interception = lamp.intercept("read switch", lambda event: b"\x2A")
    assert central.read("switch") == b"\x2A"
    interception.end()
    assert central.read("switch") == b"\x00"
    interception.end()
    failing = lamp.intercept("read switch", lambda event: {}["house"])
    assert central.read("switch") == b"\x00"
    with pytest.raises(KeyError, match="house"):
        failing.end()


def test_a_function_lets_the_rules_go_on(lamp, central):
    with lamp.intercept("> switch", lambda event: None):
        central.write("switch", "turn", state=1)
    lamp.expect("< switch turn state=1")


@pytest.mark.parametrize("refusal, name", [
    (blemu.Refusal("insufficient-authorization"), "insufficient-authorization"),
    (blemu.Refusal(0x81), "application-error-81"),
])
def test_a_function_refuses(lamp, central, refusal, name):
    def refuse(event):
        raise refusal

    for answer in refuse, lambda event: refusal:
        with lamp.intercept("> switch", answer):
            with pytest.raises(RefusedError) as caught:
                central.write("switch", b"\x01", response=True)
            assert caught.value.name == name


def test_an_exception_is_told_to_the_device_and_raised_at_the_end(lamp, central):
    with pytest.raises(KeyError, match="house"):
        with lamp.intercept("> switch", lambda event: {}["house"]):
            central.write("switch", "turn", state=1)
            lamp.expect("! \"intercept 1 failed at '> switch A5 01': KeyError: 'house'; the rules go on\" ...", "< switch turn state=1")
            central.write("switch", "turn", state=2)
            lamp.expect("< switch turn state=2")


def test_what_is_no_answer_is_an_exception(lamp, central):
    with pytest.raises(TypeError, match="an answer is bytes"):
        with lamp.intercept("> switch", lambda event: 7):
            central.write("switch", "turn", state=1)
            lamp.expect("< switch turn state=1")


def test_the_exception_of_a_test_is_not_hidden(lamp, central):
    with pytest.raises(ZeroDivisionError):
        with lamp.intercept("> switch", lambda event: {}["house"]):
            central.write("switch", "turn", state=1)
            1 / 0


def test_a_late_function_is_passed_over(lamp, central):
    go_on = threading.Event()

    def wait(event):
        go_on.wait(60)
        return b"\x09"

    with lamp.intercept("> switch", wait, within=0.05):
        central.write("switch", "turn", state=1)
        lamp.expect("! \"intercept 1 has not answered '> switch A5 01' within 0.050 s; the rules go on\" ...", "< switch turn state=1")
        go_on.set()
        lamp.expect('! "the answer of intercept 1 to " ...')


def test_a_function_uses_the_device_and_the_test_waits_meanwhile(lamp, central):
    with blemu.Device(lamp.path) as other:
        def answer(event):
            other.set(level=7)
            return bytes([other.get("level")])

        with lamp.intercept("read switch", answer, within=20):
            assert central.read("switch") == b"\x07"
            lamp.expect("set level=7", "read switch 07")


def test_two_functions_are_asked_in_turn(lamp, central):
    with lamp.intercept("> switch", lambda event: None), lamp.intercept("> switch turn", lambda event: b"\x02"):
        central.write("switch", "turn", state=1)
        lamp.expect("< switch 02")


def test_a_wrong_line_is_an_error(lamp):
    with pytest.raises(blemu.Error, match="no characteristic has the id 'swtich'"):
        with lamp.intercept("> swtich", lambda event: None):
            pass
    with pytest.raises(blemu.Error, match="a line with >, >!, >\\? or read"):
        with lamp.intercept("connect", lambda event: None):
            pass


def test_it_ends_with_the_device():
    with blemu.run(LAMP) as lamp:
        with lamp.intercept("> switch", lambda event: None):
            lamp.stop()


def on_lamp(test):
    """Runs a coroutine function with a lamp in memory and a central."""
    def run():
        async def body():
            async with blemu.aio.run(LAMP) as lamp, lamp.central() as central:
                await central.subscribe("switch")
                await test(lamp, central)

        asyncio.run(body())

    run.__name__ = test.__name__
    return run


@on_lamp
async def test_a_coroutine_function_answers(lamp, central):
    async def answer(event):
        await lamp.set(level=7)
        return bytes([await lamp.get("level")])

    async with lamp.intercept("read switch", answer, within=20):
        assert await central.read("switch") == b"\x07"
    assert await central.read("switch") == b"\x00"


@on_lamp
async def test_a_function_answers_without_a_statement_of_a_task(lamp, central):
    interception = await lamp.intercept("read switch", lambda event: b"\x2A")
    assert await central.read("switch") == b"\x2A"
    await interception.end()
    assert await central.read("switch") == b"\x00"


@on_lamp
async def test_a_function_answers_a_task(lamp, central):
    def answer(event):
        if event.fields["state"] == 2:
            raise blemu.Refusal(0x80)
        return blemu.Answer("turn", state=9) if event.fields["state"] == 1 else None

    async with lamp.intercept("> switch turn", answer):
        await central.write("switch", "turn", state=1)
        await lamp.expect("< switch turn state=9")
        with pytest.raises(RefusedError):
            await central.write("switch", "turn", state=2, response=True)
        await central.write("switch", "turn", state=3)
        await lamp.expect("< switch turn state=3")


@on_lamp
async def test_the_exception_of_a_coroutine_is_raised_at_the_end(lamp, central):
    async def fail(event):
        await asyncio.sleep(0)
        raise KeyError("house")

    with pytest.raises(KeyError, match="house"):
        async with lamp.intercept("> switch", fail):
            await central.write("switch", "turn", state=1)
            await lamp.expect("! \"intercept 1 failed at '> switch A5 01': KeyError: 'house'; the rules go on\" ...", "< switch turn state=1")


@on_lamp
async def test_what_hangs_ends_with_the_statement(lamp, central):
    async def hang(event):
        await asyncio.sleep(3600)

    async with lamp.intercept("> switch", hang, within=20):
        write = asyncio.ensure_future(central.write("switch", "turn", state=1))
        await asyncio.sleep(0.05)
    await write
    await lamp.expect("< switch turn state=1")
