import Bluetooth

// Vol 4 Part E 7.8.52 to 7.8.60
extension HCICommand {
  /// LE Set Extended Advertising Parameters. The controller takes them only while the set is disabled.
  package static func setParameters(_ set: AdvertisingSet) -> Self {
    Self(.setExtendedAdvertisingParameters, set.parameterBytes)
  }

  package static func setRandomAddress(_ address: DeviceAddress, handle: UInt8) -> Self {
    Self(.setAdvertisingSetRandomAddress, [handle] + address.littleEndianBytes)
  }

  package static func setData(_ fragment: AdvertisingFragment, handle: UInt8) -> Self {
    Self(.setExtendedAdvertisingData, [handle] + fragment.parameterBytes)
  }

  package static func setScanResponse(_ fragment: AdvertisingFragment, handle: UInt8) -> Self {
    Self(.setExtendedScanResponseData, [handle] + fragment.parameterBytes)
  }

  /// Enables one set, without a limit of time or of events.
  package static func enable(handle: UInt8) -> Self { enable(handle: handle, duration: 0) }

  /// Enables one set, for so many units of 10 ms; 0: without a limit.
  package static func enable(handle: UInt8, duration: UInt16) -> Self {
    Self(.setExtendedAdvertisingEnable, [0x01, 0x01, handle] + duration.littleEndianBytes + [0x00])
  }

  package static func disable(handle: UInt8) -> Self {
    Self(.setExtendedAdvertisingEnable, [0x00, 0x01, handle, 0x00, 0x00, 0x00])
  }

  package static func remove(handle: UInt8) -> Self { Self(.removeAdvertisingSet, [handle]) }
}

extension AdvertisingFragment {
  /// The controller may not fragment the data again (0x01).
  fileprivate var parameterBytes: [UInt8] { [position.rawValue, 0x01, UInt8(bytes.count)] + bytes }
}

extension AdvertisingSet {
  /// The parameters of LE Set Extended Advertising Parameters.
  ///
  ///     EF  10 00  A0 00 00  A0 00 00  07  01  00  00 00 00 00 00 00  00  7F  01  00  01  00  00
  ///     handle, properties, shortest and longest interval, channels, kind of own address, kind of the target and its
  ///     address, filter policy, transmit power, primary PHY, secondary packets to skip, secondary PHY, identifier, no
  ///     reports of scans
  fileprivate var parameterBytes: [UInt8] {
    let ends = [parameters.interval.lowerBound, parameters.interval.upperBound]
    let target = parameters.target
    var bytes = [handle] + parameters.properties.rawValue.littleEndianBytes
    bytes += ends.flatMap { end in (0..<3).map { UInt8(truncatingIfNeeded: end.units >> (8 * $0)) } }
    bytes += [parameters.channels.rawValue, address == nil ? 0 : 1, target?.kind == .random ? 1 : 0]
    bytes += target?.address.littleEndianBytes ?? [UInt8](repeating: 0, count: 6)
    bytes += [
      parameters.filterPolicy, 0x7F, parameters.phy == .coded ? 3 : 1, 0x00, parameters.phy.number,
      parameters.identifier, 0x00,
    ]
    return bytes
  }
}

extension AdvertisingPHY {
  fileprivate var number: UInt8 {
    switch self {
    case .le1M: 1
    case .le2M: 2
    case .coded: 3
    }
  }
}

extension AdvertisingSetParameters {
  /// Advertising_Filter_Policy: scan requests of all devices, connection requests of those on the accept list.
  var filterPolicy: UInt8 { isFiltered ? 0x02 : 0x00 }
}
