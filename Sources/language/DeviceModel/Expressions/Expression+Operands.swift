/// The parts of an expression.
extension Expression {
  /// The settings and variables in it.
  package var slots: [Rule.Slot] {
    switch self {
    case .setting(let index): [.setting(index)]
    case .variable(let index): [.variable(index)]
    case .named(_, let arguments, let count):
      (0..<count).map { .setting($0) } + arguments.flatMap(\.slots)
    default: operands.flatMap(\.slots)
    }
  }

  /// Whether its value depends only on settings and constants.
  package var comesFromSettings: Bool {
    switch self {
    case .field, .variable, .generator, .local, .isSubscribed, .handle, .random,
      .randomBytes:
      false
    case .known(let known): known == .address || known == .adapter
    default: operands.allSatisfy(\.comesFromSettings)
    }
  }

  /// Whether it uses a value of a link.
  package var readsLink: Bool { reads(KnownValue.ofLink) }

  /// Whether it uses any of these.
  package func reads(_ values: [KnownValue]) -> Bool {
    if case .known(let known) = self { return values.contains(known) }
    return operands.contains { $0.reads(values) }
  }

  /// Its direct operands.
  package var operands: [Expression] {
    switch self {
    case .constant, .setting, .field, .variable, .generator, .known, .local, .argument,
      .isSubscribed, .handle, .rowCount:
      []
    case .apply(_, let arguments, let body): arguments + [body]
    case .message(_, let values): values.compactMap(\.self)
    case .unary(_, let operand), .columns(_, let operand), .encoded(_, let operand),
      .randomBytes(let operand, _):
      [operand]
    case .binary(_, let left, let right), .random(let left, let right, _): [left, right]
    case .byte(let bytes, let index), .decoded(_, let bytes, let index): [bytes, index]
    case .checksum(_, let bytes, let earlier): [bytes] + (earlier.map { [$0] } ?? [])
    case .groupCell(let group, let row, _, _): [group, row]
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .call(_, let arguments), .cryptography(_, let arguments), .named(_, let arguments, _),
      .cell(_, let arguments, _),
      .rows(_, let arguments):
      arguments
    }
  }
}
