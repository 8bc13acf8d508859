"""Devices of the Bluetooth SIG's profiles: bluetooth-sig and labmcp-ble-health."""
import pytest

SIG = """
import json
from bluetooth_sig import BluetoothSIGTranslator
import msgspec

async def client():
    values = {uuid: asyncio.Queue() for uuid in uuids}
    async with BleakClient(await find(), timeout=patience) as link:
        for uuid, queue in values.items():
            await link.start_notify(uuid, lambda _, value, queue=queue: queue.put_nowait(bytes(value)))
        if write:
            await link.write_gatt_char(uuids[-1], bytes.fromhex(write), response=True)
        parse = BluetoothSIGTranslator().parse_characteristic
        parsed = [parse(uuid, await asyncio.wait_for(queue.get(), patience)) for uuid, queue in values.items()]
        return json.loads(msgspec.json.encode(parsed, enc_hook=str))
"""

# bluetooth-sig 0.6.0 takes the exponents of SFLOAT and FLOAT as biased, by 8 and 128. What undoes that, for exponents from 0 on, and
# for those below.
SFLOAT, SFLOAT_BELOW, FLOAT_BELOW = 1e8, 1e-8, 1e-128


@pytest.fixture
def first_values(reads):
    def read(device, name, *shorts, write=None, **settings):
        """Returns the first values of these characteristics of a device with these settings, after a write to the last of them."""
        uuids = [f"0000{short}-0000-1000-8000-00805f9b34fb" for short in shorts]
        settings = {key.replace("_", "-"): value for key, value in settings.items()}
        return reads(device, SIG, settings, name=name, uuids=uuids, write=write)[0]

    return read


def has(parsed, **expected):
    """Whether the fields have these values, decimal ones but for the last digits of a float."""
    return {key: parsed[key] for key in expected} == {
        key: pytest.approx(value) if isinstance(value, float) else value for key, value in expected.items()}


@pytest.mark.repeats
def test_body_scale(first_values):
    weight, composition = first_values("body-scale", "Body scale", "2a9d", "2a9c", weight=58.2, height=1.65, user=2, fat=24, muscle=38.5, water=51,
                                impedance=480.5, metabolism=5600)
    assert has(weight, weight=58.2, user_id=2, bmi=21.4, height=1.65)
    assert has(composition, body_fat_percentage=24.0, user_id=2, basal_metabolism=5600, muscle_percentage=38.5, impedance=480.5, weight=58.2)
    assert composition["body_water_mass"] == pytest.approx(29.68, abs=0.01)


@pytest.mark.repeats
def test_foot_pod(first_values):
    [steps] = first_values("foot-pod", "Foot pod", "2a53", speed=3.5, cadence=170)
    assert steps["is_running"] and 165 <= steps["instantaneous_cadence"] <= 175 and 3.39 <= steps["instantaneous_speed"] <= 3.61


@pytest.mark.repeats
def test_treadmill(first_values):
    [belt] = first_values("treadmill", "Treadmill", "2acd")
    assert has(belt, instantaneous_speed=0, total_distance=0, inclination=0, elapsed_time=0)


@pytest.mark.repeats
def test_environment_sensor(first_values):
    temperature, humidity, pressure = first_values("environment-sensor", "Environment", "2a6e", "2a6f", "2a6d")
    assert 18 <= temperature <= 25 and 35 <= humidity <= 55 and 100325 <= pressure <= 102325


def test_glucose_meter(first_values):
    record, context, answer = first_values("glucose-meter", "Glucose meter", "2a18", "2a34", "2a52", write="01 05")  # the first record
    assert has(record, sequence_number=1, base_time="2026-03-02T07:00:00", time_offset_minutes=0, unit="mmol/L", glucose_type=1,
               sample_location=1, glucose_concentration=0.0051 / SFLOAT_BELOW)
    assert has(context, sequence_number=1, meal=3)
    assert has(answer, opcode=6, operand="AQE=")  # 01 01: its request, success


