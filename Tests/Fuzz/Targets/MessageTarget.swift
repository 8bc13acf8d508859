import Framing

@testable import Definitions
@testable import DeviceModel

extension FuzzTarget {
  /// Any text as the template of a message: a letter (`b` bytes, `t` text, `i` text that ignores case, `e` with
  /// expressions), the template, a zero byte, and the frames to match.
  static let message = FuzzTarget(
    name: "message",
    run: { bytes in
      var input = FuzzInput(bytes)
      let kind = input.byte() ?? 0
      let text = String(decoding: input.bytes(upTo: 0), as: UTF8.self)
      if kind == UInt8(ascii: "e") { return try tryInline(text) }
      guard let template = try? MessageTemplate(name: "m", template: text, form: form(kind)) else { return }
      try guarantee(
        template.minimumSize <= template.maximumSize, "the minimum size is greater than the maximum")
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

  /// Checks that the values of a frame build a frame with the same values.
  private static func checkRoundTrip(_ frame: [UInt8], _ template: MessageTemplate) throws {
    guard let values = template.match(frame) else { return }
    // What may be longer than it needs to be is built with other sizes.
    let isLoose = template.source.contains("varint") || template.source.contains("protobuf")
    let sizes = template.minimumSize...template.maximumSize
    try guarantee(sizes.contains(frame.count), "\(frame.count) bytes are not in \(sizes)")
    let built: [UInt8]
    do { built = try template.build(values) } catch {
      if isLoose { return }
      throw BrokenGuarantee(description: "\(HexText.format(frame)) can be read but not built: \(error)")
    }
    try guarantee(
      isLoose || built.count == frame.count, "\(HexText.format(frame)) is rebuilt as \(HexText.format(built))"
    )
    try guarantee(template.match(built) == values, "the rebuilt \(HexText.format(built)) has other values")
  }

  private static func tryInline(_ text: String) throws {
    let subject = Subject.everything.definition!
    for form in [MessageTemplate.Form.bytes, .text(ignoringCase: false)] {
      guard let value = try? ValueTemplate(text, form: form, in: .everything) else { continue }
      let bytes = try? value.render(in: subject.fuzzContext, limit: MessageTemplate.maximumSize)
      try guarantee(bytes?.count ?? 0 <= MessageTemplate.maximumSize, "the message is too long")
    }
  }
}
