"""`blemu clone` and `blemu scan`: what they make of devices on the air."""
import asyncio
import json
import re

import pytest
from bumble.att import Attribute, ATT_Error
from bumble.core import UUID, AdvertisingData
from bumble.device import AdvertisingType
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service

from programs import BLEMU, Program, REPOSITORY

#: Where a clone differs from the definition of its device, and why nobody sees it from outside, or sees something else.
DIFFERENCES = {
    # The value that the device computes at each moment, and not the one at first.
    "aranet4": {(f"FCE0 F0CD{number}-95DA-4F4B-9AC8-AA55D312AF0C", "value") for number in (2004, 2005, 3001)},
    "combustion-probe": {
        ("", "centrals"),  # as many as the adapter takes
        ("00000100-CAAB-3792-3D44-97AE51C1407A 00000101-CAAB-3792-3D44-97AE51C1407A", "value")},
    "ear-thermometer": {("1809 2A21", "value")},
    "flower-care": {("1206 1A11", "value"), ("1206 1A12", "value")},
    "environment-sensor": {("181A 2A6D", "value"), ("181A 2A6E", "value"), ("181A 2A6F", "value")},
    "micro-bit": {
        ("E95D0753-251D-470A-A062-FA1922DFA9A8 E95DCA4B-251D-470A-A062-FA1922DFA9A8", "value"),
        ("E95D6100-251D-470A-A062-FA1922DFA9A8 E95D9250-251D-470A-A062-FA1922DFA9A8", "value")},
    # A name or a System ID has digits of the device's address.
    "govee-h5075": {("1800 2A00", "value")},
    "dymo-letratag": {("", "scan response"), ("1800 2A00", "value")},
    "sphero-mini": {("", "scan response"), ("1800 2A00", "value")},
    "polar-h10": {("180A 2A23", "value")},
    "lywsd03mmc": {
        ("1800 2A00", "value"), ("181A 2A1F", "value"), ("181A 2A6E", "value"), ("181A 2A6F", "value"),
        ("1F10 1F1F", "permissions"),  # a write that no property announces
        *((f"EBE0CCB0-7A0A-4B0C-8A1A-6FF2997DA3A6 EBE0CC{end}-7A0A-4B0C-8A1A-6FF2997DA3A6", "value") for end in ("B7", "C1"))},
    # The passkey is in no packet.
    "ble-keyboard": {("", "passkey")},
    # A rule refuses to read.
    "mi-band": {(f"FEE0 0000000{number}-0000-3512-2118-0009AF100700", "permissions") for number in (6, 7)},
    # Only a value without a subscription would tell.
    "jbd-bms": {("FF00 FF01", "subscription")},
}

#: Values of these move, and may be those at first again when a clone is made: such a clone has fewer differences.
MOVING = {"aranet4", "combustion-probe", "environment-sensor", "flower-care", "lywsd03mmc", "micro-bit"}

#: The packets of these change by themselves. A clone has those of the moment in which it was made: the same types of AD structures.
CHANGING = {"bthome-sensor", "eddystone", "govee-h5075", "lywsd03mmc", "ruuvitag", "switchbot-meter", "thermobeacon", "victron-smartshunt"}

#: ms: what the random delay of advertising and a busy machine hide of an interval.
ACCURACY = 10


