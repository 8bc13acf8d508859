"""Bumble as a phone."""
import asyncio
import secrets

from bumble import hci
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

ADDRESSES = ["F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F6", "F0:F1:F2:F3:F4:F7"]


class Person(PairingDelegate):
    """Who holds the phone: what is shown goes to `shown`, what is asked comes from `typed`. Without an `agrees`, says no."""

    def __init__(self, capability, agrees=True):
        super().__init__(capability)
        self.shown, self.typed, self.agrees = asyncio.Queue(), asyncio.Queue(), agrees

    async def compare_numbers(self, number, digits):
        self.shown.put_nowait(number)
        return self.agrees

    async def display_number(self, number, digits):
        self.shown.put_nowait(number)

    async def get_number(self):
        return await self.typed.get()


class Phone:
    """A phone with a controller of its own. An asynchronous context manager that takes it off the air."""

    def __init__(self, port, address=ADDRESSES[0]):
        self.port, self.address = port, address

    async def __aenter__(self):
        self._transport = await self._reach_controller()
        self.bumble = Device.with_hci("Phone", Address(self.address), self._transport.source, self._transport.sink)
        self.bumble.keystore, self.bumble.irk = MemoryKeyStore(), secrets.token_bytes(16)  # a key of zeros would be none
        self.person = None
        await self.bumble.power_on()
        return self

    async def __aexit__(self, *_):
        await self._transport.close()

    async def _reach_controller(self):
        """Its program may not listen yet."""
        while True:
            try:
                return await open_transport(f"tcp-client:127.0.0.1:{self.port}")
            except ConnectionRefusedError:
                await asyncio.sleep(.05)

    def pairs(self, capability=PairingDelegate.NO_OUTPUT_NO_INPUT, *, secure=True, bonding=True, mitm=False, agrees=True):
        """How it pairs from now on. Returns the person who holds it."""
        self.person = Person(capability, agrees)
        self.bumble.pairing_config_factory = lambda _: PairingConfig(sc=secure, mitm=mitm, bonding=bonding, delegate=self.person)
        return self.person

    async def change_address(self):
        """Takes another resolvable private address. Bumble's own `update_rpa` gives its controller the former one."""
        self.bumble.random_address = Address.generate_private_address(self.bumble.irk)
        await self.bumble.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=self.bumble.random_address))

    async def take_address(self, address):
        """Takes a static address, which may be another phone's."""
        self.bumble.random_address = self.bumble.static_address = Address(address)
        await self.bumble.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=self.bumble.random_address))

    async def find(self, name=None, *, at=None):
        """Scans until it finds a device of this name, or at this address, and returns its advertisement."""
        def is_it(advertisement):
            names = (advertisement.data.get(kind) for kind in (AdvertisingData.Type.COMPLETE_LOCAL_NAME, AdvertisingData.Type.SHORTENED_LOCAL_NAME))
            return name in names if at is None else advertisement.address.to_string(False) == at

        return await self.hears(is_it)

    async def hears(self, condition, *, active=True):
        """Scans until an advertisement meets the condition, and returns it."""
        found = asyncio.get_running_loop().create_future()

        def see(advertisement):
            if not found.done() and condition(advertisement):
                found.set_result(advertisement)

        self.bumble.on("advertisement", see)
        await self.bumble.start_scanning(active=active)
        try:
            return await found
        finally:
            await self.bumble.stop_scanning()
            self.bumble.remove_listener("advertisement", see)

    async def connect(self, name):
        """Finds a device by its name, connects, and returns the link."""
        return await self.to((await self.find(name)).address)

    async def to(self, address):
        """Connects to an address, and returns the link."""
        return Link(await self.bumble.connect(address, timeout=None))


class Link:
    """A link of a phone to a device."""

    def __init__(self, connection):
        self.connection, self.peer = connection, Peer(connection)
        self.ended = asyncio.get_running_loop().create_future()
        connection.on(connection.EVENT_DISCONNECTION, lambda reason: self.ended.done() or self.ended.set_result(reason))

    async def discover(self):
        """Finds all services and characteristics, and returns the UUIDs of the services."""
        self.peer.gatt_client.services.clear()  # Bumble keeps a service whose handle it knows
        await self.peer.discover_all()
        return [service.uuid.to_hex_str() for service in self.peer.services]

    async def characteristic(self, uuid):
        """The characteristic with this UUID, or with this number of 16 bits."""
        if not self.peer.services:
            await self.discover()
        (found,) = self.peer.get_characteristics_by_uuid(uuid if isinstance(uuid, UUID) else UUID.from_16_bits(uuid))
        return found

    async def write(self, uuid, value, response=False):
        await self.peer.write_value(await self.characteristic(uuid), value, with_response=response)

    async def read(self, uuid):
        return await self.peer.read_value(await self.characteristic(uuid))

    async def subscribe(self, uuid):
        """Returns a queue with the values that come."""
        values = asyncio.Queue()
        await self.peer.subscribe(await self.characteristic(uuid), values.put_nowait)
        return values

    def listen(self):
        """Returns a queue with all values that come from now on, subscribed or not."""
        values = asyncio.Queue()
        self.peer.gatt_client.on_att_handle_value_notification = lambda pdu: values.put_nowait(pdu.attribute_value)
        return values

    async def leave(self):
        await self.connection.disconnect()


def event(emitter, name):
    """A future of the next event of Bumble with this name."""
    future = asyncio.get_running_loop().create_future()
    emitter.once(name, lambda *arguments: future.done() or future.set_result(arguments))
    return future


REMOTE_USER_TERMINATED = hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR
