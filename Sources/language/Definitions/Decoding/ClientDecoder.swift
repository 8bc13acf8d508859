import Bluetooth
import DeviceModel

/// Reads what the device looks for in the GATT server of its centrals.
struct ClientDecoder {
  let characteristics: [String]
  let channels: [String]
  let log: DiagnosticLog

  func sought(
    _ entries: [Entry<Node<Language.Sought>>], _ places: inout DefinitionPlaces
  ) -> [SoughtCharacteristic] {
    var all: [SoughtCharacteristic] = []
    for entry in entries {
      log.check(place: entry.key, among: [(characteristics, "a characteristic"), (channels, "a channel")])
      guard let service = log.uuid(entry.value.service), let uuid = log.uuid(entry.value.uuid) else {
        continue
      }
      if let other = all.first(where: { $0.service == service && $0.uuid == uuid }) {
        log.error(.secondSought(of: other.id), at: entry.key.range)
      }
      all.append(SoughtCharacteristic(id: entry.key.text, service: service, uuid: uuid))
      places.sought.append(entry.key.range)
    }
    return all
  }
}

extension DiagnosticLog {
  /// Checks the id of a place, which is none of these, and not that of the wire side.
  func check(place id: Scalar, among taken: [(ids: [String], owner: String)]) {
    if let (_, owner) = taken.first(where: { $0.ids.contains(id.text) }) {
      error(.taken(id.text, by: owner), at: id.range)
    } else if id.text == "wire" {
      error(.wireAsName, at: id.range)
    }
  }
}

/// Mistakes in what a device looks for in the GATT server of its centrals, or in its use.
extension Mistake {
  static func secondSought(of id: String) -> Self {
    Self("'\(id)' is the same characteristic of the central", "remove one of them")
  }
  static func unknownSought(id: String, known: [String]) -> Self {
    Self(
      "the device does not look for '\(id)'",
      known.isEmpty
        ? "add it to 'client', as in 'client: { \(id): { service: 1805, uuid: 2A2B } }'"
        : Suggestion.hint(for: id, in: known))
  }
  static let nothingSought = Self(
    "the device looks for nothing", "add 'client', as in 'client: { time: { service: 1805, uuid: 2A2B } }'")
  static func characteristicOfCentral(id: String) -> Self {
    Self(
      "'\(id)' is a characteristic of the central, not of the device",
      "it has the events found, missing, receive and refused")
  }
}
