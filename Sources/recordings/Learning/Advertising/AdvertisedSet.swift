import Bluetooth
import Captures

/// What a device advertised in one set: packets of one kind, with their scan responses.
struct AdvertisedSet {
  /// In order, without scan responses.
  var packets: [CapturedAdvertisement]
  var responses: [CapturedAdvertisement] = []
  var kind: CapturedAdvertisement.Kind

  /// The main set first: the one that a central may connect to.
  static func all(in advertisements: [CapturedAdvertisement]) -> [AdvertisedSet] {
    var sets: [AdvertisedSet] = []
    for advertisement in advertisements where advertisement.kind != .scanResponse {
      let index = sets.firstIndex {
        $0.kind == advertisement.kind && $0.packets.first?.set == advertisement.set
      }
      if let index {
        sets[index].packets.append(advertisement)
      } else {
        sets.append(AdvertisedSet(packets: [advertisement], kind: advertisement.kind))
      }
    }
    sets = sets.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(
      \.element)
    if let main = sets.firstIndex(where: \.takesLegacyScans) {
      sets[main].responses = advertisements.filter { $0.kind == .scanResponse }
    }
    return sets
  }

  /// The order of what a person takes for the advertisement of a device.
  private var rank: Int {
    switch kind {
    case .connectable: 0
    case .extended(isConnectable: true, _, isDirected: false): 1
    case .directed, .extended(_, _, isDirected: true): 2
    case .scannable, .extended(_, isScannable: true, _): 3
    case .nonConnectable, .extended: 4
    case .scanResponse: 5
    }
  }

  private var takesLegacyScans: Bool { kind == .connectable || kind == .scannable }

  var isExtended: Bool { if case .extended = kind { true } else { false } }

  var isDirected: Bool { rank == 2 }

  var isConnectable: Bool { rank < 3 }

  var isScannable: Bool { rank == 3 }

  /// The data that were received first.
  var data: [UInt8] { packets.lazy.compactMap(\.data).first ?? [] }

  var response: [UInt8] { responses.lazy.compactMap(\.data).first ?? [] }

  /// How many different contents there were of a structure: of the structures of this type with the same first bytes.
  func contents(of type: AdvertisingDataType, beginning: [UInt8]) -> Int {
    func count(_ packets: [CapturedAdvertisement]) -> Int {
      let contents = Set(packets.compactMap(\.data)).map { data in
        AdvertisingData(parsing: data).structures.filter {
          $0.type == type && $0.value.starts(with: beginning)
        }
      }
      return Set(contents.filter { !$0.isEmpty }).count
    }
    return max(count(packets), count(responses))
  }
}
