import Bluetooth
import DeviceModel
import Framing

/// The bytes of each stream that are no whole frame yet.
struct Streams: Sendable {
  struct Stream: Sendable {
    let key: StreamKey
    var framer: Framer
    /// When its timer fires; nil: it has none.
    var due: Instant?

    /// Lets the timer fire at the framer's deadline.
    mutating func setTimer(in turn: inout Turn) {
      let deadline = framer.deadline
      if deadline == due { return }
      due = deadline
      turn.actions.append(
        deadline.map { .startTimer(.frameGap(key), at: $0) } ?? .stopTimer(.frameGap(key)))
    }
  }

  /// By the number of their place; of each place, in the order of their first bytes.
  fileprivate(set) var places: [[Stream]]

  init(of lookup: RuleLookup) { places = Array(repeating: [], count: lookup.placeCount) }

  fileprivate func index(of key: StreamKey, at place: Place) -> Int? {
    for index in places[place.number].indices where places[place.number][index].key.central == key.central {
      return index
    }
    return nil
  }

  /// The index of a stream among those of its place. It may begin now.
  fileprivate mutating func open(_ key: StreamKey, at place: Place) -> Int? {
    if let index = index(of: key, at: place) { return index }
    guard let framing = place.framing else { return nil }
    places[place.number].append(Stream(key: key, framer: Framer(framing)))
    return places[place.number].count - 1
  }

  /// Whether no frame of a stream is incomplete.
  func isEmpty(_ key: StreamKey, at place: Place) -> Bool {
    index(of: key, at: place).map { places[place.number][$0].framer.pending.isEmpty } ?? true
  }

  mutating func removeAll(in turn: inout Turn) {
    let keys = places.joined().filter { $0.due != nil }.map(\.key)
    for key in keys.sorted() { turn.actions.append(.stopTimer(.frameGap(key))) }
    for place in places.indices { places[place] = [] }
  }
}

/// The frames that wait at places until a rule releases them.
struct HeldFrames: Sendable {
  /// The most bytes that can be held at one place.
  static let mostBytes = 4096

  typealias Element = (key: StreamKey, output: FramerOutput)

  private(set) var places: [Endpoint: (frames: [Element], size: Int)] = [:]

