import DeviceModel

extension Expression {
  /// Whether it is true exactly when another condition is false, as far as their form shows.
  func isOpposite(of other: Expression) -> Bool {
    switch (self, other) {
    case (.unary(.not, let inner), _) where inner == other: true
    case (_, .unary(.not, let inner)) where inner == self: true
    case (.binary(let op, let a, let b), .binary(let otherOp, let c, let d)):
      a == c && b == d && op.opposite == otherOp
    default: false
    }
  }
}

extension Expression.BinaryOperator {
  /// The comparison that is true where this one is false.
  fileprivate var opposite: Self? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .greaterOrEqual: .less
    case .greater: .lessOrEqual
    case .lessOrEqual: .greater
    default: nil
    }
  }
}

extension Rule.Action {
  /// The name of what the action changes and a condition asks for; nil: it changes nothing of it.
  func changed(of condition: Expression, in device: PeripheralDefinition) -> String? {
    switch self {
    case .set(let assignments):
      assignments.lazy.map(\.0).first { condition.slots.contains($0) }.map { device[$0].name }
    case .enter: condition.reads([.state]) ? KnownValue.state.rawValue : nil
    default: nil
    }
  }
}
