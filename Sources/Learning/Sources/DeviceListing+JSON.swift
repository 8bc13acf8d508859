import Bluetooth

/// What profiles and the files of GATTacker have in common.
extension DeviceListing {
  mutating func add(descriptorsOf characteristic: JSONPlace) throws(ListingMistake) {
    for descriptor in try characteristic.elements("descriptors") {
      let handle = try descriptor.required("handle").handle()
      add(attribute: try descriptor.required("uuid").uuid().uuid, at: handle)
      try add(valueOf: descriptor, at: handle)
    }
  }

  /// GATTacker and WHAD have a value in `value`, BLESPloit that of a descriptor in `data`. BLESPloit notes why a read was refused. The
  /// others leave a value empty that they did not get.
  mutating func add(valueOf attribute: JSONPlace, at handle: AttributeHandle) throws(ListingMistake) {
    if let code = try attribute["error_code"]?.number(in: 1...0xFF) {
      add(refusal: ATTError(rawValue: UInt8(code)), at: handle)
    }
    let value = try (attribute["data"] ?? attribute["value"])?.bytes() ?? []
    if !value.isEmpty { add(value: value, at: handle) }
  }
}
