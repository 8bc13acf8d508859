import DeviceModel
import Framing

/// A message that no frame of its stream can be.
struct FrameMistake: Mistake {
  let mismatch: FrameMismatch
  /// The characteristic, or `wire`.
  let place: String
  /// Whether the message is text.
  let isText: Bool

  init(_ mismatch: FrameMismatch, of place: String, isText: Bool) {
    (self.mismatch, self.place, self.isText) = (mismatch, place, isText)
  }

  var sentences: (message: String, hint: String?) {
    ("this message cannot be a frame of '\(place)': \(reason)", hint)
  }
}

extension FrameMistake {
  private var reason: String {
    switch mismatch {
    case .delimiter(let bytes, nil): "it ends with the delimiter \(written(bytes))"
    case .delimiter(let bytes, _): "it contains the delimiter \(written(bytes))"
    case .start(_, let found): "it begins with \(written(found))"
    case .size(_, let found): "it has \(Self.bytes(found))"
    case .tooLong(let least, _): "it has at least \(Self.bytes(least...least))"
    case .tooShort(let most, _): "it has at most \(Self.bytes(most...most))"
    case .length(let field, let found, let meaning, let sizes, _):
      lengthReason(field, found, meaning, sizes)
    case .unsayableLength(let field, let size):
      "\(field.place) cannot hold the length of a frame of \(Self.bytes(size...size))"
    case .addition(let field, let name, let found, _):
      "\(field.place) \(field.width == 1 ? "is" : "are") \(field.hole(of: name, adding: found)), "
        + "but the framing's length counts the \(field.counts.rawValue)"
    case .lengthOrder(let field): "\(field.place) have the size in the other byte order"
    case .tail(_, let found):
      found.isEmpty ? "it ends with other bytes" : "it ends with \(written(found))"
    case .earlyTail(let tail, let index): "the tail \(written(tail)) at byte \(index) ends the frame there"
    case .missingCheck(let check, _): "it has no {\(check.checksum)}"
    case .misplacedCheck(let check, _): "its checksum is not where the framing checks \(check.checksum)"
    case .otherCheck(let found, let expected): "it has {\(found)}, but the framing checks \(expected)"
    case .coverage(let checksum, let from, let through, _):
      "its \(checksum) covers other bytes than the framing's: from byte \(from) "
        + (through.map { "to \($0)" } ?? "on")
    case .checkValue(let checksum, let found, let expected):
      "its \(checksum) is \(HexText.format(expected)), but it has \(HexText.format(found)) there"
    }
  }

  private func lengthReason(
    _ field: LengthField, _ found: [UInt8], _ meaning: Int, _ sizes: ClosedRange<Int>
  ) -> String {
    guard !found.isEmpty else { return "\(field.place) cannot be the length of \(Self.bytes(sizes))" }
    return "\(field.place) is \(HexText.format(found)), which means a frame of \(meaning) bytes; "
      + "it has \(Self.bytes(sizes))"
  }
}

extension FrameMistake {
  private var frames: String { "the framing of '\(place)' gives frames" }

  private var hint: String? {
    switch mismatch {
    case .delimiter(let bytes, nil): "the frame does not include the delimiter: leave \(written(bytes)) out"
    case .delimiter: "\(frames) without it"
    case .start(let expected, _):
      "\(frames) that begin with \(expected.map(written).joined(separator: " or "))"
    case .size(let expected, _): "\(frames) of \(Self.bytes(expected...expected))"
    case .tooLong(_, let limit): "\(frames) of at most \(Self.bytes(limit...limit)) (max)"
    case .tooShort(_, let least): "\(frames) of at least \(Self.bytes(least...least))"
    case .length(_, _, _, let sizes, let expected?):
      "a frame of \(Self.bytes(sizes)) has \(HexText.format(expected)) there"
    case .length(let field, _, _, _, nil): "write \(field.hole(of: nil, adding: field.addition ?? 0)) there"
    case .unsayableLength(let field, _): "its width is \(field.width)"
    case .addition(let field, let name, _, let expected):
      "write \(field.hole(of: name, adding: expected)) there"
    case .lengthOrder(let field):
      "the framing's length is \(field.byteOrder == .bigEndian ? "big-endian: u16be" : "little-endian: u16le")"
    case .tail(let expected, _): "\(frames) that end with \(written(expected))"
    case .earlyTail: "only the end of a message can have the framing's tail"
    case .missingCheck(let check, let isBeforeTail), .misplacedCheck(let check, let isBeforeTail):
      "the framing of '\(place)' checks \(check.checksum) \(Self.position(isBeforeTail)): "
        + "put \(Self.hole(check.checksum, from: check.start)) there"
    case .otherCheck(_, let expected): "write {\(expected)}, or change the framing of '\(place)'"
    case .coverage(let checksum, _, _, let expected):
      "the framing's covers every byte from \(expected) on: write \(Self.hole(checksum, from: expected))"
    case .checkValue(let checksum, _, _): "write {\(checksum)}"
    }
  }

  private static func position(_ isBeforeTail: Bool) -> String {
    isBeforeTail ? "before the tail" : "at the end"
  }

  private static func hole(_ checksum: Checksum, from start: Int) -> String {
    start == 0 ? "{\(checksum)}" : "{\(checksum)(\(start))}"
  }

  /// `6 bytes`; `3 to 8 bytes`.
  private static func bytes(_ sizes: ClosedRange<Int>) -> String {
    let (least, most) = (sizes.lowerBound, sizes.upperBound)
    if least < most {
      return most >= MessageTemplate.maximumSize ? "\(least) bytes or more" : "\(least) to \(most) bytes"
    }
    return least == 1 ? "1 byte" : "\(least) bytes"
  }

  /// Bytes as the message has them: text or hex.
  private func written(_ bytes: [UInt8]) -> String {
    guard isText, let text = Self.text(bytes) else { return HexText.format(bytes) }
    return "\"\(text)\""
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case 0x09: text += "\\t"
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: return nil
      }
    }
    return text
  }
}

extension LengthField {
  /// `byte 1`; `bytes 1 and 2`.
  fileprivate var place: String { width == 1 ? "byte \(offset)" : "bytes \(offset) and \(offset + 1)" }

  fileprivate var addition: Int? {
    counts == .frame ? -adjust : counts == .rest ? -adjust - offset - width : nil
  }

  /// `{size - 2: u8}`; `{size(data): u8}`.
  fileprivate func hole(of name: String?, adding number: Int) -> String {
    let type = width == 1 ? "u8" : byteOrder == .bigEndian ? "u16be" : "u16le"
    let size = name.map { "size(\($0))" } ?? "size"
    if number == 0 { return "{\(size): \(type)}" }
    return "{\(size) \(number < 0 ? "-" : "+") \(abs(number)): \(type)}"
  }
}
