"""Vehicles: python-OBD through ble-serial, and elm327-obdii."""
import pytest

SETTINGS = {
    "vin": "WVWZZZ1KZAW123456", "rpm": 2400, "speed": 88, "road": 0, "coolant": 91, "fuel": 40, "voltage": 13.8, "codes": "0420"}

CAR = """
import os, subprocess, tempfile, time, obd

def ask(car, name):
    value = car.query(obd.commands[name]).value
    return round(value.magnitude, 1) if hasattr(value, "magnitude") else value

def client():
    port = os.path.join(tempfile.mkdtemp(), "obd")
    tunnel = subprocess.Popen([*module, "ble_serial", "-i", "hci1", "-d", address, "-t", str(patience), "-p", port,
                               "-w", "0000fff2-0000-1000-8000-00805f9b34fb", "-r", "0000fff1-0000-1000-8000-00805f9b34fb"],
                              stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + patience
        while not os.path.exists(port):
            assert tunnel.poll() is None and time.monotonic() < end, "ble-serial opened no port"
            time.sleep(0.1)
        car = obd.OBD(os.path.realpath(port), fast=False, timeout=patience)
        seen = {"status": car.status(), "protocol": car.protocol_name(), "codes": [code for code, _ in ask(car, "GET_DTC")],
                "vin": ask(car, "VIN").decode(), "lamp": ask(car, "STATUS").MIL}
        seen |= {name: ask(car, name) for name in ("RPM", "SPEED", "COOLANT_TEMP", "FUEL_LEVEL", "ELM_VOLTAGE")}
        ask(car, "CLEAR_DTC")
        seen["cleared"] = ask(car, "GET_DTC")
        car.close()
        return seen
    finally:
        tunnel.terminate()
        tunnel.wait()
"""


def test_python_obd_reads_the_car_through_ble_serial(reads):
    saw, _ = reads("elm327", CAR, SETTINGS, own_python=True)  # ble-serial names its adapter as bleak 0.22 takes it
    # python-OBD strips digits 0 to 2 from both ends of the VIN.
    assert saw == {
        "status": "Car Connected", "protocol": "ISO 15765-4 (CAN 11/500)", "RPM": 2400, "SPEED": 88, "COOLANT_TEMP": 91, "FUEL_LEVEL": 40,
        "ELM_VOLTAGE": 13.8, "codes": ["P0420"], "vin": "WVWZZZ1KZAW123456", "lamp": True, "cleared": []}


POLLER = """
leave_out("aiohttp", "yarl")
from elm327_obdii import Poller, PollerConfig, ProfileConfig

async def poll():
    names = ["ENGINE_SPEED", "VEHICLE_SPEED", "ENGINE_COOLANT_TEMP", "FUEL_LEVEL"]
    poller = Poller(PollerConfig(ProfileConfig(standard_pids=names), atrv_supported=True, voltage_check_enabled=True, voltage_on=13.2,
                                 voltage_off=12.8, grace_seconds=60))
    uuids = [f"0000{short}-0000-1000-8000-00805f9b34fb" for short in ("fff2", "fff1")]
    assert await asyncio.to_thread(poller.connect, await find(), asyncio.get_running_loop(), *uuids, patience)
    try:
        result = await asyncio.to_thread(poller.poll_once)
        return {"state": result.state.name, "voltage": result.voltage, "data": result.data,
                "can": await asyncio.to_thread(poller.scan_supported_standard_pids)}
    finally:
        await asyncio.to_thread(poller.disconnect)

def client():
    return asyncio.run(poll())
"""


@pytest.mark.repeats
def test_elm327_obdii_polls_the_car(reads):
    saw, _ = reads("elm327", POLLER, SETTINGS, name="OBDII")
    assert (saw["state"], saw["voltage"]) == ("CAR_ON", 13.8)
    assert saw["data"] == {"ENGINE_SPEED": 2400, "VEHICLE_SPEED": 88, "ENGINE_COOLANT_TEMP": 91, "FUEL_LEVEL": 40}
