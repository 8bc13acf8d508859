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
  /// Takes what is due.
  var onDue: (([UInt8]) -> Void)?

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

  func append(_ more: [UInt8]) {
    if bytes.isEmpty { pace.begin(at: scheduler.now) }
    bytes += more
    update()
  }

  /// Hands out what waits, which is then no longer here.
  func takeAll() -> [UInt8] {
    defer { (bytes, timer) = ([], nil) }
    return Array(bytes)
  }
}

extension PacedQueue {
  /// Hands out what is due, and comes back for the rest.
  private func update() {
    while !isHeld, let count = portionDue() {
      pace.advance(by: count)
      let portion = Array(bytes.prefix(count))
      bytes.removeFirst(count)
      onDue?(portion)
    }
    guard !isHeld, !bytes.isEmpty else { return timer = nil }
    let next = pace.dueInstant(of: min(bytes.count, portion(pace)))
    timer = scheduler.schedule(at: next) { [weak self] in self?.update() }
  }

  /// How many bytes leave now: all, or whole portions; nil: none.
  private func portionDue() -> Int? {
    guard !bytes.isEmpty else { return nil }
    let due = pace.due(at: scheduler.now)
    if due >= bytes.count { return bytes.count }
    let size = max(1, portion(pace))
    return due >= size ? due / size * size : nil
  }
}
