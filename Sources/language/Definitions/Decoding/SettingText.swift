import Framing

/// A setting in the short form that people write.
enum SettingText {
  /// The full declaration for a bare value: `{ type: bytes, default: "00 01" }` for `00 01`.
  static func declaration(of text: String) -> String {
    let isQuoted = type(of: text) == "bytes" || text.contains { ",:{}[]#&*!|>'\"%@`".contains($0) }
    return "{ type: \(type(of: text)), default: \(isQuoted ? "\"\(text)\"" : text) }"
  }

  private static func type(of text: String) -> String {
    if text == "true" || text == "false" { return "boolean" }
    if IntegerText.parse(text) != nil { return "integer" }
    if DecimalText.parse(text) != nil { return "decimal" }
    return text.contains(" ") && (try? HexText.parse(text)) != nil ? "bytes" : "text"
  }
}
