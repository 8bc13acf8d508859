"""BlueZ's words for what happens in memory: object paths, properties and errors."""
from __future__ import annotations

from typing import Any, Dict, Mapping

from bleak import exc
from bleak.backends.bluezdbus import defs
from bleak.uuids import normalize_uuid_str

from . import current
from .air import Air

__all__ = ["att_error", "connect", "device_path", "failure", "update"]

_ADAPTER = "/org/bluez/hci0"
_NOT_PERMITTED = "org.bluez.Error.NotPermitted"
_INVALID_ARGUMENTS = "org.bluez.Error.InvalidArguments"

#: The errors that BlueZ has for codes of the Attribute Protocol (create_gatt_dbus_error in its src/gatt-client.c).
_ERRORS = {
    0x02: (_NOT_PERMITTED, "Read not permitted"),
    0x03: (_NOT_PERMITTED, "Write not permitted"),
    0x05: (_NOT_PERMITTED, "Not paired"),
    0x06: ("org.bluez.Error.NotSupported", "Operation is not supported"),
    0x07: (_INVALID_ARGUMENTS, "Invalid offset"),
    0x08: ("org.bluez.Error.NotAuthorized", "Operation Not Authorized"),
    0x0C: (_NOT_PERMITTED, "Not paired"),
    0x0D: (_INVALID_ARGUMENTS, "Invalid Length"),
    0x0F: (_NOT_PERMITTED, "Not paired"),
}


def att_error(code: int) -> exc.BleakError:
    """The error that this version of bleak raises on BlueZ if a device refuses a request."""
    if hasattr(exc, "BleakGATTProtocolError"):  # since 3.0
        error: exc.BleakError = exc.BleakGATTProtocolError(code)
        return error
    name, text = _ERRORS.get(code, ("org.bluez.Error.Failed", f"Operation failed with ATT error: 0x{code:02x}"))
    return exc.BleakDBusError(name, [text])


def failure(text: str, name: str = "Failed") -> exc.BleakError:
    return exc.BleakDBusError(f"org.bluez.Error.{name}", [text])


def device_path(address: str) -> str:
    return f"{_ADAPTER}/dev_{address.upper().replace(':', '_')}"


def update(air: Air, address: str, heard: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the properties of a device's object, of which this was heard. A name that was heard once stays."""
    address = address.upper()
    interfaces = air.objects.setdefault(device_path(address), {})
    properties = interfaces.setdefault(defs.DEVICE_INTERFACE, {
        "Adapter": _ADAPTER, "Address": address, "Alias": address.replace(":", "-"), "Blocked": False, "Bonded": False,
        "Connected": False, "LegacyPairing": False, "Paired": False, "ServicesResolved": False, "Trusted": False})
    advertising = heard["advertising"]
    properties["AddressType"] = heard["address-type"]
    if advertising is None:
        return properties
    for name in ("Appearance", "ManufacturerData", "ServiceData", "TxPower"):
        properties.pop(name, None)
    properties["RSSI"] = advertising["rssi"]
    properties["UUIDs"] = [normalize_uuid_str(each) for each in advertising.get("services", [])]
    if "local-name" in advertising:
        properties["Name"] = properties["Alias"] = advertising["local-name"]
    if "manufacturer-data" in advertising:
        properties["ManufacturerData"] = {
            int(company, 16): bytes.fromhex(data) for company, data in advertising["manufacturer-data"].items()}
    if "service-data" in advertising:
        properties["ServiceData"] = {
            normalize_uuid_str(uuid): bytes.fromhex(data) for uuid, data in advertising["service-data"].items()}
    for member, name in (("tx-power", "TxPower"), ("appearance", "Appearance")):
        if member in advertising:
            properties[name] = advertising[member]
    return properties


def connect(manager: Any) -> None:
    """Gives bleak's manager the objects in memory. bleak-retry-connector reads them there."""
    air = current()
    adapter = {"Address": "00:00:00:00:00:00", "Name": "blemu", "Alias": "blemu", "Powered": True, "Roles": ["central"]}
    air.objects[_ADAPTER] = {defs.ADAPTER_INTERFACE: adapter}
    manager._bus, manager._properties, manager._adapters = _Bus(air), air.objects, {_ADAPTER}
    manager._service_map = air.discovered


class _Bus:
    """In place of the connection to D-Bus, on which programs send messages of their own."""

    #: The manager connects again when BlueZ is back.
    connected = False

    def __init__(self, air: Air) -> None:
        self._air = air

    async def call(self, message: Any) -> None:
        if message.member in ("Disconnect", "RemoveDevice"):
            path = message.body[0] if message.body else message.path
            for client in [each for each in self._air.clients if each.path == path]:
                await client.disconnect()

    send = call

    def disconnect(self) -> None:
        pass

    def _finalize(self, error: Any) -> None:
        pass
