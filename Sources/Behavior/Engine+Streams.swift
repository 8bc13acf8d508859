import Bluetooth
import Definitions
import Framing

/// Bytes that come in, at a characteristic or at the wire, and the frames that they are.
extension Engine {
  mutating func receive(_ bytes: [UInt8], on key: StreamKey) {
    if let other = bridged(key.port), isPlain(key.port) { return send(bytes, to: other) }
    guard let rule = framing(of: key.port) else { return take(frame: bytes, from: key) }
    let before = framers[key]?.deadline
    let outputs = framers[key, default: Framer(rule)].append(bytes, at: now)
    take(outputs, from: key, timerBefore: before)
  }

  /// Whether no rule has a say in what arrives there, and nothing cuts it.
  private func isPlain(_ port: Port) -> Bool {
    !lookup.hasReceivers(port) && held[port] == nil && (port != .wire || definition.wire.framing == nil)
  }

  private func framing(of port: Port) -> FramingRule? {
    switch port {
    case .wire: definition.wire.framing
    case .characteristic(let index): definition.characteristics[index].framing
    }
  }

  /// The other end of the bridge.
  private func bridged(_ port: Port) -> Port? {
    guard let bridge = definition.wire.bridge else { return nil }
    switch port {
    case .wire: return .characteristic(bridge)
    case .characteristic(bridge): return .wire
    case .characteristic: return nil
    }
  }

  mutating func expireFrame(_ key: StreamKey) {
    guard let outputs = framers[key]?.expire(at: now) else { return }
    take(outputs, from: key, timerBefore: nil)
  }

  private mutating func take(_ outputs: [FramerOutput], from key: StreamKey, timerBefore: Instant?) {
    for output in outputs {
      switch output {
      case .frame(let frame): take(frame: frame, from: key)
      case .discarded(let bytes, let reason):
        if let other = bridged(key.port) {
          send(bytes, to: other)
        } else {
          actions.append(.remark(.discarded(key.port, bytes, reason)))
        }
      }
    }
    updateTimer(of: key, from: timerBefore)
  }

  private mutating func updateTimer(of key: StreamKey, from before: Instant?) {
    let deadline = framers[key]?.deadline
    if let deadline {
      if deadline != before { actions.append(.startTimer(.frameGap(key), at: deadline)) }
    } else if before != nil {
      actions.append(.stopTimer(.frameGap(key)))
    }
  }

  mutating func forgetStreams(of central: Central) {
    let keys = framers.keys.filter { key in
      key.central == central || (centrals.isEmpty && key.central == nil && key.port != .wire)
    }
    for key in keys.sorted(by: { $0.port.order < $1.port.order }) {
      let before = framers[key]?.deadline
      let outputs = framers[key]?.finish() ?? []
      take(outputs, from: key, timerBefore: before)
      framers[key] = nil
    }
  }

  /// The first rule in the file that waits for a message that the frame is, and whose condition holds, fires.
  private mutating func take(frame: [UInt8], from key: StreamKey) {
    if held[key.port] != nil { return hold(frame, from: key) }
    for candidate in lookup.receivers(of: frame, at: key.port) {
      guard let fields = lookup.fields(of: frame, for: candidate, at: key.port, in: definition) else {
        continue
      }
      var event = EventValues()
      event.fields = fields
      event.bytes = frame
      if fire(rule: candidate, event, by: key.central, on: key.port, ownedByCentral: key.port != .wire) {
        return
      }
    }
    if let other = bridged(key.port) {
      send(whole(frame, from: key.port), to: other)
    } else if lookup.hasReceivers(key.port) {
      actions.append(.remark(.unexpected(key.port, frame: frame)))
    }
  }

  /// A frame as it arrived, with what delimits it.
  private func whole(_ frame: [UInt8], from port: Port) -> [UInt8] {
    if case .delimited(let delimiter) = framing(of: port)?.shape, !delimiter.isKept {
      return frame + delimiter.bytes
    }
    return frame
  }
}

/// Frames that wait at a place until a rule releases them.
struct HeldFrames {
  var frames: [(key: StreamKey, frame: [UInt8])] = []
  var size = 0
}

extension Engine {
  private mutating func hold(_ frame: [UInt8], from key: StreamKey) {
    guard held[key.port]!.size + frame.count <= Self.mostHeld else {
      return actions.append(.remark(.tooMuchHeld(key.port, frame, limit: Self.mostHeld)))
    }
    held[key.port]!.frames.append((key, frame))
    held[key.port]!.size += frame.count
  }

  /// Handles what has waited, in order, up to one whose rule holds the place again.
  mutating func releaseFrames(of port: Port) {
    guard let waited = held.removeValue(forKey: port)?.frames else { return }
    for (key, frame) in waited { take(frame: frame, from: key) }
  }
}

extension Rule.Port {
  fileprivate var order: Int {
    switch self {
    case .wire: -1
    case .characteristic(let index): index
    }
  }
}
