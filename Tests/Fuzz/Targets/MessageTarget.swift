import Framing

@testable import Definitions
@testable import DeviceModel

extension FuzzTarget {
  /// Any text as the template of a message: `b` bytes, `t` text, `i` text in either case, `e` one with expressions; the
  /// template, a zero byte, and what it is tried on.
  static let message = FuzzTarget(
    name: "message",
    run: { bytes in
      var input = FuzzInput(bytes)
      let kind = input.byte() ?? 0
      let text = String(decoding: input.bytes(upTo: 0), as: UTF8.self)
      if kind == UInt8(ascii: "e") { return try tryInline(text) }
      guard let template = try? MessageTemplate(name: "m", template: text, form: form(kind)) else { return }
      try promise(template.minimumSize <= template.maximumSize, "sizes from more to less")
      _ = template.sampleValues()
      while !input.isEmpty {
        let built = try? template.build(template.randomValues(using: &input))
        try checkRoundTrip(input.bytes(input.number(below: 64)), template)
        if let built { try checkRoundTrip(built, template) }
      }
    },
    describe: { String(decoding: $0, as: UTF8.self) })

  private static func form(_ kind: UInt8) -> MessageTemplate.Form {
    switch kind {
    case UInt8(ascii: "t"): .text(ignoringCase: false)
    case UInt8(ascii: "i"): .text(ignoringCase: true)
    default: .bytes
    }
  }

  /// What is read from a frame can be built again, and is then read again.
  private static func checkRoundTrip(_ frame: [UInt8], _ template: MessageTemplate) throws {
    guard let values = template.match(frame) else { return }
    let sizes = template.minimumSize...template.maximumSize
    try promise(sizes.contains(frame.count), "\(frame.count) bytes are not in \(sizes)")
    let built: [UInt8]
    do { built = try template.build(values) } catch {
      throw BrokenPromise(description: "\(HexText.format(frame)) is read and not built: \(error)")
    }
    try promise(built.count == frame.count, "\(HexText.format(frame)) is built as \(HexText.format(built))")
    try promise(template.match(built) == values, "\(HexText.format(built)) is read as something else")
  }

  private static func tryInline(_ text: String) throws {
    let subject = Subject.everything.definition!
    for form in [MessageTemplate.Form.bytes, .text(ignoringCase: false)] {
      guard let value = try? ValueTemplate(text, form: form, in: .everything) else { continue }
      let bytes = try? value.render(in: subject.fuzzContext, limit: MessageTemplate.maximumSize)
      try promise(bytes?.count ?? 0 <= MessageTemplate.maximumSize, "too long")
    }
  }
}
