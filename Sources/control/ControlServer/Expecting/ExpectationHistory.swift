import BlemuControl
import BlemuJSON
import EventLoop

/// Remembers what programs have expected of a device, so that an interface can show it: the last 100.
@EventLoop
final class ExpectationHistory {
  static let most = 100
  /// What is kept of each, so that all of them are a line that a program may take: lines, characters of a text, and events.
  fileprivate nonisolated static let (mostLines, longestText, mostEvents) = (20, 1000, 100)

  enum State {
    case waiting, met
    case failed(ControlError)
    /// The program has ended before, or has given it up.
    case withdrawn
  }

  /// An expectation, as far as its server has told of it.
  final class Entry {
    fileprivate let number: Int
    fileprivate let lines: [String]
    fileprivate let (within, least, most): (Int, Int?, Int?)
    fileprivate let process: Int32?
    fileprivate let began = EventLoop.now
    fileprivate var events: [Int] = []
    fileprivate var count = 0
    fileprivate var state = State.waiting
    fileprivate var ended: Int64?

    fileprivate init(_ number: Int, _ expected: ExpectedLines, _ process: Int32?) {
      (self.number, self.process) = (number, process)
      lines = expected.patterns.prefix(ExpectationHistory.mostLines).map { ExpectationHistory.cut($0.text) }
      within = Int(expected.time.wholeMilliseconds)
      (least, most) = (expected.patterns.count == 1 ? expected.least : nil, expected.most)
    }

    /// - Parameter events: the numbers of all events that have met it so far.
    func note(_ events: [Int], _ state: State) {
      (self.events, count) = (Array(events.suffix(ExpectationHistory.mostEvents)), events.count)
      self.state = state
      if case .waiting = state {} else { ended = EventLoop.now }
    }
  }

  fileprivate nonisolated static func cut(_ text: String, to length: Int = longestText) -> String {
    text.utf8.count > length ? text.prefix(length) + "…" : text
  }

  private var entries: [Entry] = []
  private var last = 0

  func begin(_ expected: ExpectedLines, process: Int32?) -> Entry {
    last += 1
    let entry = Entry(last, expected, process)
    entries.append(entry)
    if entries.count > Self.most { entries.removeFirst() }
    return entry
  }

  /// All of them, oldest first.
  var json: JSONValue { ["expectations": .array(entries.map(\.json))] }
}

extension ExpectationHistory.Entry {
  fileprivate var json: JSONValue {
    let head: JSONValue = [
      "number": .integer(number), "lines": .array(lines.map(JSONValue.string)), "within": .integer(within),
    ]
    let error: ControlError? = if case .failed(let error) = state { error } else { nil }
    return head.adding([
      "at-least": least.map(JSONValue.integer), "at-most": most.map(JSONValue.integer),
      "state": .string(state.word),
      "process": process.map { .integer(Int($0)) },
      "milliseconds": .integer(milliseconds(until: EventLoop.now)),
      "took": ended.map { .integer(milliseconds(until: $0)) },
      "events": .array(events.map(JSONValue.integer)), "count": .integer(count),
      "message": error.map { .string(ExpectationHistory.cut($0.message)) },
      "comparison": error?.comparison.map {
        .string(ExpectationHistory.cut($0, to: 8 * ExpectationHistory.longestText))
      },
    ])
  }

  private func milliseconds(until time: Int64) -> Int { Int((time - began) / 1000) }
}

extension ExpectationHistory.State {
  fileprivate var word: String {
    switch self {
    case .waiting: "waiting"
    case .met: "met"
    case .failed: "failed"
    case .withdrawn: "withdrawn"
    }
  }
}
