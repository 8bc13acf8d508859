import Bluetooth
import DeviceModel
import Framing

/// Frames that an interceptor may take before the rules: ``Action/ask(_:frame:)`` asks about one, and an ``Intervention``
/// decides. Until then the frame waits, and so does everything after it on its stream.
struct AwaitedFrames: Sendable {
  /// Whether an interceptor wants a frame of a stream; nil: no interceptor is left.
  fileprivate var wants: (@Sendable (StreamKey, [UInt8]) -> Bool)?
  /// By stream, the frame that waits for a decision, and the output that came after it.
  fileprivate var waiting: [StreamKey: [FramerOutput]] = [:]

  /// Whether a frame may wait.
  var isUsed: Bool { wants != nil || !waiting.isEmpty }

  func isWaiting(_ key: StreamKey) -> Bool { waiting[key] != nil }

  mutating func removeAll() { waiting = [:] }
}

extension Engine {
  /// Asks about the frames that interceptors want from now on; nil: about none.
  package mutating func ask(about wants: (@Sendable (StreamKey, [UInt8]) -> Bool)?) { awaited.wants = wants }

  /// Lets the output of a framer wait if an interceptor wants it, or if it follows a frame that waits. Returns whether it waits.
  mutating func awaits(_ output: FramerOutput, from key: StreamKey) -> Bool {
    if awaited.waiting[key]?.append(output) != nil { return true }
    guard case .frame(let frame) = output, !held.holds(at: key.endpoint),
      key.central.map(links.centrals.contains) ?? true, awaited.wants?(key, frame) == true
    else { return false }
    awaited.waiting[key] = [output]
    if options.notesFrames { remark(.frame(key.endpoint, key.central, frame)) }
    turn.actions.append(.ask(key, frame: frame))
    return true
  }

  /// Ends the wait of a frame: the rules get it unless an interceptor has taken it. Then handles the output that waits after it.
  mutating func decide(_ key: StreamKey, isTaken: Bool) {
    guard let outputs = awaited.waiting.removeValue(forKey: key), case .frame(let frame)? = outputs.first
    else {
      return
    }
    let place = lookup[key.endpoint]
    let resetCount = resetCount
    switch isTaken {
    case true: break
    case false where held.holds(at: key.endpoint): hold(.frame(frame), from: key)
    case false: take(frame: frame, from: key, at: place)
    }
    for output in outputs.dropFirst() where self.resetCount == resetCount {
      take(output, from: key, at: place)
    }
  }

  /// The message that a value is on its own, decoded; nil: the value is no message or several, or ends one that began earlier.
  package func message(in value: [UInt8], on key: StreamKey) -> [UInt8]? {
    let place = lookup[key.endpoint]
    do {
      let plain = try place.coding.map { try $0.decode(value: value, in: context) } ?? value
      guard let framing = place.framing else { return plain }
      guard streams.isEmpty(key, at: place) else { return nil }
      var framer = Framer(framing)
      let outputs = framer.append(plain, at: turn.now)
      guard framer.pending.isEmpty, outputs.count == 1, case .frame(let frame) = outputs[0] else {
        return nil
      }
      return try place.coding.map { try $0.decode(frame: frame, in: context) } ?? frame
    } catch {
      return nil
    }
  }

  /// Whether messages may come in several writes, or several in one.
  package func isFramed(_ endpoint: Endpoint) -> Bool { lookup[endpoint].isFramed }

  /// Why a central cannot write a value at an offset; nil: it can.
  package func problem(writing value: [UInt8], to attribute: AttributeReference, at offset: Int) -> ATTError?
  {
    Self.error(writing: value.count, at: offset, of: attributes[attribute].count)
  }
}
