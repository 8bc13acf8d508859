import DeviceModel
import Synchronization

/// A record that all scopes of one definition share.
final class NameRecord: Sendable {
  private struct State {
    /// By index.
    var usedVariables: Set<Int> = []
    var usedValues: [KnownValue] = []
    var siteCount = 0
    /// The values that the current text uses and a transport may not know.
    var readValues: [TransportValue] = []
    var transportValues: [TransportValueUse] = []
    var expectsUnknownReason = false
    var usedFunctions: Set<Int> = []
    var instances: [FunctionInstance: ExpressionChecker.Typed] = [:]
  }

  /// A function with arguments of certain types, where so many names are known.
  struct FunctionInstance: Hashable {
    var function: Int
    var types: [ValueType]
    var nameCount: Int
  }

  private let state = Mutex(State())
  /// The remaining effort for operations on constants, in the whole definition.
  let effort = Effort()

  /// Remembers that an expression has used a variable.
  func note(variable index: Int) {
    state.withLock { _ = $0.usedVariables.insert(index) }
  }

  /// Remembers that an expression has used a value of a link.
  func note(linkValue value: KnownValue) {
    state.withLock { state in
      if !state.usedValues.contains(value) { state.usedValues.append(value) }
    }
  }

  func note(function index: Int) {
    state.withLock { _ = $0.usedFunctions.insert(index) }
  }

  func isUsed(function index: Int) -> Bool {
    state.withLock { $0.usedFunctions.contains(index) }
  }

  /// The body of a function that has been checked before.
  subscript(instance: FunctionInstance) -> ExpressionChecker.Typed? {
    get { state.withLock { $0.instances[instance] } }
    set { state.withLock { $0.instances[instance] = newValue } }
  }

  func isUsed(variable index: Int) -> Bool {
    state.withLock { $0.usedVariables.contains(index) }
  }

  func isUsed(linkValue value: KnownValue) -> Bool {
    state.withLock { $0.usedValues.contains(value) }
  }

  /// An expression uses a value that a transport may not know.
  func note(_ value: TransportValue) {
    state.withLock { state in
      if !state.readValues.contains(value) { state.readValues.append(value) }
    }
  }

  /// An expression tests whether a link ended for an unknown reason.
  func noteUnknownReason() {
    state.withLock { $0.expectsUnknownReason = true }
  }

  /// A text has been read at this place.
  func place(at range: SourceRange) {
    state.withLock { state in
      state.transportValues += state.readValues.map { TransportValueUse(value: $0, range: range) }
      state.readValues = []
    }
  }

  /// The places where expressions use values that a transport may not know, unless they handle that case.
  var transportValues: [TransportValueUse] {
    state.withLock { state in
      state.transportValues.filter { $0.value != .reason || !state.expectsUnknownReason }
    }
  }

  struct TransportValueUse {
    var value: TransportValue
    var range: SourceRange
  }

  /// A distinct number for each `random` of a definition, so that two in one text give different numbers.
  func nextSite() -> Int {
    state.withLock { state in
      state.siteCount += 1
      return state.siteCount
    }
  }
}
