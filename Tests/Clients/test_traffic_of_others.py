"""Published clients decode the same from a device that blemu has learnt from the traffic of others as from the recorded device.

What is recorded is a client of another author, a phone app, the device's transcript, or the same client on another day. Its requests differ
from those of the client that is served: in their order, in their values, in padding and numbers, or in how they are written.
"""
import dataclasses
import os
import pathlib
import subprocess

import pytest

from test_batteries import AIOBMSBLE
from test_fitness import BELT, BIKE, HEART, HEART_OF_POLAR, PAD, PYCYCLING, STRAP
from test_health import SIG, WEIGHT
from test_home import SWITCHBOT, VIRTUAL
from test_lights import LED_BLE
from test_ring import RING

RECORDINGS = pathlib.Path(__file__).parents[1] / "CapturesTests/Captures"


def blemu(*words):
    done = subprocess.run([os.environ["BLEMU"], *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def learn(recording, folder):
    print(blemu("learn", recording, "--name", "learnt", "-o", folder))
    return folder / "learnt.yaml"


# The app of a JK battery, recorded on a phone, has left no advertisement, by which the driver would be chosen.
JIKONG = AIOBMSBLE + """
from aiobmsble.bms.jikong_bms import BMS

async def identify():
    return await BleakScanner.find_device_by_address(address, patience), BMS
"""


def test_aiobmsble_reads_a_battery_whose_app_was_recorded(reads, tmp_path):
    saw, _ = reads(learn(RECORDINGS / "jk-bd6a24s10p.btsnoop", tmp_path / "learnt"), JIKONG)
    sample = saw["sample"]
    assert saw["info"] == {"model": "JK-BD6A24S10P", "hw_version": "8.X", "sw_version": "8.0.6G", "name": "BMS #1", "serial_number": "10907054"}
    assert {key: sample[key] for key in ("battery_level", "design_capacity", "cycles", "cell_count")} == {
        "battery_level": 18, "design_capacity": 25, "cycles": 8, "cell_count": 16}
    # All values are of one moment: 16 cells in series.
    assert sample["voltage"] == pytest.approx(sum(sample["cell_voltages"]), abs=0.02)
    assert max(sample["cell_voltages"]) - min(sample["cell_voltages"]) == pytest.approx(sample["delta_voltage"], abs=0.002)
    assert all(20 < each < 22 for each in sample["temp_values"])


COLORS = LED_BLE + """
async def client():
    light = LEDBLE(await find())
    states = []

    async def look(answers=1):
        await update(light, answers)
        states.append([light.on, *light.rgb])

    await look(answers=2)  # to learn the protocol, led-ble asks once more
    for color in colors:
        await light.set_rgb(tuple(color))
        await look()
        await light.turn_off()
        await look()
        await light.turn_on()
        await look()
    await light.stop()
    return states
"""

TRIONES = """
from trionesDevice import TrionesDevice

async def client():
    light = TrionesDevice(await find(), timeout=patience)
    await light.connect()

    async def state():
        now = await light.getStatus()
        return [now.power, now.red, now.green, now.blue]

    try:
        states = [await state()]
        for color in colors:
            await light.setRGB(*color)
            states.append(await state())
            for power in (False, True):
                await light.power(power)
                states.append(await state())
        return states
    finally:
        await light.disconnect()
"""

THREE_COLORS, ANOTHER_COLOR = {"colors": [[1, 2, 3], [200, 100, 50], [0, 255, 17]]}, {"colors": [[10, 200, 30]]}

PYFTMS = """
from pyftms import discover_ftms_devices, get_client

async def client():
    async for device, kind in discover_ftms_devices(patience):
        break
    async with get_client(device, kind, timeout=patience) as machine:
        await machine.start_resume()
        for speed, inclination in steps:
            await machine.set_target_speed(speed)
            await machine.set_target_inclination(inclination)
            await asyncio.sleep(12)
        await machine.stop()
"""

COURSE = PYCYCLING + """
async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        treadmill, tell, said, changes = await control(link)
        await tell(treadmill.request_control())
        await tell(treadmill.start_or_resume())
        for speed, inclination in steps:
            await tell(treadmill.set_target_speed(int(speed * 100)))
            await tell(treadmill.set_target_incline(int(inclination * 10)))
        await asyncio.sleep(1)
        await tell(treadmill.stop_or_pause(False))
        return {"said": said, "changes": changes}
"""

THREE_STEPS, ANOTHER_STEP = {"steps": [[2, 1], [5, 4], [8, 6]]}, {"steps": [[4.5, 3]]}

SMP = """
from smpclient import SMPClient
from smpclient.requests.image_management import ImageStatesRead
from smpclient.requests.os_management import EchoWrite, MCUMgrParametersRead
from smpclient.transport.ble import SMPBLETransport

async def client():
    async with SMPClient(SMPBLETransport(), address) as client:
        async def ask(name):
            request = {"echo": lambda: EchoWrite(d="hello"), "images": ImageStatesRead, "parameters": MCUMgrParametersRead}[name]()
            answer = await client.request(request, timeout_s=patience)
            return {"echo": lambda: answer.r, "images": lambda: answer.images[0].version, "parameters": lambda: answer.buf_size}[name]()
        return [[name, await ask(name)] for name in requests]
"""

def day(date):
    """The commands of the ring's client for a day: its clock, its battery, the heart rates."""
    commands = ["set-time", "--when", f"{date}T12:00:00"], ["info"], ["get-heart-rate-log", "--target", date]
    return {"commands": [["--name", "R02_341C", *command] for command in commands]}


def without(*keys):
    return lambda saw: {key: value for key, value in saw.items() if key not in keys}


@dataclasses.dataclass
class Case:
    """A device, what is recorded with it, and the client that is served then. Without a recorded client, it is the device's transcript."""

    device: str
    recorded: str | None
    client: str
    name: str = ""
    settings: dict = dataclasses.field(default_factory=dict)
    #: What the recorded client and the served one know by name
    before: dict = dataclasses.field(default_factory=dict)
    then: dict = dataclasses.field(default_factory=dict)
    own_python: bool = False
    #: What of the answer counts, where not all of it is the same on two days with the same device
    counts: object = lambda saw: saw


BOT = {"battery": 42, "hold": 3}
LIGHT, BELT_NAME, TREADMILL = "Triones:C10511000166", "Heart rate belt", "Treadmill"

CASES = {
    "python-switchbot-ble, after pySwitchbot": Case("switchbot-bot", SWITCHBOT, VIRTUAL, settings=BOT),
    "pySwitchbot, after python-switchbot-ble": Case("switchbot-bot", VIRTUAL, SWITCHBOT, settings=BOT),
    "trionesdevice, after led-ble": Case("triones-light", COLORS, TRIONES, LIGHT, before=THREE_COLORS, then=ANOTHER_COLOR),
    "led-ble, after trionesdevice": Case("triones-light", TRIONES, COLORS, LIGHT, before=THREE_COLORS, then=ANOTHER_COLOR),
    "pycycling, after pyftms": Case("treadmill", PYFTMS, COURSE, TREADMILL, before=THREE_STEPS, then=ANOTHER_STEP),
    "walkingpad-controller, after pyftms": Case("treadmill", PYFTMS, PAD, TREADMILL, before=THREE_STEPS, counts=without("speed", "rising")),
    "bleakheart, after pycycling": Case("heart-rate-belt", BELT, HEART, BELT_NAME),
    "pycycling, after bleakheart": Case("heart-rate-belt", HEART, BELT, BELT_NAME),
    "bleakheart, after polar-python": Case("polar-h10", STRAP, HEART_OF_POLAR, "Polar H10 8A3F2C1D", counts=without("lying")),
    "bluetooth-sig, after labmcp-ble-health": Case(
        "body-scale", WEIGHT, SIG, "Body scale", {"weight": 58.2, "height": 1.65, "user": 2},
        then={"uuids": ["00002a9d-0000-1000-8000-00805f9b34fb"], "write": None}, counts=lambda saw: without("timestamp")(saw[0])),
    "aiobmsble, after the transcript of a JK battery": Case("jk-bms", None, AIOBMSBLE, "JK-B2A8S20P"),
    "aiobmsble, after the transcript of a Daly battery": Case("daly-bms", None, AIOBMSBLE, "DL-40D12345678A"),
    "pycycling, after the transcript of an exercise bike": Case("exercise-bike", None, BIKE, "Exercise bike", counts=without("power", "cadence", "speed")),
    "colmi_r02_client, on another day": Case("colmi-r02", RING, RING, before=day("2026-01-04"), then=day("2026-01-05"), own_python=True,
                                             counts=lambda lines: [line for line in lines if not line.startswith("Data:")]),  # has the date
    "smpclient, in another order": Case("zephyr-smp", SMP, SMP, before={"requests": ["echo", "images", "parameters", "images"]},
                                        then={"requests": ["parameters", "echo", "images"]}, own_python=True),
}

#: Those that do not believe it yet, and why. A client that does makes its test fail, until its line is deleted.
NOT_YET = {
    "pycycling, after the transcript of an exercise bike": "a request that is only permitted after another one is refused again",
}


def parameters():
    for name, case in CASES.items():
        yield pytest.param(case, id=name, marks=[pytest.mark.xfail(strict=True, reason=NOT_YET[name])] if name in NOT_YET else [])


@pytest.mark.parametrize("case", parameters())
def test_a_client_decodes_the_same(case, reads, tmp_path):
    def serves(device, code, settings={}, known={}, arguments=()):
        return reads(device, code, settings, own_python=case.own_python, arguments=arguments, name=case.name, **known)[0]

    recording = tmp_path / "recording.pcapng"
    if case.recorded is None:
        blemu("test", case.device, "--capture", recording)
    else:
        serves(case.device, case.recorded, case.settings, case.before, ["--capture", recording])
    expected = serves(case.device, case.client, case.settings, case.then)
    saw = serves(learn(recording, tmp_path / "learnt"), case.client, known=case.then)
    print("EXPECTED", expected)
    print("SAW     ", saw)
    assert case.counts(saw) == case.counts(expected)
