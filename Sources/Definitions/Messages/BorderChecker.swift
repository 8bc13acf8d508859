/// Refuses neighbours whose border nobody could tell in a frame, as in `{a: bytes} {b: bytes}`.
///
/// What stands between them and always looks the same is a border; so is a size that is known before.
struct BorderChecker {
  /// What may go on where the next part stands, in words.
  private typealias Open = String

  static func check(_ nodes: [TemplateNode]) throws(TextError) {
    _ = try walk(nodes, behind: nil)
  }

  /// What is still open behind these parts.
  private static func walk(_ nodes: [TemplateNode], behind before: Open?) throws(TextError) -> Open? {
    var open = before
    var sized: Set<String> = []
    for node in nodes {
      switch node.kind {
      case .literal: open = nil
      // A length that itself stands at an unknown place tells nothing.
      case .length(let length): if open == nil, let name = length.measure.target { sized.insert(name) }
      case .field(let field):
        guard field.encoding?.size == nil, !sized.contains(field.name) else { continue }
        try meet("'\(field.name)'", at: node.range, behind: open)
        open = "'\(field.name)'"
      case .pad: try meet("what is filled up", at: node.range, behind: open)
      case .maybe(let body): open = try walk(optional: body, at: node.range, behind: open)
      case .conditional(_, let body):
        let inside = try walk(body, behind: open)
        open = open ?? inside
      case .repeated(let name, let rows, let body):
        let isCounted = rows.count == 1 || sized.contains(name)
        open = try walk(repeated: body, name, isCounted: isCounted, at: node.range, behind: open)
      case .bits, .checksum, .skip: break
      }
    }
    return open
  }

  private static func walk(
    optional body: [TemplateNode], at range: Range<Int>, behind open: Open?
  ) throws(TextError) -> Open? {
    if !body.beginsWithLiteral { try meet("an optional part", at: range, behind: open) }
    let inside = try walk(body, behind: open)
    return open ?? inside ?? (body.endsWithLiteral ? nil : "an optional part")
  }

  private static func walk(
    repeated body: [TemplateNode], _ name: String, isCounted: Bool, at range: Range<Int>, behind open: Open?
  ) throws(TextError) -> Open? {
    if !isCounted, !body.beginsWithLiteral { try meet("'\(name)'", at: range, behind: open) }
    let first = try walk(body, behind: open)
    let next = try walk(body, behind: first)
    return open ?? next ?? (isCounted || body.endsWithLiteral ? nil : "'\(name)'")
  }

  private static func meet(_ part: String, at range: Range<Int>, behind open: Open?) throws(TextError) {
    guard let open else { return }
    let next = open == part ? "the next one" : part
    throw TextError(
      message: "nobody can tell where \(open) ends and \(next) begins", range: range,
      hint: "give one of them a size, or put bytes between them")
  }
}
