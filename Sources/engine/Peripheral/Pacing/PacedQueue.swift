import EventLoop
import Framing

/// Delivers bytes when they are due, in portions, and never more at once than a slice of the loop's time allows.
@EventLoop
final class PacedQueue {
  /// The most bytes delivered in one piece, unless a portion is longer. All their effects come before anything else.
  private static let piece = 256

  private var pace: LinePace
  private let scheduler: any Scheduler
  /// The size of a portion in bytes. The last one of a burst may be smaller.
  private let portion: @EventLoop (LinePace) -> Int
  /// The bytes that are not due yet.
  private var bytes: ArraySlice<UInt8> = []
  /// The pieces that are due but not delivered, with the times at which their first and last bytes were due.
  private var due: ArraySlice<(bytes: [UInt8], times: ClosedRange<Instant>)> = []
  private var dueCount = 0
  private var isDelivering = false
  private var timer: AnyObject?
  /// The next pace, and the number of bytes before it.
  private var change: (bytesBefore: Int, pace: LinePace)?
  /// Receives each piece, with the times at which its first and last bytes were due.
  var onDue: (([UInt8], ClosedRange<Instant>) -> Void)?

  init(
    _ pace: LinePace, _ scheduler: any Scheduler, portion: @escaping @EventLoop (LinePace) -> Int
  ) {
    self.pace = pace
    self.scheduler = scheduler
    self.portion = portion
  }

  /// The number of bytes that are not delivered.
  var count: Int { dueCount + bytes.count }

  /// While held, the queue delivers nothing, and the time does not count afterwards.
  var isHeld = false {
    didSet {
      guard isHeld != oldValue else { return }
      timer = nil
      if !isHeld { pace.begin(at: scheduler.now) }
      update()
    }
  }

  /// Adds bytes that arrive now. If all waiting bytes were already due, the line has been silent since.
  func append(_ more: [UInt8]) {
    let isBehind = !due.isEmpty
    collectDue()
    if bytes.isEmpty { pace.begin(at: scheduler.now) }
    bytes += more
    // A queue that is behind already uses a slice of every turn.
    if isBehind { collectDue() } else { update() }
  }

  /// Delivers all due bytes, however long that takes.
  func deliverDue() {
    collectDue()
    guard !due.isEmpty, !isDelivering else { return }
    deliver(untilOver: nil)
    update()
  }

  /// Sets the pace for later bytes. Waiting bytes keep the old one.
  func change(to pace: LinePace) {
    if bytes.isEmpty { self.pace = pace } else { change = (bytes.count, pace) }
  }

  /// Removes and returns all waiting bytes.
  func takeAll() -> [UInt8] {
    defer { (due, dueCount, bytes, timer) = ([], 0, [], nil) }
    if let change { (pace, self.change) = (change.pace, nil) }
    return due.flatMap(\.bytes) + bytes
  }
}

// MARK: Delivering

extension PacedQueue {
  /// Delivers due bytes, and sets a timer for the rest.
  private func update() {
    collectDue()
    deliver(untilOver: (scheduler.now.advanced(by: EventLoop.Slice.duration), EventLoop.Slice.bytes))
    guard !isHeld, count > 0 else { return timer = nil }
    let next = due.isEmpty ? pace.dueInstant(of: min(countOfPace, portion(pace))) : scheduler.now
    timer = scheduler.schedule(at: next) { [weak self] in self?.update() }
  }

  /// Delivers pieces. A receiver may append more bytes meanwhile, which wait for their turn.
  ///
  /// - Parameter slice: the limits of time and bytes after which no other piece follows; nil for no limits.
  private func deliver(untilOver slice: (end: Instant, bytes: Int)?) {
    guard !isDelivering else { return }
    isDelivering = true
    var count = 0
    while !isHeld, let piece = due.popFirst() {
      count += piece.bytes.count
      dueCount -= piece.bytes.count
      onDue?(piece.bytes, piece.times)
      if due.isEmpty { collectDue() }
      if let slice, count >= slice.bytes || scheduler.now >= slice.end { break }
    }
    if due.isEmpty { due = [] }  // an empty slice would keep its memory
    isDelivering = false
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

  /// The number of bytes with the current pace.
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

  /// The number of bytes to deliver now, at most a piece: all, or whole portions; nil if none are due.
  private func portionDue() -> Int? {
    guard !bytes.isEmpty else { return nil }
    let (due, count, size) = (pace.due(at: scheduler.now), countOfPace, max(1, portion(pace)))
    guard due >= min(count, size) else { return nil }
    return min(due >= count ? count : due / size * size, max(size, Self.piece / size * size))
  }
}
