import Definitions
import DeviceModel
import Framing

extension LearntDefinition {
  /// Gives the messages that come in fragments a layer: what the rules wait for at the characteristic arrives there, and what they
  /// send goes there. Further rules join the fragments and make them.
  ///
  /// - Parameter conversations: with whole messages.
  mutating func addLayers(_ fragmentations: [Fragmentation], of conversations: [Conversation]) {
    let pairs = fragmentations.paired(in: conversations)
    for var pair in pairs where device.layers.count < LayerDefinition.most {
      let (received, sent) = (endpoint(pair.received), endpoint(pair.sent))
      if !device.rules.contains(where: { $0.triggers.contains { $0.endpoint == received } }) {
        pair.received = nil
      }
      if !device.rules.contains(where: { device.places(of: $0).contains { $0 == sent } }) { pair.sent = nil }
      guard let id = (pair.received ?? pair.sent)?.id else { continue }
      let layer = device.layers.count
      device.layers.append(
        LayerDefinition(name: pairs.count == 1 ? "message" : "message-\(shortName(of: id))"))
      move(pair.received.flatMap(endpoint), pair.sent.flatMap(endpoint), to: layer)
      var writer = LayerWriter(layer, self)
      pair.received.map { writer.addJoining($0) }
      pair.sent.map { writer.addCutting($0) }
      self = writer.definition
    }
  }

  private func endpoint(_ fragmentation: Fragmentation?) -> Rule.Endpoint? {
    fragmentation.flatMap { characteristic($0.id) }.map { .characteristic($0) }
  }

  /// Makes a layer the place of what arrives at one characteristic and of what goes out at one.
  private mutating func move(_ received: Rule.Endpoint?, _ sent: Rule.Endpoint?, to layer: Int) {
    let place = Rule.Endpoint.layer(layer)
    for index in device.rules.indices {
      let rule = device.rules[index]
      let arrives = received != nil && rule.triggers.contains { $0.endpoint == received }
      let origin = rule.triggers.first.flatMap(device.answeringEndpoint)
      device.rules[index].steps = rule.steps.map { step in
        step.mapped { action in
          switch action {
          case .send(let content, let destination):
            let own =
              if case .endpoint(let endpoint) = destination { Rule.Endpoint?.some(endpoint) } else { origin }
            guard let own else { return action }
            if own == sent { return .send(content, to: arrives ? .origin : .endpoint(place)) }
            return .send(content, to: arrives ? .endpoint(own) : destination)
          case .receive(let bytes, let endpoint?) where endpoint == received:
            return .receive(bytes, from: place)
          default: return action
          }
        }
      }
      guard arrives else { continue }
      device.rules[index].triggers = rule.triggers.map { trigger in
        if case .received(let message, received) = trigger {
          .received(message: message, from: place)
        } else {
          trigger
        }
      }
    }
    moveFraming(received, sent, to: layer)
  }

  private mutating func moveFraming(_ received: Rule.Endpoint?, _ sent: Rule.Endpoint?, to layer: Int) {
    let (incoming, outgoing) = (received.flatMap(device.coding), sent.flatMap(device.coding))
    let framing = received.flatMap(device.framing)
    device.layers[layer].framing = framing
    if incoming != nil || outgoing != nil {
      device.layers[layer].coding = StreamCoding(
        valueDecoder: incoming?.valueDecoder, valueEncoder: outgoing?.valueEncoder,
        frameDecoder: incoming?.frameDecoder, frameEncoder: outgoing?.frameEncoder,
        shape: framing?.shape ?? .raw)
    }
    for case .characteristic(let index)? in [received, sent] {
      (device.characteristics[index].framing, device.characteristics[index].coding) = (nil, nil)
    }
  }
}

extension PeripheralDefinition {
  /// Where a rule sends messages.
  fileprivate func places(of rule: Rule) -> [Rule.Endpoint] {
    rule.allSteps.compactMap { step in
      guard case .send(_, let destination) = step.action else { return nil }
      if case .endpoint(let endpoint) = destination { return endpoint }
      return rule.triggers.first.flatMap(answeringEndpoint)
    }
  }
}

extension Rule.Step {
  /// With other actions, also inside it.
  fileprivate func mapped(_ change: (Rule.Action) -> Rule.Action) -> Self {
    let action: Rule.Action =
      switch self.action {
      case .repeat(let count, let index, let steps):
        .repeat(count, index: index, steps.map { $0.mapped(change) })
      case .group(let steps): .group(steps.map { $0.mapped(change) })
      default: change(self.action)
      }
    return .init(action, if: condition, else: otherwise.map { $0.mapped(change) })
  }
}