async def blemu(*words, folder=None):
    """Runs a command to its end, and returns its exit status, its output and its errors."""
    process = await asyncio.create_subprocess_exec(
        BLEMU, *map(str, words), cwd=folder, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()


def place(air):
    return f"exact:tcp:127.0.0.1:{air.port}"


async def cloned(air, address, folder, *options):
    """Clones a device into `folder`/clone, and returns what the command has said."""
    status, output, errors = await blemu("clone", address, "--on", place(air), "--name", "clone", *options, folder=folder)
    assert (status, errors) == (0, ""), output
    return output


async def differences(original, folder):
    """The differences of two definitions for a central, behaviour apart."""
    _, output, errors = await blemu("diff", "--json", original, "clone/clone.yaml", folder=folder)
    assert errors == ""
    rows = [row for row in json.loads(output)["differences"] if row["section"] != "answers"]
    return {(row["place"], row["aspect"]) for row in rows if not is_expected(original, **row)}


def is_expected(original, *, aspect, a, b, **_):
    """Whether a difference comes from the moment, or from how well an interval can be heard."""
    if aspect == "interval":
        return is_close(a, b)
    return original in CHANGING and aspect in ("data", "scan response") and types(a) == types(b)


def types(packet):
    """The types of the AD structures of a packet, given in hexadecimal digits."""
    return [kind for kind, _ in AdvertisingData.from_bytes(bytes.fromhex(packet or "")).ad_structures]


def is_close(one, other):
    ends = [[float(number) for number in re.findall(r"[\d.]+", text or "")] for text in (one, other)]
    return all(ends) and abs(ends[0][0] - ends[1][0]) <= ACCURACY


#: For a device whose interval and values do not matter.
BRIEF = "--listen", "1500ms", "--subscribe", "0s"

BUNDLED = sorted(path.stem for path in (REPOSITORY / "Peripherals").glob("*/*/*.yaml") if path.stem == path.parent.name)


#: How often a device is cloned. What a busy machine hides from one clone, such as a scan response, another one hears.
MOST_CLONES = 4


@pytest.mark.parametrize("share", range(4))
async def test_no_central_can_tell_a_clone_from_a_bundled_device(air, tmp_path, share):
    async def check(name):
        device, expected = await air.device(name), DIFFERENCES.get(name, set())
        lasting = None
        for attempt in range(MOST_CLONES):
            folder = tmp_path / f"{name}-{attempt}"
            folder.mkdir()
            await cloned(air, device.on_air["address"], folder)
            found = await differences(name, folder)
            lasting = found if lasting is None else lasting & found
            if lasting == expected or name in MOVING and lasting <= expected:
                break
        await device.end()
        return name, lasting

    names = BUNDLED[share::4]
    assert len(names) >= 16
    found = dict(await asyncio.gather(*map(check, names)))
    for name in MOVING & found.keys():
        assert found.pop(name) <= DIFFERENCES[name], name
    assert found == {name: DIFFERENCES.get(name, set()) for name in found}


# Devices that others have written


async def advertise(phone, name="Foreign"):
    """Lets Bumble advertise until the end, also after each connection."""
    data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()), (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, bytes.fromhex("34121122"))]))
    await phone.bumble.start_advertising(advertising_data=data, auto_restart=True)


def services(phone, *descriptions):
    """Adds services, each a UUID and characteristics: UUID, properties, permissions, value, descriptors."""
    for uuid, characteristics in descriptions:
        phone.bumble.add_service(Service(uuid, [Characteristic(*each) for each in characteristics]))


READ, WRITE, NOTIFY = Characteristic.READ, Characteristic.WRITE, Characteristic.NOTIFY
READABLE, WRITEABLE = Attribute.READABLE, Attribute.WRITEABLE
LONG = bytes(number % 251 for number in range(500))


async def test_a_foreign_device_becomes_a_definition(air, tmp_path):
    phone = await air.phone()
    phone.pairs()
    services(
        phone, ("180A", [("2A25", READ, READABLE, b"SN-4711"), ("2A29", READ, READABLE, b"Bumble")]),
        (UUID("8D53DC1D-1DB7-4CD3-868B-8A527460AA84"), [
            ("FFE1", READ | WRITE, READABLE | WRITEABLE, LONG, [Descriptor("2901", READABLE | WRITEABLE, b"long")]),
            ("FFE2", READ, READABLE | Attribute.READ_REQUIRES_ENCRYPTION, b"\x2a"),
            ("FFE4", NOTIFY, READABLE, b"")]))
    await advertise(phone)
    await cloned(air, "Foreign", tmp_path, *BRIEF)
    text = (tmp_path / "clone/clone.yaml").read_text()
    assert 'local-name: "Foreign"' in text and '"1234": "11 22"' in text
    assert f'"{LONG.hex(" ").upper()}"' in text
    assert '{ uuid: "2901", properties: [read, write], text: "long" }' in text
    assert 'text: "SN-4711"' in text
    (protected,) = re.findall(r"uuid: FFE2.*?(?=- \{? ?uuid|$)", text, re.S)
    assert "permissions: [encrypt-read]" in protected and '"2A"' in protected
    status, output, _ = await blemu("check", "--on", "exact", "clone", folder=tmp_path)
    assert status == 0, output


