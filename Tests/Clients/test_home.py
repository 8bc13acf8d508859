"""Home: pySwitchbot, python-switchbot-ble, pylywsdxx-async, which reads a thermometer, pyflowercare, which reads
a plant sensor, py-improv-ble-client, fellow-stagg-ble, which heats water, combustion-ble, which watches a roast, and tuya-ble, whose finger presses."""
import pytest

SWITCHBOT = """
leave_out("habluetooth", "home_assistant_bluetooth", "aiohttp", "yarl")
from switchbot import Switchbot

async def client():
    bot = Switchbot(await BleakScanner.find_device_by_address(address, patience, bluez={"adapter": "hci1"}))
    try:
        return {command: await getattr(bot, command)() for command in ("press", "turn_on", "hand_down", "get_basic_info")}
    finally:
        await bot._execute_disconnect()  # which the client would do after 8.5 s
"""


def test_pyswitchbot_controls_a_bot(reads):
    saw, log = reads("switchbot-bot", SWITCHBOT, {"battery": 42, "hold": 3})
    assert saw == {"press": True, "turn_on": True, "hand_down": True, "get_basic_info": {
        "battery": 42, "firmware": 4.4, "strength": 100, "timers": 0, "switchMode": False, "inverseDirection": False, "holdSeconds": 3,
    }}
    assert log == ["presses", "turns on", "pushes"]


VIRTUAL = """
from switchbot_api import VirtualSwitchBot
from switchbot_api.bot_types import SwitchBotAction

async def client():
    bot = VirtualSwitchBot(address)
    await bot.connect()
    try:
        for action in (SwitchBotAction.ON, SwitchBotAction.OFF):
            await bot.set_bot_state(action)
        await bot.fetch_basic_device_info()
        return {"battery": bot.info._remaining_battery_percent, "firmware": round(bot.info._firmware_version, 1), "mode": bot.info._bot_mode.name,
                "type": bot.info._device_type.name}
    finally:
        await bot.disconnect()
"""


@pytest.mark.repeats
def test_python_switchbot_ble_controls_a_bot(reads):
    saw, log = reads("switchbot-bot", VIRTUAL, {"battery": 42, "mode": "switch", "firmware": 63})
    assert saw == {"battery": 42, "firmware": 6.3, "mode": "ON_OFF_STATE", "type": "BOT"}
    assert log == ["turns on", "turns off"]


THERMOMETER = """
from pylywsdxx_async.lywsd03mmc_client import Lywsd03mmcClient

async def client():
    device = await BleakScanner.find_device_by_address(address, patience, bluez={"adapter": "hci1"})
    client = Lywsd03mmcClient(device, patience)
    await client.connect()
    try:
        await client.set_timestamp(1_000_000)
        await client.set_fahrenheit()
        data = await client.get_data()
        return {
            "temperature": data.temperature, "humidity": data.humidity, "voltage": data.bat_volt, "battery": await client.get_battery(),
            "unit": await client.get_temp_unit(), "clock": await client.get_timestamp() // 1000,
        }
    finally:
        await client.client.disconnect()
"""


@pytest.mark.repeats
@pytest.mark.transports("exact")
def test_pylywsdxx_reads_a_lywsd03mmc(reads):
    saw, _ = reads("lywsd03mmc", THERMOMETER, {"temperature": -3.25, "humidity": 51, "drift": 0, "battery": 42, "voltage": 2950})
    assert saw == {"temperature": -3.25, "humidity": 51, "voltage": 2950, "battery": 42, "unit": "F", "clock": 1000}


FLOWER = """
from pyflowercare.device import FlowerCareDevice

async def client():
    async with FlowerCareDevice(await find()) as plant:
        about, now = await plant.get_device_info(), await plant.read_sensor_data()
        past = await plant.get_historical_data()
        await plant.blink_led()
        return {
            "about": [about.name, about.firmware_version, about.battery_level],
            "now": [now.temperature, now.brightness, now.moisture, now.conductivity],
            "past": [[each.sensor_data.temperature, each.sensor_data.brightness, each.sensor_data.moisture, each.sensor_data.conductivity]
                     for each in past],
            "hours": [(one.timestamp - next.timestamp).total_seconds() / 3600 for one, next in zip(past, past[1:])],
        }
"""


@pytest.mark.repeats
def test_pyflowercare_reads_a_plant_sensor_and_its_history(reads):
    saw, log = reads("flower-care", FLOWER, {"temperature": -3.2, "drift": 0, "light": 70000, "moisture": 42, "conductivity": 599, "battery": 17},
                     name="Flower care")
    assert saw["about"] == ["Flower care", "3.1.9", 17]
    assert saw["now"] == [-3.2, 70000, 42, 599]
    assert sorted(saw["past"])[0] == [20.4, 0, 23, 184] and len(saw["past"]) == 12
    assert {abs(each) for each in saw["hours"]} == {1}
    assert log == ["it blinks"]


IMPROV = """
from improv_ble_client.client import ImprovBLEClient, device_filter
from improv_ble_client.errors import ProvisioningFailed

async def client():
    states = []
    async with asyncio.timeout(patience), BleakScanner(bluez={"adapter": "hci1"}) as scanner:
        async for device, advertisement in scanner.advertisement_data():
            if device_filter(advertisement):
                break
    gadget = ImprovBLEClient(device, advertisement)
    seen = {"authorize": await gadget.need_authorization(), "networks": [name.decode() for name, _, _ in (await gadget.scan_wifi()).networks],
            "firmware": (await gadget.get_device_info()).firmware_name.decode(), "hostname": await gadget.set_hostname("hall")}
    await gadget.identify()
    try:
        await gadget.provision("Home", "guess", None)
    except ProvisioningFailed as error:
        seen["wrong"] = error.error.name
    await asyncio.gather(*gadget._background_tasks)  # it disconnects after an error, without waiting for that
    seen["url"] = await gadget.provision("Home", "secret", lambda state: states.append(state.name))
    return seen | {"states": states}
"""


