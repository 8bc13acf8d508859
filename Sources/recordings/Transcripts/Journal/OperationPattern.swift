import Behavior

/// An operation that a line expects: `set level=3`. Without a value, it expects any value.
package enum OperationPattern: Hashable, Sendable {
  case operation(Operation)
  /// These assignments, and then one to this name; nil: any others.
  case set([Operation.Assignment], then: String?)
  /// nil: any control.
  case press(String?)
  case advertise
  /// Of one bond, or of all.
  case forget

  package func matches(_ operation: Operation) -> Bool {
    switch (self, operation) {
    case (.operation(let expected), let found): return expected == found
    case (.set(let expected, let name), .set(let found)):
      guard found.starts(with: expected) else { return false }
      return name == nil || found.dropFirst(expected.count).first?.name == name
    case (.press(let name), .press(let found, _)): return name == nil || name == found
    case (.advertise, .advertise), (.forget, .forget): return true
    default: return false
    }
  }
}
