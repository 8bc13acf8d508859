import Bluetooth
import DeviceModel
import Framing

/// Messages that come in several values of a characteristic, each with a header that says which part it is.
package struct Fragmentation: Sendable {
  /// Of the characteristic's value.
  package let handle: AttributeHandle
  let id: String
  let direction: ValueStream.Direction
  /// Whether the device sends them.
  package var isOfDevice: Bool { direction == .fromDevice }
  let shape: FragmentShape
  /// How long the values are that are not the last of their message.
  private(set) var size = ValueSize.constant(Bursts.fullSize)
  /// The usual time between two values of a message.
  let gap: Duration
  /// The sizes of the recorded messages, by the number of the header that they began with.
  let sizes: [Int: ClosedRange<Int>]
  private let messages: Int
  private let values: Int
  /// How many bits of the headers are as they must be, each header counted once.
  fileprivate let evidence: Int

  enum ValueSize: Hashable, Sendable {
    case constant(Int)
    /// As long as the link carries.
    case ofLink
  }

  /// Values of one message do not come further apart.
  private static let longestGap = Duration.seconds(1)
  /// The chance that as many random bits are right is small enough, also for as many shapes.
  private static let enoughEvidence = 24
  /// Flags alone are no header unless so long values end with shorter ones.
  private static let leastSizeOfFlagged = 15

  /// nil: some value does not fit, or what fits may be chance.
  ///
  /// - Parameters:
  ///   - conversations: in which the stream is.
  ///   - known: what is proven on another stream; nil: these values must prove it.
  fileprivate init?(
    _ stream: ValueStream, _ shape: FragmentShape, of conversations: [Conversation],
    like known: Fragmentation? = nil
  ) {
    (handle, id, direction, self.shape) = (stream.handle, stream.id, stream.direction, shape)
    var reader = FragmentReader(shape)
    var (wholes, pieces, gaps) = ([(start: Int, data: Int, values: ArraySlice<Int>)](), [Int](), [Duration]())
    var headers: [[UInt8]: Int] = [:]
    var last: ValueStream.Item?
    for (index, item) in stream.values.enumerated() {
      if last?.conversation != item.conversation { (reader, pieces) = (FragmentReader(shape), []) }
      guard let isEnd = reader.take(item.bytes) else { return nil }
      if let last, reader.count > 1 {
        let gap = last.time.duration(to: item.time)
        guard gap <= Self.longestGap else { return nil }
        gaps.append(gap)
      }
      last = item
      headers[reader.header + [reader.count == 1 ? 1 : 0]] = reader.evidence
      pieces.append(index)
      if isEnd {
        wholes.append((reader.start, reader.data.count, pieces[...]))
        (reader, pieces) = (FragmentReader(shape), [])
      }
    }
    let several = wholes.filter { $0.values.count > 1 }
    func size(_ index: Int) -> Int { stream.values[index].bytes.count }
    let isEven = wholes.allSatisfy { whole in
      guard let first = whole.values.first, let last = whole.values.last else { return true }
      return whole.values.dropLast().allSatisfy { size($0) == size(first) } && size(last) <= size(first)
    }
    guard isEven, !wholes.isEmpty else { return nil }
    (messages, values, gap) = (wholes.count, stream.values.count, gaps.median ?? .zero)
    sizes = Dictionary(grouping: wholes, by: \.start).mapValues { wholes in
      let sizes = wholes.map(\.data)
      return (sizes.min() ?? 0)...(sizes.max() ?? 0)
    }
    let isShorter = several.contains { size($0.values.last ?? 0) < size($0.values.first ?? 0) }
    evidence = headers.values.reduce(0, +) + (several.count > 1 && isShorter ? 8 : 0)
    if let known, several.isEmpty {
      // They show no more than how long they may be at least.
      let longest = stream.values.map(\.bytes.count).max() ?? 0
      if case .constant(let size) = known.size {
        self.size = .constant(max(size, longest))
      } else {
        self.size = .ofLink
      }
      return
    }
    let first = several.compactMap(\.values.first)
    let cut = first.map { (mtu: conversations[stream.values[$0].conversation].usedMTU, size: size($0)) }
    if let size = Self.valueSize(cut) {
      self.size = size
    } else if stream.direction == .fromDevice || cut.isEmpty {
      return nil
    }
    guard known == nil else { return }
    // The device sends the parts of a message one after the other: it does not wait for the central.
    let isAsked = several.count { whole in
      guard let first = whole.values.first, let last = whole.values.last, stream.direction == .fromDevice
      else { return false }
      let exchanges = conversations[stream.values[first].conversation].exchanges
      return exchanges[stream.values[first].exchange...stream.values[last].exchange].contains {
        $0.streamed?.1 == .fromCentral
      }
    }
    guard isAsked * 10 <= several.count else { return nil }
    guard several.count > 1 || several.contains(where: { $0.values.count > 2 }),
      evidence >= Self.enoughEvidence
    else { return nil }
    if !shape.starts[0].has(\.counts) {
      guard several.count > 2, Set(several.map(\.data)).count > 1, isShorter,
        first.allSatisfy({ size($0) >= Self.leastSizeOfFlagged })
      else { return nil }
    }
    // With a checksum of its own, each value is a message.
    guard ChecksumSearch(stream.values.prefix(Layout.sampleSize).map(\.bytes)).find() == nil else {
      return nil
    }
  }

  /// How long the values are that others follow; nil: some are shorter than others, and not because of the link.
  private static func valueSize(_ sizes: [(mtu: Int, size: Int)]) -> ValueSize? {
    guard let first = sizes.first?.size else { return nil }
    if sizes.allSatisfy({ $0.size == $0.mtu - 3 }), sizes.contains(where: { $0.size > Bursts.fullSize }) {
      return .ofLink
    }
    return sizes.allSatisfy { $0.size == first } ? .constant(first) : nil
  }
}

