import Behavior
import EventLoop
import Framing
import Peripheral

/// The values of a stream that wait for a fault, in order.
@EventLoop
final class FaultLine {
  private struct Waiting {
    var value: PassingValue
    /// When it passes; nil: not before the line opens.
    var due: Instant?
  }

  /// Values that wait for others to gather.
  private struct Gathering {
    var values: [PassingValue]
    let count: Int
    let finish: @EventLoop ([PassingValue]) -> Void
  }

  /// How long gathered values wait for the next one: longer than a slow central takes, so that a conversation fails in the same
  /// way at any speed.
  static let patience = Duration.seconds(10)

  private let scheduler: any Scheduler
  private let pass: @EventLoop (PassingValue) -> Void
  private var waiting: ArraySlice<Waiting> = []
  private var gathering: Gathering?
  private var timer: AnyObject?
  /// Whether values wait until the line is opened.
  private var isClosed = false
  /// When a line of limited speed has carried all its values.
  private var freeAt = Instant()

  init(_ scheduler: any Scheduler, pass: @escaping @EventLoop (PassingValue) -> Void) {
    (self.scheduler, self.pass) = (scheduler, pass)
  }

  /// How many values wait.
  var count: Int { waiting.count }

  /// How many bytes wait.
  var byteCount: Int { waiting.reduce(0) { $0 + $1.value.bytes.count } }

  /// Whether the next value must wait or join others, whatever the fault's effect on it.
  var takesAll: Bool { isClosed || gathering != nil }

  /// Passes a value on, after the waiting ones.
  func append(_ value: PassingValue) {
    if gathering != nil { return gather(value) }
    if waiting.isEmpty, !isClosed { return pass(value) }
    waiting.append(Waiting(value: value, due: isClosed ? nil : scheduler.now))
  }

  /// Passes a value on at a time, after the waiting ones.
  func append(_ value: PassingValue, at due: Instant) {
    waiting.append(Waiting(value: value, due: due))
    if waiting.count == 1 { schedule() }
  }

  /// Passes a value on when a line of this speed would have carried it.
  func append(_ value: PassingValue, bytesPerSecond speed: Int) {
    let start = max(freeAt, scheduler.now)
    freeAt = start.advanced(by: .microseconds(value.bytes.count * 1_000_000 / speed))
    append(value, at: freeAt)
  }
}

// MARK: Closing

extension FaultLine {
  /// Holds this value and later ones, for a time or until the fault is removed.
  func block(with value: PassingValue, for time: Duration?) {
    isClosed = true
    waiting.append(Waiting(value: value, due: nil))
    timer = time.map { time in
      scheduler.schedule(at: scheduler.now.advanced(by: time)) { [weak self] in self?.open() }
    }
  }

  /// Releases all waiting values.
  private func open() {
    isClosed = false
    for index in waiting.indices where waiting[index].due == nil { waiting[index].due = scheduler.now }
    release()
  }

  /// Releases everything at once, because the fault is gone.
  func flush() {
    timer = nil
    isClosed = false
    settleGathering()
    while let next = waiting.popFirst() { pass(next.value) }
  }

  /// Drops the values that a condition is true for.
  func remove(where condition: (PassingValue) -> Bool) {
    for each in waiting where condition(each.value) { each.value.settle() }
    waiting.removeAll { condition($0.value) }
    if let values = gathering?.values, values.contains(where: condition) { gathering = nil }
    if !isClosed { schedule() }
  }

  private func release() {
    while let next = waiting.first, let due = next.due, due <= scheduler.now, !isClosed {
      waiting.removeFirst()
      pass(next.value)
    }
    if !isClosed { schedule() }
  }

  private func schedule() {
    guard !isClosed, gathering == nil else { return }
    timer = waiting.first?.due.map { due in
      scheduler.schedule(at: due) { [weak self] in self?.release() }
    }
  }
}

// MARK: Gathering

extension FaultLine {
  /// Gathers a value and later ones, and passes them on combined.
  ///
  /// - Parameter finish: takes them once there are as many as `count`.
  func gather(
    _ value: PassingValue, count: Int, finish: @escaping @EventLoop ([PassingValue]) -> Void
  ) {
    gathering = Gathering(values: [], count: count, finish: finish)
    gather(value)
    timer = scheduler.schedule(at: scheduler.now.advanced(by: Self.patience)) { [weak self] in
      self?.settleGathering()
    }
  }

  /// The central may wait for the response before it sends the next value.
  private func gather(_ value: PassingValue) {
    guard var current = gathering else { return }
    value.settle()
    current.values.append(value)
    gathering = current
    guard current.values.count == current.count else { return }
    (gathering, timer) = (nil, nil)
    current.finish(current.values)
  }

  /// Passes the gathered values on unchanged, because no other has arrived.
  private func settleGathering() {
    let values = gathering?.values ?? []
    (gathering, timer) = (nil, nil)
    for value in values { pass(value) }
  }
}
