import DeviceModel

/// The engine's outcome for one event.
///
/// The runner first keeps the settings, then sends the response, then performs the actions in order. So the settings
/// are safe before the central gets its response, and the response leaves before the values that the request causes, as in
/// the stack of a real device.
package struct Outcome: Hashable, Sendable {
  /// All settings, if any has been set: a device keeps them over a power cycle. nil: none was set.
  package var settings: [Value]?
  /// The response to a read or a write; nil for every other event.
  package var response: Response?
  package var actions: [Action]

  package init(settings: [Value]? = nil, response: Response? = nil, actions: [Action] = []) {
    self.settings = settings
    self.response = response
    self.actions = actions
  }
}
