import Bluetooth
import Framing

/// A kind of message, by its stream and its place there.
struct MessageID: Hashable, Sendable {
  var stream: Int
  var message: Int
}

/// What a device may react to.
enum Cause: Hashable, Sendable {
  case connection
  /// To the value with this handle.
  case subscription(AttributeHandle)
  case request(MessageID)
}

/// A frame that the device sent.
struct SentFrame: Hashable, Sendable {
  var message: MessageID
  /// Its index in the stream.
  var frame: Int
  /// Of its first value; of its last, if it would fit into one.
  var start: Instant
  /// Of its last value.
  var end: Instant
  /// The indices of the stream's values that it came in.
  var values: Range<Int>
}

/// A cause, and what the device sent from then on until the next one.
struct Window: Hashable, Sendable {
  /// nil: from the start of a recording that begins within a connection.
  var cause: Cause?
  /// The index of the request's frame.
  var frame: Int?
  /// The index of the exchange that is the cause, or that completes it.
  var exchange: Int?
  var conversation: Int
  var time: Instant
  var sent: [SentFrame] = []
  /// Whether the device sent something that is in no frame.
  var hasUnframed = false
}

/// What happened on all links, in order.
struct Timeline: Hashable, Sendable {
  var windows: [Window] = []
  /// When the last thing happened in each conversation.
  var ends: [Instant] = []
  /// The handles of the values, by stream.
  let handles: [AttributeHandle]
  /// The ids of the characteristics to which a central subscribed, by the handles of their values.
  private(set) var ids: [AttributeHandle: String] = [:]
  /// When the first conversation began: the device starts then at the latest.
  var start: Instant { windows.first?.time ?? Instant() }

  init(_ streams: [StreamAnalysis], _ conversations: [Conversation], _ table: ObservedTable) {
    handles = streams.map(\.stream.handle)
    var moments = conversations.map { _ in [Moment]() }
    for stream in streams.indices {
      for moment in streams[stream].moments(stream) where moments.indices.contains(moment.conversation) {
        moments[moment.conversation].append(moment)
      }
    }
    let subscriptions = table.subscriptions(streams)
    for value in subscriptions.values { ids[value] = table.id(of: value) }
    for (index, conversation) in conversations.enumerated() {
      moments[index] += conversation.subscriptions(subscriptions, index)
      add(moments[index].sorted { $0.exchange < $1.exchange }, of: conversation, index)
    }
    settleLateAnswers()
  }

  private mutating func add(_ moments: [Moment], of conversation: Conversation, _ index: Int) {
    let start = conversation.start
    let begin = start ?? conversation.exchanges.first?.time ?? Instant()
    windows.append(Window(cause: start.map { _ in .connection }, conversation: index, time: begin))
    for moment in moments {
      switch moment.kind {
      case .cause(let cause, let frame):
        windows.append(
          Window(
            cause: cause, frame: frame, exchange: moment.exchange, conversation: index, time: moment.time))
      case .sent(let sent): windows[windows.count - 1].sent.append(sent)
      case .unframed: windows[windows.count - 1].hasUnframed = true
      }
    }
    let last = conversation.exchanges.map { $0.answered ?? $0.time }.max()
    ends.append(conversation.end?.time ?? last ?? begin)
  }
}

extension Timeline {
  /// Gives an answer that comes after the next request to the request that waits for it.
  private mutating func settleLateAnswers() {
    let usual = usualAnswers
    for index in windows.indices.dropLast() {
      let next = index + 1
      guard case .request(let request)? = windows[index].cause,
        case .request(let other)? = windows[next].cause,
        windows[index].conversation == windows[next].conversation
      else { continue }
      // Of quick requests, one without an answer waits for what comes beside the usual answer to the next one.
      let come = windows[next].sent.map(\.message).distinct
      let own = usual[other] ?? []
      let strange =
        windows[index].sent.isEmpty && !own.isEmpty && own.allSatisfy(come.contains)
        ? come.filter { !own.contains($0) } : []
      for message in (usual[request] ?? []) + strange
      where !windows[index].sent.contains(where: { $0.message == message }) {
        let own = usual[other]?.contains(message) == true ? 1 : 0
        guard windows[next].sent.count(where: { $0.message == message }) > own,
          let place = windows[next].sent.firstIndex(where: { $0.message == message }),
          windows[index].time.duration(to: windows[next].sent[place].start) < .seconds(1)
        else { continue }
        windows[index].sent.append(windows[next].sent.remove(at: place))
      }
    }
  }

  /// By request, the messages that come before the next request more often than not.
  private var usualAnswers: [MessageID: [MessageID]] {
    var (counts, messages) = ([MessageID: Int](), [MessageID: [MessageID: Int]]())
    for window in windows {
      guard case .request(let request)? = window.cause else { continue }
      counts[request, default: 0] += 1
      for message in Set(window.sent.map(\.message)) {
        messages[request, default: [:]][message, default: 0] += 1
      }
    }
    return messages.reduce(into: [:]) { usual, pair in
      usual[pair.key] = pair.value.filter { $0.value * 2 > counts[pair.key] ?? 0 }.map(\.key)
        .sorted { ($0.stream, $0.message) < ($1.stream, $1.message) }
    }
  }
}