// MARK: Rules

/// Writes the rules between a layer and the characteristics of its fragments.
private struct LayerWriter {
  private(set) var definition: LearntDefinition
  private let layer: Int
  private var names: ModelNames

  private static let frame = Expression.known(.frame)
  private static let size = Expression.call(.size, [frame])

  init(_ layer: Int, _ definition: LearntDefinition) {
    (self.layer, self.definition) = (layer, definition)
    names = ModelNames(taken: definition.names.union(KnownValue.allCases.map(\.rawValue)))
  }

  /// A message for the fragments with a header, by index.
  private mutating func message(_ header: FragmentShape.Header, _ name: String) -> Int? {
    let known = definition.device.messages.firstIndex { !$0.name.isEmpty && $0.source == header.text }
    return known ?? definition.addMessage(names.unique(name), header.text)
  }

  private func field(_ name: String, of message: Int) -> Expression? {
    definition.device.messages[message].fields.firstIndex { $0.name == name }.map { .field($0) }
  }

  /// The most bytes of a message that the device takes.
  static let longest = 4096

  private mutating func addBytes(_ name: String) -> Int {
    let variable = definition.addVariable(names.unique(name), .bytes([]), isPerCentral: true)
    definition.device.variables[variable].kind = .bytes(max: Self.longest)
    return variable
  }

  // MARK: Joining

  mutating func addJoining(_ fragmentation: Fragmentation) {
    guard let place = definition.characteristic(fragmentation.id) else { return }
    let (shape, parts) = (fragmentation.shape, addBytes("parts"))
    var rules: [Rule] = []
    func add(_ messages: [Int], if condition: Expression? = nil, _ steps: [Rule.Step]) {
      let events = messages.map { Rule.Trigger.received(message: $0, from: .characteristic(place)) }
      var rule = Rule(on: events[0], if: condition, steps)
      rule.triggers = events
      if events.count > 1 {
        rule.commonFields = CommonFields(of: events, in: definition.device.messages).positions
      }
      rules.append(rule)
    }
    let joined = Expression.variable(parts)
    let follows = takeFollowing(writesTo: place).map { Rule.Step(.set($0.map { ($0, $1.of(joined)) })) }
    let hand = Rule.Action.receive(joined, from: .layer(layer))
    let handOver = follows.isEmpty ? hand : .group(follows + [.init(hand)])
    if let rest = shape.rest {
      let expected = Expression.variable(definition.addVariable(names.unique("expected"), isPerCentral: true))
      guard case .variable(let slot) = expected else { return }
      let end = Rule.Step(handOver, if: .binary(.equal, .call(.size, [joined]), expected))
      let starts = shape.starts.indices.compactMap { message(shape.starts[$0], Self.name(ofStart: $0)) }
      guard let first = starts.first, let data = field("data", of: first),
        let length = field("length", of: first)
      else { return }
      let goal = shape.adjust == 0 ? length : length - Int64(shape.adjust)
      let begin = Rule.Action.set([(.variable(parts), data), (.variable(slot), goal)])
      add(starts, [.init(begin), end])
      claim(fragmentation, first)
      guard let message = message(rest, "fragment"), let data = field("data", of: message) else { return }
      let isOpen = Expression.binary(.less, .call(.size, [joined]), expected)
      add(
        [message], if: shape.isUnmarked ? isOpen : nil,
        [.init(.set([(.variable(parts), joined + data)])), end])
      if shape.isUnmarked { rules.reverse() }
    } else {
      guard let message = message(shape.starts[0], "fragment"), let data = field("data", of: message),
        let end = isLast(shape, message)
      else { return }
      // A number or a flag tells a new message from the rest of one that was not finished.
      let begins = isFirst(shape, message)
      let old = begins.map { Expression.conditional($0, then: .bytes([]), else: joined) } ?? joined
      let clear = begins == nil ? [Rule.Step(.set([(.variable(parts), .bytes([]))]))] : []
      let whole = clear.isEmpty ? handOver : .group([.init(handOver)] + clear)
      add([message], [.init(.set([(.variable(parts), old + data)])), .init(whole, if: end)])
      claim(fragmentation, message)
    }
    definition.device.rules = rules + definition.device.rules
  }

