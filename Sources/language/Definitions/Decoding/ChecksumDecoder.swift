import DeviceModel
import Framing

/// Reads the checksums that a definition describes.
struct ChecksumDecoder {
  let log: DiagnosticLog

  /// A checksum with a mistake stands for a sum, so that its uses are not reported as well.
  func checksums(_ entries: [Entry<Node<Language.OwnChecksum>>], _ names: NameScope) -> [Checksum] {
    let scope = scope(.bytes, .checksum, names)
    return entries.map { entry in
      checkName(entry.key)
      let checksum = checksum(entry.value, scope)
      return Checksum(name: entry.key.text, algorithm: checksum.map { .defined($0) } ?? .xor)
    }
  }

  /// A checksum of one byte, whose name is its expression. No message can contain that name.
  func checksum(_ source: Scalar, _ names: NameScope) -> Checksum? {
    checksum(source, width: 1, .bigEndian, scope(.bytes, .checksum, names)).map {
      Checksum(name: source.text, algorithm: .defined($0))
    }
  }

  /// What must be true of a whole frame, an expression over `frame` alone.
  func condition(_ source: Scalar, _ names: NameScope) -> FrameCondition? {
    var scope = scope(.frame, .frameCheck, names)
    scope.checksums = names.checksums
    let expression = log.read(source) { text throws(TextError) in
      let expression = try Expression(text, as: .boolean, in: scope)
      guard expression.comesOnlyFromBytes, expression.reads([.frame]) else {
        throw TextError(.changingCheck, 0..<text.unicodeScalars.count)
      }
      return expression
    }
    return expression.map { FrameCondition($0, source: source.text) }
  }

  /// One value, and the functions of the definition.
  private func scope(_ known: KnownValue, _ purpose: NameScope.Purpose, _ names: NameScope) -> NameScope {
    var scope = NameScope(of: [known], names.record)
    scope.purpose = purpose
    (scope.functions, scope.brokenFunctions) = (names.functions, names.brokenFunctions)
    return scope
  }

  /// The names of checksums are those of functions, and of holes of a message.
  private func checkName(_ name: Scalar) {
    if Checksum.named(name.text) != nil {
      log.error(.bundledChecksum(name.text), at: name.range)
    } else if ExpressionChecker.functionNames.contains(name.text) || HoleReader.words.contains(name.text)
      || FieldEncoding.names.contains(name.text) || name.text == KnownValue.bytes.rawValue
    {
      log.error(.taken(name.text, by: "the language"), at: name.range)
    }
  }

  private func checksum(_ node: Node<Language.OwnChecksum>, _ scope: NameScope) -> DefinedChecksum? {
    guard let source = node.word ?? node.expression else { return nil }
    return checksum(
      source, width: node.width?.value ?? 1,
      node.order?.text == "little-endian" ? .littleEndian : .bigEndian, scope)
  }

  private func checksum(
    _ source: Scalar, width: Int, _ order: ByteOrder, _ scope: NameScope
  ) -> DefinedChecksum? {
    let expression = log.read(source) { text throws(TextError) in
      let expression = try Expression(text, as: .integer, in: scope)
      guard expression.comesOnlyFromBytes else {
        throw TextError(.changingChecksum, 0..<text.unicodeScalars.count)
      }
      guard expression.reads([.bytes]) else {
        throw TextError(.constantChecksum, 0..<text.unicodeScalars.count)
      }
      return expression
    }
    return expression.map { expression in
      DefinedChecksum(
        expression, source: source.text, width: width, byteOrder: order, weight: 4 * expression.count)
    }
  }
}

extension Expression {
  /// Whether equal bytes always give the same value.
  fileprivate var comesOnlyFromBytes: Bool {
    switch self {
    case .constant, .known(.bytes), .known(.frame): true
    case .known, .random, .randomBytes, .named, .isSubscribed, .handle, .setting, .variable, .generator,
      .field:
      false
    default: operands.allSatisfy(\.comesOnlyFromBytes)
    }
  }
}
