import BlemuControl
import Devices

extension ControlChoice {
  /// - Parameter file: the definition's.
  init(_ arguments: Arguments, file: String) throws(CommandError) {
    let name = arguments["--name"]
    if let name, !ControlFolder.isName(name) { throw .badDeviceName(name) }
    let standard = Self.standardName(for: file)
    if arguments["--no-control"] != nil {
      for option in ["--control", "--name"] where arguments[option] != nil {
        throw .conflictingOptions("--no-control", option)
      }
      self = .none
    } else if let path = arguments["--control"] {
      self = .path(path.contains("/") ? path : "./" + path, name: name ?? standard)
    } else {
      self = name.map { .named($0) } ?? .automatic(standard)
    }
  }

  /// The name of a device that has no other, from the path of its definition.
  static func standardName(for file: String) -> String {
    let stem = file.split(separator: "/").last.map(String.init) ?? file
    return ControlFolder.name(for: stem.hasSuffix(".yaml") ? String(stem.dropLast(5)) : stem)
  }
}

extension CommandError {
  static func badDeviceName(_ name: String) -> Self {
    name.utf8.count > ControlFolder.longestName
      ? Self(
        .usage, "'\(name)' is too long for the name of a device",
        "a name has at most \(ControlFolder.longestName) characters")
      : Self(
        .usage, "'\(name)' is not a name for a device",
        "a name has letters (A to Z), digits, '-', '_' and '.', and begins with a letter or a digit")
  }
}
