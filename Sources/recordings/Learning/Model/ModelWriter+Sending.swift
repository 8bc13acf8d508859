import DefinitionWriter
import Framing

extension ModelWriter {
  /// The actions that send a message: the message with its fields, then what changes for the next one.
  ///
  /// - Parameter cause: nil: a timer.
  func sending(_ id: MessageID, by cause: Cause?) -> [YAMLValue] {
    var send = [YAMLValue.Entry("send", .text(messages[id] ?? ""))]
    let fields = filling(id, by: cause)
    if !fields.isEmpty { send.append(.init("with", .map(fields, .compact))) }
    let stream = model.streams[id.stream].stream
    if case .request(let request) = cause, model.streams[request.stream].stream.id == stream.id {
      return choice(of: id, by: cause) + [.object(send, .compact)] + changes(after: id)
    }
    send.append(.init("to", .text(stream.id)))
    return choice(of: id, by: cause) + [.object(send, .compact)] + changes(after: id)
  }

  /// Chooses the recorded values after the same requests, when a request asks for them or starts a report.
  func choice(of id: MessageID, by cause: Cause?) -> [YAMLValue] {
    guard cause != nil, cause != .connection, let place = placesOfAnswers[id], let row = steps[id]?.row else {
      return []
    }
    return [
      .object(
        [.init("set", .map([.init(row, .text("if(\(place) > 0, \(place) - 1, \(row))"))], .compact))],
        .compact)
    ]
  }

  /// The fields whose values have another name.
  private func filling(_ id: MessageID, by cause: Cause?) -> [YAMLValue.Entry] {
    let places = model.layouts[id]?.places ?? []
    return places.indices.compactMap { index in
      guard let expression = expression(id, index, places[index], by: cause) else { return nil }
      return expression == places[index].name ? nil : .init(places[index].name, .text(expression))
    }
  }

  func expression(
    _ id: MessageID, _ index: Int, _ place: MessageLayout.Place, by cause: Cause?
  ) -> String? {
    if let cause, let echo = sources.echoes[cause]?[id]?[index] { return echo }
    switch sources.origins[id]?[index] {
    case .expression(let expression): return expression
    case .counter(let name, _): return name
    case .lookup: return lookups[id]?[index]
    case .recorded: return steps[id].map { "\($0.table)[\($0.row)].\(place.name)" }
    case .checksum(let checksum): return self.checksum(checksum, after: index, of: id, by: cause)
    case nil: return nil
    }
  }

  private func changes(after id: MessageID) -> [YAMLValue] {
    var changes: [YAMLValue.Entry] = []
    for (_, origin) in (sources.origins[id] ?? [:]).sorted(by: { $0.key < $1.key }) {
      if case .counter(let name, let next) = origin { changes.append(.init(name, .text(next))) }
    }
    if let step = steps[id], step.count > 1 {
      changes.append(.init(step.row, .text("(\(step.row) + 1) % \(step.count)")))
    }
    return changes.isEmpty ? [] : [.object([.init("set", .map(changes, .compact))], .compact)]
  }
}
