"""bluetooth-sig reads the devices of the Bluetooth SIG's profiles, in Debian 13 (tools/debian)."""
import json
import subprocess

import pytest

import bluez
import debian13
from device import Blemu
from patience import PATIENCE

# Each line of the standard input is a question in JSON: the name of a device and the UUIDs of characteristics to subscribe to, and
# perhaps what to write then, to which. The answer is a line with the first value of each, as bluetooth-sig reads it.
SCRIPT = """
import asyncio, json, sys
from bleak import BleakClient, BleakScanner
from bluetooth_sig import BluetoothSIGTranslator
import msgspec

patience, translator = float(sys.argv[1]), BluetoothSIGTranslator()

async def read(name, uuids, write):
    device = await BleakScanner.find_device_by_name(name, timeout=patience, bluez={"adapter": "hci1"})
    assert device, f"no device {name}"
    values = {uuid: asyncio.Queue() for uuid in uuids}
    async with BleakClient(device, timeout=patience) as link:
        for uuid, queue in values.items():
            await link.start_notify(uuid, lambda _, value, queue=queue: queue.put_nowait(bytes(value)))
        if write:
            await link.write_gatt_char(write[0], bytes.fromhex(write[1]), response=True)
        return [translator.parse_characteristic(uuid, await asyncio.wait_for(queue.get(), patience)) for uuid, queue in values.items()]

for line in sys.stdin:
    try:
        answer = asyncio.run(read(*json.loads(line)))
    except Exception as error:
        answer = repr(error)
    print(msgspec.json.encode(answer, enc_hook=str).decode(), flush=True)
"""

# bluetooth-sig 0.6.0 takes the exponents of SFLOAT and FLOAT as biased, by 8 and 128. What undoes that, for exponents from 0 on, and
# for those below.
SFLOAT, SFLOAT_BELOW, FLOAT_BELOW = 1e8, 1e-8, 1e-128


@pytest.fixture(scope="module")
def translator():
    """Runs the script, for all tests of this file: it takes half a minute to start."""
    command = debian13.python("-c", SCRIPT, PATIENCE)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield process
    process.stdin.close()
    process.wait(PATIENCE)


@pytest.fixture
def reads(translator):
    def read(device, name, *shorts, write=None, **settings):
        """Returns the first values of these characteristics of a device with these settings, after a write to the last of them."""
        uuids = [f"0000{short}-0000-1000-8000-00805f9b34fb" for short in shorts]
        bluez.forget_devices()
        words = [f"{key.replace('_', '-')}={value}" for key, value in settings.items()]
        with Blemu(device, *(part for word in words for part in ("--set", word))):
            translator.stdin.write(json.dumps([name, uuids, write and [uuids[-1], write]]) + "\n")
            translator.stdin.flush()
            try:
                answer = json.loads(translator.stdout.readline())
            finally:
                bluez.disconnect("hci1")
        assert isinstance(answer, list), answer
        return answer
    return read


def has(parsed, **expected):
    """Whether the fields have these values, decimal ones but for the last digits of a float."""
    return {key: parsed[key] for key in expected} == {
        key: pytest.approx(value) if isinstance(value, float) else value for key, value in expected.items()}


def test_body_scale(reads):
    weight, composition = reads("body-scale", "Body scale", "2a9d", "2a9c", weight=58.2, height=1.65, user=2, fat=24, muscle=38.5, water=51,
                                impedance=480.5, metabolism=5600)
    assert has(weight, weight=58.2, user_id=2, bmi=21.4, height=1.65)
    assert has(composition, body_fat_percentage=24.0, user_id=2, basal_metabolism=5600, muscle_percentage=38.5, impedance=480.5, weight=58.2)
    assert composition["body_water_mass"] == pytest.approx(29.68, abs=0.01)


def test_foot_pod(reads):
    [steps] = reads("foot-pod", "Foot pod", "2a53", speed=3.5, cadence=170)
    assert steps["is_running"] and 165 <= steps["instantaneous_cadence"] <= 175 and 3.39 <= steps["instantaneous_speed"] <= 3.61


def test_treadmill(reads):
    [belt] = reads("treadmill", "Treadmill", "2acd")
    assert has(belt, instantaneous_speed=0, total_distance=0, inclination=0, elapsed_time=0)


def test_environment_sensor(reads):
    temperature, humidity, pressure = reads("environment-sensor", "Environment", "2a6e", "2a6f", "2a6d")
    assert 18 <= temperature <= 25 and 35 <= humidity <= 55 and 100325 <= pressure <= 102325


def test_glucose_meter(reads):
    record, context, answer = reads("glucose-meter", "Glucose meter", "2a18", "2a34", "2a52", write="01 05")  # the first record
    assert has(record, sequence_number=1, base_time="2026-03-02T07:00:00", time_offset_minutes=0, unit="mmol/L", glucose_type=1,
               sample_location=1, glucose_concentration=0.0051 / SFLOAT_BELOW)
    assert has(context, sequence_number=1, meal=3)
    assert has(answer, opcode=6, operand="AQE=")  # 01 01: its request, success


def test_blood_pressure_monitor(reads):
    [pressures] = reads("blood-pressure-monitor", "Blood pressure", "2a35", systolic=141, diastolic=95, pulse=81, user=3,
                        irregular_pulse="true", cuff_is_loose="true")
    assert has(pressures, systolic=141 / SFLOAT, diastolic=95 / SFLOAT, mean_arterial_pressure=110 / SFLOAT, unit="mmHg")
    assert has(pressures["optional_fields"], pulse_rate=81 / SFLOAT, user_id=3, measurement_status=6)


def test_ear_thermometer(reads):
    [fever] = reads("ear-thermometer", "Ear thermometer", "2a1c", temperature=38.5, measures_every=1)
    assert has(fever, unit="°C", temperature_type=3)
    assert 38 <= fever["temperature"] * FLOAT_BELOW <= 39


def test_pulse_oximeter(reads):
    [ongoing] = reads("pulse-oximeter", "Pulse oximeter", "2a5f", saturation=91, pulse=60)
    assert 89 <= ongoing["spo2"] * SFLOAT <= 93 and 55 <= ongoing["pulse_rate"] * SFLOAT <= 65
    assert has(ongoing, measurement_status=32)  # ongoing
