import DeviceModel
import Framing

/// The recorded frames of a message in the order in which they are rows of a table: those that answer the same request are next
/// to each other.
struct RecordedRows: Sendable {
  /// The answers to one request.
  struct Group: Hashable, Sendable {
    var cause: MessageID
    /// What its fields have that tell requests apart.
    var key: [[UInt8]]
    var first: Int
    var count: Int
  }

  /// The indices of the frames.
  private(set) var order: [Int]
  /// In the order of their first requests; none if requests do not tell which row comes next.
  private(set) var groups: [Group] = []
  /// The indices of the fields that tell requests apart.
  private(set) var keys: [MessageID: [Int]] = [:]

  /// - Parameter recorded: the fields that the rows have.
  init(of id: MessageID, _ recorded: [MessageLayout.Place], _ sources: FieldSources, _ model: Model) {
    let sent = model.sent(id)
    order = Array(sent.indices)
    guard !recorded.isEmpty, !model.reports.contains(where: { $0.messages.contains(id) }) else { return }
    let numbers = Dictionary(sent.enumerated().map { ($1, $0) }) { first, _ in first }
    var members: [Group: [Int]] = [:]
    for reaction in model.reactions {
      guard case .request(let request) = reaction.cause, let places = model.layouts[request]?.places else {
        if reaction.steps.contains(where: { $0.message == id }) { return }
        continue
      }
      let cases = reaction.steps.filter { $0.message == id }.flatMap(\.cases)
      let pairs = cases.compactMap { pair in
        pair.request.map { (request: model.bytes(request.stream, $0), sent: pair.sent) }
      }
      let frames = pairs.map { FramePair(request: $0.request, answer: model.frame($0.sent)) }
      let keys = Self.keys(of: request, frames, recorded, sources, model)
      self.keys[request] = keys
      for pair in pairs {
        guard let row = numbers[pair.sent] else { continue }
        let key = keys.map { places[$0].bytes(in: pair.request) }
        members[Group(cause: request, key: key, first: 0, count: 0), default: []].append(row)
      }
    }
    guard members.count > 1, Set(members.values.joined()).count == sent.count else { return }
    order = []
    for (group, rows) in members.sorted(by: { ($0.value.min() ?? 0) < ($1.value.min() ?? 0) }) {
      groups.append(Group(cause: group.cause, key: group.key, first: order.count, count: rows.count))
      order += rows.sorted()
    }
  }

  /// The fields of a request that determine some recorded fields; if none do, all that do not count or pass with time.
  private static func keys(
    of request: MessageID, _ pairs: [FramePair], _ recorded: [MessageLayout.Place], _ sources: FieldSources,
    _ model: Model
  ) -> [Int] {
    let places = model.layouts[request]?.places ?? []
    let determining = places.indices.filter { index in
      recorded.contains { $0.isDetermined(by: places[index], in: pairs) }
    }
    guard determining.isEmpty else { return determining }
    let sequences = sources.echoed[request] ?? []
    return places.indices.filter { index in
      switch places[index].meaning {
      case .counter, .clock, .unixTime, .calendar, .checksum: return false
      case .bytes, .number, .float, .enumeration, .text, .digits, .word:
        let values = Set(pairs.map { places[index].bytes(in: $0.request) })
        return !sequences.contains(index) || values.count * 2 <= pairs.count
      }
    }
  }
}

extension MessageLayout.Place {
  /// Whether the same value of a field of the request gets the same value of this one, again and again.
  fileprivate func isDetermined(by key: Self, in pairs: [FramePair]) -> Bool {
    guard (key.width ?? 9) <= 4 else { return false }
    var answers: [[UInt8]: [UInt8]] = [:]
    for pair in pairs {
      let answer = bytes(in: pair.answer)
      guard answers.updateValue(answer, forKey: key.bytes(in: pair.request)) ?? answer == answer else {
        return false
      }
    }
    return answers.count > 1 && answers.count * 3 <= pairs.count * 2 && Set(answers.values).count > 1
  }
}
