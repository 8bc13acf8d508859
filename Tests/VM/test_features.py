"""What a definition can ask of BlueZ beyond the bundled devices: definitions/features.yaml."""
import unittest

from air import air
from att import CHARACTERISTIC, ATTError, Central
from blemu import Blemu
from test_errors import DEFINITIONS

UART = "6E40000{}-B5A3-F393-E0A9-E50E24DCCA9E"
LONG_TEXT = (b"One hundred bytes and more of text, so that no central reads it at once unless its MTU is "
             b"a very large one, as few are.")
INVALID_OFFSET, READ_NOT_PERMITTED, WRITE_NOT_PERMITTED, INVALID_LENGTH = 0x07, 0x02, 0x03, 0x0D


class Features(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.blemu = cls.enterClassContext(Blemu(DEFINITIONS / "features.yaml", "--on", "bluez:hci0"))
        with Central() as central:
            handles = {row.uuid: row.value_handle for row in central.attributes() if row.type == CHARACTERISTIC}
        cls.long, cls.order, cls.answer, cls.echo = (handles[UART.format(number)] for number in (2, 3, 4, 5))
        cls.handles = handles

    def connect(self, mtu=517):
        central = self.enterContext(Central(mtu=mtu))
        if mtu:
            central.exchange_mtu(mtu)  # what is longer than the MTU is cut until bluetoothd's own exchange is over
        return central

    def assertRefused(self, code, request, *arguments):
        with self.assertRaises(ATTError) as refused:
            request(*arguments)
        self.assertEqual(refused.exception.code, code)

    def test_advertises_an_appearance_and_is_not_discoverable(self):
        on_air = self.blemu.happened("on-air")[0]
        # Flags 04: not discoverable, BR/EDR not supported; complete list of 128-bit services; appearance 0341
        data = bytes.fromhex("020104 1107 9ECADC240EE5A9E093F3A3B50100406E 03194103")
        self.assertEqual(on_air["advertising-data"], data.hex(" ").upper())
        air.wait_for(lambda it: it.enabled and it.data == data)

    def test_a_long_value_is_read_in_parts(self):
        central = self.connect(mtu=0)
        self.assertEqual(central.read(self.long), LONG_TEXT[:22])
        self.assertEqual(central.read_blob(self.long, 100), LONG_TEXT[100:])
        self.assertEqual(central.read_blob(self.long, len(LONG_TEXT)), b"")
        self.assertEqual(central.read_long(self.long), LONG_TEXT)
        self.assertRefused(INVALID_OFFSET, central.read_blob, self.long, len(LONG_TEXT) + 1)

    def test_a_long_value_is_read_at_once_on_a_wide_link(self):
        self.assertEqual(self.connect(mtu=517).read(self.long), LONG_TEXT)

    def test_a_descriptor_is_read_and_written(self):
        central = self.connect(mtu=0)
        self.assertEqual(central.read_long(central.descriptor(self.long, "2901")),
                         b"What a person sees of it is longer than 22 bytes")
        format = central.descriptor(self.long, "2904")
        before = central.read(format)
        self.assertEqual(before.hex(), "19000027010000")
        central.write(format, b"new")
        self.assertEqual(central.read(format), b"new")
        event = self.blemu.await_event("write", attribute="long/2904")
        self.assertEqual(event["value"], "6E 65 77")
        central.write(format, before)

    def test_a_descriptor_without_write_is_not_written(self):
        central = self.connect()
        self.assertRefused(WRITE_NOT_PERMITTED, central.write, central.descriptor(self.long, "2901"), b"x")

    def test_508_bytes_are_written_and_513_are_refused(self):
        central = self.connect(mtu=517)
        self.addCleanup(central.write, self.long, LONG_TEXT)
        # 512 by the specification; bluetoothd 5.66 counts the bytes of the PDU's head.
        longest, too_long = (bytes(range(256)) * 2)[:508], bytes(513)
        central.write(self.long, longest)
        self.assertEqual(self.blemu.await_event("write", attribute="long")["value"], longest.hex(" ").upper())
        central.write(self.long, b"")
        central.write_long(self.long, longest, part=200)
        self.assertEqual(central.read_long(self.long), longest)
        self.assertRefused(INVALID_LENGTH, central.write, self.long, too_long)
        self.assertRefused(INVALID_LENGTH, central.write_long, self.long, too_long, 200)
        self.assertEqual(central.read_long(self.long), longest)

    def test_a_write_at_an_offset_changes_what_is_behind_it(self):
        central = self.connect()
        self.addCleanup(central.write, self.long, LONG_TEXT)
        central.write(self.long, b"Hello world")
        central.prepare_write(self.long, 6, b"BlueZ")
        central.execute_write()
        self.assertEqual(central.read(self.long), b"Hello BlueZ")

    def test_a_write_behind_the_end_is_refused(self):
        central = self.connect()
        self.addCleanup(central.write, self.long, LONG_TEXT)
        central.write(self.long, b"short")
        central.prepare_write(self.long, 6, b"gap")
        self.assertRefused(INVALID_OFFSET, central.execute_write)
        self.assertEqual(central.read(self.long), b"short")

    def test_indications_are_confirmed_and_keep_their_order(self):
        central = self.connect()
        central.subscribe(self.answer, indications=True)
        self.blemu.await_event("log", message="somebody wants answers")
        for number in range(20):
            central.write(self.order, bytes([0x51, number]))
        # The central confirms each; the next indication comes only then.
        self.assertEqual(central.notifications(20), [bytes([0x41, number]) for number in range(20)])
        event = self.blemu.await_event("indicate", attribute="answer")
        self.assertEqual(event["value"], "41 00")

    def test_an_indicated_and_a_notified_answer(self):
        central = self.connect()
        central.subscribe(self.answer, indications=True)
        central.subscribe(self.echo)
        self.blemu.await_event("subscribed", attribute="echo")
        central.write(self.order, bytes([0x51, 7]))
        received = {}
        for _ in range(2):
            value = central.notification()
            received[central.last_handle] = value
        self.assertEqual(received, {self.answer: b"\x41\x07", self.echo: b"\x41\x07"})

    def test_only_the_right_way_to_subscribe_is_taken(self):
        central = self.connect()
        improper = 0xFD
        self.assertRefused(improper, central.subscribe, self.answer)
        self.assertRefused(improper, central.subscribe, self.echo, True)

    def test_notify_and_indicate_together_do_as_the_central_says(self):
        both = self.handles["FFF3"]
        central = self.connect()
        for indications in (False, True):
            central.subscribe(both, indications)
            self.blemu.await_event("subscribed", attribute="FFF3")
            central.unsubscribe(both)
            self.blemu.await_event("unsubscribed", attribute="FFF3")

    def test_properties_permit_and_refuse(self):
        central = self.connect()
        self.assertRefused(READ_NOT_PERMITTED, central.read, self.order)
        self.assertRefused(READ_NOT_PERMITTED, central.read, self.echo)
        self.assertRefused(WRITE_NOT_PERMITTED, central.write, self.echo, b"x")
        self.assertRefused(WRITE_NOT_PERMITTED, central.write, self.handles["FFF1"], b"x")
        self.assertEqual(central.read(self.handles["FFF1"]), b"\1")
        central.write_command(self.handles["FFF2"], b"without")
        self.assertEqual(self.blemu.await_event("write", attribute="FFF2")["text"], "without")
        self.assertEqual(central.read(self.handles["FFF9"]), b"\x09")

    def test_extended_properties_are_declared(self):
        central = self.connect()
        # Reliable write 0001, writable auxiliaries 0002
        self.assertEqual(central.read(central.descriptor(self.handles["FFF5"], "2900")), b"\3\0")

    def test_an_encrypted_value_is_not_read_on_a_plain_link(self):
        insufficient_encryption = 0x0F
        self.assertRefused(insufficient_encryption, self.connect().read, self.handles["FFF6"])


if __name__ == "__main__":
    unittest.main()
