import DeviceModel
import Framing

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

extension Engine {
  mutating func hold(_ output: FramerOutput, from key: StreamKey) {
    if !held.add(output, from: key) {
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
