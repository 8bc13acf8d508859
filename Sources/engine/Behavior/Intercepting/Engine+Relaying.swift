import Bluetooth
import DeviceModel
import Framing

/// The writes that a relay may pass on, and what the device behind it has sent that is no message yet.
struct RelayedMessages: Sendable {
  /// The writes of a stream, and whether a rule or an interceptor has taken one of their messages.
  fileprivate var passing: [StreamKey: (events: [Event], isTaken: Bool)] = [:]
  /// The messages of the device, by characteristic.
  fileprivate var sent: [Int: Framer] = [:]
  /// Its last values that are no messages yet, where no framing joins them.
  fileprivate var pieces: [Int: [[UInt8]]] = [:]

  mutating func add(_ write: Event, on key: StreamKey) {
    passing[key, default: ([], false)].events.append(write)
  }

  /// A rule or an interceptor takes a message.
  mutating func take(_ key: StreamKey) { if !passing.isEmpty { passing[key]?.isTaken = true } }

  mutating func end(_ key: StreamKey) { passing[key] = nil }
}

/// A relay: what no rule takes goes to the device behind it.
extension Engine {
  /// Lets the device behind the relay answer the present event.
  mutating func relay(_ event: Event) {
    turn.respond(nil)
    turn.actions.append(.relay([event]))
  }

  /// Passes the writes on of which no rule has taken a message, once that is known. The response to the last of them is that of
  /// the device; earlier ones of the same message have been accepted.
  mutating func relayWrites(at current: Event) {
    for key in relayed.passing.keys.sorted() where isDecided(key) {
      guard let writes = relayed.passing.removeValue(forKey: key), !writes.isTaken else { continue }
      if writes.events.last == current { turn.respond(nil) }
      turn.actions.append(.relay(writes.events))
    }
  }

  /// Whether no message on a stream is incomplete or waits.
  private func isDecided(_ key: StreamKey) -> Bool {
    let place = lookup[key.endpoint]
    guard place.hasReceivers else { return true }
    return streams.isEmpty(key, at: place) && !awaited.isWaiting(key) && !held.holds(at: key.endpoint)
  }

  /// Takes the answer of the device behind the relay.
  mutating func finish(_ event: Event, _ response: Response) {
    turn.respond(response)
    guard response.error == nil,
      case .configuring(let central, let characteristic, _, let old, let new, _) = event,
      links.centrals.contains(central)
    else { return }
    changeSubscription(of: central, to: characteristic, from: old, to: new)
  }

  /// Sends a value of the device behind the relay as it is. The log shows the message that it is, or that it ends.
  mutating func passOn(_ value: [UInt8], from characteristic: Int) {
    let endpoint = Endpoint.characteristic(characteristic)
    let plain = (try? decodedByPeer(value: value, from: endpoint)) ?? value
    var message: Int?
    if let framing = definition.characteristics[characteristic].sentFraming {
      for case .frame(let frame) in relayed.sent[characteristic, default: Framer(framing)].append(
        plain, at: turn.now)
      {
        let frame = (try? decodedByPeer(frame: frame, from: endpoint)) ?? frame
        note(frame, at: endpoint, isSent: true)
      }
    } else {
      message = index(ofMessage: plain)
      if message == nil { join(plain, from: characteristic) } else { relayed.pieces[characteristic] = nil }
    }
    send(value, to: endpoint, message: message)
  }

  /// The most values that are searched for a message.
  private static let mostPieces = 64

  /// Notes the message that a value and those before it are together.
  private mutating func join(_ value: [UInt8], from characteristic: Int) {
    var pieces = relayed.pieces[characteristic, default: []].suffix(Self.mostPieces - 1) + [value]
    for start in pieces.indices.dropLast().reversed() {
      let frame = Array(pieces[start...].joined())
      guard index(ofMessage: frame) != nil else { continue }
      note(frame, at: .characteristic(characteristic), isSent: true)
      pieces = []
      break
    }
    relayed.pieces[characteristic] = Array(pieces)
  }

  /// Notes the name of a message that passes.
  mutating func note(_ frame: [UInt8], at endpoint: Endpoint, isSent: Bool) {
    guard options.makesRemarks, let index = index(ofMessage: frame) else { return }
    remark(.passed(endpoint, message: definition.messages[index].name, isSent: isSent))
  }

  private func index(ofMessage frame: [UInt8]) -> Int? {
    definition.messages.firstIndex { !$0.name.isEmpty && $0.parse(frame) != nil }
  }
}
