import DeviceModel

extension Expression {
  /// Larger ones are not given a name: what uses the names of what uses names grows without end.
  static let largestNamed = 500

  /// The operations, constants and names in it.
  var count: Int { operands.reduce(1) { $0 + $1.count } }

  /// So many operations and values has an expression at most, with all that its names stand for: it is evaluated again
  /// and again, and names of names of names could stand for billions.
  static let mostParts = 2048
  /// What evaluating may need of the stack: a little more than a text can ask for by itself.
  static let greatestDepth = ExpressionParser.maximumChain + 50

  var isTooLarge: Bool {
    var partsLeft = Self.mostParts
    return !fits(into: &partsLeft, depth: 1)
  }

  private func fits(into partsLeft: inout Int, depth: Int) -> Bool {
    partsLeft -= 1
    guard partsLeft >= 0, depth <= Self.greatestDepth else { return false }
    return operands.allSatisfy { $0.fits(into: &partsLeft, depth: depth + 1) }
  }
}
