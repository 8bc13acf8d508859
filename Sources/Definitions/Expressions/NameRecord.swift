import DeviceModel
import Synchronization

/// A record that all scopes of one definition share.
final class NameRecord: Sendable {
  private struct State {
    var used: Set<Expression> = []
    var siteCount = 0
    /// The attributes whose handles the text asks for that is being read.
    var readHandles: [HandleOwner] = []
    var handleUses: [HandleUse] = []
  }

  private let state = Mutex(State())

  /// Remembers that an expression has used a name, by the name's meaning.
  func note(_ binding: Expression) {
    state.withLock { _ = $0.used.insert(binding) }
  }

  func isUsed(_ binding: Expression) -> Bool {
    state.withLock { $0.used.contains(binding) }
  }

  /// An expression asks for a handle.
  func noteHandle(of owner: HandleOwner) {
    state.withLock { $0.readHandles.append(owner) }
  }

  /// A text has been read that stands here.
  func place(at range: SourceRange) {
    state.withLock { state in
      state.handleUses += state.readHandles.map { HandleUse(owner: $0, range: range) }
      state.readHandles = []
    }
  }

  /// The places where expressions ask for handles.
  var handleUses: [HandleUse] { state.withLock(\.handleUses) }

  struct HandleUse {
    var owner: HandleOwner
    var range: SourceRange
  }

  /// A number of its own for each `random` of a definition, so that two in one text do not give the same.
  func nextSite() -> Int {
    state.withLock { state in
      state.siteCount += 1
      return state.siteCount
    }
  }
}