  /// Takes what follows the history from the rule for each value that is written: messages follow it.
  private mutating func takeFollowing(writesTo place: Int) -> [[(Rule.Slot, Expression)]] {
    var follows: [[(Rule.Slot, Expression)]] = []
    for index in definition.device.rules.indices
    where definition.device.rules[index].triggers == [.written(.characteristic(place))]
      && definition.device.rules[index].condition == nil
    {
      definition.device.rules[index].steps.removeAll { step in
        guard case .set(let changes) = step.action, changes.contains(where: { $0.1.reads([.value]) }) else {
          return false
        }
        follows.append(changes)
        return true
      }
    }
    definition.device.rules.removeAll { $0.steps.isEmpty }
    return follows
  }

  private static func name(ofStart number: Int) -> String {
    number == 0 ? "first-fragment" : "first-fragment-\(number + 1)"
  }

  private mutating func claim(_ fragmentation: Fragmentation, _ message: Int) {
    definition.evidence.append(fragmentation.claim(definition.device.messages[message].name))
  }

  private func isFirst(_ shape: FragmentShape, _ message: Int) -> Expression? {
    if let first = field("first", of: message) { return .binary(.equal, first, .number(1)) }
    guard let index = field("index", of: message), shape.starts[0].bits(of: .index) ?? 0 > 6 else {
      return nil
    }
    return .binary(.equal, index, .number(shape.base))
  }

  private func isLast(_ shape: FragmentShape, _ message: Int) -> Expression? {
    if let total = field("total", of: message), let index = field("index", of: message) {
      let ahead = 1 - shape.base + shape.adjust
      return .binary(.equal, ahead == 0 ? index : index + Int64(ahead), total)
    }
    for (name, value) in [("last", 1), ("more", 0), ("left", 0)] {
      if let flag = field(name, of: message) { return .binary(.equal, flag, .number(value)) }
    }
    return nil
  }

  // MARK: Cutting

  mutating func addCutting(_ fragmentation: Fragmentation) {
    guard let place = definition.characteristic(fragmentation.id) else { return }
    let cut = Cut(fragmentation, to: .endpoint(.characteristic(place)))
    let shape = fragmentation.shape
    var (steps, repetitions) = ([Rule.Step](), 0)
    if let rest = shape.rest {
      guard let other = message(rest, "fragment") else { return }
      var parts: [(limit: Int?, steps: [Rule.Step])] = []
      for number in shape.starts.indices {
        let header = shape.starts[number]
        guard let first = message(header, Self.name(ofStart: number)) else { return }
        if number == 0 { claim(fragmentation, first) }
        let (start, limit) = (cut.capacity(header), limit(of: number, fragmentation))
        let begin = cut.send(
          first, definition, number: .number(0), count: nil,
          data: .call(.slice, [Self.frame, .number(0), start]))
        var part = [begin]
        if limit.map({ cut.isMore(than: $0, header) }) ?? true {
          let (i, capacity) = (Expression.local(repetitions, .integer), cut.capacity(rest))
          let data = Expression.call(
            .slice, [Self.frame, .binary(.add, start, .binary(.multiply, i, capacity)), capacity])
          let more = cut.send(other, definition, number: i, count: nil, data: data)
          let count = Expression.call(
            .ceil, [.binary(.divide, .binary(.subtract, Self.size, start), capacity)])
          part.append(
            .init(
              .repeat(count, index: repetitions, cut.pause(before: nil) + [more]),
              if: .binary(.greater, Self.size, start)))
          repetitions += 1
        }
        parts.append((limit, part))
      }
      steps = parts.reversed().reduce([]) { rest, part in
        guard let limit = part.limit else { return part.steps }
        return [.init(.group(part.steps), if: .binary(.lessOrEqual, Self.size, .number(limit)), else: rest)]
      }
    } else {
      guard let message = message(shape.starts[0], "fragment") else { return }
      claim(fragmentation, message)
      let (i, capacity) = (Expression.local(0, .integer), cut.capacity(shape.starts[0]))
      let count = Expression.call(.ceil, [.binary(.divide, Self.size, capacity)])
      let data = Expression.call(.slice, [Self.frame, .binary(.multiply, i, capacity), capacity])
      let send = cut.send(message, definition, number: i, count: (count, capacity), data: data)
      steps = [.init(.repeat(count, index: 0, cut.pause(before: i) + [send]))]
      repetitions = 1
    }
    let indices = ["i", "j", "k"].prefix(repetitions).map(Optional.some)
    definition.device.rules.append(
      Rule(on: .sent(message: nil, layer: layer), steps, repetitions: Array(indices)))
  }

