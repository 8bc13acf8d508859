import Bluetooth
import DefinitionWriter
import Framing

extension YAMLValue.Entry {
  /// The value of an attribute at first: text if it reads as one, otherwise bytes; nil: nothing is known, or it is empty.
  static func initial(_ value: [UInt8]?, of uuid: BluetoothUUID, _ ownBytes: AddressedBytes) -> Self? {
    guard let value, !value.isEmpty, value.count <= 512 else { return nil }
    if let text = LearntText.read(value, isExpected: LearntText.uuids.contains(uuid)) {
      return .init("text", .quoted(text))
    }
    return .init("value", .quoted(ownBytes.text(value)))
  }
}

extension [YAMLValue.Entry] {
  mutating func add(_ entry: YAMLValue.Entry?) {
    if let entry { append(entry) }
  }
}

/// Bytes that are a text.
enum LearntText {
  /// The attributes whose value is a text: names, strings of Device Information, User Description.
  static let uuids: Set<BluetoothUUID> = [
    0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2901,
  ]

  /// The text as a template without holes; nil: the bytes are better written as bytes.
  ///
  /// - Parameter isExpected: whether the place usually has a text, so that a short one is no coincidence.
  static func read(_ bytes: [UInt8], isExpected: Bool) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar != "{" && scalar != "}" && scalar != "\\"
        && (isExpected ? isVisible(scalar) : scalar.isASCII && isVisible(scalar))
    }
    guard isPlain, isExpected || text.unicodeScalars.count(where: { $0.properties.isAlphabetic }) >= 4 else {
      return nil
    }
    return text
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