extension Timeline {
  /// How many values come right after the requests of each stream.
  ///
  /// - Parameter values: in the order of the recording.
  func counts(of values: [ValueStream.Item]) -> [Int: Int] {
    var (counts, next) = ([Int: Int](), 0)
    for value in values {
      while next < windows.count, windows[next].isNotAfter(value) { next += 1 }
      guard next > 0, windows[next - 1].conversation == value.conversation,
        case .request(let request) = windows[next - 1].cause,
        windows[next - 1].time.duration(to: value.time) < .seconds(1)
      else { continue }
      counts[request.stream, default: 0] += 1
    }
    return counts
  }
}

extension Window {
  fileprivate func isNotAfter(_ value: ValueStream.Item) -> Bool {
    (conversation, time) <= (value.conversation, value.time)
  }
}

extension Timeline {
  /// The streams of the requests that come right before most frames of one of these streams, or most of which come right before
  /// such a frame.
  func requests(before streams: Set<Int>) -> Set<Int> {
    Set(
      streams.flatMap { stream -> [Int] in
        var (frames, near) = (0, [Int: Int]())
        var (requests, answered) = ([Int: Int](), [Int: Int]())
        for window in windows {
          let sent = window.sent.filter { $0.message.stream == stream }
          frames += sent.count
          guard case .request(let request) = window.cause else { continue }
          let soon = sent.count { window.time.duration(to: $0.start) < .seconds(1) }
          near[request.stream, default: 0] += soon
          requests[request.stream, default: 0] += 1
          answered[request.stream, default: 0] += soon > 0 ? 1 : 0
        }
        return near.filter { request, soon in
          soon > 0 && (soon * 2 >= frames || (answered[request] ?? 0) * 2 >= (requests[request] ?? 0))
        }.map(\.key)
      })
  }
}

/// One thing that happened on a link.
private struct Moment {
  enum Kind {
    case cause(Cause, frame: Int?)
    case sent(SentFrame)
    case unframed
  }

  var kind: Kind
  var time: Instant
  var conversation: Int
  /// The index of its exchange, which gives the order.
  var exchange: Int
}

extension StreamAnalysis {
  /// A request counts from its last value on, and what the device sends from its first.
  fileprivate func moments(_ stream: Int) -> [Moment] {
    let largest = self.stream.values.map(\.bytes.count).max() ?? 0
    let known = messages.indices.flatMap { index in
      messages[index].frames.compactMap { number -> Moment? in
        guard frames.indices.contains(number) else { return nil }
        let frame = frames[number]
        let item = self.item(self.stream.direction == .fromDevice ? frame.values.first : frame.values.last)
        guard let item else { return nil }
        let id = MessageID(stream: stream, message: index)
        let kind: Moment.Kind =
          switch self.stream.direction {
          case .fromCentral: .cause(.request(id), frame: number)
          case .fromDevice:
            .sent(
              SentFrame(
                message: id, frame: number, start: frame.bytes.count > largest ? item.time : frame.time,
                end: max(item.time, frame.time), values: frame.values))
          }
        return Moment(kind: kind, time: item.time, conversation: frame.conversation, exchange: item.exchange)
      }
    }
    let others = self.stream.direction == .fromDevice ? unframed.compactMap(item) : []
    return known
      + others.map {
        Moment(kind: .unframed, time: $0.time, conversation: $0.conversation, exchange: $0.exchange)
      }
  }

  private func item(_ index: Int?) -> ValueStream.Item? {
    index.flatMap { stream.values.indices.contains($0) ? stream.values[$0] : nil }
  }
}

extension ObservedTable {
  /// The handles of values by those of their Client Characteristic Configuration. Where that was not discovered, it is
  /// the attribute after a value that the device sends.
  fileprivate func subscriptions(_ streams: [StreamAnalysis]) -> [AttributeHandle: AttributeHandle] {
    var values: [AttributeHandle: AttributeHandle] = [:]
    let known = Set(streams.map(\.stream.handle))
    for stream in streams.map(\.stream) where stream.direction == .fromDevice && stream.handle < .max {
      if !known.contains(stream.handle + 1) { values[stream.handle + 1] = stream.handle }
    }
    for characteristic in services.flatMap(\.characteristics) {
      for descriptor in characteristic.descriptors where descriptor.uuid == BluetoothUUID(0x2902) {
        guard let handle = descriptor.handle else { continue }
        values[handle] = characteristic.valueHandle
      }
    }
    return values
  }
}

extension Conversation {
  /// The writes that make the device send values.
  fileprivate func subscriptions(
    _ values: [AttributeHandle: AttributeHandle], _ conversation: Int
  ) -> [Moment] {
    exchanges.enumerated().compactMap { index, exchange in
      guard case .write(let bytes, _, let outcome) = exchange.kind, let value = values[exchange.handle],
        let first = bytes.first, bytes.count <= 2, first & 3 != 0
      else { return nil }
      if case .refused = outcome { return nil }
      return Moment(
        kind: .cause(.subscription(value), frame: nil), time: exchange.time, conversation: conversation,
        exchange: index)
    }
  }
}
