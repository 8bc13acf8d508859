import Definitions
import DeviceModel
import Framing

/// Writes values in the syntax of transcripts.
package enum ValueText {
  /// `41 54  "AT"`: hex, followed by text if every byte is printable.
  package static func write(_ bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "\"\"" }
    return HexText.format(bytes) + (PrintableText.isText(bytes) ? "  " + quote(bytes) : "")
  }

  /// `5`, `"OK"`, `0102FF`.
  package static func write(_ value: Value) -> String {
    switch value {
    case .text(let text): quote(Array(text.utf8))
    case .bytes(let bytes):
      PrintableText.isText(bytes) ? quote(bytes) : HexText.format(bytes).filter { $0 != " " }
    default: value.description
    }
  }

  /// The value of a setting or a variable, in which quotes always mean text: bytes are hex.
  static func setting(_ value: Value) -> String {
    guard case .bytes(let bytes) = value, !bytes.isEmpty else { return write(value) }
    return HexText.format(bytes).filter { $0 != " " }
  }

  /// The same, an address as `4C:32:75:0A:11:9E`, and the name of a number without quotes.
  package static func write(_ value: Value, as encoding: FieldEncoding?) -> String {
    switch value {
    case .bytes(let bytes) where encoding?.isAddress ?? false:
      HexText.format(bytes).replacing(" ", by: ":")
    case .text(let name) where encoding?.namedNumbers != nil: name
    case .decimal(let number) where number.isFinite: DecimalText.write(number)
    default: write(value)
    }
  }

  /// Text if every byte is printable and the device uses text there, otherwise hex: a level of 100 is `64`, not `"d"`.
  ///
  /// - Parameter place: the name of an attribute, or `wire`.
  package static func exact(_ bytes: [UInt8], at place: String, of definition: PeripheralDefinition) -> String
  {
    bytes.isEmpty || PrintableText.isText(bytes) && definition.hasText(at: place)
      ? quote(bytes) : HexText.format(bytes)
  }

  /// `day-total packets=5`; a repeated part as `cells[0].voltage=3325`.
  ///
  /// - Parameter values: nil: the field is left out.
  package static func write(_ message: MessageTemplate, _ values: [Value?]) -> String {
    zip(message.fields, values).reduce(message.name) { $0 + write($1.0, $1.1, name: $1.0.name) }
  }

  /// - Parameter name: of the field, with those of the groups around it.
  private static func write(_ field: MessageTemplate.Field, _ value: Value?, name: String) -> String {
    guard let value else { return "" }
    guard case .group(let rows) = value else { return " \(name)=\(write(value, as: field.encoding))" }
    return rows.enumerated().reduce("") { text, row in
      zip(field.columns, row.element).reduce(text) { text, cell in
        let place = field.isSingle ? name : "\(name)[\(row.offset)]"
        return text + write(cell.0, cell.1, name: "\(place).\(cell.0.name)")
      }
    }
  }

  /// `"OK\r\n"`, with control characters escaped.
  package static func quote(_ bytes: [UInt8]) -> String {
    "\"" + PrintableText.escape(bytes).replacing("\"", by: "\\\"") + "\""
  }
}

extension PeripheralDefinition {
  /// Whether the bytes of an attribute or of the wire side are text: like its value in the definition, otherwise like the
  /// messages of the device. Without messages, they may be text.
  fileprivate func hasText(at place: String) -> Bool {
    if let value = value(at: place), !value.isEmpty { return value.isText }
    return messages.isEmpty || messages.contains { $0.form != .bytes }
  }

  private func value(at place: String) -> ValueTemplate? {
    for characteristic in characteristics where place.hasPrefix(characteristic.id) {
      if place == characteristic.id { return characteristic.value }
      let descriptor = characteristic.descriptors.first { "\(characteristic.id)/\($0.uuid)" == place }
      if let descriptor { return descriptor.value }
    }
    return nil
  }
}
