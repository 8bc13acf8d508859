extension JSONValue {
  /// The value on one line: `{"a": [1, 2]}`.
  package var line: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value for people. Parts that fit into `width` columns are on one line; larger ones are indented.
  package func lines(width: Int = 100) -> String {
    lines(width: width, indentation: 0, taken: 0) + "\n"
  }

  /// - Parameter taken: the columns of the line that other text needs.
  private func lines(width: Int, indentation: Int, taken: Int) -> String {
    let line = line
    if taken + line.count <= width || isEmpty { return line }
    let inner = indentation + 2
    switch self {
    case .null, .string, .integer, .decimal, .boolean: return line
    case .array(let elements) where elements.allSatisfy(\.isScalar):
      return Self.block("[]", Self.filled(elements, width: width - inner), indentation)
    case .array(let elements):
      let rows = elements.map { $0.lines(width: width, indentation: inner, taken: inner + 1) }
      return Self.block("[]", rows, indentation)
    case .object(let members):
      let rows = members.map { member in
        let name = JSONValue.string(member.name).line + ": "
        let taken = inner + name.count + 1
        return name + member.value.lines(width: width, indentation: inner, taken: taken)
      }
      return Self.block("{}", rows, indentation)
    }
  }

  /// Puts rows between brackets, indented by `indentation` columns.
  private static func block(_ brackets: String, _ rows: [String], _ indentation: Int) -> String {
    let blanks = String(repeating: " ", count: indentation)
    let body = rows.map { "\(blanks)  \($0)" }.joined(separator: ",\n")
    return "\(brackets.first!)\n\(body)\n\(blanks)\(brackets.last!)"
  }

  /// Fills each row with as many elements as fit.
  private static func filled(_ elements: [JSONValue], width: Int) -> [String] {
    var rows: [String] = []
    for text in elements.map(\.line) {
      if let row = rows.last, row.count + text.count + 3 <= width {
        rows[rows.count - 1] = "\(row), \(text)"
      } else {
        rows.append(text)
      }
    }
    return rows
  }

  private var isScalar: Bool {
    switch self {
    case .null, .string, .integer, .decimal, .boolean: true
    case .array, .object: false
    }
  }

  private var isEmpty: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: false
    }
  }
}

// MARK: One line

extension JSONValue {
  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .string(let text): JSONText.append(quoted: text, to: &bytes)
    case .decimal(let number): bytes += String(number).utf8
    case .integer(let number): bytes += String(number).utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .array(let elements):
      Self.append(elements, between: "[]", to: &bytes) { $0.append(to: &$1) }
    case .object(let members):
      Self.append(members, between: "{}", to: &bytes) { member, bytes in
        JSONText.append(quoted: member.name, to: &bytes)
        bytes += ": ".utf8
        member.value.append(to: &bytes)
      }
    }
  }

  private static func append<T>(
    _ items: [T], between ends: String, to bytes: inout [UInt8], _ append: (T, inout [UInt8]) -> Void
  ) {
    bytes.append(ends.utf8.first!)
    for (index, item) in items.enumerated() {
      if index > 0 { bytes += ", ".utf8 }
      append(item, &bytes)
    }
    bytes.append(ends.utf8.last!)
  }
}
