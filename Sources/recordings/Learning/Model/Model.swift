import Bluetooth
import Framing

/// What the messages of a device have to do with each other.
struct Model: Hashable, Sendable {
  var streams: [StreamAnalysis]
  let timeline: Timeline
  var reactions: [Reaction] = []
  private(set) var reports: [Report] = []
  /// The streams of requests with effects that are not explained.
  private var unexplainedRequests: Set<Int> = []
  var layouts: [MessageID: MessageLayout] = [:]
  /// By a kind of requests that were never recorded: a recorded one that has such an answer.
  var examples: [MessageID: MessageID] = [:]
  /// The characteristics that answer as recorded, by the handles of their values.
  private let excluded: Set<AttributeHandle>

  init(
    _ streams: [StreamAnalysis], _ conversations: [Conversation], _ table: ObservedTable,
    except excluded: Set<AttributeHandle>
  ) {
    (self.streams, self.excluded) = (streams, excluded)
    let requests = streams.filter { $0.stream.direction == .fromCentral }.flatMap(\.stream.values).map(
      \.bytes)
    for index in streams.indices {
      self.streams[index].addValuesBetweenFrames(Set(requests))
    }
    self.streams.cutRequests(by: Timeline(self.streams, conversations, table))
    self.streams.divideRequests(by: Timeline(self.streams, conversations, table))
    self.streams.joinAnswers(by: Timeline(self.streams, conversations, table))
    timeline = Timeline(self.streams, conversations, table)
    reactions = timeline.reactions()
    reports = timeline.reports(except: Set(reactions.flatMap { $0.steps.map(\.message) }))
    openSharedCounters()
    keepExplained()
    findQuestions()
    for stream in explainedRequests { self.streams[stream].openUnneededConstants() }
    addUnknownKinds()
    nameSentMessages()
    for stream in self.streams.indices {
      for message in self.streams[stream].messages.indices {
        let id = MessageID(stream: stream, message: message)
        layouts[id] = MessageLayout(
          self[id], isSent: self.streams[stream].stream.direction == .fromDevice, samples: frames(of: id))
      }
    }
  }

  subscript(id: MessageID) -> LearntMessage { streams[id.stream].messages[id.message] }

  func frame(_ sent: SentFrame) -> [UInt8] { bytes(sent.message.stream, sent.frame) }

  func bytes(_ stream: Int, _ frame: Int) -> [UInt8] {
    streams[stream].frames.indices.contains(frame) ? streams[stream].frames[frame].bytes : []
  }

  func frames(of id: MessageID) -> [[UInt8]] { self[id].frames.map { bytes(id.stream, $0) } }

  /// The frames of a message that the model sends, in order.
  func sent(_ id: MessageID) -> [SentFrame] {
    let answers = reactions.flatMap { $0.steps.filter { $0.message == id }.flatMap { $0.cases.map(\.sent) } }
    let reported = reports.filter { $0.message == id }.flatMap(\.sent)
    let following = reports.flatMap { $0.then.filter { $0.message == id }.flatMap { $0.cases.map(\.sent) } }
    return (answers + reported + following).sorted { ($0.start, $0.frame) < ($1.start, $1.frame) }
  }
}

// MARK: What suffices

extension Model {
  /// The streams of the device that the model sends as recorded.
  var explained: Set<Int> { Set(streams.indices.filter(isExplained)) }

  /// The streams of requests whose effects are all explained.
  var explainedRequests: Set<Int> {
    Set(
      streams.indices.filter {
        streams[$0].stream.direction == .fromCentral && !streams[$0].messages.isEmpty
          && !excluded.contains(streams[$0].stream.handle)
      }
    ).subtracting(unexplainedRequests)
  }

  /// Leaves out what is sent on streams that are not explained, and what their requests lead to elsewhere.
  private mutating func keepExplained() {
    while true {
      let explained = explained
      let unexplained = Set(streams.indices.filter { streams[$0].stream.direction == .fromDevice })
        .subtracting(explained)
      unexplainedRequests.formUnion(timeline.requests(before: unexplained))
      unexplainedRequests.formUnion(requestsWithoutReaction(before: unexplained))
      let before = (reactions.count, reports.count)
      reactions = reactions.filter { reaction in
        !isUnexplained(reaction.cause) && reaction.steps.allSatisfy { explained.contains($0.message.stream) }
      }
      reports = reports.filter { report in
        explained.contains(report.message.stream) && report.start.map(isUnexplained) != true
      }
      if before == (reactions.count, reports.count) { return }
    }
  }

  private mutating func findQuestions() {
    let answered = Set(reactions.map(\.cause) + reports.compactMap(\.start))
    for index in reports.indices {
      reports[index].questions = timeline.questions(for: reports[index]).filter {
        !answered.contains($0.key) && !isUnexplained($0.key)
      }
    }
  }

  /// The streams of requests of which no reaction is known, but which values on other streams follow.
  private func requestsWithoutReaction(before streams: Set<Int>) -> Set<Int> {
    let answered = reactions.compactMap { reaction in
      if case .request(let id) = reaction.cause { id.stream } else { nil }
    }
    let followed = streams.flatMap { timeline.counts(of: self.streams[$0].stream.values).keys }
    return Set(followed).subtracting(answered)
  }

  private func isUnexplained(_ cause: Cause) -> Bool {
    if case .request(let id) = cause { unexplainedRequests.contains(id.stream) } else { false }
  }

  /// Whether nine of ten frames are reactions or reports, and enough of them to tell: two answered requests, or a report.
  func isExplained(_ stream: Int) -> Bool {
    let analysis = streams[stream]
    guard analysis.stream.direction == .fromDevice, !analysis.frames.isEmpty,
      !excluded.contains(analysis.stream.handle)
    else { return false }
    let (frames, explained) = counts(of: stream)
    let unframed = analysis.unframed.count
    guard explained * 10 >= frames * 9, unframed * 10 <= analysis.stream.values.count else { return false }
    return hasReport(stream) || answeredRequests(stream) > 1
  }

  /// How many frames the device sent on a stream, and how many of them the model explains.
  func counts(of stream: Int) -> (frames: Int, explained: Int) {
    let ids = streams[stream].messages.indices.map { MessageID(stream: stream, message: $0) }
      .filter { self[$0].hasForm }
    return (streams[stream].frames.count, Set(ids.flatMap { sent($0).map(\.frame) }).count)
  }

  private func hasReport(_ stream: Int) -> Bool { reports.contains { $0.message.stream == stream } }

  /// How many requests have led to answers on a stream.
  private func answeredRequests(_ stream: Int) -> Int {
    var requests: Set<SentFrame> = []
    for reaction in reactions {
      guard case .request = reaction.cause,
        let step = reaction.steps.first(where: { $0.message.stream == stream })
      else { continue }
      requests.formUnion(step.cases.map(\.sent))
    }
    return requests.count
  }
}