  /// The longest message that begins with the header of this number; nil: any.
  private func limit(of number: Int, _ fragmentation: Fragmentation) -> Int? {
    let shape = fragmentation.shape
    guard number + 1 < shape.starts.count else { return nil }
    let bits = shape.starts[number].bits(of: .length) ?? 0
    let most = (1 << bits) - 1 - shape.adjust
    // A device that has a longer header for messages of several fragments takes it for these only.
    guard case .constant(let size) = fragmentation.size else { return most }
    let own = fragmentation.sizes[number]?.upperBound ?? 0
    let next = shape.starts.indices.dropFirst(number + 1).compactMap { fragmentation.sizes[$0]?.lowerBound }
      .min()
    let single = size - shape.starts[number].size
    if single < most, own <= single, next.map({ $0 > single }) ?? true { return single }
    return next.map { max(own, min(most, $0 - 1)) } ?? most
  }
}

/// How a rule makes the fragments of a message.
private struct Cut {
  let fragmentation: Fragmentation
  let destination: Rule.Destination
  private static let size = Expression.call(.size, [.known(.frame)])

  init(_ fragmentation: Fragmentation, to destination: Rule.Destination) {
    (self.fragmentation, self.destination) = (fragmentation, destination)
  }

  /// How many bytes a fragment with a header has at most.
  func capacity(_ header: FragmentShape.Header) -> Expression {
    switch fragmentation.size {
    case .constant(let size): .number(size - header.size)
    case .ofLink: .known(.mtu) - Int64(3 + header.size)
    }
  }

  /// Whether messages of this size do not always fit into one fragment.
  func isMore(than limit: Int, _ header: FragmentShape.Header) -> Bool {
    if case .constant(let size) = fragmentation.size { limit > size - header.size } else { true }
  }

  /// - Parameters:
  ///   - number: of the fragment, from 0.
  ///   - count: how many there are, and how many bytes each has; nil: the header does not tell.
  func send(
    _ message: Int, _ definition: LearntDefinition, number: Expression,
    count: (fragments: Expression, size: Expression)?, data: Expression
  ) -> Rule.Step {
    let (shape, template) = (fragmentation.shape, definition.device.messages[message])
    let header = ([shape.rest].compactMap(\.self) + shape.starts).first { $0.text == template.source }
    let end = count.map { Expression.binary(.multiply, number + 1, $0.size) }
    let sources = template.fields.map { field -> Rule.FieldSource in
      guard let role = FragmentShape.Role(rawValue: field.name) else { return .value(data) }
      let value: Expression? =
        switch role {
        case .index: header.map { index(from: number, $0) }
        case .total: count.map { plus($0.fragments, shape.adjust) }
        case .left: count.map { .binary(.subtract, $0.fragments - 1, number) }
        case .first: .call(.number, [.binary(.equal, number, .number(0))])
        case .last: end.map { .call(.number, [.binary(.greaterOrEqual, $0, Self.size)]) }
        case .more: end.map { .call(.number, [.binary(.less, $0, Self.size)]) }
        case .length: plus(Self.size, shape.adjust)
        }
      return .value(value ?? .number(0))
    }
    return .init(.send(.message(message, sources), to: destination))
  }

  private func plus(_ value: Expression, _ number: Int) -> Expression {
    number == 0 ? value : number > 0 ? value + Int64(number) : value - Int64(-number)
  }

  private func index(from number: Expression, _ header: FragmentShape.Header) -> Expression {
    let bits = header.bits(of: .index) ?? 8
    let index = plus(number, fragmentation.shape.base)
    if case .constant(let size) = fragmentation.size,
      LayerWriter.longest / (size - header.size) + fragmentation.shape.base < 1 << bits
    {
      return index
    }
    return index % Int64(1 << bits)
  }

  /// The shortest time between values that is not the link's own.
  private static let shortest = Duration.milliseconds(10)

  /// - Parameter number: of the fragment, from 0; nil: another comes before it.
  func pause(before number: Expression?) -> [Rule.Step] {
    guard fragmentation.gap >= Self.shortest else { return [] }
    let wait = Rule.Action.wait(.number(fragmentation.gap.wholeMicroseconds / 1000))
    return [.init(wait, if: number.map { .binary(.greater, $0, .number(0)) })]
  }
}

extension Expression {
  /// The same of other bytes than the written value.
  fileprivate func of(_ bytes: Expression) -> Expression {
    switch self {
    case .known(.value): bytes
    case .binary(let kind, let left, let right): .binary(kind, left.of(bytes), right.of(bytes))
    case .call(let function, let arguments): .call(function, arguments.map { $0.of(bytes) })
    case .cell(let table, let key, let column):
      .cell(table: table, key: key.map { $0.of(bytes) }, column: column)
    default: self
    }
  }
}
