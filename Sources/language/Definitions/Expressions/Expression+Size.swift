import DeviceModel

extension Expression {
  /// The largest expression that may have a name: names of names of names could grow without end.
  static let largestNamed = 500

  /// The operations, constants and names in it.
  var count: Int { operands.reduce(1) { $0 + $1.count } }

  /// The most operations and values of an expression with its names expanded. It is evaluated repeatedly,
  /// and names of names of names could stand for billions.
  static let mostParts = 2048
  /// The deepest nesting that is evaluated: a little more than one text can have.
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
