import Framing
import Testing

/// Text from files and from the air, made safe to print.
@Suite struct VisibleTextTests {
  /// The control characters of ASCII and of Latin-1, the separators of lines and paragraphs, and what turns the direction of text.
  private static let controls: [Unicode.Scalar] = [
    0..<0x20, 0x7F..<0xA0, 0x2028..<0x202F, 0x2066..<0x206A,
  ].flatMap { (range: Range<UInt32>) in range.compactMap(Unicode.Scalar.init) }

  @Test func `every control character is escaped, and the text around it stays`() {
    for control in Self.controls {
      let text = VisibleText.escape("é\(control)b")
      #expect(text.hasPrefix("é\\") && text.hasSuffix("b"), "\(control.value)")
      #expect(!text.unicodeScalars.contains(control), "\(control.value)")
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("größer 👨‍👩‍👧", "größer 👨‍👩‍👧"), ("a\r\nb\tc", "a\\r\\nb\\tc"), ("\u{1B}[2J", "\\x1B[2J"),
    ("\u{9B}2J", "\\x9B2J"), ("\u{202E}fdp.log", "\\u{202E}fdp.log"), ("\u{7F}", "\\x7F"), ("C:\\n", "C:\\n"),
  ])
  func `an escape names its character`(text: String, escaped: String) {
    #expect(VisibleText.escape(text) == escaped)
    #expect(VisibleText.escape(escaped) == escaped)
  }

  @Test func `lines keep what lays out text, and lose the rest`() {
    let marked = TextStyle(hasColors: true).mark("blemu:", as: .error)
    #expect(VisibleText.lines("\(marked)\tone\ntwo\n") == "\(marked)\tone\ntwo\n")
    #expect(
      VisibleText.lines("\(marked)\u{1B}[2J\u{1B}]0;title\u{7}")
        == "\(marked)\\u001B[2J\\u001B]0;title\\u0007")
    #expect(VisibleText.lines("a\r\n\u{1B}") == "a\\u000D\n\\u001B")
    for control in Self.controls where !"\n\t".unicodeScalars.contains(control) {
      #expect(!VisibleText.lines("a\(control)b").unicodeScalars.contains(control), "\(control.value)")
    }
  }
}
