import BlemuJSON

extension Device {
  /// What is sent or written: bytes, text, or a message of the device's definition.
  ///
  /// A literal of text is in the words of transcripts, and one of numbers is bytes: `"day-total packets=5"`, `"4F 4B"`,
  /// `[0x4F, 0x4B]`.
  public enum Content: Hashable, Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// This text, in UTF-8.
    case text(String)
    /// A message with the values of its fields, by their names, as in `cells[0].voltage`.
    case message(String, [String: Value] = [:])
    /// Any of these in the words of transcripts: `day-total packets=5`, `4F 4B`, `"OK"`.
    case words(String)
  }
}

extension Device.Content: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  public init(stringLiteral words: String) { self = .words(words) }
  public init(arrayLiteral bytes: UInt8...) { self = .bytes(bytes) }
}

extension Device.Content {
  /// As parameters of a method.
  var members: [JSONValue.Member] {
    switch self {
    case .bytes(let bytes): [.init(name: "bytes", value: .string(Self.hex(bytes)))]
    case .text(let text): [.init(name: "text", value: .string(text))]
    case .words(let words): [.init(name: "value", value: .string(words))]
    case .message(let name, let fields):
      [
        .init(name: "message", value: .string(name)),
        .init(name: "fields", value: Device.Value.members(fields).json),
      ]
    }
  }

  /// In the words of transcripts.
  var words: String {
    switch self {
    case .bytes(let bytes): bytes.isEmpty ? "\"\"" : Self.hex(bytes)
    case .text(let text): Self.hex(Array(text.utf8))
    case .words(let words): words
    case .message(let name, let fields):
      ([name] + fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.word($0.value))" })
        .joined(separator: " ")
    }
  }

  /// The value of a field. Text that is no single word is quoted.
  private static func word(_ value: Device.Value) -> String {
    guard let text = value.text, !text.isEmpty, text.unicodeScalars.allSatisfy(isPlain) else {
      return value.json.line
    }
    return text
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_.+-".unicodeScalars.contains(scalar)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
  }
}
