import Bluetooth

/// A part of an `Advertisement` that BlueZ refuses or changes.
enum AdvertisingProblem: Hashable, Sendable {
  /// The fields that BlueZ counts of a packet are too long, and the registration fails.
  case overflow(Packet, [AdvertisingField], Remedy)
  /// BlueZ cuts the name to this many bytes and sends it as a Shortened Local Name.
  case nameShortened(to: Int, from: Int)
  /// Raw data of a type that BlueZ accepts only through a property, or not at all. The registration fails.
  case refusedRawType(AdvertisingDataType)
  /// A broadcaster may not set a discoverable flag (Core Specification, Vol 3 Part C 9.1.1.1).
  case discoverableBroadcaster

  enum Packet: String, Sendable {
    case advertisingData = "advertising data"
    case scanResponse = "the scan response"
  }

  /// The remedy for an overflow.
  enum Remedy: Hashable, Sendable {
    case shortening
    /// The longest field would fit into the scan response. Whether this BlueZ sends it there.
    case moving(isPossible: Bool)
    /// The definition has its own two packets, and this BlueZ does not use them.
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
    case .overflow(let packet, let fields, let remedy):
      "\(packet.rawValue) needs \(fields.size) bytes, but only \(AdvertisingData.legacyCapacity) fit"
        + (fields.largest.map { ": \($0.content.rawValue) takes \($0.size)" } ?? "")
        + "; \(remedy.advice(excess: fields.size - AdvertisingData.legacyCapacity))"
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

extension [AdvertisingField] {
  /// The longest field.
  var largest: AdvertisingField? { self.max { $0.size < $1.size } }
}

extension SentAdvertisement {
  /// All problems, whether the registration fails or not.
  ///
  /// - Parameter advertisement: what the device asks for.
  func problems(of advertisement: Advertisement, on version: () -> BlueZVersion?) -> [AdvertisingProblem] {
    overflowProblems(of: advertisement, version) + nameProblems + rawProblems + modeProblems
  }

  private var modeProblems: [AdvertisingProblem] {
    main.isDiscoverable && !main.isConnectable && !main.isFull ? [.discoverableBroadcaster] : []
  }

  private func overflowProblems(of advertisement: Advertisement, _ version: () -> BlueZVersion?)
    -> [AdvertisingProblem]
  {
    let capacity = AdvertisingData.legacyCapacity
    var problems: [AdvertisingProblem] = []
    let fields = main.countedFields
    if fields.size > capacity {
      let movesFields = version().map { $0 >= .sendsScanResponses } ?? false
      problems.append(.overflow(.advertisingData, fields, remedy(for: fields, advertisement, movesFields)))
    }
    if responseFields.size > capacity {
      problems.append(.overflow(.scanResponse, responseFields, .shortening))
    }
    return problems
  }

  private func remedy(for fields: [AdvertisingField], _ advertisement: Advertisement, _ movesFields: Bool)
    -> AdvertisingProblem.Remedy
  {
    if advertisement.layout != nil { return movesFields ? .shortening : .ownPackets }
    guard let largest = fields.largest else { return .shortening }
    let capacity = advertisement.capacity
    let fits = largest.size <= capacity.scanResponse && fields.size - largest.size <= capacity.advertisingData
    return fits ? .moving(isPossible: movesFields) : .shortening
  }

  private var nameProblems: [AdvertisingProblem] {
    guard let length = main.localName?.utf8.count, length > roomForName else { return [] }
    return [.nameShortened(to: roomForName, from: length)]
  }

  private var rawProblems: [AdvertisingProblem] {
    (main.rawStructures + response.rawStructures).map(\.type).filter(\.isRefusedAsRawData).map {
      .refusedRawType($0)
    }
  }
}

extension AdvertisingProblem.Remedy {
  fileprivate func advice(excess: Int) -> String {
    switch self {
    case .shortening: "shorten it by \(excess)"
    case .moving(let isPossible):
      "shorten it by \(excess), or if the real device has it in the scan response, say so with 'packets'"
        + (isPossible ? "" : " and use \(BlueZVersion.sendsScanResponses) or --on exact")
    case .ownPackets: "\(BlueZVersion.sendsScanResponses) and --on exact use 'packets'; this BlueZ does not"
    }
  }
}
