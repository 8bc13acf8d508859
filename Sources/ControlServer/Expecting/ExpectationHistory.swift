import BlemuControl
import BlemuJSON
import EventLoop

/// Remembers what programs have expected of a device, so that an interface can show it: the last 100.
@EventLoop
final class ExpectationHistory {
  static let most = 100

  enum State {
    case waiting, met
    case failed(ControlError)
    /// The program has ended before.
    case withdrawn
  }

  /// An expectation, which its server keeps up to date.
  final class Entry {
    fileprivate let number: Int
    fileprivate let expected: ExpectedLines
    fileprivate let process: Int32?
    fileprivate let began = EventLoop.now
    /// The numbers of the events that have met it.
    var events: [Int] = []
    var state = State.waiting {
      didSet { ended = EventLoop.now }
    }
    private(set) fileprivate var ended: Int64?

    fileprivate init(_ number: Int, _ expected: ExpectedLines, _ process: Int32?) {
      (self.number, self.expected, self.process) = (number, expected, process)
    }
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
      "number": .integer(number), "lines": .array(expected.patterns.map { .string($0.text) }),
      "within": .integer(Int(expected.time.wholeMilliseconds)),
    ]
    let error: ControlError? = if case .failed(let error) = state { error } else { nil }
    return head.adding([
      "at-least": expected.patterns.count == 1 ? .integer(expected.least) : nil,
      "at-most": expected.most.map(JSONValue.integer), "state": .string(state.word),
      "process": process.map { .integer(Int($0)) },
      "milliseconds": .integer(milliseconds(until: EventLoop.now)),
      "took": ended.map { .integer(milliseconds(until: $0)) },
      "events": .array(events.map(JSONValue.integer)),
      "message": error.map { .string($0.message) }, "comparison": error?.comparison.map(JSONValue.string),
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
