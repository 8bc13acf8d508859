import DeviceModel
import Framing

extension Model {
  /// The messages that the device sends, in order.
  var sentMessages: [MessageID] {
    (reactions.flatMap { $0.steps.map(\.message) } + reports.flatMap(\.messages)).distinct
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

  /// How many bytes at the start of each request are there, and are not its checksum.
  func reach(of request: MessageID) -> Int {
    let parts = self[request].parts
    let check = parts.firstIndex { if case .checksum = $0 { true } else { false } } ?? parts.endIndex
    let rest = parts[check...].reduce(0) { $0 + ($1.width ?? 0) }
    return max(0, (frames(of: request).map(\.count).min() ?? 0) - rest)
  }
}
