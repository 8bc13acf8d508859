"""Features that no bundled device uses, on both transports: definitions/features.yaml."""
import pytest

import bluez
from att import CHARACTERISTIC, Central, assert_refused
from device import DEFINITIONS, Blemu

UART = "6E40000{}-B5A3-F393-E0A9-E50E24DCCA9E"
LONG_TEXT = (b"One hundred bytes and more of text, so that no central reads it at once unless its MTU is "
             b"a very large one, as few are.")
INVALID_OFFSET, READ_NOT_PERMITTED, WRITE_NOT_PERMITTED, INVALID_LENGTH = 0x07, 0x02, 0x03, 0x0D
IMPROPER_CONFIGURATION = 0xFD
# The specification allows 512 bytes. bluetoothd before 5.69 also counts the header of the PDU: by long write, and by Write Request.
LONGEST = {"bluez": 508 if bluez.VERSION < (5, 69) else 512, "exact": 512}
LONGEST_REQUEST = {"bluez": 510 if bluez.VERSION < (5, 69) else 512, "exact": 512}
# A link that is not encrypted: bluetoothd says Insufficient Encryption, blemu Insufficient Authentication, after which a central pairs.
UNENCRYPTED = {"bluez": 0x0F, "exact": 0x05}


@pytest.fixture(scope="module", params=["bluez", "exact"])
def transport(request):
    return request.param


@pytest.fixture(scope="module")
def blemu(transport):
    with Blemu(DEFINITIONS / "features.yaml", on=f"{transport}:hci0") as blemu:
        yield blemu


@pytest.fixture(scope="module")
def handles(blemu):
    """The value handles by UUID, and by the purpose of the UART's characteristics."""
    with Central() as central:
        handles = {row.uuid: row.value_handle for row in central.attributes() if row.type == CHARACTERISTIC}
    return handles | {name: handles[UART.format(number)] for number, name in enumerate(("long", "order", "answer", "echo"), 2)}


@pytest.fixture
def connect(blemu, contexts):
    def connect(mtu=517):
        central = contexts.enter_context(Central(mtu=mtu))
        if mtu:
            central.exchange_mtu(mtu)  # bluetoothd cuts longer values until its own MTU exchange is over
        return central

    return connect


@pytest.fixture
def central(connect):
    return connect()


@pytest.fixture
def long(handles, central):
    """The characteristic with a long text, which the fixture restores."""
    yield handles["long"]
    central.write(handles["long"], LONG_TEXT)


def test_advertises_an_appearance_and_is_not_discoverable(air, blemu):
    on_air = blemu.happened("on-air")[0]
    # Flags 04: not discoverable, BR/EDR not supported; complete list of 128-bit services; appearance 0341
    data = bytes.fromhex("020104 1107 9ECADC240EE5A9E093F3A3B50100406E 03194103")
    assert on_air["advertising-data"] == data.hex(" ").upper()
    air.wait_for(lambda it: it.data == data)


def test_a_long_value_is_read_in_parts(handles, connect):
    central = connect(mtu=0)
    assert central.read(handles["long"]) == LONG_TEXT[:22]
    assert central.read_blob(handles["long"], 100) == LONG_TEXT[100:]
    assert central.read_blob(handles["long"], len(LONG_TEXT)) == b""
    assert central.read_long(handles["long"]) == LONG_TEXT
    assert_refused(INVALID_OFFSET, central.read_blob, handles["long"], len(LONG_TEXT) + 1)


def test_a_long_value_is_read_at_once_on_a_wide_link(handles, connect):
    assert connect(mtu=517).read(handles["long"]) == LONG_TEXT


def test_a_descriptor_is_read_and_written(blemu, handles, connect):
    central = connect(mtu=0)
    description = central.descriptor(handles["long"], "2901")
    assert central.read_long(description) == b"What a person sees of it is longer than 22 bytes"
    format = central.descriptor(handles["long"], "2904")
    before = central.read(format)
    assert before.hex() == "19000027010000"
    central.write(format, b"new")
    assert central.read(format) == b"new"
    event = blemu.await_event("write", attribute="long/2904")
    assert event["value"] == "6E 65 77"
    central.write(format, before)


def test_a_descriptor_without_write_is_not_written(handles, central):
    assert_refused(WRITE_NOT_PERMITTED, central.write, central.descriptor(handles["long"], "2901"), b"x")


