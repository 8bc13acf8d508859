"""Common programs find the devices and use them: bleak, bluetoothctl and gatttool on hci1."""
import base64
import hashlib
import hmac
import json
import random
import re

import pytest
from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import bluez
import hci
from device import DEFINITIONS, Blemu
from patience import PATIENCE

FFE0, FFE1 = (f"0000{short}-0000-1000-8000-00805f9b34fb" for short in ("ffe0", "ffe1"))

# Finds the device by its name or an advertised service, performs the steps, and prints the results as JSON.
BLEAK = """
import asyncio, contextlib, json, sys
from bleak import BleakClient, BleakScanner
from patience import PATIENCE

how, what, characteristic, *steps = sys.argv[1:]

async def find():
    options = {"timeout": PATIENCE, "adapter": "hci1"}
    if how == "name":
        return await BleakScanner.find_device_by_name(what, **options)
    return await BleakScanner.find_device_by_filter(lambda *_: True, service_uuids=[what], **options)

async def talk(device):
    # bleak 0.22 closes its connection to the bus before later versions of BlueZ have answered its Disconnect (bleak issue 1921).
    with contextlib.suppress(EOFError):
        async with BleakClient(device, adapter="hci1", timeout=PATIENCE) as client:
            table = {service.uuid: [[each.uuid, sorted(each.properties)] for each in service.characteristics]
                     for service in client.services}
            results = [await step(client, *text.split(":")) for text in steps]
    return {"table": table, "results": results}

async def main():
    device = await find()
    saw = {"found": device and [device.name, device.address]}
    if device and steps:
        saw |= await talk(device)
    print(json.dumps(saw))

values = asyncio.Queue()

async def step(client, verb, argument=""):
    global characteristic
    data = bytes.fromhex(argument)
    match verb:
        case "read": return (await client.read_gatt_char(characteristic)).hex()
        case "take": characteristic = f"0000{argument}-0000-1000-8000-00805f9b34fb"  # for the steps after it
        case "subscribe": await client.start_notify(characteristic, lambda _, value: values.put_nowait(bytes(value)))
        case "unsubscribe": await client.stop_notify(characteristic)
        case "request": await client.write_gatt_char(characteristic, data, response=True)
        case "command": await client.write_gatt_char(characteristic, data, response=False)
        case "receive": return (await asyncio.wait_for(values.get(), PATIENCE)).hex()

asyncio.run(main())
"""


def bleak(*arguments):
    return json.loads(bluez.bleak(BLEAK, *arguments, timeout=4 * PATIENCE).splitlines()[-1])


@pytest.fixture(params=["bluez", "exact"])
def run(request, air, contexts):
    """Runs a device that no adapter knows yet."""
    def run(*arguments):
        bluez.forget_devices()
        blemu = contexts.enter_context(Blemu(*arguments, on=f"{request.param}:hci0"))
        air.wait_for()
        return blemu

    return run


@pytest.fixture
def hm10(run):
    return run("hm-10", "--stdio")


def address():
    return hci.address_text("hci0")


def address_in_bytes():
    """Returns the address as clients print its bytes."""
    return address().lower().replace(":", " ")


def assert_received(blemu, data):
    """Checks that these bytes have come out of the wire side."""
    received = b""
    while len(received) < len(data):
        received += bytes.fromhex(blemu.await_event("wire-out")["value"])
    assert received == data


@bluez.that_scan_for_a_service
def test_bleak_finds_it_by_service_and_talks(hm10):
    hm10.process.stdin.write(b"OK\r\n")  # waits for the subscription
    saw = bleak("service", FFE0, FFE1, "read", "subscribe", "receive", "command:" + b"Hello\r\n".hex(), "unsubscribe")
    assert saw["found"] == ["HMSoft", address()]
    assert saw["table"][FFE0] == [[FFE1, ["notify", "read", "write-without-response"]]]
    assert saw["results"] == [address_in_bytes().replace(" ", ""), None, b"OK\r\n".hex(), None, None]
    assert_received(hm10, b"Hello\r\n")


def test_bleak_finds_it_by_name(hm10):
    assert bleak("name", "HMSoft", FFE1)["found"] == ["HMSoft", address()]


def test_bleak_asks_for_a_day_with_and_without_response(run):
    blemu = run("bracelet")
    # A5, length, command, month, day, XOR: 5 packets on 2 January, 300 on 3 January
    saw = bleak("name", "Bracelet", FFE1, "subscribe", "request:A506030102A3", "receive", "command:A506030103A2", "receive")
    assert saw["results"] == [None, None, "a50683050025", None, "a506832c010d"]
    assert saw["table"][FFE0] == [[FFE1, ["notify", "read", "write", "write-without-response"]]]
    blemu.await_event("disconnected")


def test_bleak_without_an_adapter_uses_hci1():
    """PYTHONHASHSEED in tools/vm.d/guest; otherwise each process would choose any of the six."""
    script = "\n".join(("import asyncio", "from bleak.backends.bluezdbus.manager import get_global_bluez_manager",
                        "async def main():", "    print((await get_global_bluez_manager()).get_default_adapter())",
                        "asyncio.run(main())"))
    assert [bluez.bleak(script) for _ in range(3)] == ["/org/bluez/hci1\n"] * 3


