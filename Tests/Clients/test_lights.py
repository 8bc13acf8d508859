"""Lights: led-ble, trionesdevice, btledstrip, lotus-lamp and bledom."""
import pytest


# What asks a light for its state, and waits for its answers.
LED_BLE = """
from led_ble import LEDBLE

async def update(light, answers):
    seen = asyncio.Queue()
    forget = light.register_callback(seen.put_nowait)
    await light.update()
    for _ in range(answers):
        await asyncio.wait_for(seen.get(), patience)
    forget()
"""

LIGHT = LED_BLE + """
from dataclasses import asdict

async def client():
    light = LEDBLE(await find())
    states = []

    async def look(answers=1):
        await update(light, answers)
        states.append(asdict(light.state))

    await look(answers=2)  # to learn the protocol, led-ble asks once more
    await light.set_rgb((10, 200, 30))
    await look()
    await light.set_white(77)
    await light.turn_off()
    await look()
    await light.stop()
    return states
"""


def test_led_ble_switches_the_light(reads):
    states, log = reads("triones-light", LIGHT, name="Triones:C10511000166")
    assert [(state["power"], state["rgb"], state["w"], state["model_num"]) for state in states] == [
        (True, [255, 120, 0], 0, 4), (True, [10, 200, 30], 0, 4), (False, [0, 0, 0], 77, 4)]
    assert log == ["red 10, green 200, blue 30", "white 77", "off"]


TRIONES = """
from dataclasses import asdict
from trionesDevice import TrionesDevice

async def client():
    light = TrionesDevice(await find(), timeout=patience)
    await light.connect()
    try:
        states = [await light.getStatus()]
        await light.setRGB(10, 200, 30)
        states.append(await light.getStatus())
        await light.power(False)
        return [asdict(each) for each in (*states, await light.getStatus())]
    finally:
        await light.disconnect()
"""


@pytest.mark.repeats
def test_trionesdevice_switches_the_light(reads):
    states, log = reads("triones-light", TRIONES, name="Triones:C10511000166")
    assert states == [{"power": True, "red": 255, "green": 120, "blue": 0}, {"power": True, "red": 10, "green": 200, "blue": 30},
                      {"power": False, "red": 10, "green": 200, "blue": 30}]
    assert log == ["red 10, green 200, blue 30", "off"]


STRIP = """
from btledstrip import BTLedStrip, MELKController

async def client():
    async with BTLedStrip(MELKController(), address) as strip:
        await strip.exec.turn_on()
        await strip.exec.color(red=100, green=50, blue=0)
        await strip.exec.brightness(percentage=40)
        await strip.exec.effect(number=0x8A)
        await strip.exec.effect_speed(velocity=20)
        await strip.exec.turn_off()
"""


@pytest.mark.repeats
def test_btledstrip_controls_the_strip(reads):
    _, log = reads("elk-bledom", STRIP, {"local-name": "MELK-OA10"})
    assert log[0].startswith("its clock is ")
    assert log[1:] == ["on", "red 255, green 127, blue 0", "brightness 40 %", "effect 8A", "speed 20 %", "off"]


LOTUS = """
import contextlib, sys
from lotus_lamp import DeviceConfig, LotusLamp

async def client():
    lamp = LotusLamp(device_config=DeviceConfig(name="MELK", address=address))
    with contextlib.redirect_stdout(sys.stderr):  # where it says what it does
        assert await lamp.connect()
        await lamp.power_on()
        await lamp.set_rgb(10, 200, 30)
        await lamp.set_brightness(40)
        await lamp.set_speed(70)
        await lamp.set_animation(143)
        await lamp.set_timer_on(6, 30, ["monday"])
        await lamp.power_off()
        await lamp.disconnect()
"""


@pytest.mark.repeats
def test_lotus_lamp_controls_the_strip(reads):
    _, log = reads("elk-bledom", LOTUS, {"local-name": "MELK-OA10   5F"})
    assert log == ["on", "red 10, green 200, blue 30", "brightness 40 %", "speed 70 %", "effect 8F", "switches on at 6:30", "off"]


LANTERN = """
from datetime import datetime
from bledom import BleLedDevice, Days, Effects

async def client():
    device = await BleakScanner.find_device_by_name(name, timeout=patience, adapter="hci1")
    async with BleakClient(device, timeout=patience) as link:
        strip = await BleLedDevice.new(link)
        await strip.set_custom_time(datetime(2026, 1, 5, 12, 34, 56))  # a Monday
        await strip.set_color(10, 200, 30)
        await strip.set_brightness(75)
        await strip.set_effect(Effects.CROSSFADE_RED_GREEN_BLUE)
        await strip.set_effect_speed(30)
        await strip.set_schedule_off(Days.WEEKEND_DAYS, 23, 15, True)
        await strip.power_off()
"""


@pytest.mark.repeats
def test_bledom_controls_the_strip(reads):
    _, log = reads("elk-bledom", LANTERN, name="ELK-BLEDOM   ", own_python=True)
    assert log[1:] == ["on", "its clock is 12:34:56, day 1", "red 10, green 200, blue 30", "brightness 75 %", "effect 89", "speed 30 %",
                       "switches off at 23:15", "off"]
