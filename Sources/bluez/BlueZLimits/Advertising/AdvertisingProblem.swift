import Bluetooth

/// A part of an `Advertisement` that BlueZ refuses or changes.
enum AdvertisingProblem: Hashable, Sendable {
  /// The advertising data is too long, and the registration fails. `largest` is the longest field.
  case overflow(needed: Int, capacity: Int, largest: AdvertisingField, Remedy)
  /// BlueZ cuts the name to this many bytes and sends it as a Shortened Local Name.
  case nameShortened(to: Int, from: Int)
  /// Raw data of a type that BlueZ accepts only through a property, or not at all. The registration fails.
  case refusedRawType(AdvertisingDataType)
  /// A broadcaster may not set a discoverable flag (Core Specification, Vol 3 Part C 9.1.1.1).
  case discoverableBroadcaster

  /// The remedy for an overflow. BlueZ sends only the name in the scan response, and `--on exact` any field.
  enum Remedy: Hashable, Sendable {
    case shortening
    /// The longest field would fit into the scan response.
    case moving
    /// The definition has its own two packets.
    case ownPackets
  }

  /// Whether the registration fails.
  var isFatal: Bool {
    if case .nameShortened = self { false } else { true }
  }
}

extension AdvertisingProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .overflow(let needed, let capacity, let largest, let remedy):
      "advertising data needs \(needed) bytes, but only \(capacity) fit: \(largest.content.rawValue) takes "
        + "\(largest.size); \(remedy.advice(excess: needed - capacity))"
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
  /// All problems, whether the registration fails or not.
  var problems: [AdvertisingProblem] {
    overflowProblems + nameProblems + rawProblems + modeProblems
  }

  private var modeProblems: [AdvertisingProblem] {
    isDiscoverable && !isConnectable && !isFull ? [.discoverableBroadcaster] : []
  }

  /// The registration fails if the fields that BlueZ itself counts are too long.
  private var overflowProblems: [AdvertisingProblem] {
    let fields = countedFields
    let capacity = AdvertisingData.legacyCapacity
    guard fields.size > capacity, let largest = fields.max(by: { $0.size < $1.size }) else { return [] }
    return [
      .overflow(
        needed: fields.size, capacity: capacity, largest: largest, remedy(moving: largest, of: fields))
    ]
  }

  private func remedy(moving largest: AdvertisingField, of fields: [AdvertisingField])
    -> AdvertisingProblem.Remedy
  {
    if layout != nil { return .ownPackets }
    let fits = largest.size <= capacity.scanResponse && fields.size - largest.size <= capacity.advertisingData
    return fits ? .moving : .shortening
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

extension AdvertisingProblem.Remedy {
  fileprivate func advice(excess: Int) -> String {
    switch self {
    case .shortening: "shorten it by \(excess)"
    case .moving:
      "shorten it by \(excess), or if the real device has it in the scan response, say so with 'packets' and use "
        + "--on exact"
    case .ownPackets: "BlueZ does not use 'packets'; --on exact does"
    }
  }
}
