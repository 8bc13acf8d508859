import DeviceModel
import Framing

// Fields that earlier requests, or a field of this request, determine.
extension FieldSources {
  /// A variable that an earlier request has set.
  mutating func setting(_ id: MessageID, _ place: MessageLayout.Place, _ model: inout Model) -> Origin? {
    guard let width = place.width, width > 0 else { return nil }
    let sent = model.sent(id)
    let values = sent.map { place.bytes(in: model.frame($0)) }
    guard Set(values).count > 1 else { return nil }
    for request in model.requests {
      let writes = model.writes(of: request)
      for (number, source) in (model.layouts[request]?.places ?? []).enumerated() where source.width == width
      {
        guard let first = Self.initial(values, sent, writes.map { ($0.time, source.bytes(in: $0.bytes)) })
        else {
          continue
        }
        let name = names.unique(place.name, prefix: model[id].name)
        let type = source.type
        let variable = addVariable(name, type.value(of: first))
        settings[request, default: []].append((.variable(variable), .field(number)))
        if let index = model.layouts[id]?.places.firstIndex(where: { $0.name == place.name }) {
          model.layouts[id]?.places[index].type = type
        }
        let claim = "\(place.name) of \(model[id].name) is \(source.name) of the last \(model[request].name)"
        note(claim, id, model, sent.count)
        return .expression(.variable(variable))
      }
    }
    return nil
  }

  /// The value before the first write, if each value is the one that was written last; nil: it is not.
  private static func initial(
    _ values: [[UInt8]], _ sent: [SentFrame], _ writes: [(time: Instant, bytes: [UInt8])]
  ) -> [UInt8]? {
    guard Set(writes.map(\.bytes)).count > 1 || writes.first.map({ $0.bytes != values.first }) == true else {
      return nil
    }
    var (index, present, first) = (0, [UInt8]?.none, [UInt8]?.none)
    var seen: Set<[UInt8]> = []
    for (value, sent) in zip(values, sent) {
      while index < writes.count, writes[index].time <= sent.start {
        present = writes[index].bytes
        index += 1
      }
      if index == 0 {
        if let first, first != value { return nil }
        first = value
      } else if value != present {
        return nil
      } else {
        seen.insert(value)
      }
    }
    return seen.count > 1 || (seen.count == 1 && first.map { !seen.contains($0) } == true)
      ? first ?? values.first : nil
  }

  /// A column by a field of the request: the same request gets the same answer, again and again.
  func lookup(_ id: MessageID, _ place: MessageLayout.Place, _ model: Model) -> Origin? {
    let reactions = model.reactions.filter { $0.steps.contains { $0.message == id } }
    guard reactions.count == 1, case .request(let request) = reactions[0].cause,
      !model.reports.contains(where: { $0.message == id }), let layout = model.layouts[request]
    else { return nil }
    let pairs = model.pairs(of: id, in: reactions[0])
    guard pairs.count == model.sent(id).count else { return nil }
    for (index, key) in layout.places.enumerated() where (key.width ?? 9) <= 4 {
      var answers: [[UInt8]: Set<[UInt8]>] = [:]
      for pair in pairs {
        answers[key.bytes(in: pair.request), default: []].insert(place.bytes(in: pair.answer))
      }
      if answers.count > 1, answers.count * 3 <= pairs.count * 2, answers.values.allSatisfy({ $0.count == 1 })
      {
        return .lookup(key: index)
      }
    }
    return nil
  }
}

extension Model {
  /// The messages that the device sends, in order.
  var sentMessages: [MessageID] {
    (reactions.flatMap { $0.steps.map(\.message) } + reports.map(\.message)).distinct
      .sorted { ($0.stream, $0.message) < ($1.stream, $1.message) }
  }

  /// The messages that a central sends, of explained streams.
  var requests: [MessageID] {
    explainedRequests.sorted().flatMap { stream in
      streams[stream].messages.indices.map { MessageID(stream: stream, message: $0) }
    }
  }

  /// The requests of a reaction with the frames of this message that answer them.
  func pairs(of id: MessageID, in reaction: Reaction) -> [FramePair] {
    guard case .request(let request) = reaction.cause else { return [] }
    return reaction.steps.filter { $0.message == id }.flatMap(\.cases).compactMap { pair in
      pair.request.map { FramePair(request: bytes(request.stream, $0), answer: frame(pair.sent)) }
    }
  }

  func writes(of request: MessageID) -> [(time: Instant, bytes: [UInt8])] {
    self[request].frames.compactMap { frame in
      streams[request.stream].frames.indices.contains(frame)
        ? (streams[request.stream].frames[frame].time, bytes(request.stream, frame)) : nil
    }.sorted { $0.time < $1.time }
  }
}
