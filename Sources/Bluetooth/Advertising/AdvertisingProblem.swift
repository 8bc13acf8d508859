/// What BlueZ does not do as an `Advertisement` asks.
package enum AdvertisingProblem: Hashable, Sendable {
  /// The advertising data is too long, and the registration fails. `largest` is the field that takes most room.
  case overflow(needed: Int, capacity: Int, largest: AdvertisingField)
  /// The name is cut to so many bytes and sent as a shortened one.
  case nameShortened(to: Int, from: Int)
  /// Raw data of a type that BlueZ takes by another way, or not at all, makes the registration fail.
  case refusedRawType(AdvertisingDataType)
  /// A broadcaster may not set a discoverable flag (Core Specification, Vol 3 Part C 9.1.1.1).
  case discoverableBroadcaster

  /// Whether the registration fails.
  package var isFatal: Bool {
    if case .nameShortened = self { false } else { true }
  }
}

extension AdvertisingProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .overflow(let needed, let capacity, let largest):
      "advertising data needs \(needed) of \(capacity) bytes: \(largest.content.rawValue) takes "
        + "\(largest.size); shorten it by \(needed - capacity)"
    case .nameShortened(let length, let full):
      "the scan response has room for \(length) of the name's \(full) bytes"
    case .refusedRawType(let type):
      "BlueZ refuses raw data of type \(type.rawValue.hexadecimal(digits: 2))"
        + (type.name.map { " (\($0))" } ?? "")
    case .discoverableBroadcaster:
      "an advertisement that is not connectable cannot be discoverable"
    }
  }
}

extension Advertisement {
  var problems: [AdvertisingProblem] {
    overflowProblems + nameProblems + rawProblems + modeProblems
  }

  private var modeProblems: [AdvertisingProblem] {
    isDiscoverable && !isConnectable ? [.discoverableBroadcaster] : []
  }

  /// BlueZ fails the registration if what it sends itself is too long.
  private var overflowProblems: [AdvertisingProblem] {
    let fields = countedFields
    let capacity = AdvertisingData.legacyCapacity
    guard fields.size > capacity, let largest = fields.max(by: { $0.size < $1.size }) else { return [] }
    return [.overflow(needed: fields.size, capacity: capacity, largest: largest)]
  }

  private var nameProblems: [AdvertisingProblem] {
    let room = AdvertisingData.legacyCapacity - 2
    guard let length = localName?.utf8.count, length > room else { return [] }
    return [.nameShortened(to: room, from: length)]
  }

  private var rawProblems: [AdvertisingProblem] {
    rawStructures.map(\.type).filter(\.isRefusedAsRawData).map { .refusedRawType($0) }
  }
}

extension AdvertisingDataType {
  /// BlueZ takes such bytes only through a property, or not at all (`type_reject_list` in `src/shared/ad.c`).
  package var isRefusedAsRawData: Bool { Self.refusedAsRawData.contains(rawValue) }

  /// The words of a definition file for what such a structure says; nil where there are none.
  package var content: AdvertisingField.Content? {
    switch self {
    case .flags: .flags
    case .incompleteServiceUUIDs16, .completeServiceUUIDs16, .incompleteServiceUUIDs32,
      .completeServiceUUIDs32,
      .incompleteServiceUUIDs128, .completeServiceUUIDs128:
      .services
    case .shortenedLocalName, .completeLocalName: .localName
    case .txPowerLevel: .txPower
    case .serviceData16, .serviceData32, .serviceData128: .serviceData
    case .appearance: .appearance
    case .manufacturerData: .manufacturerData
    default: nil
    }
  }

  private static let refusedAsRawData: Set<UInt8> = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x14,
    0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x27, 0x28,
    0x29, 0x2A, 0x2B, 0x3D, 0xFF,
  ]
}
