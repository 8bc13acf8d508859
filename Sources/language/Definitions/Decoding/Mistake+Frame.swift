import DeviceModel
import Framing

extension Mistake {
  static func bundledChecksum(_ name: String) -> Self {
    Self("blemu has a checksum '\(name)'", "use that, or choose another name")
  }
  static let changingChecksum = Self(
    "the checksum of equal bytes must always be the same", "compute it from 'bytes' alone")
  static let changingCheck = Self(
    "the check of equal frames must always be the same", "compute it from 'frame' alone")
  static let constantChecksum = Self(
    "the checksum is the same for all bytes", "compute it from 'bytes', as in sum8(bytes) + 1")
  static func unknownCheck(_ name: String, own: [Checksum]) -> Self {
    let known = Checksum.allNames + Checksum.allNames(of: own)
    return Self(
      "no checksum '\(name)'",
      Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'?" }
        ?? "one that blemu does not have is an expression: check: sum8(bytes) + 1")
  }
  /// No frame of its stream can be this message.
  ///
  /// - Parameters:
  ///   - place: the characteristic, or `wire`.
  ///   - isText: whether the message is text.
  ///   - mayBeOfSent: whether the author may mean the framing of what the place sends.
  static func notFrame(
    _ mismatch: FrameMismatch, of place: String, isText: Bool, mayBeOfSent: Bool = false
  ) -> Self {
    let (reason, hint) = mismatch.words(of: place, isText: isText)
    return Self(
      "this message cannot be a frame of '\(place)': \(reason)",
      mayBeOfSent ? "\(hint); if what it sends is meant: framing: { \(place): { out: … } }" : hint)
  }
}

extension FrameMismatch {
  fileprivate func words(of place: String, isText: Bool) -> (reason: String, hint: String) {
    let frames = "the framing of '\(place)' gives frames"
    let written = { (bytes: [UInt8]) in Self.written(bytes, isText: isText) }
    return switch self {
    case .delimiter(let bytes, nil):
      (
        "it ends with the delimiter \(written(bytes))",
        "the frame does not include the delimiter: leave \(written(bytes)) out"
      )
    case .delimiter(let bytes, _): ("it contains the delimiter \(written(bytes))", "\(frames) without it")
    case .start(let expected, let found):
      (
        "it begins with \(written(found))",
        "\(frames) that begin with "
          + expected.map { $0.mask.isEmpty ? written($0.bytes) : $0.text }.joined(separator: " or ")
      )
    case .size(let expected, let found):
      ("it has \(Self.bytes(found))", "\(frames) of \(Self.bytes(expected...expected))")
    case .tooLong(let least, let limit):
      (
        "it has at least \(Self.bytes(least...least))",
        "\(frames) of at most \(Self.bytes(limit...limit)) (max)"
      )
    case .tooShort(let most, let least):
      ("it has at most \(Self.bytes(most...most))", "\(frames) of at least \(Self.bytes(least...least))")
    case .length(let field, let found, let meaning, let sizes, let expected):
      (
        found.isEmpty
          ? "\(field.place) cannot be the length of \(Self.bytes(sizes))"
          : "\(field.place) is \(HexText.format(found)), which means a frame of \(meaning) bytes; "
            + "it has \(Self.bytes(sizes))",
        expected.map { "a frame of \(Self.bytes(sizes)) has \(HexText.format($0)) there" }
          ?? "write \(field.hole(of: nil, adding: field.addition ?? 0)) there"
      )
    case .unsayableLength(let field, let size):
      (
        "\(field.place) cannot hold the length of a frame of \(Self.bytes(size...size))",
        "its width is \(field.width)"
      )
    case .addition(let field, let name, let found, let expected):
      (
        "\(field.place) \(field.width == 1 ? "is" : "are") \(field.hole(of: name, adding: found)), "
          + "but the framing's length counts the \(field.counts.rawValue)",
        "write \(field.hole(of: name, adding: expected)) there"
      )
    case .lengthOrder(let field):
      (
        "\(field.place) have the size in the other byte order",
        "the framing's length is \(field.byteOrder == .bigEndian ? "big-endian: u16be" : "little-endian: u16le")"
      )
    case .tail(let expected, let found):
      (
        found.isEmpty ? "it ends with other bytes" : "it ends with \(written(found))",
        "\(frames) that end with \(written(expected))"
      )
    case .earlyTail(let tail, let index):
      (
        "the tail \(written(tail)) at byte \(index) ends the frame there",
        "only the end of a message can have the framing's tail"
      )
    case .missingCheck(let check, let isBeforeTail):
      ("it has no {\(check.checksum)}", Self.hint(for: check, isBeforeTail, of: place))
    case .misplacedCheck(let check, let isBeforeTail):
      (
        "its checksum is not where the framing checks \(check.checksum)",
        Self.hint(for: check, isBeforeTail, of: place)
      )
    case .otherCheck(let found, let expected):
      (
        "it has {\(found)}, but the framing checks \(expected)",
        "write \(Self.hole(expected, from: 0)), or change the framing of '\(place)'"
      )
    case .coverage(let checksum, let from, let through, let expected):
      (
        "its \(checksum) covers other bytes than the framing's: from byte \(from) "
          + (through.map { "to \($0)" } ?? "on"),
        "the framing's covers every byte from \(expected) on: write \(Self.hole(checksum, from: expected))"
      )
    case .checkValue(let checksum, let found, let expected):
      (
        "its \(checksum) is \(HexText.format(expected)), but it has \(HexText.format(found)) there",
        "write \(Self.hole(checksum, from: 0))"
      )
    }
  }

  private static func hint(for check: CheckField, _ isBeforeTail: Bool, of place: String) -> String {
    "the framing of '\(place)' checks \(check.checksum) \(isBeforeTail ? "before the tail" : "at the end"): "
      + "put \(hole(check.checksum, from: check.start)) there"
  }

  /// An expression in `check` has no name for a hole.
  private static func hole(_ checksum: Checksum, from start: Int) -> String {
    guard Identifier.isValid(checksum.name) else {
      return "\(hole("my-sum", from: start)), with checksums: { my-sum: \(checksum.name) } and check: my-sum"
    }
    return hole(checksum.description, from: start)
  }

  private static func hole(_ name: String, from start: Int) -> String {
    start == 0 ? "{\(name)}" : "{\(name)(\(start))}"
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
  private static func written(_ bytes: [UInt8], isText: Bool) -> String {
    guard isText, let text = text(bytes) else { return HexText.format(bytes) }
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
