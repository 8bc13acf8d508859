import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// A program outside that handles reads and writes of centrals before the rules.
@EventLoop
package final class Interceptor {
  package let number: Int
  /// The owner for the log, as in ` (process 4711)`.
  package let note: String
  /// The time limit for an answer.
  let time: Duration
  /// Whether it wants single writes even where a message may take several.
  let takesParts: Bool
  /// Whether it wants an event.
  let wants: @Sendable (TrafficEvent.Kind) -> Bool
  /// Asks the program, which answers at once, later, or never.
  let ask: (InterceptorQuestion) -> Void

  package init(
    number: Int, note: String, time: Duration, takesParts: Bool,
    wants: @escaping @Sendable (TrafficEvent.Kind) -> Bool, ask: @escaping (InterceptorQuestion) -> Void
  ) {
    (self.number, self.note, self.time) = (number, note, time)
    (self.takesParts, self.wants, self.ask) = (takesParts, wants, ask)
  }

  package var name: String { "intercept \(number)" }

  func takes(_ event: InterceptedEvent) -> Bool { (takesParts || !event.isPart) && wants(event.kind) }
}

/// Something that an interceptor may want.
struct InterceptedEvent: Sendable {
  var kind: TrafficEvent.Kind
  /// Whether it may be a part of a message.
  var isPart: Bool

  init(_ kind: TrafficEvent.Kind, isPart: Bool = false) { (self.kind, self.isPart) = (kind, isPart) }
}

/// The answer of an interceptor.
package enum InterceptorAnswer: Hashable, Sendable {
  /// The rules handle the event as usual.
  case goesOn
  /// The value of a read; otherwise the bytes that the central gets from an endpoint, with the index of their message, if they are
  /// one. If there are no bytes, the central gets nothing.
  case value([UInt8], message: Int?, from: Endpoint)
  case refused(ATTError)
  /// It cannot answer, for this reason. The rules handle the event, and the log shows the reason.
  case failed(String)
}

/// A question to an interceptor.
@EventLoop
package final class InterceptorQuestion {
  /// A read, a write, or a message in several writes: a ``TrafficEvent/Kind/frame(_:_:_:message:isSent:)``.
  package let event: TrafficEvent.Kind
  package let interceptor: Interceptor
  /// The time limit for the answer.
  package let time: Duration
  /// The endpoint from which the answer to a message leaves, unless the answer names another.
  package let place: Endpoint
  /// The end of the time.
  let due: Instant
  private let scheduler: any Scheduler
  private var timer: AnyObject?
  /// nil: the question has ended.
  private var take: ((InterceptorAnswer) -> Void)?

  init(
    _ event: TrafficEvent.Kind, to interceptor: Interceptor, at place: Endpoint, within time: Duration,
    _ scheduler: any Scheduler, take: @escaping (InterceptorAnswer) -> Void
  ) {
    (self.event, self.interceptor, self.place, self.time) = (event, interceptor, place, time)
    due = scheduler.now.advanced(by: time)
    (self.scheduler, self.take) = (scheduler, take)
    timer = scheduler.schedule(at: due) { [weak self] in
      guard let self else { return }
      answer(.failed("has not answered \(event.interceptedWords) within \(time.inSeconds) s"))
    }
  }

  package var isOpen: Bool { take != nil }

  package var isRead: Bool { if case .read = event { true } else { false } }

  /// The lateness of an answer that arrives now.
  package var lateness: Duration { due.duration(to: scheduler.now) }

  /// The first answer counts.
  package func answer(_ answer: InterceptorAnswer) {
    let take = take
    end()
    take?(answer)
  }

  /// Ends the question without an answer.
  func end() { (take, timer) = (nil, nil) }
}

extension TrafficEvent.Kind {
  /// The event in the words of a transcript: `'> FFE1 01 02'`, `'read level'`.
  package var interceptedWords: String {
    switch self {
    case .read(_, let id, _, _): "'read \(id)'"
    case .write(_, let id, let value, let kind, _):
      "'\(kind == .command ? ">!" : ">") \(id) \(HexText.format(Array(value.prefix(20))))\(value.count > 20 ? " …" : "")'"
    case .frame(_, let id, let value, _, _):
      "'> \(id) \(HexText.format(Array(value.prefix(20))))\(value.count > 20 ? " …" : "")'"
    default: "it"
    }
  }
}
