/// bluetoothd's main.conf, as GLib reads key files: sections in brackets, `key=value`, and comments that begin with `#`.
package struct MainConfiguration: Hashable, Sendable {
  let lines: [String]

  package init(_ text: String) {
    // A line may end with a carriage return, and the two are one character of a string.
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
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

extension MainConfiguration {
  /// A line for which GLib, and so bluetoothd, drops the whole file.
  package struct Mistake: Hashable, Sendable {
    /// From 1.
    package var line: Int
    package var text: String
    /// What the text is or does, as a clause.
    package var reason: String
  }

  /// The first mistake, as `g_key_file_parse_line()` finds it (glib: glib/gkeyfile.c); nil: there is none.
  package var mistake: Mistake? {
    var hasSection = false
    for (index, line) in lines.enumerated() {
      let line = line.trimmedSpaces
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let reason = Self.mistake(in: line, hasSection) else {
        if line.hasPrefix("["), line.hasSuffix("]") { hasSection = true }
        continue
      }
      return Mistake(line: index + 1, text: line, reason: reason)
    }
    return nil
  }

  private static func mistake(in line: String, _ hasSection: Bool) -> String? {
    if line.hasPrefix("["), let end = line.firstIndex(of: "]"), line.index(after: end) == line.endIndex {
      let name = line.dropFirst().dropLast()
      let isName =
        !name.isEmpty && name.unicodeScalars.allSatisfy { $0 != "[" && $0.value > 0x1F && $0.value != 0x7F }
      return isName ? nil : "is not the name of a section"
    }
    guard let pair = pair(line), !line.hasPrefix("=") else {
      return "is neither 'key = value' nor a [section] nor a comment"
    }
    guard hasSection else { return "comes before the first [section]" }
    return isKey(pair.key) ? nil : "has a bracket in its key"
  }

  /// A key may end with a language in brackets, as in `Name[de]`.
  private static func isKey(_ key: String) -> Bool {
    let parts = key.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty, name.last != " ", !name.contains(where: { $0 == "]" }) else {
      return false
    }
    guard parts.count > 1 else { return true }
    let language = parts[1]
    return language.last == "]"
      && language.dropLast().allSatisfy { $0.isLetter || $0.isNumber || ["-", "_", ".", "@"].contains($0) }
  }
}

extension String {
  /// Without white space at both ends.
  var trimmedSpaces: String {
    let start = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
  }
}
