"""The services of a device in memory, in the classes of each version of bleak."""
from __future__ import annotations

import inspect
from typing import Any, Dict, List, Mapping, Optional, Set

from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.uuids import normalize_uuid_str

__all__ = ["collection"]


def collection(
    services: List[Mapping[str, Any]], device_path: str, requested: Optional[Set[str]], longest_command: int
) -> BleakGATTServiceCollection:
    """Returns discovered services, all of them unless some are requested. Paths and handles are those that BlueZ gives."""
    make = _make_with_bluez if inspect.isabstract(BleakGATTService) else _make
    made = BleakGATTServiceCollection()
    for service in services:
        if requested is None or normalize_uuid_str(service["uuid"]) in requested:
            make(made, service, device_path, longest_command)
    return made


def _properties(attribute: Mapping[str, Any], **further: Any) -> Dict[str, Any]:
    return {"UUID": normalize_uuid_str(attribute["uuid"]), **further}


def _make(made: Any, service: Mapping[str, Any], device_path: str, longest_command: int) -> None:
    path, properties = f"{device_path}/service{service['handle']:04x}", _properties(service, Primary=service["primary"])
    owner = BleakGATTService((path, properties), service["handle"], properties["UUID"])
    made.add_service(owner)
    for each in service["characteristics"]:
        handle, properties = each["declaration"], _properties(each, Flags=each["properties"])
        char_path = f"{path}/char{handle:04x}"
        characteristic = BleakGATTCharacteristic(
            (char_path, properties), handle, properties["UUID"], properties["Flags"], longest_command, owner)
        made.add_characteristic(characteristic)
        for descriptor in each["descriptors"]:
            handle, properties = descriptor["handle"], _properties(descriptor)
            obj = (f"{char_path}/desc{handle:04x}", properties)
            made.add_descriptor(BleakGATTDescriptor(obj, handle, properties["UUID"], characteristic))


def _make_with_bluez(made: Any, service: Mapping[str, Any], device_path: str, longest_command: int) -> None:
    """Before bleak 1.0, each backend has classes of its own. Those for BlueZ take the handle from the path."""
    from bleak.backends.bluezdbus.characteristic import BleakGATTCharacteristicBlueZDBus
    from bleak.backends.bluezdbus.descriptor import BleakGATTDescriptorBlueZDBus
    from bleak.backends.bluezdbus.service import BleakGATTServiceBlueZDBus

    path = f"{device_path}/service{service['handle']:04x}"
    owner = BleakGATTServiceBlueZDBus(_properties(service, Primary=service["primary"]), path)
    made.add_service(owner)
    for each in service["characteristics"]:
        char_path = f"{path}/char{each['declaration']:04x}"
        characteristic = BleakGATTCharacteristicBlueZDBus(
            _properties(each, Flags=each["properties"]), char_path, owner.uuid, owner.handle, longest_command)
        made.add_characteristic(characteristic)
        for descriptor in each["descriptors"]:
            made.add_descriptor(BleakGATTDescriptorBlueZDBus(
                _properties(descriptor), f"{char_path}/desc{descriptor['handle']:04x}", characteristic.uuid, characteristic.handle))
