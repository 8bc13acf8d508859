import Framing

/// A counter that several messages of a stream show: one of them advances it.
struct SharedCounter: Hashable, Sendable {
  var message: MessageID
  var offset: Int
  var field: LearntField
  var step: Int64
  var order: ByteOrder
  /// The number at which it begins again with 0: some never show 255.
  var limit: Int64
}

extension Model {
  /// The counters of the messages that the model sends, at a fixed place.
  var counters: [SharedCounter] {
    streams.indices.flatMap { stream in
      streams[stream].messages.indices.flatMap { message -> [SharedCounter] in
        let id = MessageID(stream: stream, message: message)
        guard sent(id).count > 4 else { return [] }
        return self[id].fixedFields.compactMap { offset, field in
          guard case .counter(let order, let step) = field.meaning, [1, 2, 3, 4].contains(field.width) else {
            return nil
          }
          var counter = SharedCounter(
            message: id, offset: offset, field: field, step: Int64(step), order: order,
            limit: 1 << (8 * Int64(field.width ?? 0)))
          guard counts(counter) else { return nil }
          let numbers = sent(id).compactMap { number(in: frame($0), counter) }
          let ends = zip(numbers, numbers.dropFirst()).filter { $1 == 0 }.map { $0.0 + counter.step }
          if let end = ends.first, Set(ends).count == 1, numbers.max() == end - 1,
            end * 10 >= counter.limit * 9
          {
            counter.limit = end
          }
          return counter
        }
      }
    }
  }

  /// Whether nine of ten frames have the next number after the frame before, and there are three numbers at least: two may well
  /// be those of a switch.
  private func counts(_ counter: SharedCounter) -> Bool {
    let numbers = sent(counter.message).compactMap { number(in: frame($0), counter) }
    let steps = zip(numbers, numbers.dropFirst())
    let agreeing = steps.count { advanced($0, counter) == $1 }
    return numbers.count > 4 && Set(numbers).count > 2 && agreeing * 10 >= (numbers.count - 1) * 9
  }

  private func advanced(_ number: Int64, _ counter: SharedCounter) -> Int64 {
    let next = (number &+ counter.step) % counter.limit
    return next < 0 ? next + counter.limit : next
  }

  /// Makes fields of constant bytes that are the present value of a counter.
  mutating func openSharedCounters() {
    for counter in counters {
      let stream = counter.message.stream
      for message in streams[stream].messages.indices where message != counter.message.message {
        let id = MessageID(stream: stream, message: message)
        guard shows(id, counter) else { continue }
        _ = streams[stream].messages[message].open(at: counter.offset, counter.field)
      }
    }
  }

  /// Whether each frame of a message has the value that the counter will have next, at the same place.
  func shows(_ id: MessageID, _ counter: SharedCounter) -> Bool {
    let values = timeline.windows.flatMap { window in
      window.sent.filter { $0.message.stream == id.stream }.map { (window.conversation, $0) }
    }
    var (cases, agreeing) = (0, 0)
    for (index, (conversation, sent)) in values.enumerated() where sent.message == id {
      let frame = frame(sent)
      guard let shown = number(in: frame, counter) else { return false }
      let next = values[index...].first { $0.0 == conversation && $0.1.message == counter.message }
      let last = values[..<index].last { $0.0 == conversation && $0.1.message == counter.message }
      guard next != nil || last != nil else { continue }
      cases += 1
      let expected = next.flatMap { number(in: self.frame($0.1), counter) }
      let following = last.flatMap { number(in: self.frame($0.1), counter) }.map { advanced($0, counter) }
      if shown == expected || shown == following { agreeing += 1 }
    }
    return cases > 0 && agreeing * 10 >= cases * 9
  }

  private func number(in frame: [UInt8], _ counter: SharedCounter) -> Int64? {
    guard let width = counter.field.width, counter.offset + width <= frame.count else { return nil }
    return counter.order.number(frame[counter.offset..<counter.offset + width])
  }
}
