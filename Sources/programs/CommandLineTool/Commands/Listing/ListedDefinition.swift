import Framing
import BlemuJSON

/// A bundled definition in a list.
struct ListedDefinition {
  /// Its name on the command line.
  var name: String
  var path: String
  /// The device's name and summary; nil if mistakes in the definition hide them.
  var device: (name: String, summary: String)?

  var summary: String { device?.summary ?? "(has errors: run 'blemu check \(name)')" }

  /// Whether it has a word in its names or its summary, in either case.
  func has(_ word: String) -> Bool {
    [name, device?.name ?? "", device?.summary ?? ""].contains { $0.hasWord(word) }
  }

  /// The names are stable; json.md lists them.
  func json(group: String) -> JSONValue {
    let place: JSONValue = ["name": .string(name), "group": .string(group), "file": .string(path)]
    return place.adding([
      "device": device.map { .string($0.name) }, "summary": device.map { .string($0.summary) },
    ])
  }
}

extension String {
  /// Whether a word is in it, in either case.
  func hasWord(_ word: String) -> Bool { lowercased().hasPart(word.lowercased()) }
}
