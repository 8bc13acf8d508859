import Bluetooth
import DeviceModel

/// The requests of centrals whose responses go out where a rule says (`respond`), at once or after its waits.
struct PlacedResponses: Sendable {
  /// What the engine has still to do about a request once its response is known.
  enum Rest: Sendable {
    case nothing
    /// Performs a write or a configuration, if the rule does not refuse it.
    case perform(Event)
    /// Ends a subscription, if the rule refuses it.
    case withdraw(Central, characteristic: Int)
  }

  /// The requests without a response, by number.
  private var open: [Int: Rest] = [:]
  private var count = 0

  fileprivate mutating func begin() -> Int {
    count += 1
    open[count] = .nothing
    return count
  }

  fileprivate func isOpen(_ request: Int) -> Bool { open[request] != nil }

  fileprivate mutating func keep(_ rest: Rest, of request: Int) { open[request] = rest }

  fileprivate mutating func end(_ request: Int) -> Rest? { open.removeValue(forKey: request) }

  fileprivate var all: [Int] { open.keys.sorted() }
}

extension Engine {
  /// The present request, for a rule that places its response; nil: no central waits for one.
  mutating func placedRequest() -> Int? {
    if let request = turn.request { return responses.isOpen(request) ? request : nil }
    guard turn.isAwaited, !definition.isRelayed else { return nil }
    let request = responses.begin()
    turn.request = request
    return request
  }

  /// Whether a rule may still refuse the present request.
  var mayRefuse: Bool { turn.request.map(responses.isOpen) ?? true }

  /// Keeps the rest of the present request until a waiting rule has placed its response; returns whether one will.
  mutating func postpones(_ rest: @autoclosure () -> PlacedResponses.Rest) -> Bool {
    guard let request = turn.request, responses.isOpen(request) else { return false }
    responses.keep(rest(), of: request)
    return true
  }

  /// Sends the response to a request among the values; returns whether it had none yet.
  @discardableResult
  mutating func give(_ response: Response, to request: Int) -> Bool {
    guard let rest = responses.end(request) else { return false }
    turn.actions.append(.respond(response, to: request))
    if response.error != nil, request == turn.request { turn.respond(response) }
    switch rest {
    case .perform(let event): if response.error == nil { turn.consequences.add(.accepted(event)) }
    case .withdraw(let central, let characteristic):
      if response.error != nil { withdraw(central, from: characteristic) }
    case .nothing: break
    }
    return true
  }

  /// Responds to all requests before a reset.
  mutating func giveAllResponses() {
    for request in responses.all { give(.accepted, to: request) }
  }

  /// A rule has ended in its wait: its central has left, or else the device accepts.
  mutating func giveResponse(to request: Int, ofCentral central: Central?) {
    let hasLeft = central.map { !links.centrals.contains($0) } ?? false
    give(hasLeft ? .refused(.unlikelyError) : .accepted, to: request)
  }

  /// Performs a request that a rule has accepted after a wait.
  mutating func perform(_ event: Event) {
    switch event {
    case .writeRequested(let central, let attribute, let value, let offset, let kind):
      if offset <= attributes[attribute].count { accept(value, attribute, offset, kind, by: central) }
    case .configuring(let central, let characteristic, _, let old, let new, _):
      changeSubscription(of: central, to: characteristic, from: old, to: new)
    default: break
    }
  }
}
