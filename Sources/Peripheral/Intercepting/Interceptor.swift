import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Traffic

/// Somebody outside who takes over what centrals do, before the rules: a program.
@EventLoop
package final class Interceptor {
  package let number: Int
  /// Whose it is, for the log, as in ` (process 4711)`.
  package let note: String
  /// How long it may take to answer.
  let time: Duration
  /// Whether it wants single writes where several may come to a message.
  let takesParts: Bool
  /// Whether it wants an event if that comes.
  let wants: @Sendable (TrafficEvent.Kind) -> Bool
  /// Asks it. It answers at once, later, or never.
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
  /// The rules get it, as if nothing had been.
  case goesOn
  /// The value of a read; otherwise what the central gets, with the index of the message that it is, from there. Of no bytes it
  /// gets none.
  case value([UInt8], message: Int?, from: Endpoint)
  case refused(ATTError)
  /// It cannot answer, for this reason: the rules go on, and the log says so.
  case failed(String)
}

/// What an interceptor is asked, once.
@EventLoop
package final class InterceptorQuestion {
  /// A read, a write, or a message that is no write: a ``TrafficEvent/Kind/frame(_:_:_:message:isSent:)``.
  package let event: TrafficEvent.Kind
  package let interceptor: Interceptor
  /// How long there is for the answer.
  package let time: Duration
  /// Where the answer to a message goes unless somebody says otherwise.
  package let place: Endpoint
  /// When the time is over.
  let due: Instant
  private let scheduler: any Scheduler
  private var timer: AnyObject?
  /// nil: it has been answered, or is over.
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

  /// How late an answer is that comes now.
  package var lateness: Duration { due.duration(to: scheduler.now) }

  /// The first answer counts.
  package func answer(_ answer: InterceptorAnswer) {
    let take = take
    end()
    take?(answer)
  }

  /// Nobody waits for the answer any more.
  func end() { (take, timer) = (nil, nil) }
}

extension TrafficEvent.Kind {
  /// What an interceptor is asked about: `> FFE1 01 02`, `read level`.
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
