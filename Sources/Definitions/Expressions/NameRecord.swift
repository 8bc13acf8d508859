import DeviceModel
import Synchronization

/// A record that all scopes of one definition share.
final class NameRecord: Sendable {
  private struct State {
    var used: Set<Expression> = []
    var siteCount = 0
  }

  private let state = Mutex(State())

  /// Remembers that an expression has used a name, by the name's meaning.
  func note(_ binding: Expression) {
    state.withLock { _ = $0.used.insert(binding) }
  }

  func isUsed(_ binding: Expression) -> Bool {
    state.withLock { $0.used.contains(binding) }
  }

  /// A number of its own for each `random` of a definition, so that two in one text do not give the same.
  func nextSite() -> Int {
    state.withLock { state in
      state.siteCount += 1
      return state.siteCount
    }
  }
}
