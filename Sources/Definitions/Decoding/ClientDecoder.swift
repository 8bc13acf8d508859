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
        log.error(ClientMistake.second(of: other.id), at: entry.key.range)
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
      error(NameMistake.taken(id.text, by: owner), at: id.range)
    } else if id.text == "wire" {
      error(NameMistake.wireSide, at: id.range)
    }
  }
}

/// A mistake in what a device looks for in the GATT server of its centrals, or in its use.
enum ClientMistake: Mistake {
  case second(of: String)
  case unknown(id: String, known: [String])
  case nothingSought
  /// A characteristic of the central stands where one of the device has to.
  case ofCentral(id: String)
}

extension ClientMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .second(let id):
      ("'\(id)' is the same characteristic of the central", "remove one of them")
    case .unknown(let id, let known):
      (
        "the device does not look for '\(id)'",
        known.isEmpty
          ? "add it to 'client', as in 'client: { \(id): { service: 1805, uuid: 2A2B } }'"
          : Suggestion.hint(for: id, in: known)
      )
    case .nothingSought:
      (
        "the device looks for nothing",
        "add 'client', as in 'client: { time: { service: 1805, uuid: 2A2B } }'"
      )
    case .ofCentral(let id):
      (
        "'\(id)' is a characteristic of the central, not of the device",
        "it has the events found, missing, receive and refused"
      )
    }
  }
}
