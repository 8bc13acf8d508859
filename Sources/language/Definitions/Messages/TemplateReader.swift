import DeviceModel
import Framing

/// Reads the text of a template into its parts: literals, holes, and the blocks that holes begin and end.
struct TemplateReader {
  let form: MessageTemplate.Form
  /// Whether holes hold expressions; there are no blocks then.
  let isInline: Bool
  /// The definition's own.
  let checksums: [Checksum]

  private var body: [TemplateNode] = []
  /// The blocks that have begun, outermost first, with the parts before them.
  private var open: [(block: TemplateHole.Block, range: Range<Int>, before: [TemplateNode])] = []

  static func read(
    _ text: String, form: MessageTemplate.Form, isInline: Bool = false, checksums: [Checksum] = []
  ) throws(TextError) -> [TemplateNode] {
    var reader = TemplateReader(form: form, isInline: isInline, checksums: checksums)
    for part in try TemplateText(text).parts {
      switch part {
      case .literal(let text, let start): try reader.take(literal: text, start: start)
      case .hole(let hole): try reader.take(hole)
      }
    }
    if let (_, range, _) = reader.open.last {
      throw TextError(.openBlock, range)
    }
    return reader.body
  }

  private init(form: MessageTemplate.Form, isInline: Bool, checksums: [Checksum]) {
    (self.form, self.isInline, self.checksums) = (form, isInline, checksums)
  }

  private mutating func take(literal text: String, start: Int) throws(TextError) {
    let bytes = form == .bytes ? try HexLiteral.parse(text, start: start) : Array(text.utf8)
    guard !bytes.isEmpty else { return }
    let range = start..<start + text.unicodeScalars.count
    body.append(TemplateNode(kind: .literal(bytes), range: range))
  }

  private mutating func take(_ hole: TemplateText.Hole) throws(TextError) {
    let range = hole.encoding == nil ? hole.nameRange : hole.range
    let reader = HoleReader(hole: hole, isInline: isInline, isText: form != .bytes, checksums: checksums)
    switch try TemplateHole.read(reader) {
    case .part(let kind): body.append(TemplateNode(kind: kind, range: range))
    case .begin(let block): try begin(block, at: range)
    case .end: try end(at: range)
    }
  }

  private mutating func begin(_ block: TemplateHole.Block, at range: Range<Int>) throws(TextError) {
    if isInline {
      throw TextError(.blockAmongExpressions, range)
    }
    if let outer = open.last, !outer.block.isRepeat, !block.isRepeat {
      throw TextError(.blockInBlock, range)
    }
    let most = TemplateProgram.mostGroups
    if block.isRepeat, open.count(where: { $0.block.isRepeat }) == most {
      throw TextError(.deepRepetition(most: most), range)
    }
    open.append((block, range, body))
    body = []
  }

  private mutating func end(at range: Range<Int>) throws(TextError) {
    guard let (block, start, before) = open.popLast() else {
      throw TextError(.endWithoutBlock, range)
    }
    let kind: TemplateNode.Kind =
      switch block {
      case .maybe: .maybe(body)
      case .conditional(let name): .conditional(on: name, body)
      case .repeated(let name, let rows): .repeated(name, rows: rows, body)
      }
    body = before + [TemplateNode(kind: kind, range: start)]
  }
}