// MARK: Of a device

extension [Fragmentation] {
  /// What the values of each characteristic and direction prove; where the other direction has proven a shape, also what only fits.
  init(of conversations: [Conversation], _ table: ObservedTable) {
    let streams = [ValueStream](conversations, table)
    self = streams.compactMap { stream -> Fragmentation? in
      guard stream.values.count > 1 else { return nil }
      let common = stream.values.map(\.bytes).commonStart(atMost: 2)
      let others = common.indices.map { common.prefix($0 + 1) }.map {
        FragmentShape.all(after: $0.map(\.self))
      }
      let shapes = FragmentShape.plain + others.joined()
      return shapes.compactMap { Fragmentation(stream, $0, of: conversations) }.strongest
    }
    // What answers such messages, and then what asks for such answers.
    for _ in 0..<2 {
      let known = self
      for stream in streams where !known.contains(where: { $0.isOf(stream) }) {
        let others = known.filter { $0.direction != stream.direction }
        let found = others.compactMap { Fragmentation(stream, $0.shape, of: conversations, like: $0) }
        if let found = found.strongest { append(found) }
      }
    }
  }

  /// The first of those with most evidence.
  private var strongest: Fragmentation? {
    guard let most = map(\.evidence).max() else { return nil }
    return first { $0.evidence == most }
  }
}

extension Fragmentation {
  fileprivate func isOf(_ stream: ValueStream) -> Bool {
    handle == stream.handle && direction == stream.direction
  }

  /// - Parameter message: that of the fragments.
  func claim(_ message: String) -> Evidence {
    Evidence(
      "\(message): \(messages) messages in \(values) values",
      at: "\(id) \(direction == .fromDevice ? "->" : "<-")",
      agreeing: values, of: values)
  }
}

extension Conversation {
  /// The ATT_MTU of the link (Vol 3 Part F 3.4.2.2).
  fileprivate var usedMTU: Int {
    guard let last = mtuExchanges.last, let device = last.device else { return AttributePDU.defaultMTU }
    return Swift.max(AttributePDU.defaultMTU, Swift.min(last.central, device))
  }
}

// MARK: Joining

extension [Conversation] {
  /// The conversations with whole messages in place of their fragments: one that the central writes in place of its last fragment,
  /// one of the device in place of its first. What is not complete at the end of a link is left out.
  package func joined(by fragmentations: [Fragmentation]) -> Self {
    fragmentations.isEmpty
      ? self
      : map { conversation in
        var joined = conversation
        joined.exchanges = fragmentations.reduce(into: conversation.exchanges.map(Optional.some)) {
          $1.join(&$0)
        }.compactMap(\.self)
        return joined
      }
  }
}

extension Fragmentation {
  fileprivate func join(_ exchanges: inout [Exchange?]) {
    var (reader, pieces) = (FragmentReader(shape), [Int]())
    for index in exchanges.indices {
      guard let exchange = exchanges[index], exchange.handle == handle,
        let (bytes, direction) = exchange.streamed, direction == self.direction
      else { continue }
      var isEnd = reader.take(bytes)
      if isEnd == nil {
        // What does not fit stays, and the next message may begin here.
        (reader, pieces) = (FragmentReader(shape), [])
        isEnd = reader.take(bytes)
      }
      guard let isEnd else {
        reader = FragmentReader(shape)
        continue
      }
      pieces.append(index)
      guard isEnd else { continue }
      let place = direction == .fromDevice ? pieces[0] : index
      var whole = exchanges[place]
      switch exchange.kind {
      case .write(_, let kind, let outcome): whole?.kind = .write(reader.data, kind, outcome)
      case .value(_, let delivery): whole?.kind = .value(reader.data, delivery)
      case .read: break
      }
      for piece in pieces { exchanges[piece] = nil }
      exchanges[place] = whole
      (reader, pieces) = (FragmentReader(shape), [])
    }
    for piece in pieces { exchanges[piece] = nil }
  }
}

// MARK: Pairs

extension [Fragmentation] {
  /// What the central writes, and what the device sends, at one layer.
  typealias Pair = (received: Fragmentation?, sent: Fragmentation?)

  /// Each with its answers: those of the same characteristic, or those that most often come next.
  func paired(in conversations: [Conversation]) -> [Pair] {
    let received = indices.filter { self[$0].direction == .fromCentral }
    let sent = indices.filter { self[$0].direction == .fromDevice }
    var counts: [[Int]: Int] = [:]
    for conversation in conversations {
      var last: Int?
      for exchange in conversation.exchanges {
        if exchange.streamed?.1 == .fromCentral {
          last = received.first { self[$0].handle == exchange.handle } ?? last
        } else if let last, let index = sent.first(where: { self[$0].handle == exchange.handle }) {
          counts[[last, index], default: 0] += 1
        }
      }
    }
    for index in received {
      if let same = sent.first(where: { self[$0].handle == self[index].handle }) {
        counts[[index, same]] = .max
      }
    }
    var (pairs, paired) = ([Pair](), Set<Int>())
    for (pair, _) in counts.sorted(by: { ($1.value, $0.key[0], $0.key[1]) < ($0.value, $1.key[0], $1.key[1]) }
    )
    where paired.isDisjoint(with: pair) {
      paired.formUnion(pair)
      pairs.append((self[pair[0]], self[pair[1]]))
    }
    for index in indices where !paired.contains(index) {
      let isReceived = self[index].direction == .fromCentral
      pairs.append(isReceived ? (self[index], nil) : (nil, self[index]))
    }
    return pairs.sorted { ($0.received ?? $0.sent)!.handle < ($1.received ?? $1.sent)!.handle }
  }
}