  func holds(at place: Endpoint) -> Bool { !places.isEmpty && places[place] != nil }

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
    let place = lookup[key.endpoint]
    guard place.isCoded, let coding = place.coding else {
      return receive(plain: bytes, on: key, at: place, during: times)
    }
    guard let value = decoded(value: bytes, from: key, coding) else { return }
    receive(plain: value, on: key, at: place, during: times)
  }

  private mutating func receive(
    plain bytes: [UInt8], on key: StreamKey, at place: Place, during times: ClosedRange<Instant>?
  ) {
    if let other = place.bridged, isPlain(place, key.endpoint) { return pass(bytes, to: other) }
    guard place.isFramed, let stream = streams.open(key, at: place) else {
      return take(.frame(bytes), from: key, at: place)
    }
    let times = times ?? turn.now...turn.now
    if !bytes.isEmpty, streams.places[place.number][stream].framer.expires(at: times.lowerBound) {
      guard takeFrames(of: stream, from: key, at: place) else { return }
    }
    streams.places[place.number][stream].framer.take(bytes, during: times)
    guard takeFrames(of: stream, from: key, at: place) else { return }
    streams.places[place.number][stream].setTimer(in: &turn)
  }

  /// Whether a place has neither rules nor framing.
  private func isPlain(_ place: Place, _ endpoint: Endpoint) -> Bool {
    !place.hasReceivers && !held.holds(at: endpoint)
      && (endpoint != .wire || definition.wire.framing == nil)
  }

  mutating func expireFrame(_ key: StreamKey) {
    let place = lookup[key.endpoint]
    guard let stream = streams.index(of: key, at: place) else { return }
    streams.places[place.number][stream].due = nil
    if streams.places[place.number][stream].framer.expires(at: turn.now) {
      guard takeFrames(of: stream, from: key, at: place) else { return }
    }
    streams.places[place.number][stream].setTimer(in: &turn)
  }

  /// Handles the output of a stream's framer, up to a reset; returns whether there was none.
  private mutating func takeFrames(of stream: Int, from key: StreamKey, at place: Place) -> Bool {
    let resetCount = resetCount
    while let output = streams.places[place.number][stream].framer.next() {
      if place.isCoded, let coding = place.coding {
        if let output = decoded(output, from: key, coding) { take(output, from: key, at: place) }
      } else {
        take(output, from: key, at: place)
      }
      guard self.resetCount == resetCount else { return false }
    }
    return true
  }

  /// Handles a frame or discarded bytes, or holds them if the place is held.
  mutating func take(_ output: FramerOutput, from key: StreamKey, at place: Place) {
    if awaited.isUsed, awaits(output, from: key) { return }
    switch output {
    case .frame where held.holds(at: key.endpoint): hold(output, from: key)
    case .frame(let frame):
      if options.notesFrames, !place.isLayer || place.isFramed {
        remark(.frame(key.endpoint, key.central, frame))
      }
      take(frame: frame, from: key, at: place)
    case .discarded(let bytes, let reason):
      guard let other = place.bridged else { return remark(.discarded(key.endpoint, bytes, reason)) }
      if held.holds(at: key.endpoint) { hold(output, from: key) } else { pass(bytes, to: other) }
    }
  }

  mutating func hold(_ output: FramerOutput, from key: StreamKey) {
    if !held.add(output, from: key) {
      remark(.tooMuchHeld(key.endpoint, output.bytes, limit: HeldFrames.mostBytes))
    }
  }

  mutating func forgetStreams(of central: Central) {
    let keys = streams.places.joined().map(\.key).filter { key in
      key.central == central
        || (links.centrals.isEmpty && key.central == nil && key.endpoint != .wire && !key.endpoint.isLayer)
    }
    for key in keys.sorted() { forgetStream(key) }
  }

  /// Handles what remains of a stream that has ended.
  mutating func forgetStream(_ key: StreamKey) {
    let place = lookup[key.endpoint]
    if let stream = streams.index(of: key, at: place) {
      streams.places[place.number][stream].framer.end()
      if takeFrames(of: stream, from: key, at: place) {
        streams.places[place.number][stream].setTimer(in: &turn)
        streams.places[place.number].remove(at: stream)
      }
    }
    relayed.end(key)
  }

  /// Fires the first rule in the file whose message the frame matches and whose condition is true.
  mutating func take(frame: [UInt8], from key: StreamKey, at place: Place) {
    guard turn.hasWorkLeft || !place.hasReceivers else {
      return remark(
        .logged("bytes dropped (\(frame.count)): more than \(Turn.mostWork) steps without time passing"))
    }
    // The steps of a layer count with those of the rule that has handed it the bytes.
    if !place.isLayer { turn.renewSteps() }
    offer(
      frame, from: key, at: place,
      ownedByCentral: place.isLayer ? key.central != nil : place.number != 0)
  }

  /// - Parameter ownedByCentral: whether the rule ends with its central.
  mutating func offer(_ frame: [UInt8], from key: StreamKey, at place: Place, ownedByCentral: Bool) {
    var candidate = -1
    while let next = place.index.candidate(for: frame, after: candidate) {
      candidate = next
      if fire(place.receivers[next], next, frame, from: key, at: place, ownedByCentral) {
        relayed.take(key)
        return
      }
    }
    leave(frame, from: key.endpoint)
  }

  /// Fires the first rule for a message that goes out of a layer; returns whether there is one.
  ///
  /// - Parameter bytes: what the layer makes of the message: that is the rule's `frame`; nil: the same.
  mutating func offer(
    _ message: [UInt8], as bytes: [UInt8]?, from key: StreamKey, at exit: Place, outOf layer: Int,
    ownedBy owner: Activation.Owner
  ) -> Bool {
    var candidate = -1
    while let next = exit.index.candidate(for: message, after: candidate) {
      candidate = next
      if fire(
        exit.receivers[next], next, message, as: bytes, from: key, at: exit, outOf: layer,
        owner != .device)
      {
        return true
      }
    }
    return false
  }

  /// Fires a rule if the frame is its message and its condition is true; returns whether the rule fires.
  private mutating func fire(
    _ receiver: Place.Receiver, _ index: Int, _ frame: [UInt8], as bytes: [UInt8]? = nil,
    from key: StreamKey, at place: Place, outOf layer: Int? = nil, _ ownedByCentral: Bool
  ) -> Bool {
    let order = receiver.reorders ? place.commonFields[index] : nil
    guard let fields = fields(of: frame, for: receiver.message, in: order),
      program.fires(rule: receiver.rule, in: state)
    else { return false }
    context.event.fields = bytes == nil ? fields : fields.detached(from: frame)
    context.event.bytes = bytes ?? frame
    context.event.origin = place.name
    return fire(
      rule: receiver.rule, by: key.central, on: key.endpoint, outOf: layer, ownedByCentral: ownedByCentral)
  }

  /// Handles a frame that no rule takes.
  mutating func leave(_ frame: [UInt8], from endpoint: Endpoint) {
    if definition.isRelayed { return note(frame, at: endpoint, isSent: false) }
    if !passOn(frame, from: endpoint), lookup[endpoint].hasReceivers {
      remark(.unexpected(endpoint, frame: frame))
    }
  }

  /// The fields of a frame that is this message; nil if the frame is not. Every frame is the message nil.
  ///
  /// - Parameter order: the indices of those that are asked for; nil: all.
  private mutating func fields(of frame: [UInt8], for message: Int?, in order: [Int]?) -> MessageFields? {
    guard let message else { return MessageFields() }
    guard turn.hasWorkLeft else { return nil }
    let fields = definition.messages[message].fields(of: frame, in: order, with: &matcher)
    turn.spend(work: 1 + matcher.steps / 64)
    return fields
  }

  /// Sends a frame over the bridge as it arrived; returns whether there is a bridge.
  private mutating func passOn(_ frame: [UInt8], from endpoint: Endpoint) -> Bool {
    guard let other = lookup[endpoint].bridged else { return false }
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
    case .layer(let index): 0x30000 + index
    }
  }

  package var isLayer: Bool { if case .layer = self { true } else { false } }
}