async def test_a_clone_can_be_anonymous(air, tmp_path):
    phone = await air.phone()
    services(phone, ("180A", [("2A25", READ, READABLE, b"SN-4711"), ("2A29", READ, READABLE, b"by Foreign")]))
    await advertise(phone)
    await cloned(air, "Foreign", tmp_path, *BRIEF, "--anonymous")
    written = "".join(path.read_text() for path in (tmp_path / "clone").iterdir())
    assert 'local-name: "xxxxxxx"' in written and 'text: "xx-0000"' in written and 'text: "by xxxxxxx"' in written
    assert "Foreign" not in written and "4711" not in written and "DA:4C" not in written


async def test_a_beacon_is_an_advertisement(air, tmp_path):
    phone = await air.phone()
    await phone.bumble.start_advertising(
        advertising_type=AdvertisingType.UNDIRECTED,
        advertising_data=bytes.fromhex("02010609FF4C00021501020304"))
    address = str(phone.bumble.random_address)
    said = await cloned(air, address[:17], tmp_path, *BRIEF)
    text = (tmp_path / "clone/clone.yaml").read_text()
    assert "note: The device was not connectable; only its advertisement is known." in said
    assert '004C: "02 15 01 02 03 04"' in text and "services:" not in text and "connectable" not in text


# Devices that are difficult


async def test_nobody_there(air, tmp_path):
    await air.device("itag")
    status, output, errors = await blemu("clone", "01:02:03:04:05:06", "--on", place(air), "--within", "1s", folder=tmp_path)
    assert (status, output) == (69, "") and list(tmp_path.iterdir()) == []
    assert errors.startswith("blemu: no device with the address 01:02:03:04:05:06 advertised within 1s; 1 other device did\n  'blemu scan' shows")


async def test_a_name_that_is_almost_one(air, tmp_path):
    await air.device("hm-10")
    errors = ""
    while "did you mean" not in errors:  # once it has heard the scan response with the name
        status, _, errors = await blemu("clone", "HMSotf", "--on", place(air), "--within", "2s", folder=tmp_path)
    assert status == 69 and "1 other device did\n  did you mean 'HMSoft'? 'blemu scan' shows" in errors


async def test_a_folder_that_is_taken_is_said_at_once(air, tmp_path):
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone/notes").write_text("mine")
    status, _, errors = await blemu("clone", "01:02:03:04:05:06", "--on", place(air), "--name", "clone", folder=tmp_path)
    assert (status, errors.splitlines()[0]) == (73, "blemu: 'clone' already exists and is not empty")


async def test_a_folder_of_the_devices_name_that_is_taken_is_said_before_it_is_asked(air, tmp_path):
    await air.device("itag")
    (tmp_path / "itag").mkdir()
    (tmp_path / "itag/notes").write_text("mine")
    status, output, errors = await blemu("clone", "iTAG", "--on", place(air), folder=tmp_path)
    assert (status, errors.splitlines()[0]) == (73, "blemu: 'itag' already exists and is not empty")
    assert "connected" not in output


async def test_a_device_that_refuses_every_read(air, tmp_path):
    phone = await air.phone()

    def refuse(_):
        raise ATT_Error(0x80)

    services(phone, ("FFE0", [(f"FF0{number}", READ, READABLE, CharacteristicValue(read=refuse)) for number in range(5)]))
    await advertise(phone)
    await cloned(air, "Foreign", tmp_path, *BRIEF)
    assert (tmp_path / "clone/clone.yaml").read_text().count("read refused: application-error-80") == 5


async def test_a_device_that_leaves_in_the_middle(air, tmp_path):
    phone = await air.phone()

    async def leave(connection):
        await connection.disconnect()
        return b""

    services(phone, ("FFE0", [
        ("FF01", READ, READABLE, b"\x01"), ("FF02", READ, READABLE, CharacteristicValue(read=leave)), ("FF03", READ, READABLE, b"\x03")]))
    await advertise(phone)
    said = await cloned(air, "Foreign", tmp_path, *BRIEF)
    text = (tmp_path / "clone/clone.yaml").read_text()
    assert 'uuid: FF01, properties: [read], value: "01"' in text and 'uuid: FF03, properties: [read], value: "03"' in text
    assert re.search(r"note: When it was asked for the value of 0x00\w\w: the peripheral has ended the link", said), said