@pytest.mark.repeats
def test_improv_ble_client_gives_a_gadget_its_network(reads):
    saw, log = reads("improv", IMPROV, {"ssid": "Home", "password": "secret", "url": "http://10.0.0.7"})
    assert saw == {
        "authorize": False, "networks": ["Home", "Next door", "Cafe"], "firmware": "ESPHome", "hostname": "hall", "wrong": "UNABLE_TO_CONNECT",
        "url": "http://10.0.0.7", "states": ["PROVISIONING", "PROVISIONED"],
    }
    assert log == ["it blinks", "no way into Home", "it is in Home"]


KETTLE = """
from dataclasses import asdict
from fellow_stagg_ble.client import FellowStaggKettle
from fellow_stagg_ble.models import TemperatureUnit

async def client():
    changed = asyncio.Event()
    kettle = FellowStaggKettle(await find(), state_callback=lambda _: changed.set())

    async def until(holds):
        async with asyncio.timeout(patience):
            while not holds(kettle.state):
                changed.clear()
                await changed.wait()
        return asdict(kettle.state)

    await kettle.connect()
    try:
        states = [await until(lambda state: state.on_base is not None)]
        await kettle.set_target_temperature(93, TemperatureUnit.CELSIUS)
        await kettle.set_power(True)
        states.append(await until(lambda state: state.power and state.target_temperature == 93))
        return states
    finally:
        await kettle.disconnect()
"""


@pytest.mark.repeats
def test_fellow_stagg_ble_heats_water(reads):
    (before, after), _ = reads("stagg-kettle", KETTLE, {"unit": "celsius", "target": 80, "room": 21}, name="FELLOW46B9")
    assert before | {"power": False, "target_temperature": 80, "current_temperature": None, "unit": "C", "on_base": True} == before
    assert after | {"power": True, "target_temperature": 93, "countdown": 300} == after


ROAST = """
leave_out("bitstring")
from combustion_ble.ble_manager import BluetoothMode
from combustion_ble.device_manager import DeviceManager

async def client():
    manager = DeviceManager()
    try:
        heard = await manager.init_bluetooth(BluetoothMode.PASSIVE)
        async with asyncio.timeout(patience), BleakScanner(detection_callback=heard, bluez={"adapter": "hci1"}):
            while not manager.get_probes():
                await asyncio.sleep(0.1)
        probe, = manager.get_probes()
        seen = {"serial": probe.serial_number_string, "temperatures": [round(each, 2) for each in probe.current_temperatures.values]}
        await probe.connect()
        async with asyncio.timeout(patience):
            while not probe.prediction_info or not probe._temperature_logs or len(probe._temperature_logs[0].data_points) < 3:
                await asyncio.sleep(0.5)
        return seen | {"firmware": probe.firmware_version, "state": probe.prediction_info.prediction_state.name}
    finally:
        await manager.async_stop()
"""


def test_combustion_ble_watches_a_roast_and_gets_its_log(reads):
    saw, _ = reads("combustion-probe", ROAST, {"oven": 220})
    assert saw["temperatures"][0] == 8 and saw["temperatures"][-1] == 220 and saw["temperatures"] == sorted(saw["temperatures"])
    assert {key: saw[key] for key in ("serial", "firmware", "state")} == {"serial": "10001A2B", "firmware": "v1.4.0", "state": "COOKING"}


FINGER = """
from tuya_ble.manager import AbstaractTuyaDeviceManager, TuyaDeviceInfo
from tuya_ble.tuya_ble import TuyaBLE

class Keys(AbstaractTuyaDeviceManager):
    async def get_device_info(self, mac_address, force_update=False):
        return TuyaDeviceInfo("tuya26f2c1d3a4b5", key, "eb1a2b3c4d5e6f708192", "Finger", "xhf790if", None, "szjqr")

async def client():
    async with asyncio.timeout(patience), BleakScanner(bluez={"adapter": "hci1"}) as scanner:
        async for device, advertisement in scanner.advertisement_data():
            if "0000a201-0000-1000-8000-00805f9b34fb" in advertisement.service_data:
                break
    finger = TuyaBLE(Keys(), device, advertisement)
    await finger.initialize()
    try:
        async with asyncio.timeout(patience):
            while len(finger.datapoints) < 7:
                await asyncio.sleep(0.5)
            points = {str(number): finger.datapoints[number].value for number in (1, 2, 3, 4, 5, 6, 8)}
            finger.datapoints[1].value = True
            await asyncio.sleep(0.5)
            while finger.datapoints[1].value:
                await asyncio.sleep(0.5)
        return points
    finally:
        await finger.stop()
"""


@pytest.mark.repeats
@pytest.mark.transports("exact")
def test_tuya_ble_lets_a_finger_press(reads):
    saw, log = reads("tuya-fingerbot", FINGER, {"local-key": "abcdef0123456789", "hold": 2, "battery": 42}, key="abcdef0123456789")
    assert saw == {"1": False, "2": 0, "3": 2, "4": False, "5": 0, "6": 80, "8": 42}
    assert [line for line in log if not line.startswith("wire ")] == ["presses"]