def test_the_longest_value_is_written_and_513_bytes_are_refused(transport, blemu, central, long):
    longest, too_long = (bytes(range(256)) * 2)[:LONGEST[transport]], bytes(513)
    central.write(long, longest)
    assert blemu.await_event("write", attribute="long")["value"] == longest.hex(" ").upper()
    central.write(long, b"")
    central.write_long(long, longest, part=200)
    assert central.read_long(long) == longest
    assert_refused(INVALID_LENGTH, central.write, long, too_long)
    assert_refused(INVALID_LENGTH, central.write_long, long, too_long, 200)
    assert central.read_long(long) == longest


def test_nothing_is_possible_without_properties(handles, central):
    hidden = handles["FFF7"]
    for handle in (hidden, central.descriptor(hidden, "2901")):
        assert_refused(READ_NOT_PERMITTED, central.read, handle)
        assert_refused(WRITE_NOT_PERMITTED, central.write, handle, b"x")


def test_the_longest_write_request(transport, blemu, central, long):
    longest = bytes([7]) * LONGEST_REQUEST[transport]
    central.write(long, longest)
    blemu.await_event("write", attribute="long", value=longest.hex(" ").upper())
    assert_refused(INVALID_LENGTH, central.write, long, longest + b"x")
    assert central.read_long(long) == longest


def test_a_write_at_an_offset_keeps_the_bytes_after_it(transport, central, long):
    central.write(long, b"Hello world")
    central.prepare_write(long, 6, b"BlueZ")
    central.execute_write()
    assert central.read(long) == b"Hello BlueZ"
    central.prepare_write(long, 1, b"a")
    central.execute_write()
    assert central.read(long) == b"Hallo BlueZ"
    central.prepare_write(long, 0, b"C")
    central.execute_write()
    # bluetoothd does not tell that it was a prepared write.
    assert central.read(long) == {"bluez": b"C", "exact": b"Callo BlueZ"}[transport]


def test_a_write_beyond_the_end_is_refused(central, long):
    central.write(long, b"short")
    central.prepare_write(long, 6, b"gap")
    assert_refused(INVALID_OFFSET, central.execute_write)
    assert central.read(long) == b"short"


def test_indications_are_confirmed_and_keep_their_order(blemu, handles, central):
    central.subscribe(handles["answer"], indications=True)
    blemu.await_event("log", message="a central wants answers")
    for number in range(20):
        central.write(handles["order"], bytes([0x51, number]))
    # The central confirms each indication before the next is sent.
    assert [central.notification() for _ in range(20)] == [bytes([0x41, number]) for number in range(20)]
    event = blemu.await_event("indicate", attribute="answer")
    assert event["value"] == "41 00"


def test_an_indicated_and_a_notified_answer(blemu, handles, central):
    central.subscribe(handles["answer"], indications=True)
    central.subscribe(handles["echo"])
    blemu.await_event("subscribed", attribute="echo")
    central.write(handles["order"], bytes([0x51, 7]))
    received = {}
    for _ in range(2):
        value = central.notification()
        received[central.last_handle] = value
    assert received == {handles["answer"]: b"\x41\x07", handles["echo"]: b"\x41\x07"}


def test_only_the_supported_kind_of_subscription_is_accepted(handles, central):
    assert_refused(IMPROPER_CONFIGURATION, central.subscribe, handles["answer"])
    assert_refused(IMPROPER_CONFIGURATION, central.subscribe, handles["echo"], True)


def test_the_central_chooses_between_notify_and_indicate(blemu, handles, central):
    both = handles["FFF3"]
    for indications in (False, True):
        central.subscribe(both, indications)
        blemu.await_event("subscribed", attribute="FFF3")
        central.unsubscribe(both)
        blemu.await_event("unsubscribed", attribute="FFF3")


def test_properties_allow_and_refuse_requests(blemu, handles, central):
    assert_refused(READ_NOT_PERMITTED, central.read, handles["order"])
    assert_refused(READ_NOT_PERMITTED, central.read, handles["echo"])
    assert_refused(WRITE_NOT_PERMITTED, central.write, handles["echo"], b"x")
    assert_refused(WRITE_NOT_PERMITTED, central.write, handles["FFF1"], b"x")
    assert central.read(handles["FFF1"]) == b"\1"
    central.write_command(handles["FFF2"], b"without")
    assert blemu.await_event("write", attribute="FFF2")["text"] == "without"
    assert central.read(handles["FFF9"]) == b"\x09"


def test_extended_properties_are_declared(handles, central):
    # Reliable write 0001, writable auxiliaries 0002
    assert central.read(central.descriptor(handles["FFF5"], "2900")) == b"\3\0"


def test_an_encrypted_value_is_not_read_on_an_unencrypted_link(transport, handles, central):
    assert_refused(UNENCRYPTED[transport], central.read, handles["FFF6"])
