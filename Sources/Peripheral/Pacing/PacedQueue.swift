import EventLoop
import Framing

/// Bytes that leave when they are due, in portions.
@EventLoop
final class PacedQueue {
  private var pace: LinePace
  private let scheduler: any Scheduler
  /// Bytes of a portion; the last of a burst may have fewer.
  private let portion: @EventLoop (LinePace) -> Int
  private var bytes: ArraySlice<UInt8> = []
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

  var count: Int { bytes.count }

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
    let due = takeDue()
    if bytes.isEmpty { pace.begin(at: scheduler.now) }
    bytes += more
    if let due { onDue?(due.bytes, due.times) }
    update()
  }

  /// What comes from now on has another pace, and what waits still the old one.
  func change(to pace: LinePace) {
    if bytes.isEmpty { self.pace = pace } else { change = (bytes.count, pace) }
  }

  /// Hands out what waits, which is then no longer here.
  func takeAll() -> [UInt8] {
    defer { (bytes, timer) = ([], nil) }
    if let change { (pace, self.change) = (change.pace, nil) }
    return Array(bytes)
  }
}

extension PacedQueue {
  /// Hands out what is due, and comes back for the rest.
  private func update() {
    while let due = takeDue() { onDue?(due.bytes, due.times) }
    guard !isHeld, !bytes.isEmpty else { return timer = nil }
    let next = pace.dueInstant(of: min(countOfPace, portion(pace)))
    timer = scheduler.schedule(at: next) { [weak self] in self?.update() }
  }

  private func takeDue() -> (bytes: [UInt8], times: ClosedRange<Instant>)? {
    guard !isHeld, let count = portionDue() else { return nil }
    let times = pace.dueInstant(of: 1)...pace.dueInstant(of: count)
    advance(by: count)
    let due = Array(bytes.prefix(count))
    // An empty slice would keep the room for all that ever waited.
    if count == bytes.count { bytes = [] } else { bytes.removeFirst(count) }
    return (due, times)
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

  /// How many bytes leave now: all, or whole portions; nil: none.
  private func portionDue() -> Int? {
    guard !bytes.isEmpty else { return nil }
    let (due, count) = (pace.due(at: scheduler.now), countOfPace)
    if due >= count { return count }
    let size = max(1, portion(pace))
    return due >= size ? due / size * size : nil
  }
}
