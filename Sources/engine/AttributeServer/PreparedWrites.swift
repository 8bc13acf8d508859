import Behavior
import Bluetooth

/// A part of a value that waits for an Execute Write Request.
struct PreparedWrite: Hashable, Sendable {
  var handle: AttributeHandle
  var target: WriteTarget
  var offset: Int
  var value: [UInt8]
}

/// The parts of values that wait for an Execute Write Request, in their order (Vol 3 Part F 3.4.6).
struct PreparedWrites: Sendable {
  /// How many a central may queue.
  private let limit: Int
  private var queue: [PreparedWrite] = []
  /// The events for the device that follow from those that have been executed, after the response.
  private var events: [Event] = []

  init(limit: Int) { self.limit = limit }

  var count: Int { queue.count }

  subscript(index: Int) -> PreparedWrite { queue[index] }

  mutating func append(_ write: PreparedWrite) throws(ATTError) {
    guard queue.count < limit else { throw .prepareQueueFull }
    queue.append(write)
  }

  /// Joins parts of one value that follow each other.
  mutating func join() {
    var joined: [PreparedWrite] = []
    for write in queue {
      if let last = joined.last, last.handle == write.handle, last.offset + last.value.count == write.offset {
        joined[joined.count - 1].value += write.value
      } else {
        joined.append(write)
      }
    }
    queue = joined
  }

  /// The size to which the parts before one extend its value.
  func size(before index: Int) -> Int {
    let earlier = queue[..<index].filter { $0.handle == queue[index].handle }
    return earlier.map { $0.offset + $0.value.count }.max() ?? 0
  }

  mutating func removeFirst() -> PreparedWrite? { queue.isEmpty ? nil : queue.removeFirst() }

  mutating func drop() { queue = [] }

  /// Drops those for other handles.
  mutating func keep(_ isKept: (AttributeHandle) -> Bool) { queue.removeAll { !isKept($0.handle) } }

  mutating func add(_ new: [Event]) { events += new }

  mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }
}
