/// bluetoothd's main.conf, as GLib reads key files: sections in brackets, `key=value`, and comments that begin with `#`.
package struct MainConfiguration: Hashable, Sendable {
  package private(set) var lines: [String]

  package init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  package var text: String { lines.joined(separator: "\n") }

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

  /// The value of a key; the last one if there are several. nil: it is not set.
  package func value(_ section: String, _ key: String) -> String? {
    assignments.last { $0.assignment.section == section && $0.assignment.key == key }?.assignment.value
  }

  /// The file with this value. It replaces the lines that set the key; otherwise it follows the comment with the key's
  /// default, begins its section, or ends the file with a new section. All other lines stay.
  package func setting(_ new: Assignment) -> MainConfiguration {
    var result = self
    let places = assignments.filter { $0.assignment.section == new.section && $0.assignment.key == new.key }
    if !places.isEmpty {
      for place in places { result.lines[place.line - 1] = new.description }
    } else if let head = lines.firstIndex(where: { $0.trimmedSpaces == "[\(new.section)]" }) {
      result.lines.insert(new.description, at: place(of: new.key, after: head) ?? head + 1)
    } else {
      while result.lines.last == "" { result.lines.removeLast() }
      result.lines += ["", "[\(new.section)]", new.description, ""]
    }
    return result
  }

  /// The line after a comment such as `#Channels = 3` in the section that begins at a line.
  private func place(of key: String, after head: Int) -> Int? {
    let section = lines.indices.dropFirst(head + 1).prefix { !lines[$0].trimmedSpaces.hasPrefix("[") }
    return section.first { index in
      guard lines[index].hasPrefix("#") else { return false }
      return Self.pair(lines[index].drop { $0 == "#" || $0 == " " })?.key == key
    }.map { $0 + 1 }
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
