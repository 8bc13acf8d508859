import Bluetooth
import DeviceModel

/// The engine's outcome for one event.
///
/// The runner first keeps the settings, then sends the response, then performs the actions in order. So the settings
/// are safe before the central gets its response, and the response leaves before the values that the request causes, as in
/// the stack of a real device, unless a rule places it elsewhere.
package struct Outcome: Hashable, Sendable {
  /// All settings, if any has been set: a device keeps them over a power cycle. nil: none was set.
  package var settings: [Value]?
  /// The response to a read or a write; nil for every other event.
  package var response: Response?
  /// The number of the request if a rule places its response: it goes out with the ``Action/respond(_:to:)`` of this number, at
  /// once or later. Until then, ``response`` only says whether the device has refused the request.
  package var request: Int?
  package var actions: [Action]

  package init(
    settings: [Value]? = nil, response: Response? = nil, request: Int? = nil, actions: [Action] = []
  ) {
    (self.settings, self.response, self.request) = (settings, response, request)
    self.actions = actions
  }

  /// The most actions whose memory remains for later events.
  private static let mostKept = 64

  /// Forgets everything. The memory of the actions remains, so that the next event needs none of its own.
  package mutating func clear() {
    (settings, response, request) = (nil, nil, nil)
    if actions.count > Self.mostKept { actions = [] } else { actions.removeLast(actions.count) }
  }
}

/// The response to a request of a central (Vol 3 Part F 3.3).
package enum Response: Hashable, Sendable {
  /// The write is done.
  case accepted
  /// The value that was read, from the requested offset on.
  case value([UInt8])
  /// An ATT error, which names this handle; nil: that of the request.
  case refused(ATTError, handle: AttributeHandle? = nil)

  /// The ATT error; nil if the request was granted.
  package var error: ATTError? {
    if case .refused(let error, _) = self { error } else { nil }
  }

  /// The handle that the error names in place of the request's; nil: none.
  package var handle: AttributeHandle? {
    if case .refused(_, let handle) = self { handle } else { nil }
  }
}
