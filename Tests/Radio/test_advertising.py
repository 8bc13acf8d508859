"""What devices advertise while something changes, with Bumble as the phone that scans."""
from bumble.core import AdvertisingData


def data(advertisement):
    """The manufacturer data, after the company."""
    value = advertisement.data.get(AdvertisingData.Type.MANUFACTURER_SPECIFIC_DATA, raw=True)
    return value and value[2:]


async def test_an_advertisement_follows_the_connections_and_the_name(air):
    await air.device("follows")
    phone, other = await air.phone(), await air.phone()
    link = await phone.connect("Logger")
    connected = await other.hears(lambda it: data(it) == b"\1")
    assert not connected.is_connectable
    await link.write(0x2A00, b"Boiler", response=True)
    assert data(await other.find("Boiler")) == b"\1"
    await link.leave()
    assert (await other.hears(lambda it: data(it) == b"\0")).is_connectable


async def test_an_address_and_the_data_change_as_one(air):
    await air.device("rotating")
    phone, seen = await air.phone(), set()

    def has_all(it):
        seen.add((str(it.address), data(it)))
        return len(seen) == 7

    await phone.hears(has_all, active=False)
    assert len({address for address, _ in seen}) == len({value for _, value in seen}) == 7


async def test_a_set_comes_and_goes_with_its_condition(air):
    await air.device("lamp-beacon")
    phone, other = await air.phone(), await air.phone()
    link = await phone.connect("Lamp")
    await link.write(0xFFE1, b"\1", response=True)
    beacon = await other.hears(lambda it: data(it) == b"\x4C\1")
    assert not beacon.is_connectable
    await link.write(0xFFE1, b"\2", response=True)
    await other.hears(lambda it: data(it) == b"\x4C\2")
    await link.write(0xFFE1, b"\0", response=True)
    in_a_row = 0

    def is_alone(it):
        nonlocal in_a_row
        in_a_row = 0 if data(it) else in_a_row + 1
        return in_a_row == 20  # both have an interval of 100 ms

    await other.hears(is_alone, active=False)


async def test_what_is_no_structure_is_sent_as_it_is(air):
    device, phone = await air.device("malformed"), await air.phone()
    packet = bytes.fromhex("020106 02FF00 03094556 030302A0 020945 1E0941")
    assert bytes.fromhex(device.on_air["advertising-data"]) == packet
    await phone.hears(lambda it: it.data_bytes == packet, active=False)
    await phone.hears(lambda it: bytes.fromhex("0000 03160F18") in it.data_bytes)


async def test_a_full_broadcast_has_no_flags_and_its_address_from_the_same_key(air):
    await air.device("full")
    phone, seen = await air.phone(), {}

    def has_both(it):
        seen[str(it.address)[:17]] = it.data_bytes.hex().upper()
        return len(seen) == 2

    await phone.hears(has_both, active=False)
    assert seen == {
        "CA:1B:2C:3D:4E:5F": "1EFF4C00121910" "60718293A4B5C6D7E8F900112233445566778899AABB" "0000",
        "CA:FE:00:11:22:33": "1EFF4C00121910" "44556677889900AABBCCDDEEFF0102030405060708AA" "0300",
    }


async def test_a_crowd_takes_turns(air):
    await air.device("crowd")
    phone, heard = await air.phone(), {}

    def has_heard_all(it):
        heard.setdefault(data(it), []).append(str(it.address))
        return len(heard) == 40 and all(len(each) >= 3 for each in heard.values())

    await phone.hears(has_heard_all, active=False)
    assert sorted(heard) == [number.to_bytes(2, "big") for number in range(1, 41)]
    addresses = [set(each) for each in heard.values()]
    assert all(len(each) == 1 for each in addresses) and len(set.union(*addresses)) == 40
