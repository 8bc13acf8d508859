/// bluetoothd's main.conf, as GLib reads key files: sections in brackets, `key=value`, and comments that begin with `#`.
package struct MainConfiguration: Hashable, Sendable {
  let lines: [String]

  package init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A key of a section with its value, as in `[GATT] Channels = 1`.
  package struct Assignment: Hashable, Sendable, CustomStringConvertible {
    package var section: String
    package var key: String
    package var value: String

    package init(_ section: String, _ key: String, _ value: String) {
      (self.section, self.key, self.value) = (section, key, value)
    }

    package var description: String { "\(key) = \(value)" }
  }

  /// The assignments in the order of the file, each with its line from 1.
  package var assignments: [(line: Int, assignment: Assignment)] {
    var section = ""
    return lines.enumerated().compactMap { index, line in
      let line = line.trimmedSpaces
      if line.hasPrefix("["), line.hasSuffix("]") { section = String(line.dropFirst().dropLast()) }
      guard let pair = Self.pair(line) else { return nil }
      return (index + 1, Assignment(section, pair.key, pair.value))
    }
  }

  /// The value of a key; the last one if there are several, also in sections of the same name. nil: it is not set.
  package func value(_ section: String, _ key: String) -> String? {
    assignments.last { $0.assignment.section == section && $0.assignment.key == key }?.assignment.value
  }

  private static func pair(_ line: some StringProtocol) -> (key: String, value: String)? {
    guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { return nil }
    return (
      String(line[..<equals]).trimmedSpaces, String(line[line.index(after: equals)...]).trimmedSpaces
    )
  }
}

extension String {
  /// Without white space at both ends.
  var trimmedSpaces: String {
    let start = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
  }
}
