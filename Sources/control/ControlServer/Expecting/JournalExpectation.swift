import BlemuControl
import DeviceModel
import EventLoop
import Framing
import Peripheral
import Transcripts

/// Lines that are expected of a journal, in their order, or how often one is.
package struct ExpectedLines: Sendable {
  var patterns: [JournalPattern]
  /// How often the only line must come.
  var least = 1
  /// How often it may come until the time is over; nil: without a limit.
  var most: Int?
  /// How long to wait; zero: only what has come counts.
  var time = Duration.zero
  /// The number of the event after which it counts.
  var after = 0
  /// Whether the program has named that event; otherwise it is that of its ``ExpectationPlace``.
  var isStartGiven = true
}

/// Follows a journal until the expected events have occurred, or too often.
@EventLoop
struct JournalExpectation {
  enum Verdict: Hashable {
    case met
    /// The line of the event with this number has come more often than it may.
    case exceeded(Int)
    /// It has not come too often in the events that the journal still contains.
    case unknown
  }

  /// The event that is most similar to the missing one.
  struct NearMiss {
    var number: Int
    var reason: String
  }

  let expected: ExpectedLines
  /// The events before this one have been compared.
  private var next: Int
  /// The numbers of the matching events; for a condition, the last event before it became true.
  private(set) var matches: [Int] = []
  private(set) var nearMiss: NearMiss?
  /// How many events the journal had forgotten before they were compared.
  private(set) var forgotten = 0

  init(_ expected: ExpectedLines) {
    self.expected = expected
    next = expected.after + 1
  }

  /// The line that is awaited.
  var awaited: JournalPattern { expected.patterns[min(place, expected.patterns.count - 1)] }

  /// The index of that line.
  var place: Int { expected.patterns.count == 1 ? 0 : matches.count }

  /// The number of the last event that counts for the next expectation.
  var end: Int { expected.most == nil ? matches.last ?? expected.after : next - 1 }

  /// Compares the events that have come since the last call; nil: there is no verdict yet.
  ///
  /// - Parameter isTrue: whether a condition is true now.
  mutating func follow(_ journal: Journal, isTrue: (JournalPattern) -> Bool) -> Verdict? {
    if next < journal.first {
      forgotten += journal.first - next
      next = journal.first
    }
    repeat {
      if isComplete { return .met }
      if awaited.condition != nil {
        // It is about the present, which comes after all events so far.
        guard isTrue(awaited) else { return nil }
        next = journal.last + 1
        take(journal.last)
      } else {
        guard let entry = journal.entries(after: next - 1, most: 1).first else { break }
        next = entry.number + 1
        compare(entry)
      }
      if let most = expected.most, matches.count > most { return .exceeded(matches[most]) }
    } while true
    return isComplete ? .met : nil
  }

  private var isComplete: Bool {
    if expected.most != nil { return false }  // more may come
    return expected.patterns.count == 1
      ? matches.count >= expected.least : matches.count == expected.patterns.count
  }

  /// The verdict when the time is over; nil: not enough has come.
  var lastVerdict: Verdict? {
    guard expected.most != nil else { return isComplete ? .met : nil }
    guard matches.count >= expected.least else { return nil }
    return forgotten > 0 ? .unknown : .met
  }

  private mutating func compare(_ entry: Journal.Entry) {
    switch awaited.compare(with: entry.event.kind) {
    case .matches: take(entry.number)
    case .differs(let reason): nearMiss = NearMiss(number: entry.number, reason: reason)
    case .isOther: break
    }
  }

  private mutating func take(_ number: Int) {
    matches.append(number)
    if expected.patterns.count > 1 { nearMiss = nil }
  }
}

/// Where expectations begin that do not say it: after what the last one that was met has taken, or with the last thing that
/// was done to the device, whichever is later. So nothing that came before an act can pass for its effect.
///
/// Each connection has a place of its own. The commands of a shell, which are connections of their own, share one.
@EventLoop
final class ExpectationPlace {
  /// The number of the event after which they begin.
  private(set) var after = 0

  /// - Parameter number: of an event. The place never moves back.
  func move(to number: Int) { after = max(after, number) }
}
