import DeviceModel
import Framing

/// Frames held at a place until a rule releases them.
struct HeldFrames: Sendable {
  /// The most bytes that can be held at one place.
  static let mostBytes = 4096

  typealias Element = (key: StreamKey, output: FramerOutput)

  private(set) var elements: [Element] = []
  private var size = 0

  /// Holds a frame if there is room; even an empty frame counts. Returns whether there was room.
  mutating func add(_ output: FramerOutput, from key: StreamKey) -> Bool {
    let needed = max(1, output.bytes.count)
    guard size + needed <= Self.mostBytes else { return false }
    size += needed
    elements.append((key, output))
    return true
  }
}

extension Engine {
  mutating func hold(_ output: FramerOutput, from key: StreamKey) {
    if streams.held[key.endpoint]?.add(output, from: key) == false {
      remark(.tooMuchHeld(key.endpoint, output.bytes, limit: HeldFrames.mostBytes))
    }
  }
}

extension FramerOutput {
  var bytes: [UInt8] {
    switch self {
    case .frame(let bytes), .discarded(let bytes, _): bytes
    }
  }
}
