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

  private var kept = Kept()
  /// Called after each event.
  var onEvent: (() -> Void)?

  package init() {}

  package var takesFrames: Bool { true }

  package func take(_ event: consuming TrafficEvent) {
    kept.add(event)
    onEvent?()
  }
}

/// The events of a journal. Swift checks one access to all of this for each event.
private struct Kept {
  /// Those before ``start`` are forgotten.
  var entries: [Journal.Entry] = []
  var start = 0
  private var size = 0
  /// The number of the last event.
  var last = 0

  mutating func add(_ event: consuming TrafficEvent) {
    last += 1
    size += event.kind.size
    entries.append(Journal.Entry(number: last, event: event))
    while entries.count - start > Journal.mostEvents || size > Journal.mostBytes { forgetFirst() }
  }

  private mutating func forgetFirst() {
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
  /// The number of the last event; 0: none has come.
  package var last: Int { kept.last }

  /// The number of the first event that is kept; one more than ``last`` if there is none.
  package var first: Int { kept.last - (kept.entries.count - kept.start) + 1 }

  /// The events after one, oldest first; at most so many.
  package func entries(after number: Int, most: Int = .max) -> ArraySlice<Entry> {
    let begin = kept.start + max(0, number - first + 1)
    guard begin < kept.entries.count else { return [] }
    return kept.entries[begin..<(most < kept.entries.count - begin ? begin + most : kept.entries.count)]
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
