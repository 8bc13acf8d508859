import Bluetooth

/// A command for an advertising set (Core Specification, Vol 4 Part E 7.8.52 to 7.8.60).
package enum AdvertisingSetCommand: Hashable, Sendable {
  case setParameters(AdvertisingSet)
  case setRandomAddress(DeviceAddress, handle: UInt8)
  case setData(Fragment, handle: UInt8)
  case setScanResponse(Fragment, handle: UInt8)
  case enable(handle: UInt8)
  case disable(handle: UInt8)
  case remove(handle: UInt8)

  /// A part of data that is too long for one command.
  package struct Fragment: Hashable, Sendable {
    package enum Position: UInt8, Sendable {
      case middle, first, last, only
    }

    package var position: Position
    package var bytes: [UInt8]

    /// The most bytes of a fragment.
    static let capacity = 251
  }
}

extension AdvertisingSetCommand {
  var opcode: HCIOpcode {
    switch self {
    case .setParameters: .setExtendedAdvertisingParameters
    case .setRandomAddress: .setAdvertisingSetRandomAddress
    case .setData: .setExtendedAdvertisingData
    case .setScanResponse: .setExtendedScanResponseData
    case .enable, .disable: .setExtendedAdvertisingEnable
    case .remove: .removeAdvertisingSet
    }
  }

  var parameterBytes: [UInt8] {
    switch self {
    case .setParameters(let set): set.parameterBytes
    case .setRandomAddress(let address, let handle): [handle] + address.fieldBytes
    case .setData(let fragment, let handle), .setScanResponse(let fragment, let handle):
      // The controller may not fragment the data again (0x01).
      [handle, fragment.position.rawValue, 0x01, UInt8(fragment.bytes.count)] + fragment.bytes
    // One set, without a limit of time or of events.
    case .enable(let handle): [0x01, 0x01, handle, 0x00, 0x00, 0x00]
    case .disable(let handle): [0x00, 0x01, handle, 0x00, 0x00, 0x00]
    case .remove(let handle): [handle]
    }
  }
}

extension AdvertisingSetCommand.Fragment {
  /// The fragments of data, in order.
  package static func fragments(of data: [UInt8]) -> [Self] {
    let starts = Array(stride(from: 0, to: max(1, data.count), by: capacity))
    return starts.map { start in
      let bytes = Array(data[start..<min(start + capacity, data.count)])
      let (isFirst, isLast) = (start == 0, start == starts.last)
      return Self(position: isFirst ? (isLast ? .only : .first) : (isLast ? .last : .middle), bytes: bytes)
    }
  }
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
    return [handle] + parameters.properties.rawValue.littleEndianBytes
      + ends.flatMap { $0.units.littleEndianBytes.prefix(3) }
      + [parameters.channels.rawValue, address == nil ? 0 : 1, target?.kind == .random ? 1 : 0]
      + (target?.address.fieldBytes ?? [UInt8](repeating: 0, count: 6))
      + [
        0x00, 0x7F, parameters.phy == .coded ? 3 : 1, 0x00, parameters.phy.number, parameters.identifier,
        0x00,
      ]
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

extension HCICommandSocket {
  package func perform(_ command: AdvertisingSetCommand) async throws(HCICommandError) {
    try await perform(command.opcode, command.parameterBytes)
  }

  /// The most bytes of advertising data that the controller can have in a set.
  package func maximumAdvertisingDataLength() async throws(HCICommandError) -> Int {
    var fields = FieldReader(try await perform(.readMaximumAdvertisingDataLength))
    do throws(MalformedFields) { return Int(try fields.number(UInt16.self)) } catch {
      throw .noAnswer(.readMaximumAdvertisingDataLength)
    }
  }
}
