import Framing

extension [StreamAnalysis] {
  /// Divides kinds of requests whose frames lead to different answers by the byte that tells which.
  ///
  /// - Parameter timeline: of these streams.
  mutating func divideRequests(by timeline: Timeline) {
    for stream in indices where self[stream].stream.direction == .fromCentral {
      for message in self[stream].messages.indices {
        let id = MessageID(stream: stream, message: message)
        let cases = timeline.answers(to: id, in: self)
        guard let place = RequestKinds(cases, self[stream].messages[message]).place else { continue }
        self[stream].divide(message, at: place)
      }
    }
  }
}

extension [StreamAnalysis] {
  /// Makes one kind of the answers to a kind of requests if nothing in these tells which of them comes: the device was in another
  /// state. Each has come twice: once may be anything else.
  ///
  /// - Parameter timeline: of these streams.
  mutating func joinAnswers(by timeline: Timeline) {
    for stream in indices where self[stream].stream.direction == .fromCentral {
      for message in self[stream].messages.indices {
        let cases = timeline.answers(to: MessageID(stream: stream, message: message), in: self)
        let answered = cases.compactMap(\.message)
        let kinds = answered.distinct
        guard answered.count == cases.count, let usual = answered.mostCommon({ $0 })?.count,
          usual * 4 < cases.count * 3, kinds.allSatisfy({ kind in answered.count { $0 == kind } > 1 })
        else { continue }
        join(kinds, count: cases.count)
      }
    }
  }

  private mutating func join(_ kinds: [MessageID], count: Int) {
    let stream = kinds[0].stream
    guard kinds.allSatisfy({ $0.stream == stream }) else { return }
    let numbers = kinds.flatMap { self[stream].messages[$0.message].frames }.sorted()
    let frames = numbers.map { self[stream].frames[$0].bytes }
    guard numbers.count == count, Set(frames.map(\.count)).count == 1,
      kinds.allSatisfy({ !self[stream].messages[$0.message].counts })
    else { return }
    self[stream].messages[kinds[0].message].frames = numbers
    self[stream].messages[kinds[0].message].openDifferences(of: frames)
    for kind in kinds.dropFirst() { self[stream].messages[kind.message].frames = [] }
    self[stream].claims.removeAll { claim in
      kinds.dropFirst().contains { $0.message == claim.field?.message }
    }
  }
}

extension LearntMessage {
  /// Whether it is text, or some field goes on from message to message.
  fileprivate var counts: Bool {
    isText
      || parts.contains { part in
        guard case .field(let field) = part else { return false }
        return switch field.meaning {
        case .counter, .clock, .unixTime: true
        default: false
        }
      }
  }

  /// Puts fields in place of constant bytes in which frames of one size differ.
  ///
  /// - Parameter kind: the index of a byte that is a field by itself.
  mutating func openDifferences(of frames: [[UInt8]], kind: Int? = nil) {
    var place = 0
    while let first = frames.first, place < first.count {
      let width =
        place == kind
        ? 1
        : first[place...].indices.prefix { index in
          index != kind && frames.contains { $0[index] != first[index] }
        }.count
      if width > 0 {
        let name = place == kind ? "kind" : width == 1 ? "byte-\(place)" : "bytes-\(place)"
        // A checksum, and what is a field already, stays.
        _ = open(at: place, LearntField(name, width: width, .bytes))
      }
      place += Swift.max(1, width)
    }
  }
}

/// The frames of a kind of requests, with what answered each of them.
private struct RequestKinds {
  /// A request, and the first frame that came after it.
  struct Case {
    var request: [UInt8]
    /// nil: none came.
    var answer: [UInt8]?
    var message: MessageID?

  }

  /// What answers of one kind have in common. The size of answers that grow with their requests tells nothing.
  private struct Kind: Hashable {
    var message: MessageID?
    var size: Int?

    init(_ found: Case, _ sized: Bool) {
      (message, size) = (found.message, sized ? found.answer?.count : nil)
    }
  }

  /// The index of the byte that tells which answer comes; nil: all have the same, or no byte tells.
  private(set) var place: Int?

