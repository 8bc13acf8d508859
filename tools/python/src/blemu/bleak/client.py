"""bleak's client of devices in memory."""
from __future__ import annotations

import asyncio
import contextlib
import functools
from typing import Any, Callable, Dict, List, Optional, Set, Union

from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.service import BleakGATTServiceCollection
from bleak.exc import BleakCharacteristicNotFoundError, BleakDeviceNotFoundError, BleakError
from bleak.uuids import normalize_uuid_str

from ..errors import EndedError, Error
from . import bluez, current
from .air import Link
from .scanner import BleakScannerBlemu
from .services import collection

__all__ = ["BleakClientBlemu"]

#: ATT errors after which BlueZ encrypts the link and repeats the request.
_NOT_ENCRYPTED = (0x05, 0x0C, 0x0F)
_CCCD = normalize_uuid_str("2902")
#: How long a value waits at most for the end of a write, in seconds: about a connection interval.
_LONGEST_HOLD = 0.03

CharacteristicLike = Union[BleakGATTCharacteristic, int, str]
DescriptorLike = Union[BleakGATTDescriptor, int]


class BleakClientBlemu(BaseBleakClient):
    """A central of a device in memory. It has a connection to the device's socket while it is connected or tries to be."""

    def __init__(self, address_or_ble_device: Union[BLEDevice, str], services: Optional[Set[str]] = None, **keywords: Any) -> None:
        super().__init__(address_or_ble_device, **keywords)
        self._air = current()
        #: That of its object on D-Bus.
        self.path = bluez.device_path(self.address)
        self._requested_services = services
        self._link: Optional[Link] = None
        #: The properties of its object in BlueZ's words.
        self._device_info: Dict[str, Any] = {}
        self._is_connected = self._is_paired = False
        self._mtu = 23
        #: The handle of each characteristic's value. As on BlueZ, a characteristic's own handle is that of its declaration.
        self._value_handles: Dict[int, int] = {}
        #: What is called with the values of a characteristic, by the values' handle.
        self._callbacks: Dict[int, Callable[[bytearray], None]] = {}
        #: How many writes wait for their answers, and the values that have come meanwhile: what calls with them.
        self._writes = 0
        self._held: List[Callable[[], None]] = []
        self._limit: Optional[asyncio.TimerHandle] = None
        #: Is set when the device begins to advertise, and when it ends.
        self._news: Optional[asyncio.Event] = None

    # The connection

    async def connect(self, pair: bool = False, **keywords: Any) -> bool:
        if self.is_connected:
            raise BleakError("Client is already connected")
        timeout = keywords.get("timeout", self._timeout)
        path = self._air.socket(self.address) or await self._find(timeout)
        self._link, self._news = Link(path, self._take), asyncio.Event()
        try:
            await asyncio.wait_for(self._establish(self._link, self._news, pair), timeout)
        except BaseException:
            self._end_link()
            raise
        return True

    async def _find(self, timeout: float) -> str:
        from bleak import BleakScanner  # which imports backends
        device = await BleakScanner.find_device_by_address(self.address, timeout=timeout, backend=BleakScannerBlemu)
        path = None if device is None else self._air.socket(self.address)
        if path is None:
            raise BleakDeviceNotFoundError(self.address, f"Device with address {self.address} was not found.")
        return path

    async def _establish(self, link: Link, news: asyncio.Event, pair: bool) -> None:
        """Connects as soon as the device can be connected to, and discovers its services."""
        try:
            self._device_info = bluez.update(self._air, self.address, await link.central("scan"))
            while True:
                news.clear()
                try:
                    self._mtu = (await link.central("connect"))["mtu"]
                    break
                except EndedError:
                    raise
                except Error:
                    await news.wait()
        except Error as error:
            raise BleakDeviceNotFoundError(self.address, f"Device with address {self.address} was not found: {error}") from error
        self._is_paired = False
        if pair:
            await self._pair(link)
        try:
            result = await link.central("discover")
        except Error as error:
            raise BleakError("failed to discover services, device disconnected") from error
        if "services" not in result:
            raise bluez.att_error(result["code"])
        self._connected(result["services"])

    def _connected(self, services: Any) -> None:
        self.services = collection(services, self.path, self._requested_services, self._mtu - 3)
        self._value_handles = {each["declaration"]: each["handle"] for service in services for each in service["characteristics"]}
        uuids = [normalize_uuid_str(service["uuid"]) for service in services]
        self._device_info.update(Connected=True, ServicesResolved=True, UUIDs=uuids)
        self._air.discovered[self.path] = set()
        self._is_connected = True
        self._air.clients.append(self)

    async def disconnect(self) -> bool:
        link = self._link
        if link is not None:
            with contextlib.suppress(Error):  # it has ended
                await link.central("disconnect")
            if self._link is link:
                self._lost()
        return True

    def _take(self, parameters: Optional[Dict[str, Any]]) -> None:
        """Takes a notification of the device; None: it has ended."""
        event = "disconnected" if parameters is None else parameters["event"]
        if event == "disconnected" and self._is_connected:
            self._lost()
        elif parameters is not None and event == "value":
            callback = self._callbacks.get(parameters["handle"])
            if callback is not None:
                self._held.append(functools.partial(self._call, callback, bytearray.fromhex(parameters["value"])))
                if not self._writes:
                    self._deliver()
                elif self._limit is None:
                    self._limit = asyncio.get_running_loop().call_later(_LONGEST_HOLD, self._deliver, True)
        elif self._news is not None:
            self._news.set()

    def _deliver(self, even_during_writes: bool = False) -> None:
        while self._held and (even_during_writes or not self._writes):
            self._held.pop(0)()
        if self._limit is not None and not self._held:
            self._limit.cancel()
            self._limit = None

    def _lost(self) -> None:
        self._writes = 0
        self._deliver()
        self._end_link()
        if self._disconnected_callback is not None:
            self._call(self._disconnected_callback)

    def _end_link(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.shut()
        self.services = None
        self._is_connected = False
        self._callbacks.clear()
        self._held.clear()
        if self in self._air.clients:
            self._air.clients.remove(self)
        if not any(each.path == self.path for each in self._air.clients):
            self._device_info.update(Connected=False, ServicesResolved=False)

    def _call(self, function: Callable[..., None], *arguments: Any) -> None:
        """Calls a function of the program. An exception there does not end the connection."""
        try:
            function(*arguments)
        except Exception as error:
            asyncio.get_running_loop().call_exception_handler({"message": f"{function} has raised an exception", "exception": error})

    @property
    def is_connected(self) -> Any:
        # Before bleak 1.0, programs may call it.
        return getattr(self, "_DeprecatedIsConnectedReturn", bool)(self._is_connected)

    @property
    def mtu_size(self) -> int:
        return self._mtu

    async def _acquire_mtu(self) -> None:
        """Programs call it on BlueZ, where ATT_MTU is not known otherwise."""

    @property
    def name(self) -> str:
        if not self._device_info:
            raise BleakError("Not connected")
        name: str = self._device_info["Alias"]
        return name

    # Pairing

    async def pair(self, *arguments: Any, **keywords: Any) -> bool:
        if not self._is_paired:
            await self._pair(self._connected_link())
        return True

    async def _pair(self, link: Link) -> None:
        passkey = self._air.passkey
        try:
            answer = await link.central("pair", **({} if passkey is None else {"passkey": passkey}))
        except Error as error:
            raise bluez.failure("Authentication Canceled", "AuthenticationCanceled") from error
        if answer["response"] == "refused":  # the link has ended
            if self._is_connected:
                self._lost()
            raise bluez.failure(f"Authentication Failed ({answer['error']})", "AuthenticationFailed")
        self._is_paired = True
        self._device_info.update(Paired=True, Bonded=answer["bonded"])

    async def unpair(self) -> bool:
        if not self.is_connected:
            await self.connect()
        link = self._connected_link()
        with contextlib.suppress(Error):  # it has ended
            await link.central("unpair")
        self._device_info.update(Paired=False, Bonded=False)
        if self._link is link:
            self._lost()
        return True

    # Attributes

    async def get_services(self, **keywords: Any) -> BleakGATTServiceCollection:
        """Before bleak 1.0, programs may call it."""
        self._connected_link()
        return self.services

    async def read_gatt_char(self, char_specifier: CharacteristicLike, **keywords: Any) -> bytearray:
        return await self._read(self._value_handle(char_specifier))

    async def read_gatt_descriptor(self, desc_specifier: DescriptorLike, **keywords: Any) -> bytearray:
        return await self._read(self._descriptor_handle(desc_specifier))

    async def write_gatt_char(self, characteristic: CharacteristicLike, data: Any, response: bool) -> None:
        value = bytes(data)
        if not response and len(value) > self._mtu - 3:
            raise bluez.failure("Failed to initiate write")
        await self._write(self._value_handle(characteristic), value, "request" if response else "command")

    async def write_gatt_descriptor(self, desc_specifier: DescriptorLike, data: Any) -> None:
        await self._write(self._descriptor_handle(desc_specifier), bytes(data), "request")

    async def start_notify(self, characteristic: BleakGATTCharacteristic, callback: Callable[[bytearray], None], **keywords: Any) -> None:
        handle = self._value_handle(characteristic)
        if not {"notify", "indicate"} & set(characteristic.properties):
            raise bluez.failure("Operation is not supported", "NotSupported")
        self._callbacks[handle] = callback
        try:
            await self._configure(characteristic, b"\x01\x00" if "notify" in characteristic.properties else b"\x02\x00")
        except BaseException:
            self._callbacks.pop(handle, None)
            raise

    async def stop_notify(self, char_specifier: CharacteristicLike) -> None:
        handle = self._value_handle(char_specifier)
        if self._callbacks.pop(handle, None) is None:
            raise bluez.failure("No notify session started")
        await self._configure(self._characteristic(char_specifier), b"\x00\x00")

    async def _configure(self, characteristic: BleakGATTCharacteristic, value: bytes) -> None:
        """Writes the Client Characteristic Configuration. A characteristic without one sends anyway."""
        descriptor = characteristic.get_descriptor(_CCCD)
        if descriptor is not None:
            await self._write(descriptor.handle, value, "request")

    async def _read(self, handle: int) -> bytearray:
        return bytearray.fromhex((await self._request("read", handle=handle))["value"])

    async def _write(self, handle: int, value: bytes, kind: str) -> None:
        """Writes. A device in memory answers while it takes the write; on the air, its answer is later than the end of the write."""
        self._writes += 1
        try:
            await self._request("write", handle=handle, value=value.hex(), kind=kind)
        finally:
            self._writes = max(0, self._writes - 1)
            asyncio.get_running_loop().call_soon(self._deliver)

    async def _request(self, do: str, **parameters: Any) -> Dict[str, Any]:
        """Makes a request. As BlueZ, it pairs if the device wants that, and repeats the request."""
        link = self._connected_link()
        try:
            answer = await link.central(do, **parameters)
            if answer["response"] == "refused" and answer["code"] in _NOT_ENCRYPTED and not self._is_paired:
                with contextlib.suppress(BleakError):
                    await self._pair(link)
                    answer = await link.central(do, **parameters)
        except Error as error:
            raise BleakError(f"Not connected: {error}") from error
        if answer["response"] == "refused":
            raise bluez.att_error(answer["code"])
        return answer

    def _connected_link(self) -> Link:
        if self._link is None or not self._is_connected:
            raise BleakError("Not connected")
        return self._link

    def _characteristic(self, specifier: CharacteristicLike) -> BleakGATTCharacteristic:
        """Before bleak 1.0, the client has to find what a program names."""
        self._connected_link()
        if isinstance(specifier, BleakGATTCharacteristic):
            return specifier
        characteristic = self.services.get_characteristic(specifier)
        if characteristic is None:
            raise BleakCharacteristicNotFoundError(specifier)
        return characteristic

    def _value_handle(self, specifier: CharacteristicLike) -> int:
        characteristic = self._characteristic(specifier)
        return self._value_handles[characteristic.handle]

    def _descriptor_handle(self, specifier: DescriptorLike) -> int:
        self._connected_link()
        if isinstance(specifier, BleakGATTDescriptor):
            handle: int = specifier.handle
            return handle
        if self.services.get_descriptor(specifier) is None:
            raise BleakError(f"Descriptor with handle {specifier} was not found!")
        return specifier
