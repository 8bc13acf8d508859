import Bluetooth
import Captures
import DeviceModel
import Framing

// Expressions as the rules of learnt devices have them.
extension Expression {
  static func number(_ number: some BinaryInteger) -> Self { .constant(.integer(Int64(number))) }
  static func text(_ text: String) -> Self { .constant(.text(text)) }
  static func bytes(_ bytes: [UInt8]) -> Self { .constant(.bytes(bytes)) }

  static func + (left: Self, right: Self) -> Self { .binary(.add, left, right) }
  static func + (left: Self, right: Int64) -> Self { .binary(.add, left, .number(right)) }
  static func - (left: Self, right: Int64) -> Self { .binary(.subtract, left, .number(right)) }
  static func % (left: Self, right: Int64) -> Self { .binary(.remainder, left, .number(right)) }

  /// This number if it is not 0; otherwise another.
  func or(_ other: Self, then value: (Self) -> Self = { $0 }) -> Self {
    .conditional(.binary(.greater, self, .number(0)), then: value(self), else: other)
  }

  static func hex(_ bytes: KnownValue) -> Self { .call(.hex, [.known(bytes), .text(" ")]) }
}

extension FieldEncoding {
  static func integer(_ width: Int, _ order: ByteOrder, isSigned: Bool) -> Self {
    .integer(width: width, signed: isSigned, bigEndian: width > 1 && order == .bigEndian)
  }
}

extension ValueTemplate {
  /// A template of the learner's own, which it writes as the language has it.
  init(learnt text: String, form: MessageTemplate.Form = .bytes, _ expressions: Expression...) {
    do { try self.init(text, form: form, filledBy: expressions) } catch {
      preconditionFailure("'\(text)' is no template: \(error)")
    }
  }

  /// The value of an attribute at first: text if it reads as one, otherwise bytes; nothing if it is not known.
  init(_ value: [UInt8]?, of uuid: BluetoothUUID, _ ownBytes: AddressedBytes) {
    guard let value, !value.isEmpty, value.count <= CharacteristicDefinition.maximumValueSize else {
      self.init()
      return
    }
    if let text = LearntText.read(value, isExpected: LearntText.uuids.contains(uuid)) {
      self.init(learnt: text, form: .text(ignoringCase: false))
    } else {
      self = ownBytes.template(value)
    }
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

/// Bytes in which the device's own address is that of any device with the definition.
struct AddressedBytes {
  /// nil: the bytes stay as they are.
  let address: DeviceAddress?

  /// As in `02 15 {address}`.
  func template(_ bytes: [UInt8]) -> ValueTemplate {
    guard let (place, isReversed) = place(in: bytes) else {
      return ValueTemplate(learnt: HexText.format(bytes))
    }
    let hole = isReversed ? "{reverse(address)}" : "{address}"
    let texts = [HexText.format(bytes[..<place]), hole, HexText.format(bytes[(place + 6)...])]
    let address = Expression.known(.address)
    return ValueTemplate(
      learnt: texts.filter { !$0.isEmpty }.joined(separator: " "),
      isReversed ? .call(.reverse, [address]) : address)
  }

  func contain(_ bytes: [UInt8]) -> Bool { place(in: bytes) != nil }

  private func place(in bytes: [UInt8]) -> (place: Int, isReversed: Bool)? {
    guard let address, bytes.count >= 6 else { return nil }
    for (sought, isReversed) in [(address.bytes, false), (address.bytes.reversed(), true)] {
      if let place = bytes.indices.first(where: { bytes[$0...].starts(with: sought) }) {
        return (place, isReversed)
      }
    }
    return nil
  }
}

extension CapturedDevice {
  /// Its address, if it is that of its adapter: a random one is the device's own choice.
  package var publicAddress: DeviceAddress? {
    guard let address, address.kind == .public, !address.address.isZero else { return nil }
    return address.address
  }
}