  /// Kinds are near the start.
  private static let furthest = 16
  private static let mostKinds = 64

  init(_ cases: [Case], _ message: LearntMessage) {
    let answered = cases.filter { $0.answer != nil }
    let growing = answered.mostCommon { ($0.answer?.count ?? 0) - $0.request.count }?.count ?? 0
    let sized = Set(cases.map(\.request.count)).count == 1 || growing * 4 < answered.count * 3
    guard let usual = answered.mostCommon({ Kind($0, sized) }), usual.count * 4 < answered.count * 3,
      let shortest = cases.map(\.request.count).min()
    else { return }
    var best = usual.count + (answered.count - usual.count) / 2
    for place in 0..<min(shortest, Self.furthest) where message.fixed(at: place, to: 0) != nil {
      let kinds = Dictionary(grouping: answered) { $0.request[place] }.values
      let agreeing = kinds.reduce(0) { sum, cases in
        sum + (cases.mostCommon { Kind($0, sized) }?.count ?? 0)
      }
      let count = Set(cases.map { $0.request[place] }).count
      guard count > 1, count <= Self.mostKinds, agreeing > best, agreeing * 4 >= answered.count * 3,
        count * 2 <= cases.count + 1 || Self.isEchoed(place, answered)
      else { continue }
      (best, self.place) = (agreeing, place)
    }
  }

  /// Whether a byte of the answers, at one place, is that of the requests.
  private static func isEchoed(_ place: Int, _ cases: [Case]) -> Bool {
    let shortest = cases.compactMap { $0.answer?.count }.min() ?? 0
    return (0..<min(shortest, furthest)).contains { other in
      cases.count { $0.answer?[other] == $0.request[place] } * 5 >= cases.count * 4
    }
  }
}

extension Timeline {
  /// The requests of a kind, each with the first frame that follows it before the next request.
  fileprivate func answers(to id: MessageID, in streams: [StreamAnalysis]) -> [RequestKinds.Case] {
    windows.compactMap { window in
      guard window.cause == .request(id), let frame = window.frame else { return nil }
      var found = RequestKinds.Case(request: streams[id.stream].frames[frame].bytes)
      if let first = window.sent.first, window.time.duration(to: first.start) < .seconds(2) {
        found.answer = streams[first.message.stream].frames[first.frame].bytes
        found.message = first.message
      }
      return found
    }
  }
}

extension StreamAnalysis {
  /// Makes a message of each kind of frames: those with the same byte at a place. The first keeps its index.
  fileprivate mutating func divide(_ message: Int, at place: Int) {
    let whole = messages[message]
    let kinds = whole.frames.map { frames[$0].bytes[place] }.distinct
    var names = ModelNames(taken: Set(messages.map(\.name)))
    for (number, kind) in kinds.enumerated() {
      guard var part = whole.fixed(at: place, to: kind) else { continue }
      part.frames = whole.frames.filter { frames[$0].bytes[place] == kind }
      part.name = names.unique("\(whole.name)-\(HexText.format([kind]))")
      if number == 0 { messages[message] = part } else { messages.append(part) }
    }
  }
}

extension LearntMessage {
  /// The message with a constant byte in place of a field, or of a part of one; nil: it has no plain bytes there.
  fileprivate func fixed(at place: Int, to byte: UInt8) -> LearntMessage? {
    var (message, start) = (self, 0)
    for (index, part) in parts.enumerated() {
      guard let width = part.width else { return nil }
      defer { start += width }
      guard place < start + width else { continue }
      switch part {
      case .constant: return self
      case .size, .checksum: return nil
      case .field(let field):
        if case .checksum = field.meaning { return nil }
        message.parts.replaceSubrange(
          index...index,
          with: [
            Self.bytes(at: start, place - start), .constant([byte]),
            Self.bytes(at: place + 1, start + width - place - 1),
          ].compactMap(\.self))
        return message
      }
    }
    return nil
  }

  private static func bytes(at place: Int, _ width: Int) -> Part? {
    width > 0
      ? .field(LearntField(width == 1 ? "byte-\(place)" : "bytes-\(place)", width: width, .bytes)) : nil
  }
}
