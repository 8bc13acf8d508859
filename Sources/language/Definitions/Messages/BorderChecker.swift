/// Refuses adjacent parts whose border no reader of a frame could find, as in `{a: bytes} {b: bytes}`.
///
/// Bytes between them that never change are a border; so is a size that is known before.
struct BorderChecker {
  /// A part without a size of its own.
  enum Part: Equatable {
    case named(String)
    case padding
    case protobuf
    case optional
    /// A number whose bytes say where it ends, with its name; nil: a length.
    case varint(String?)
  }

  static func check(_ nodes: [TemplateNode]) throws(TextError) {
    _ = try walk(nodes, after: nil)
  }

  /// The part that is still open after these parts.
  private static func walk(_ nodes: [TemplateNode], after before: Part?) throws(TextError) -> Part? {
    var open = before
    var sized: Set<String> = []
    for node in nodes {
      switch node.kind {
      case .literal: open = nil
      // A length at an unknown place does not help.
      case .length(let length):
        if length.encoding.endsItself { try meet(.varint(nil), at: node.range, after: open) }
        if open == nil, let name = length.measure.target { sized.insert(name) }
      case .field(let field):
        guard field.encoding?.size == nil, !sized.contains(field.name) else { continue }
        let endsItself = field.encoding?.endsItself == true
        try meet(endsItself ? .varint(field.name) : .named(field.name), at: node.range, after: open)
        if !endsItself { open = .named(field.name) }
      case .protobuf(let field, _):
        if let name = field?.name, sized.contains(name) { continue }
        let part = field.map { Part.named($0.name) } ?? .protobuf
        try meet(part, at: node.range, after: open)
        open = part
      case .pad: try meet(.padding, at: node.range, after: open)
      case .maybe(let body): open = try walk(optional: body, at: node.range, after: open)
      case .conditional(_, let body):
        let inside = try walk(body, after: open)
        open = open ?? inside
      case .repeated(let name, let rows, let body):
        let isCounted = rows.count == 1 || sized.contains(name)
        open = try walk(repeated: body, name, isCounted: isCounted, at: node.range, after: open)
      case .bits, .checksum, .skip: break
      }
    }
    return open
  }

  private static func walk(
    optional body: [TemplateNode], at range: Range<Int>, after open: Part?
  ) throws(TextError) -> Part? {
    if !body.beginsWithLiteral { try meet(.optional, at: range, after: open) }
    let inside = try walk(body, after: open)
    return open ?? inside ?? (body.endsWithLiteral ? nil : .optional)
  }

  private static func walk(
    repeated body: [TemplateNode], _ name: String, isCounted: Bool, at range: Range<Int>, after open: Part?
  ) throws(TextError) -> Part? {
    if !isCounted, !body.beginsWithLiteral { try meet(.named(name), at: range, after: open) }
    let first = try walk(body, after: open)
    let next = try walk(body, after: first)
    return open ?? next ?? (isCounted || body.endsWithLiteral ? nil : .named(name))
  }

  private static func meet(_ part: Part, at range: Range<Int>, after open: Part?) throws(TextError) {
    guard let open else { return }
    throw TextError(.noBorder(open, part), range)
  }
}
