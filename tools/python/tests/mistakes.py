"""Tests with mistakes, which test_mistakes.py runs: their reports are in mistakes.expected."""
import asyncio
import contextlib

import blemu
import pytest


@pytest.mark.blemu("broken.yaml")
def test_definition_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu("missing.yaml")
def test_file_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu("hm10")
def test_device_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu("lamp.yaml", settings={"levle": 3})
def test_setting_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu("lamp.yaml", settings={"level": 300})
def test_value_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu("lamp.yaml", setings={"level": 3})
def test_argument_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu("lamp.yaml", "loopback")
def test_arguments_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu("lamp.yaml", wire="pigeon post")
def test_wire_of_the_marker(blemu_device):
    pass


@pytest.mark.blemu_stand("desk.yaml", nams="left")
def test_argument_of_a_stand(blemu_stand):
    pass


@pytest.mark.blemu_stand("broken-desk.yaml")
def test_definition_of_a_stand(blemu_stand):
    pass


def test_no_marker_of_a_stand(blemu_stand):
    pass


def test_definition(blemu_run):
    blemu_run("broken.yaml")


def test_device(blemu_run):
    blemu_run("hm10")


def test_setting(blemu_run):
    blemu_run("lamp.yaml", settings={"levle": 3})


def test_argument(blemu_run):
    blemu_run("lamp.yaml", setings={"level": 3})


def test_wire(blemu_run):
    blemu_run("lamp.yaml", wire="exec 'cat")


def test_program(blemu_run):
    blemu_run("lamp.yaml", program="/opt/no-blemu")


def test_no_program(monkeypatch):
    monkeypatch.setattr("blemu.command._first_file", lambda paths: None)
    monkeypatch.delenv("BLEMU")
    monkeypatch.setenv("PATH", "/nowhere")
    with blemu.run("lamp.yaml"):
        pass


def test_running_device():
    blemu.Device("/nowhere/lamp.sock")


@pytest.mark.blemu_stand("desk.yaml")
def test_device_of_a_stand(blemu_stand):
    blemu_stand["lft"].set(level=3)


@pytest.fixture
def own(blemu_run):
    lamp = blemu_run("lamp.yaml")
    lamp.set(level=300)
    return lamp


def test_own_fixture(own):
    pass


@pytest.mark.blemu("lamp.yaml")
class TestDevice:
    def test_value(self, blemu_device):
        blemu_device.set(level=300)

    def test_name(self, blemu_device):
        blemu_device.set(levle=3)

    def test_type(self, blemu_device):
        blemu_device.set(level=None)

    def test_control(self, blemu_device):
        blemu_device.press("bel")

    def test_content(self, blemu_device):
        blemu_device.send("switch", 5)

    def test_no_content(self, blemu_device):
        blemu_device.send(5)

    def test_time(self, blemu_device):
        blemu_device.expect("> switch", within=-1)

    def test_count(self, blemu_device):
        blemu_device.expect("> switch", exactly=1, never=True)

    def test_write(self, blemu_device):
        with blemu_device.central() as phone:
            phone.write("FFE9", b"")

    def test_stack(self, blemu_device):
        with contextlib.ExitStack() as stack:
            stack.enter_context(blemu_device.fault("drop on FFE9"))


def test_device_with_asyncio():
    async def main():
        async with blemu.aio.run("hm10"):
            pass

    asyncio.run(main())


def test_value_with_asyncio():
    async def main():
        async with blemu.aio.run("lamp.yaml") as lamp:
            await asyncio.gather(lamp.set(level=300), lamp.get("level"))

    asyncio.run(main())


def test_content_with_asyncio():
    async def main():
        async with blemu.aio.run("lamp.yaml") as lamp:
            await lamp.send("switch", 5)

    asyncio.run(main())


def test_expectation_with_asyncio():
    async def main():
        async with blemu.aio.run("lamp.yaml") as lamp:
            await lamp.expect("> switch", within=0.01)

    asyncio.run(main())
