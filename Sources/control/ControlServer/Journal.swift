import Behavior
import EventLoop
import Peripheral

/// Everything that has happened to a device, numbered from 1, as far as there is room for it.
@EventLoop
package final class Journal: TrafficSink {
  /// An event with its number.
  package struct Entry: Sendable {
    package var number: Int
    package var event: TrafficEvent
  }

  /// The most events, and the most bytes that they may take.
  package nonisolated static let mostEvents = 10_000
  package nonisolated static let mostBytes = 8 << 20

  /// Those before ``start`` are forgotten.
  private var entries: [Entry] = []
  private var start = 0
  private var size = 0
  /// The number of the last event; 0: none has come.
  package private(set) var last = 0
  /// Called after each event.
  var onEvent: (() -> Void)?

  package init() {}

  package var takesFrames: Bool { true }

  package func take(_ event: TrafficEvent) {
    if repeatsLast(event.kind) { return }
    last += 1
    size += event.kind.size
    entries.append(Entry(number: last, event: event))
    while entries.count - start > Self.mostEvents || size > Self.mostBytes { forgetFirst() }
    onEvent?()
  }

  /// Whether a frame is just the value before it.
  private func repeatsLast(_ kind: TrafficEvent.Kind) -> Bool {
    // Most events are neither, and are not copied.
    switch kind {
    case .frame, .oneSided: break
    default: return false
    }
    guard case .frame(let central, let place, let bytes, _, _) = kind.withoutSide, let last = entries.last
    else { return false }
    return switch last.event.kind.withoutSide {
    case .write(central, place, bytes, _, refused: nil): true
    case .wireIn(bytes): place == "wire"
    default: false
    }
  }

  private func forgetFirst() {
    size -= entries[start].event.kind.size
    start += 1
    // Only rarely, so that it costs little per event.
    guard start >= 4096 else { return }
    entries.removeFirst(start)
    start = 0
  }
}

// MARK: Reading

extension Journal {
  /// The number of the first event that is kept; one more than ``last`` if there is none.
  package var first: Int { last - (entries.count - start) + 1 }

  /// The events after one, oldest first; at most so many.
  package func entries(after number: Int, most: Int = .max) -> ArraySlice<Entry> {
    let begin = start + max(0, number - first + 1)
    guard begin < entries.count else { return [] }
    return entries[begin..<(most < entries.count - begin ? begin + most : entries.count)]
  }
}

extension TrafficEvent.Kind {
  /// What it takes in memory, bytes: about that much.
  fileprivate var size: Int {
    let content =
      switch self {
      case .write(_, _, let value, _, _), .read(_, _, let value, _), .notify(_, let value, _),
        .indicate(_, let value, _), .wireIn(let value), .wireOut(let value, _), .plain(_, let value, _),
        .frame(_, _, let value, _, _):
        value.count
      case .sent(let sent): sent.bytes.count + MemoryLayout<SentValue>.stride
      case .oneSided(_, let event): event.size
      case .warning(let text, _, let value): text.utf8.count + value.count
      case .fault(let strike):
        (strike.value?.count ?? 0) + (strike.replacement ?? []).reduce(0) { $0 + $1.count + 64 } + 256
      case .log(let text), .error(let text): text.utf8.count
      case .controlled(let operation): operation.words.utf8.count
      case .intercepted(_, .began(let line)): line.utf8.count
      default: 0
      }
    return content + 2 * MemoryLayout<Self>.stride
  }
}
