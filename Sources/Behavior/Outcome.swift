import DeviceModel

/// What the engine makes of one event.
///
/// Whoever runs the engine first keeps the settings, then hands over the response, then performs the actions in their order.
/// So a central that has its answer finds what it promises, and a response comes before the values that a request causes,
/// as from a device's own stack.
package struct Outcome: Hashable, Sendable {
  /// The settings, one value for each, if rules have set any: a device keeps them over a power cycle. nil: none was set.
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