@pytest.mark.repeats
def test_blood_pressure_monitor(first_values):
    [pressures] = first_values("blood-pressure-monitor", "Blood pressure", "2a35", systolic=141, diastolic=95, pulse=81, user=3,
                        irregular_pulse="true", cuff_is_loose="true")
    assert has(pressures, systolic=141 / SFLOAT, diastolic=95 / SFLOAT, mean_arterial_pressure=110 / SFLOAT, unit="mmHg")
    assert has(pressures["optional_fields"], pulse_rate=81 / SFLOAT, user_id=3, measurement_status=6)


@pytest.mark.repeats
def test_ear_thermometer(first_values):
    [fever] = first_values("ear-thermometer", "Ear thermometer", "2a1c", temperature=38.5, measures_every=1)
    assert has(fever, unit="°C", temperature_type=3)
    assert 38 <= fever["temperature"] * FLOAT_BELOW <= 39


@pytest.mark.repeats
def test_pulse_oximeter(first_values):
    [ongoing] = first_values("pulse-oximeter", "Pulse oximeter", "2a5f", saturation=91, pulse=60)
    assert 89 <= ongoing["spo2"] * SFLOAT <= 93 and 55 <= ongoing["pulse_rate"] * SFLOAT <= 65
    assert has(ongoing, measurement_status=32)  # ongoing


# Of the MCP server labmcp-ble-health, its driver.
SENSOR = """
leave_out("labmcp")
from labmcp_ble_health.driver import BLEHealthSensor, BleakBackend

def client():
    sensor = BLEHealthSensor(BleakBackend(address, adapter="hci1"), address, connect_timeout_s=patience, settle_s=0.2)
    try:
        return measure(sensor)
    finally:
        sensor.close()
"""

BLOOD_PRESSURE = """
def measure(sensor):
    [pressures], _ = sensor.blood_pressure(patience)
    return [pressures.unit, pressures.systolic.value, pressures.diastolic.value, pressures.pulse_rate_bpm.value, pressures.user_id, pressures.status]
""" + SENSOR


@pytest.mark.repeats
def test_labmcp_ble_health_reads_the_blood_pressure(reads):
    saw, _ = reads("blood-pressure-monitor", BLOOD_PRESSURE, {
        "systolic": 141, "diastolic": 95, "pulse": 81, "user": 3, "irregular-pulse": True, "cuff-is-loose": True})
    assert saw == ["mmHg", 141, 95, 81, 3, ["cuff_too_loose", "irregular_pulse_detected"]]


FEVER = """
def measure(sensor):
    [[is_final, fever]], kind = sensor.temperature(patience)
    return [is_final, fever.unit, fever.value.value, fever.temperature_type]
""" + SENSOR


@pytest.mark.repeats
def test_labmcp_ble_health_reads_the_fever(reads):
    saw, _ = reads("ear-thermometer", FEVER, {"temperature": 38.5, "measures-every": 1})
    assert 38 <= saw.pop(2) <= 39 and saw == [True, "C", "ear_earlobe"]


OXYGEN = """
def measure(sensor):
    [first, *_], malformed = sensor.pulse_oximetry("continuous", 2.5, patience)
    return [first.kind, first.spo2_pct.value, first.pulse_rate_bpm.value, first.measurement_status, malformed]
""" + SENSOR


@pytest.mark.repeats
def test_labmcp_ble_health_reads_the_oxygen(reads):
    [kind, saturation, pulse, status, malformed], _ = reads("pulse-oximeter", OXYGEN, {"saturation": 91, "pulse": 60})
    assert (kind, status, malformed) == ("continuous", ["measurement_ongoing"], 0) and 89 <= saturation <= 93 and 55 <= pulse <= 65


WEIGHT = """
def measure(sensor):
    [weight, *_], features = sensor.weight(patience)
    return [weight.unit, weight.weight, weight.user_id, weight.bmi_kg_m2, weight.height, features["bmi_supported"], features["weight_resolution_kg"]]
""" + SENSOR


@pytest.mark.repeats
def test_labmcp_ble_health_reads_the_weight(reads):
    saw, _ = reads("body-scale", WEIGHT, {"weight": 58.2, "height": 1.65, "user": 2})
    assert saw == ["kg", 58.2, 2, 21.4, 1.65, True, 0.005]
