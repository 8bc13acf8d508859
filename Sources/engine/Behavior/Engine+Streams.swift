import Bluetooth
import DeviceModel
import Framing

/// The bytes of each stream that are no whole frame yet.
struct Streams: Sendable {
  fileprivate(set) var framers: [StreamKey: Framer] = [:]

  /// Whether no frame of a stream is incomplete.
  func isEmpty(_ key: StreamKey) -> Bool { framers[key]?.pending.isEmpty ?? true }

  mutating func removeAll(in turn: inout Turn) {
    for (key, framer) in framers.sorted(by: { $0.key < $1.key }) where framer.deadline != nil {
      turn.actions.append(.stopTimer(.frameGap(key)))
    }
    framers = [:]
  }
}

/// The frames that wait at places until a rule releases them.
struct HeldFrames: Sendable {
  /// The most bytes that can be held at one place.
  static let mostBytes = 4096

  typealias Element = (key: StreamKey, output: FramerOutput)

  private(set) var places: [Endpoint: (frames: [Element], size: Int)] = [:]

  func holds(at place: Endpoint) -> Bool { places[place] != nil }

  mutating func begin(at place: Endpoint) { if places[place] == nil { places[place] = ([], 0) } }

  mutating func end(at place: Endpoint) -> [Element] { places.removeValue(forKey: place)?.frames ?? [] }

  /// Holds a frame if there is room; even an empty frame counts. Returns whether there was room.
  mutating func add(_ output: FramerOutput, from key: StreamKey) -> Bool {
    let needed = max(1, output.bytes.count)
    guard let size = places[key.endpoint]?.size, size + needed <= Self.mostBytes else { return false }
    places[key.endpoint]?.size += needed
    places[key.endpoint]?.frames.append((key, output))
    return true
  }
}

/// Bytes received by a characteristic or the wire side, and their frames.
extension Engine {
  /// - Parameter times: when the first and the last byte came; nil: now.
  mutating func receive(_ bytes: [UInt8], on key: StreamKey, during times: ClosedRange<Instant>? = nil) {
    guard let coding = lookup[key.endpoint].coding else {
      return receive(plain: bytes, on: key, during: times)
    }
    guard let value = decoded(value: bytes, from: key.endpoint, coding) else { return }
    receive(plain: value, on: key, during: times)
  }

  private mutating func receive(
    plain bytes: [UInt8], on key: StreamKey, during times: ClosedRange<Instant>?
  ) {
    if let other = bridged(key.endpoint), isPlain(key.endpoint) { return pass(bytes, to: other) }
    let place = lookup[key.endpoint]
    guard place.isFramed else { return take(.frame(bytes), from: key) }
    let times = times ?? turn.now...turn.now
    take(
      streams.framers[key, default: Framer(place.framing!)].change { $0.append(bytes, during: times) },
      from: key)
  }

  /// Whether a place has neither rules nor framing.
  private func isPlain(_ endpoint: Endpoint) -> Bool {
    !lookup[endpoint].hasReceivers && !held.holds(at: endpoint)
      && (endpoint != .wire || definition.wire.framing == nil)
  }

  /// The other end of the bridge.
  private func bridged(_ endpoint: Endpoint) -> Endpoint? {
    guard let bridge = definition.wire.bridge else { return nil }
    switch endpoint {
    case .wire: return bridge.outlet
    case bridge.inlet: return .wire
    case .characteristic, .channel, .sought: return nil
    }
  }

  mutating func expireFrame(_ key: StreamKey) {
    let now = turn.now
    guard var change = streams.framers[key]?.change({ $0.expire(at: now) }) else { return }
    change.oldDeadline = nil  // its timer has fired
    take(change, from: key)
  }

  /// Handles the output of a framer, up to a reset, and sets its timer.
  private mutating func take(_ change: FramerChange, from key: StreamKey) {
    let resetCount = resetCount
    let coding = lookup[key.endpoint].coding
    for output in change.outputs where self.resetCount == resetCount {
      guard let coding else {
        take(output, from: key)
        continue
      }
      if let output = decoded(output, from: key.endpoint, coding) { take(output, from: key) }
    }
    guard self.resetCount == resetCount, change.deadline != change.oldDeadline else { return }
    turn.actions.append(
      change.deadline.map { .startTimer(.frameGap(key), at: $0) } ?? .stopTimer(.frameGap(key)))
  }

  /// Handles a frame or discarded bytes, or holds them if the place is held.
  mutating func take(_ output: FramerOutput, from key: StreamKey) {
    if awaited.isUsed, awaits(output, from: key) { return }
    switch output {
    case .frame where held.holds(at: key.endpoint): hold(output, from: key)
    case .frame(let frame):
      if options.notesFrames { remark(.frame(key.endpoint, key.central, frame)) }
      take(frame: frame, from: key)
    case .discarded(let bytes, let reason):
      guard let other = bridged(key.endpoint) else {
        return remark(.discarded(key.endpoint, bytes, reason))
      }
      if held.holds(at: key.endpoint) { hold(output, from: key) } else { pass(bytes, to: other) }
    }
  }

