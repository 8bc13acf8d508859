import BlemuControl
import BlemuJSON
import EventLoop

/// Answers requests for the journal, and lets those wait that ask for events which have not come yet.
///
/// A program that asks again and again gets all events as fast as it reads them, and nothing piles up for one that does not.
@EventLoop
final class JournalPulls {
  /// The most requests that wait at once; further ones are answered at once.
  private static let most = 1000
  /// How long events are gathered before those that wait get them.
  private static let pause = Duration.milliseconds(20)

  private struct Pull {
    var session: ControlSession
    var reply: ControlReply
    var parameters: JSONValue
    var deadline: EventLoop.Timer
  }

  private let journal: Journal
  private let answer: (_ parameters: JSONValue) -> String
  private var pulls: [Pull] = []
  private var timer: EventLoop.Timer?
  private var isGathering = false

  init(of journal: Journal, answer: @escaping (JSONValue) -> String) {
    (self.journal, self.answer) = (journal, answer)
    timer = EventLoop.Timer { [weak self] in self?.answerAll() }
  }

  func take(_ parameters: JSONValue, of session: ControlSession, _ reply: ControlReply) {
    let wait = parameters["wait"]?.wholeNumber ?? 0
    guard wait > 0, pulls.count < Self.most, (parameters["after"]?.wholeNumber ?? 0) >= journal.last else {
      return reply.succeed(json: answer(parameters))
    }
    let deadline = EventLoop.after(.milliseconds(wait)) { [weak self] in self?.timeIsOver(reply) }
    pulls.append(Pull(session: session, reply: reply, parameters: parameters, deadline: deadline))
  }

  /// Called after each event of the journal.
  func eventCame() {
    guard !pulls.isEmpty, !isGathering else { return }
    isGathering = true
    timer?.fire(after: Self.pause)
  }

  func end(of session: ControlSession) {
    for pull in pulls where pull.session === session { pull.deadline.cancel() }
    pulls.removeAll { $0.session === session }
  }

  /// Takes out the request of a session with this id; nil: none waits.
  func remove(_ id: JSONValue, of session: ControlSession) -> ControlReply? {
    guard let index = pulls.firstIndex(where: { $0.session === session && $0.reply.id == id }) else {
      return nil
    }
    let pull = pulls.remove(at: index)
    pull.deadline.cancel()
    return pull.reply
  }

  private func answerAll() {
    isGathering = false
    let all = pulls
    pulls = []
    for pull in all {
      pull.deadline.cancel()
      pull.reply.succeed(json: answer(pull.parameters))
    }
  }

  private func timeIsOver(_ reply: ControlReply) {
    guard let index = pulls.firstIndex(where: { $0.reply === reply }) else { return }
    let pull = pulls.remove(at: index)
    pull.reply.succeed(json: answer(pull.parameters))
  }
}
