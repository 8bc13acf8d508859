/// The first `\r`, `\n`, `\t`, `\0` or `\xNN` of a text, literally: a backslash and letters.
struct RawEscape {
  let text: String
  /// Where it begins, in Unicode scalars.
  let offset: Int

  /// nil if there is none. `\\` is one character, whatever follows it.
  init?(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index + 1 < scalars.count {
      guard scalars[index] == "\\" else {
        index += 1
        continue
      }
      if let count = Self.count(scalars[(index + 1)...]) {
        (self.text, offset) = (String(scalars: scalars[index...index + count]), index)
        return
      }
      index += 2
    }
    return nil
  }

  /// The scalars of an escape after its backslash; nil if none follows.
  private static func count(_ rest: ArraySlice<Unicode.Scalar>) -> Int? {
    switch rest.first {
    case "r", "n", "t", "0": 1
    case "x": rest.dropFirst().prefix(2).count { $0.properties.isASCIIHexDigit } == 2 ? 3 : nil
    default: nil
    }
  }
}

extension TextForm {
  /// Whether it is text that people or devices read, which may contain control characters.
  var isForPeople: Bool {
    switch self {
    case .template, .textMessage, .expression, .value: true
    default: false
    }
  }
}