  mutating func hold(_ output: FramerOutput, from key: StreamKey) {
    if !held.add(output, from: key) {
      remark(.tooMuchHeld(key.endpoint, output.bytes, limit: HeldFrames.mostBytes))
    }
  }

  mutating func forgetStreams(of central: Central) {
    let keys = streams.framers.keys.filter { key in
      key.central == central || (links.centrals.isEmpty && key.central == nil && key.endpoint != .wire)
    }
    for key in keys.sorted() { forgetStream(key) }
  }

  /// Handles what remains of a stream that has ended.
  mutating func forgetStream(_ key: StreamKey) {
    if let change = streams.framers[key]?.change({ $0.finish() }) { take(change, from: key) }
    streams.framers[key] = nil
    relayed.end(key)
  }

  /// Fires the first rule in the file whose message the frame matches and whose condition is true.
  mutating func take(frame: [UInt8], from key: StreamKey) {
    guard turn.hasWorkLeft || !lookup[key.endpoint].hasReceivers else {
      return remark(
        .logged("bytes dropped (\(frame.count)): more than \(Turn.mostWork) steps without time passing"))
    }
    turn.renewSteps()
    offer(frame, from: key, ownedByCentral: key.endpoint != .wire)
  }

  /// - Parameter ownedByCentral: whether the rule ends with its central.
  mutating func offer(_ frame: [UInt8], from key: StreamKey, ownedByCentral: Bool) {
    let place = lookup[key.endpoint]
    for index in place.candidates(for: frame) {
      if fire(place.receivers[index], frame, from: key, named: place.name, ownedByCentral) {
        relayed.take(key)
        return
      }
    }
    leave(frame, from: key.endpoint)
  }

  /// Fires a rule if the frame is its message and its condition is true; returns whether the rule fires.
  private mutating func fire(
    _ receiver: Place.Receiver, _ frame: [UInt8], from key: StreamKey, named origin: String,
    _ ownedByCentral: Bool
  ) -> Bool {
    guard let fields = fields(of: frame, for: receiver.message) else { return false }
    var event = EventValues()
    event.fields = receiver.fields.map { $0.map { fields[$0] } } ?? fields
    event.bytes = frame
    event.origin = origin
    return fire(
      rule: receiver.rule, event, by: key.central, on: key.endpoint, ownedByCentral: ownedByCentral)
  }

  /// Handles a frame that no rule takes.
  mutating func leave(_ frame: [UInt8], from endpoint: Endpoint) {
    if definition.isRelayed { return note(frame, at: endpoint, isSent: false) }
    if !passOn(frame, from: endpoint), lookup[endpoint].hasReceivers {
      remark(.unexpected(endpoint, frame: frame))
    }
  }

  /// The fields of a frame that is this message; nil if the frame is not. Every frame is the message nil.
  private mutating func fields(of frame: [UInt8], for message: Int?) -> [Value]? {
    guard let message else { return [] }
    guard turn.hasWorkLeft else { return nil }
    var steps = 0
    let fields = definition.messages[message].parse(frame, countingIn: &steps)
    turn.spend(work: 1 + steps / 64)
    return fields
  }

  /// Sends a frame over the bridge as it arrived; returns whether there is a bridge.
  private mutating func passOn(_ frame: [UInt8], from endpoint: Endpoint) -> Bool {
    guard let other = bridged(endpoint) else { return false }
    let codesFrames = lookup[other].coding?.frameEncoder != nil
    pass(codesFrames ? frame : whole(frame, from: endpoint), to: other, isMessage: codesFrames)
    return true
  }

  /// Sends bytes over the bridge, as the other end encodes them.
  private mutating func pass(_ bytes: [UInt8], to other: Endpoint, isMessage: Bool = false) {
    do throws(CodingError) {
      send(try encoded(bytes, isMessage: isMessage, for: other), to: other)
    } catch {
      remark(.discarded(other, bytes, .undecodable("\(error)")))
    }
  }

  /// A frame as it arrived, with its delimiter.
  private func whole(_ frame: [UInt8], from endpoint: Endpoint) -> [UInt8] {
    if case .delimited(let delimiter) = lookup[endpoint].framing?.shape, !delimiter.isKept {
      return frame + delimiter.bytes
    }
    return frame
  }
}

/// The output of a framer, and its deadlines before and after.
private struct FramerChange {
  let outputs: [FramerOutput]
  var oldDeadline: Instant?
  let deadline: Instant?
}

extension Framer {
  /// Changes a framer in place: a copy would cost a fifth of all work on a frame.
  fileprivate mutating func change(_ body: (inout Framer) -> [FramerOutput]) -> FramerChange {
    let oldDeadline = deadline
    let outputs = body(&self)
    return FramerChange(outputs: outputs, oldDeadline: oldDeadline, deadline: deadline)
  }
}

extension FramerOutput {
  var bytes: [UInt8] {
    switch self {
    case .frame(let bytes), .discarded(let bytes, _): bytes
    }
  }
}

extension Rule.Endpoint {
  var order: Int {
    switch self {
    case .wire: -1
    case .characteristic(let index): index
    case .channel(let index): 0x10000 + index  // after all characteristics
    case .sought(let index): 0x20000 + index
    }
  }
}