def point(key):
    """The coordinates of a public key, X and Y."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)[1:]


def test_bleak_gets_what_pythons_ciphers_compute(run):
    """All keys and texts are random."""
    run(DEFINITIONS / "ciphers.yaml")
    key, long_key, nonce, block, header, text = map(random.randbytes, (16, 32, 12, 16, 7, random.randrange(1, 200)))
    opened, cfb = nonce + bytes([len(header)]) + header, Cipher(algorithms.AES(key), CFB(block)).encryptor().update(text)
    gcm, chacha = AESGCM(key).encrypt(nonce, text, header), ChaCha20Poly1305(long_key).encrypt(nonce, text, header)
    mine, theirs = ec.generate_private_key(ec.SECP224R1()), ec.generate_private_key(ec.SECP224R1())
    scalar, agreed = mine.private_numbers().private_value.to_bytes(28, "big"), mine.exchange(ec.ECDH(), theirs.public_key())
    conversation = {
        b"\x01" + key + opened + text: gcm,
        b"\x02" + key + opened + gcm: text,
        b"\x03" + long_key + opened + text: chacha,
        b"\x04" + long_key + opened + chacha: text,
        b"\x05" + key + block + text: cfb,
        b"\x06" + key + block + cfb: text,
        b"\x07" + text: hashlib.sha512(text).digest(),
        b"\x08\x07" + header + text: hmac.digest(header, text, "sha512"),
        b"\x09\x07" + header + text: HKDF(hashes.SHA512(), 42, header, b"info").derive(text),
        b"\x0A" + text: base64.b64encode(text),
        b"\x0B" + base64.b64encode(text): text,
        b"\x0E" + scalar + point(theirs.public_key()): agreed,
        b"\x0F" + scalar: point(mine.public_key()),
    }
    forgery, mine = gcm[:-1] + bytes([gcm[-1] ^ 1]), ec.generate_private_key(ec.SECP256R1())
    questions = [*conversation, b"\x02" + key + opened + forgery, b"\x0D" + point(mine.public_key())]
    steps = [step for question in questions for step in ("request:" + question.hex(), "receive")]
    *_, own = results = bleak("name", "Ciphers", FFE1, "subscribe", *steps, "take:FFE2", "read")["results"]
    *answers, refused, secret = map(bytes.fromhex, results[2:-2:2])
    assert answers == [b"\x80" + answer for answer in conversation.values()]
    assert refused == b"\x81"
    own = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + bytes.fromhex(own))
    assert secret == b"\x80" + mine.exchange(ec.ECDH(), own)


def test_bleak_gets_records_in_packets_and_framed_answers(run):
    run(DEFINITIONS / "words.yaml")
    # On the air, each byte at FFE3 is changed by ^ 0F: 9A 33 12 21 goes in, and 6D 12 21 0A ... comes out.
    results = bleak("name", "Words", FFE1, "read", "take:FFE5", "subscribe", "request:AB", "request:0101", "receive",
                    "take:FFE3", "subscribe", "request:953C", "request:1D2E", "receive")["results"]
    assert [bytes.fromhex(each) for each in results if each] == [b"first", bytes.fromhex("AB03011F40"), bytes.fromhex("621D2E" + 27 * "05")]


def test_bleak_loses_what_a_small_buffer_does_not_hold(run):
    blemu = run(DEFINITIONS / "small-buffers.yaml", "--stdio", "--fault", "throttle to 5 bytes/s, 8 bytes out on told")
    results = bleak("name", "Small", FFE1, "command:" + bytes(range(16)).hex(), "take:FFE3", "subscribe", "take:FFE2",
                    *(f"command:{number:02X}{number:02X}{number:02X}" for number in range(4)), "receive", "receive", "receive")["results"]
    assert_received(blemu, bytes(range(8)))
    assert "".join(results[-3:]) == "0000000101010202"
    assert "not sent: the buffer of the wire side is full; 8 bytes lost so far" in map(str, blemu.warnings())


def scan(control):
    control.await_output("Agent registered")
    control.send(f"select {hci.address_text('hci1')}")
    control.send("scan le")
    control.await_output("Discovery started")
    control.await_output(rf"\[NEW\] Device {address()} HMSoft")


def test_bluetoothctl_scans_connects_and_reads(hm10):
    with bluez.Dialogue("bluetoothctl") as control:
        scan(control)
        for command, *answers in (
            (f"info {address()}", rf"UUID: .*\({FFE0}\)"),
            ("scan off", "Discovery stopped"),
            (f"connect {address()}", "Connection successful", "ServicesResolved: yes"),
            ("menu gatt",),
            (f"select-attribute {FFE1}", r"/char[0-9a-f]+"),
            ("read", address_in_bytes()),
        ):
            control.send(command)
            for answer in answers:
                control.await_output(answer)


def test_gatttool_lists_services_and_characteristics(hm10):
    assert f"uuid: {FFE0}" in bluez.gatttool("--primary")
    # Properties 0x16: read 02, write without response 04, notify 10
    assert re.search(rf"char properties = 0x16, char value handle = 0x\w+, uuid = {FFE1}", bluez.gatttool("--characteristics"))


def test_gatttool_reads_writes_and_listens(hm10):
    value = re.search(rf"char value handle = (0x\w+), uuid = {FFE1}", bluez.gatttool("--characteristics"))[1]
    assert address_in_bytes() in bluez.gatttool("--char-read", "--handle", value)
    gatttool = ("gatttool", "-i", "hci1", "-b", address())
    with bluez.Dialogue(*gatttool, "-I") as interactive:
        interactive.send("connect")
        interactive.await_output("Connection successful")
        interactive.send(f"char-write-cmd {value} {b'AT'.hex()}")
        assert_received(hm10, b"AT")
    configuration = hex(int(value, 16) + 1)
    with bluez.Dialogue(*gatttool, "--char-write-req", "--handle", configuration, "--value", "0100", "--listen") as listener:
        listener.await_output("Characteristic value was written successfully")
        hm10.process.stdin.write(b"OK")
        listener.await_output(rf"Notification handle = 0x0*{int(value, 16):x} value: 4f 4b")
