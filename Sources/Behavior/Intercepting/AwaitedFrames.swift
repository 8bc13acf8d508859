import Bluetooth
import DeviceModel
import Framing

/// Frames that an interceptor may take before the rules: ``Action/ask(_:frame:)`` asks about one, and an ``Intervention``
/// decides. Until then the frame waits, and so does everything after it on its stream.
struct AwaitedFrames: Sendable {
  /// Whether somebody wants a frame of a stream; nil: nobody wants any more.
  var wants: (@Sendable (StreamKey, [UInt8]) -> Bool)?
  /// By stream, the frame in question, and what has come after it.
  fileprivate var waiting: [StreamKey: [FramerOutput]] = [:]

  var isEmpty: Bool { waiting.isEmpty }
}

extension Engine {
  /// Asks about the frames that somebody wants from now on; nil: about none.
  package mutating func ask(about wants: (@Sendable (StreamKey, [UInt8]) -> Bool)?) {
    streams.awaited = streams.awaited ?? AwaitedFrames()
    streams.awaited?.wants = wants
    forgetIfUnused()
  }

  private mutating func forgetIfUnused() {
    if streams.awaited?.wants == nil, streams.awaited?.isEmpty == true { streams.awaited = nil }
  }

  mutating func forgetAwaitedFrames() {
    streams.awaited?.waiting = [:]
    forgetIfUnused()
  }

  /// Lets what a framer has put out wait if it is wanted, or comes after a frame that is in question. Returns whether it waits.
  mutating func awaits(_ output: FramerOutput, from key: StreamKey) -> Bool {
    if streams.awaited?.waiting[key] != nil {
      streams.awaited?.waiting[key]?.append(output)
      return true
    }
    guard case .frame(let frame) = output, streams.held[key.endpoint] == nil,
      key.central.map(links.centrals.contains) ?? true, streams.awaited?.wants?(key, frame) == true
    else { return false }
    streams.awaited?.waiting[key] = [output]
    if options.notesFrames { remark(.frame(key.endpoint, key.central, frame)) }
    turn.actions.append(.ask(key, frame: frame))
    return true
  }

  /// Ends the question about a frame: the rules get it unless somebody has taken it. Then it is the turn of what waits.
  mutating func decide(_ key: StreamKey, isTaken: Bool) {
    guard case .frame(let frame)? = streams.awaited?.waiting[key]?.first,
      let rest = streams.awaited?.waiting.removeValue(forKey: key)?.dropFirst()
    else { return }
    let resetCount = life.resetCount
    switch isTaken {
    case true: break
    case false where streams.held[key.endpoint] != nil: hold(.frame(frame), from: key)
    case false: take(frame: frame, from: key)
    }
    for output in rest where life.resetCount == resetCount { take(output, from: key) }
    forgetIfUnused()
  }

  /// The message that a value is by itself, decoded; nil: it is none or several, or one has begun before it.
  package func message(in value: [UInt8], on key: StreamKey) -> [UInt8]? {
    let place = lookup[key.endpoint]
    do {
      let plain = try place.coding.map { try $0.decode(value: value, in: context) } ?? value
      guard let framing = place.framing else { return plain }
      guard streams.framers[key]?.pending.isEmpty ?? true else { return nil }
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
    Self.error(writing: value.count, at: offset, of: self[attribute].count)
  }
}
