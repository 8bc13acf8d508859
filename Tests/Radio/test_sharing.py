"""Several devices of one process on one controller."""
import asyncio
import json

from bumble.hci import Address

from programs import BLEMU, DEFINITIONS, Program
from test_addresses import KEY, text


class Devices(Program):
    """`blemu run` with several devices on a controller, on the air when the context begins."""

    def __init__(self, port, *definitions):
        super().__init__(BLEMU, "run", *(f"{one}@exact:tcp:127.0.0.1:{port}" for one in definitions), "--log", "json")
        self.count = len(definitions)

    async def __aenter__(self):
        await super().__aenter__()
        on_air = [await self.event(event="on-air") for _ in range(self.count)]
        #: By the name of the device, which depends on what else runs on this machine
        self.on_air = {one["device"]: one for one in on_air}
        self.addresses = {name: self._address(one) for name, one in self.on_air.items()}
        return self

    def named(self, definition):
        """The name of the first device with this definition."""
        return next(name for name, one in self.on_air.items() if one["definition"] == definition)

    @staticmethod
    def _address(on_air):
        kind = Address.RANDOM_DEVICE_ADDRESS if on_air.get("address-type") == "random" else Address.PUBLIC_DEVICE_ADDRESS
        return Address(on_air["address"], kind)

    async def event(self, **fields):
        def find(line):
            event = json.loads(line) if line.startswith("{") else {}
            return event if fields.items() <= event.items() else None

        return await self.line(find)


async def test_each_device_has_its_own_address_links_and_attributes(air):
    async with Devices(air.port, "hm-10", DEFINITIONS / "echo.yaml", "hm-10") as devices:
        assert len(set(devices.addresses.values())) == 3
        # RootCanal's controllers confuse links of the same two controllers: each device gets a phone of its own.
        phones = {name: await air.phone() for name in devices.addresses}
        links = {name: await phones[name].to(address) for name, address in devices.addresses.items()}
        for name, link in links.items():
            await devices.event(device=name, event="connected", central=phones[name].address)
            await link.write(0xFFE1, name.encode())
            assert (await devices.event(device=name, event="write"))["text"] == name
        echo, module = devices.named("Echo"), devices.named("HM-10")
        assert await links[echo].peer.request_mtu(517) == 185
        assert await links[module].peer.request_mtu(517) == 23
        await links[module].leave()
        await devices.event(device=module, event="disconnected")
        await links[echo].write(0xFFE1, b"still here")
        assert (await devices.event(device=echo, event="write"))["text"] == "still here"
        again = await phones[module].to(devices.addresses[module])
        await devices.event(device=module, event="connected")
        await again.leave()


async def test_a_bond_with_a_private_device_beside_others_has_its_key(air):
    async with Devices(air.port, DEFINITIONS / "echo.yaml", DEFINITIONS / "private.yaml") as devices:
        phone = await air.phone()
        phone.pairs()
        link = await phone.connect("Private")
        await link.connection.pair()
        private = devices.named("Private")
        await devices.event(device=private, event="bonded")
        (key, identity), = await phone.bumble.keystore.get_resolving_keys()
        assert (key, text(identity)) == (KEY, devices.on_air[private]["identity"])


async def test_a_room_full_of_modules(air):
    async with Devices(air.port, *["hm-10"] * 12) as devices:
        assert len(set(devices.addresses.values())) == 12
        phone, found = await air.phone(), set()
        phone.bumble.on("advertisement", lambda one: found.add(one.address))
        await phone.bumble.start_scanning(active=True)
        wanted = set(devices.addresses.values())
        while not wanted <= found:
            await asyncio.sleep(.05)
        await phone.bumble.stop_scanning()


async def test_a_controller_has_only_so_many_sets(air):
    definitions = ["hm-10"] * 17
    async with Program(BLEMU, "run", *(f"{one}@exact:tcp:127.0.0.1:{air.port}" for one in definitions)) as run:
        line = await run.line(lambda line: line if "no room" in line else None)
        assert f"127.0.0.1:{air.port} has no room for another advertising set" in line
