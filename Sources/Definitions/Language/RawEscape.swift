/// The first `\r`, `\n`, `\t`, `\0` or `\xNN` of a text, as it stands there: a backslash and letters.
struct RawEscape {
  let text: String
  /// Where it begins, in Unicode scalars.
  let offset: Int

  /// nil where there is none. `\\` is one character of its own, whatever follows it.
  init?(_ text: String) {
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

  /// The scalars of an escape after its backslash; nil where none follows.
  private static func count(_ rest: ArraySlice<Unicode.Scalar>) -> Int? {
    switch rest.first {
    case "r", "n", "t", "0": 1
    case "x": rest.dropFirst().prefix(2).count { $0.properties.isASCIIHexDigit } == 2 ? 3 : nil
    default: nil
    }
  }
}

extension TextForm {
  /// Whether it is text that people or devices read, in which control characters may stand.
  var isForPeople: Bool {
    switch self {
    case .template, .textMessage, .expression, .value: true
    default: false
    }
  }
}
