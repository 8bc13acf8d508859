import Behavior
import DeviceModel
import Framing

/// Decides which occurrences a fault strikes: by place, direction, message, time, state, rate and count.
struct FaultGate {
  /// An occurrence that a fault may strike.
  struct Candidate {
    var bytes: [UInt8]
    /// nil: it has no bytes of a place.
    var stream: FaultStream?
    /// nil: it is no request.
    var request: RequestPlace?
    var time: Instant
    /// The state of the device; nil: it has none.
    var state: String?
  }

  let fault: Fault
  private let device: PeripheralDefinition
  private let seed: UInt64
  private let number: Int
  private var watches: [FaultStream: FrameWatch] = [:]
  /// How many bytes, values or frames have to pass before the fault begins.
  private var remaining = 0
  /// When it begins; nil: not yet known.
  private var begin: Instant?
  /// How many it could have struck.
  private(set) var seen = 0
  /// How many it has struck.
  private(set) var struck = 0

  init(_ fault: Fault, number: Int, seed: UInt64, of device: PeripheralDefinition) {
    (self.fault, self.number, self.seed, self.device) = (fault, number, seed, device)
    meter()
  }

  /// Whether it has struck as often as it may.
  var isSpent: Bool { fault.count.map { struck >= $0 } ?? false }

  /// Whether it is over, so that it never strikes again.
  func isOver(at now: Instant) -> Bool {
    if isSpent { return true }
    guard let begin, let duration else { return false }
    return now >= begin.advanced(by: duration)
  }

  /// The device goes on the air, or the fault is added.
  mutating func start(at now: Instant) {
    switch fault.after {
    case nil: begin = now
    case .time(let time): begin = now.advanced(by: time)
    case .bytes, .values, .frames: begin = nil
    }
  }

  /// Whether a stream is one of the fault's.
  func concerns(_ stream: FaultStream) -> Bool {
    if let direction = fault.direction, direction != stream.direction { return false }
    return switch (fault.place, stream.endpoint) {
    case (nil, .characteristic), (nil, .channel), (.wire, .wire): true
    case (.channel(let index, _), .channel(let other)), (.layer(let index, _), .layer(let other)):
      index == other
    case (.characteristic(let index, _), .characteristic(let other)): index == other
    default: false
    }
  }

  private func concerns(_ candidate: Candidate) -> Bool {
    candidate.request.map(fault.concerns) ?? candidate.stream.map(concerns) ?? false
  }

  mutating func countStrike() { struck += 1 }

  /// How long it strikes. A fault that lasts by itself uses its duration differently.
  private var duration: Duration? {
    switch fault.kind.subject {
    case .values, .requests, .confirmations, .linkRequests: fault.duration
    case .moments, .presence: nil
    }
  }
}

// MARK: Judging

extension FaultGate {
  /// Counts an occurrence that the fault may strike.
  ///
  /// - Returns: the random numbers of the strike; nil: it does not strike.
  mutating func judge(_ candidate: Candidate) -> FaultRandom? {
    guard let frames = frames(of: candidate), !isOver(at: candidate.time) else { return nil }
    guard let begin else {
      if count(candidate, frames) { self.begin = candidate.time }
      return nil
    }
    guard candidate.time >= begin, isIn(candidate.state) else { return nil }
    return roll()
  }

  /// Counts an occurrence without a value.
  mutating func judge(at time: Instant, in state: String?) -> FaultRandom? {
    guard !isOver(at: time), let begin, time >= begin, isIn(state) else { return nil }
    return roll()
  }

  /// Counts an occurrence towards the amount before a moment.
  ///
  /// - Returns: whether the amount has been reached. If so, the count restarts.
  mutating func reaches(_ candidate: Candidate) -> Bool {
    guard let frames = frames(of: candidate), isIn(candidate.state), count(candidate, frames) else {
      return false
    }
    meter()
    return true
  }

  /// Begins to count bytes, values or frames.
  mutating func meter() {
    switch fault.after {
    case .bytes(let count), .values(let count), .frames(let count): remaining = count
    case nil, .time: remaining = 0
    }
  }

  /// The dice for the next thing that the fault may strike; nil: it does not strike.
  mutating func roll() -> FaultRandom? {
    seen += 1
    var random = FaultRandom(seed: seed, fault: number, ordinal: seen)
    let chance = random.below(1_000_000)
    switch fault.rate {
    case .always, .period: return random
    case .chance(let millionths): return chance < millionths ? random : nil
    case .every(let number): return seen % number == 0 ? random : nil
    }
  }

  private func isIn(_ state: String?) -> Bool { fault.state == nil || fault.state == state }

  private mutating func count(_ candidate: Candidate, _ frames: [[UInt8]]) -> Bool {
    switch fault.after {
    case .bytes: remaining -= candidate.bytes.count
    case .values: remaining -= 1
    case .frames: remaining -= frames.count
    case nil, .time: return false
    }
    return remaining <= 0
  }

  /// The frames that a value completes, if the fault needs them; nil: the value does not concern it.
  private mutating func frames(of candidate: Candidate) -> [[UInt8]]? {
    guard concerns(candidate) else { return nil }
    guard needsFrames else { return [] }
    guard let stream = candidate.stream else { return fault.message == nil ? [] : nil }
    var watch = watches[stream] ?? FrameWatch(stream, of: device)
    let frames = watch.take(candidate.bytes, at: candidate.time)
    watches[stream] = watch
    guard let message = fault.message.map({ device.messages[$0.index] }) else { return frames }
    let isMessage = ([candidate.bytes] + frames).contains { message.parse($0) != nil }
    return isMessage ? frames : nil
  }

  private var needsFrames: Bool {
    if case .frames = fault.after { return true }
    return fault.message != nil
  }
}
