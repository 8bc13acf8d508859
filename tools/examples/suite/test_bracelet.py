"""The client reads the bracelet's history, whatever goes wrong.

When a test looks at what the device has seen, the client has ended, and nothing more will come: `within=0`.
"""
import pytest

# Five packets of 15 samples. The last one ends with zeros.
JANUARY_2 = bytes.fromhex("""
    00 07 0E 15 1C 23 2A 31 38 3F 46 4D 54 5B 62   6C 73 7A 81 88 8F 96 9D A4 AB B2 B9 C0 C7 CE
    D8 DF E6 ED F4 FB 02 09 10 17 1E 25 2C 33 3A   44 4B 52 59 60 67 6E 75 7C 83 8A 91 98 9F A6
    B0 B7 BE C5 CC D3 DA E1 E8 EF 00 00 00 00 00""")


@pytest.mark.blemu("bracelet")
def test_reads_a_day_packet_by_packet(blemu_device, bracelet, outcome):
    assert outcome(bracelet.day(1, 2)) == JANUARY_2
    blemu_device.expect("connect", "> serial day-request month=1 day=2", "> serial packet-request index=0",
                        "> serial packet-request index=4", "disconnect", within=60)


@pytest.mark.blemu("bracelet")
def test_reads_a_day_without_history(blemu_device, bracelet, outcome):
    assert outcome(bracelet.day(12, 31)) == b""
    blemu_device.expect("> serial packet-request", never=True)


@pytest.mark.blemu("bracelet", faults=["drop once out on serial message packet"])
def test_asks_again_when_a_notification_is_lost(blemu_device, bracelet, outcome):
    samples = outcome(bracelet.day(1, 2))
    blemu_device.expect("fault drop", "> serial packet-request index=0", within=0)
    assert samples == JANUARY_2


@pytest.mark.blemu("bracelet", faults=["split into 3 pieces out on serial"])
def test_joins_a_frame_that_comes_in_pieces(blemu_device, bracelet, outcome):
    samples = outcome(bracelet.day(1, 2))
    blemu_device.expect("fault split", "> serial packet-request index=4", within=0)
    assert samples == JANUARY_2


@pytest.mark.blemu("bracelet", faults=["spoil checksum once out on serial message packet"])
def test_rejects_a_frame_with_a_wrong_checksum(blemu_device, bracelet, outcome):
    samples = outcome(bracelet.day(1, 2))
    blemu_device.expect("fault spoil", "> serial packet-request index=0", within=0)
    assert samples == JANUARY_2


@pytest.mark.blemu("bracelet", faults=["delay 3s once out on serial"])
def test_waits_for_a_slow_bracelet(blemu_device, bracelet, outcome):
    samples = outcome(bracelet.day(1, 2))
    blemu_device.expect("fault delay", "> serial packet-request index=4", within=0)
    assert samples == JANUARY_2


@pytest.mark.blemu("bracelet")
def test_reads_on_after_a_disconnection(blemu_device, bracelet, outcome):
    async def two_days():
        before = await bracelet.day(1, 2)
        blemu_device.expect("disconnect", within=60, after=blemu_device.disconnect().after)
        return before, await bracelet.day(1, 2)

    days = outcome(two_days())
    blemu_device.expect("connect", "> serial day-request", within=0)
    assert days == (JANUARY_2, JANUARY_2)