async def test_a_device_that_pairs_as_we_cannot(air, tmp_path):
    phone = await air.phone()
    phone.pairs().accept = lambda: asyncio.sleep(0, False)
    services(phone, ("FFE0", [("FF01", READ, READABLE | Attribute.READ_REQUIRES_ENCRYPTION, b"\x01")]))
    await advertise(phone)
    said = await cloned(air, "Foreign", tmp_path, *BRIEF)
    assert re.search("note: The device did not pair: .*[.]\n", said), said
    assert "note: These attributes need a protected link, so their values are not known (clone it with '--pair passkey'): 0x0" in said
    assert "encrypt-read" in (tmp_path / "clone/clone.yaml").read_text()


async def test_a_device_with_a_passkey(air, tmp_path):
    device = await air.device("locked", "--set", "io=display-only")
    said = await cloned(air, device.on_air["address"], tmp_path, *BRIEF)
    text = (tmp_path / "clone/clone.yaml").read_text()
    assert "permissions: [encrypt-read]" in text and "permissions: [encrypt-authenticated-read]" in text
    assert 'value: "06"' in text and 'value: "07"' not in text
    assert "note: These attributes need a protected link, so their values are not known (clone it with '--pair passkey'): 0x000E." in said
    (tmp_path / "clone").rename(tmp_path / "first")
    await cloned(air, device.on_air["address"], tmp_path, *BRIEF, "--pair", "123456")
    text = (tmp_path / "clone/clone.yaml").read_text()
    assert 'value: "07"' in text and "io-capability: display-only" in text


async def test_a_device_with_500_attributes(air, tmp_path):
    phone = await air.phone()
    services(phone, *((f"{0xE000 + number:04X}", [(f"{0xF000 + number:04X}", READ, READABLE, bytes([number]))]) for number in range(167)))
    await advertise(phone)
    said = await cloned(air, "Foreign", tmp_path, *BRIEF, "--pair", "never")
    assert int(re.search(r"reading (\d+) attributes", said)[1]) > 500
    text = (tmp_path / "clone/clone.yaml").read_text()
    assert all(f'uuid: {0xF000 + number:04X}, properties: [read], value: "{number:02X}"' in text for number in range(167))


@pytest.mark.parametrize("answer", ["09", "0103", "05020100FFE1", "1106010002000018", "0B"])
async def test_a_device_whose_answers_are_nonsense(air, tmp_path, answer):
    phone = await air.phone()
    services(phone, ("FFE0", [("FF01", READ, READABLE, b"\x01")]))
    server = phone.bumble.gatt_server
    server.on_gatt_pdu = lambda bearer, pdu: server.send_gatt_pdu(bearer, bytes.fromhex(answer))
    await advertise(phone)
    status, output, errors = await blemu("clone", "Foreign", "--on", place(air), "--name", "clone", *BRIEF, "--pair", "never", folder=tmp_path)
    assert status == 0, errors
    assert "the answer was wrong" in output or "no response" in output
    assert (await blemu("check", "--on", "exact", "clone", folder=tmp_path))[0] == 0


# Scanning


async def test_a_scan_shows_what_advertises(air):
    await air.device("hm-10")
    await air.device("ibeacon")
    await air.device("bangle-js")
    async with Program(BLEMU, "scan", "--on", place(air), "--for", "3s") as scan:
        line = await scan.line(lambda line: line if '"HMSoft"' in line else None)
        assert re.fullmatch(r" +-\d+ dBm  DA:4C:10:DE:17:\w\w +\"HMSoft\"  FFE0; manufacturer-data 4D48 .*; tx-power 0", line)
        assert await scan.line(lambda line: "not connectable; manufacturer-data 004C 02 15" in line)
        assert await scan.line(lambda line: "Nordic UART; manufacturer-data 0590; raw 14 05 18" in line)


async def test_a_scan_for_programs(air):
    await air.device("hm-10")
    status, output, errors = await blemu("scan", "--on", place(air), "--for", "2s", "--json")
    last = [json.loads(line) for line in output.splitlines()][-1]
    assert (status, errors) == (0, "")
    assert (last["name"], last["services"], last["connectable"], last["kind"]) == ("HMSoft", ["FFE0"], True, "public")
    assert last["manufacturer-data"] == {"4D48": last["address"].replace(":", " ")} and last["rssi"] < 0
    assert (await blemu("scan", "--on", place(air), "--for", "1s", "--rssi", "0"))[1] == ""


async def test_a_passive_scan_asks_nobody(air):
    await air.device("hm-10")
    _, output, _ = await blemu("scan", "--on", place(air), "--for", "3s", "--json", "--passive")
    found = [json.loads(line) for line in output.splitlines()]
    assert found and all("scan-response" not in each for each in found)
