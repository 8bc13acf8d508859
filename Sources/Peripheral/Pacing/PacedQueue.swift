import EventLoop
import Framing

/// Bytes that leave when they are due, in portions, and never more at once than a slice of the loop's time allows.
@EventLoop
final class PacedQueue {
  /// Bytes that are handed out in one piece, unless a portion is longer: what they cause is done before anything else.
  private static let piece = 256

  private var pace: LinePace
  private let scheduler: any Scheduler
  /// Bytes of a portion; the last of a burst may have fewer.
  private let portion: @EventLoop (LinePace) -> Int
  /// What is not due yet.
  private var bytes: ArraySlice<UInt8> = []
  /// What was due and has not been handed out, with the times at which the first byte of each piece was due and the last.
  private var due: ArraySlice<(bytes: [UInt8], times: ClosedRange<Instant>)> = []
  private var dueCount = 0
  private var isHandingOut = false
  private var timer: AnyObject?
  /// The pace behind so many more bytes.
  private var change: (bytesBefore: Int, pace: LinePace)?
  /// Takes what is due, with the times at which the first byte was and the last.
  var onDue: (([UInt8], ClosedRange<Instant>) -> Void)?

  init(
    _ pace: LinePace, _ scheduler: any Scheduler, portion: @escaping @EventLoop (LinePace) -> Int
  ) {
    self.pace = pace
    self.scheduler = scheduler
    self.portion = portion
  }

  /// Bytes that have not been handed out.
  var count: Int { dueCount + bytes.count }

  /// While it is held, nothing leaves, and nothing is caught up with afterwards.
  var isHeld = false {
    didSet {
      guard isHeld != oldValue else { return }
      timer = nil
      if !isHeld { pace.begin(at: scheduler.now) }
      update()
    }
  }

  /// Adds bytes that come now; if all that waits was due before, the line has been silent since.
  func append(_ more: [UInt8]) {
    let isBehind = !due.isEmpty
    collectDue()
    if bytes.isEmpty { pace.begin(at: scheduler.now) }
    bytes += more
    // When it is behind, a slice of every turn is used already.
    if isBehind { collectDue() } else { update() }
  }

  /// Hands out all that is due, however long that takes.
  func handOutDue() {
    collectDue()
    guard !due.isEmpty, !isHandingOut else { return }
    handOut(untilOver: nil)
    update()
  }

  /// What comes from now on has another pace, and what waits still the old one.
  func change(to pace: LinePace) {
    if bytes.isEmpty { self.pace = pace } else { change = (bytes.count, pace) }
  }

  /// Hands out what waits, which is then no longer here.
  func takeAll() -> [UInt8] {
    defer { (due, dueCount, bytes, timer) = ([], 0, [], nil) }
    if let change { (pace, self.change) = (change.pace, nil) }
    return due.flatMap(\.bytes) + bytes
  }
}

// MARK: Out

extension PacedQueue {
  /// Hands out what is due, and comes back for the rest.
  private func update() {
    collectDue()
    handOut(untilOver: (scheduler.now.advanced(by: EventLoop.Slice.duration), EventLoop.Slice.bytes))
    guard !isHeld, count > 0 else { return timer = nil }
    let next = due.isEmpty ? pace.dueInstant(of: min(countOfPace, portion(pace))) : scheduler.now
    timer = scheduler.schedule(at: next) { [weak self] in self?.update() }
  }

  /// What is handed out may bring more at once, which then waits for its turn.
  ///
  /// - Parameter slice: the time after which, and the bytes after which, no other piece follows; nil: all follow.
  private func handOut(untilOver slice: (end: Instant, bytes: Int)?) {
    guard !isHandingOut else { return }
    isHandingOut = true
    var count = 0
    while !isHeld, let piece = due.popFirst() {
      count += piece.bytes.count
      dueCount -= piece.bytes.count
      onDue?(piece.bytes, piece.times)
      if due.isEmpty { collectDue() }
      if let slice, count >= slice.bytes || scheduler.now >= slice.end { break }
    }
    if due.isEmpty { due = [] }  // an empty slice would keep the room for all that ever waited
    isHandingOut = false
  }
}

// MARK: Due

extension PacedQueue {
  private func collectDue() {
    while !isHeld, let count = portionDue() {
      due.append((Array(bytes.prefix(count)), pace.dueInstant(of: 1)...pace.dueInstant(of: count)))
      dueCount += count
      if count == bytes.count { bytes = [] } else { bytes.removeFirst(count) }
      advance(by: count)
    }
  }

  /// Bytes that have the present pace.
  private var countOfPace: Int { change?.bytesBefore ?? bytes.count }

  private func advance(by count: Int) {
    pace.advance(by: count)
    guard let next = change else { return }
    change?.bytesBefore -= count
    guard count == next.bytesBefore else { return }
    let end = pace.dueInstant(of: 0)
    (pace, change) = (next.pace, nil)
    pace.begin(at: end)
  }

  /// How many bytes leave now, at most a piece: all, or whole portions; nil: none.
  private func portionDue() -> Int? {
    guard !bytes.isEmpty else { return nil }
    let (due, count, size) = (pace.due(at: scheduler.now), countOfPace, max(1, portion(pace)))
    guard due >= min(count, size) else { return nil }
    return min(due >= count ? count : due / size * size, max(size, Self.piece / size * size))
  }
}
