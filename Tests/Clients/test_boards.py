"""Robots and boards: kaspersmicrobit, smpclient, legoboost, spherov2 and meshtastic."""
import pytest


MICROBIT = """
from kaspersmicrobit import KaspersMicrobit
from kaspersmicrobit.services.leddisplay import LedDisplay

def client():
    with KaspersMicrobit.find_one_microbit("zutav", timeout=patience) as microbit:
        picture = LedDisplay.image('''
            01010
            11111
            11111
            01110
            00100''', on="1", off="0")
        microbit.led.show(picture)
        microbit.led.show_text("Hello")
        return {
            "name": microbit.name(), "temperature": microbit.temperature.read(), "z": microbit.accelerometer.read().z,
            "a": microbit.buttons.read_button_a().name, "b": microbit.buttons.read_button_b().name,
            "heart": microbit.led.read().to_bytes().hex(), "delay": microbit.led.get_scrolling_delay()}
"""


def test_kaspersmicrobit_uses_the_micro_bit(reads):
    saw, log = reads("micro-bit", MICROBIT, {"temperature": -7, "button-b": 1})
    assert -1100 < saw.pop("z") < -900
    assert saw == {"name": "BBC micro:bit [zutav]", "temperature": -7, "a": "RELEASE", "b": "PRESS", "heart": "0a1f1f0e04", "delay": 120}
    assert log == ["the LEDs show 0A1F1F0E04", "'Hello' scrolls by, 120 ms a column"]


SMP = """
from smpclient import SMPClient
from smpclient.requests.file_management import FileStatus
from smpclient.requests.image_management import ImageStatesRead
from smpclient.requests.os_management import EchoWrite, MCUMgrParametersRead, ResetWrite
from smpclient.transport.ble import SMPBLETransport

async def client():
    async with SMPClient(SMPBLETransport(), address) as client:
        async def ask(request):
            return await client.request(request, timeout_s=patience)
        parameters, [image] = await ask(MCUMgrParametersRead()), (await ask(ImageStatesRead())).images
        return {"short": (await ask(EchoWrite(d="hello"))).r, "long": (await ask(EchoWrite(d="x" * 300))).r, "size": parameters.buf_size,
                "count": parameters.buf_count, "version": image.version, "hash": image.hash.hex(), "confirmed": image.confirmed,
                "file": int((await ask(FileStatus(name="/a"))).rc), "reset": (await ask(ResetWrite())).header.op.name}
"""


def test_smpclient_manages_the_zephyr_device(reads):
    saw, _ = reads("zephyr-smp", SMP, {"version": "2.0.1", "hash": "AABBCCDD", "is-confirmed": False}, own_python=True)
    assert saw == {
        "short": "hello", "long": "x" * 300, "size": 2048, "count": 4, "version": "2.0.1", "hash": "aabbccdd", "confirmed": False, "file": 8,
        "reset": "WRITE_RSP"}


HUB = """
from pylgbst import get_connection_bleak
from pylgbst.hub import MoveHub

def client():
    hub = MoveHub(get_connection_bleak(hub_name=name))
    try:
        hub.led.set_color(9)
        hub.motor_external.angled(90)
        return {"color": hub.vision_sensor.color, "angle": hub.motor_external.get_sensor_data(2)}
    finally:
        hub.connection.disconnect()
"""


@pytest.mark.repeats
def test_legoboost_turns_a_motor_of_a_hub(reads):
    saw, log = reads("lego-move-hub", HUB, {"color": "red"}, name="LEGO Move Hub")
    assert saw == {"color": 9, "angle": [90]}
    assert log == ["the light is red", "motor D: 90°"]


BALL = """
from spherov2 import scanner

def client():
    with scanner.find_Mini(toy_name="SM-" + address.replace(":", "")[-4:], timeout=patience) as ball:
        ball.wake()
        ball.set_all_leds_with_16_bit_mask(0x000E, [10, 200, 30])
        ball.drive_control.roll_start(90, 100)
        return {"voltage": ball.get_battery_voltage(), "version": ball.get_main_app_version()._asdict()}
"""


@pytest.mark.repeats
def test_spherov2_drives_a_ball(reads):
    saw, log = reads("sphero-mini", BALL)
    assert saw == {"voltage": 4.02, "version": {"major": 4, "minor": 3, "revision": 1}}
    assert log == ["may the force be with it", "red 10, green 200, blue 30, the back 0", "speed 100, heading 90°"]


MESH = """
import queue
leave_out("packaging", "packaging.version", "requests", "tabulate")
from meshtastic import ble_interface
from pubsub import pub

class Scanner(ble_interface.BleakScanner):
    @classmethod
    async def discover(cls, timeout=5, **options):    # the client takes 15 s for it
        return await super().discover(timeout=patience / 60, **options)

def client():
    ble_interface.BleakScanner = Scanner
    packets = queue.Queue()
    def hear(packet, interface):
        packets.put(packet)
    pub.subscribe(hear, "meshtastic.receive.routing")
    node = ble_interface.BLEInterface(address)    # it stays open, because its 'close' waits for itself
    seen = {"number": node.myInfo.my_node_num, "names": sorted(each["user"]["longName"] for each in node.nodes.values()),
            "region": node.localNode.localConfig.lora.region, "firmware": node.metadata.firmware_version}
    node.localNode.setOwner("Base Camp", "BASE")
    renamed = packets.get(timeout=patience)["decoded"]["routing"]["errorReason"]
    sent = node.sendText("Are you there?", destinationId="!9e8f7a6b", wantAck=True)
    heard = packets.get(timeout=patience)
    return seen | {"renamed": renamed, "from": heard["fromId"], "is answer": heard["decoded"]["requestId"] == sent.id}
"""


@pytest.mark.repeats
def test_meshtastic_reads_a_node_and_sends_a_text(reads):
    saw, log = reads("meshtastic", MESH)
    assert saw == {"number": 0x433D1A2C, "names": ["Meshtastic 1a2c", "River Valley", "Summit"], "region": 3, "firmware": "2.7.11.ee68575",
                   "renamed": "NONE", "from": "!9e8f7a6b", "is answer": True}
    assert log == ["its owner is Base Camp", "to !9e8f7a6b: Are you there?"]
