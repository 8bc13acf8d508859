import DeviceModel
import Framing

/// Where something is in the recordings; two values may have the same time.
struct RecordedPlace: Comparable, Sendable {
  var conversation: Int
  var exchange: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.conversation, left.exchange) < (right.conversation, right.exchange)
  }
}

extension Model {
  /// The place of the first value of what the device sends, and of the last value of a request.
  func place(of frame: Int, _ stream: Int) -> RecordedPlace {
    let analysis = streams[stream]
    let values = analysis.frames[frame].values
    let index = analysis.stream.direction == .fromDevice ? values.lowerBound : values.upperBound - 1
    guard analysis.stream.values.indices.contains(index) else {
      return RecordedPlace(conversation: analysis.frames[frame].conversation, exchange: 0)
    }
    let value = analysis.stream.values[index]
    return RecordedPlace(conversation: value.conversation, exchange: value.exchange)
  }
}

/// All requests of a kind, in order.
struct WrittenRequests: Sendable {
  struct Write: Sendable {
    var place: RecordedPlace
    var time: Instant
    var bytes: [UInt8]
  }

  let id: MessageID
  let writes: [Write]
  /// How many bytes of a request a conversion may read.
  let reach: Int

  init(of id: MessageID, _ model: Model) {
    self.id = id
    let frames = model.streams[id.stream].frames
    writes = model[id].frames.filter(frames.indices.contains).map {
      Write(place: model.place(of: $0, id.stream), time: frames[$0].time, bytes: frames[$0].bytes)
    }.sorted { $0.place < $1.place }
    reach = model.reach(of: id)
  }

  /// Bytes; nil: it varies.
  var size: Int? {
    writes.first.flatMap { first in
      writes.allSatisfy { $0.bytes.count == first.bytes.count } ? first.bytes.count : nil
    }
  }

  /// Whether the field changes after one of them.
  func lead(to shown: ShownValues) -> Bool {
    writes.contains { write in
      let next = shown.values.firstIndex { $0.place > write.place }
      return next.map { $0 > 0 && shown.values[$0].bytes != shown.values[$0 - 1].bytes } ?? false
    }
  }
}

/// A part of the device's state that requests set and a field shows.
struct State: Hashable, Sendable {
  struct Setter: Hashable, Sendable {
    var request: MessageID
    var conversion: Conversion
  }

  var setters: [Setter]
  /// Before the first request.
  var first: [UInt8]
}

/// What a field showed, in order.
struct ShownValues: Sendable {
  struct Value {
    var place: RecordedPlace
    var time: Instant
    var bytes: [UInt8]
    var frame: [UInt8]
  }

  let values: [Value]

  /// A device may still show the state before a request for so long.
  static let lag = Duration.seconds(1)

  init(of place: MessageLayout.Place, _ id: MessageID, _ model: Model) {
    values = model.sent(id).map {
      let frame = model.frame($0)
      return Value(
        place: model.place(of: $0.frame, id.stream), time: $0.start, bytes: place.bytes(in: frame),
        frame: frame)
    }
  }

  /// The requests, each with the first frame that shows its effect, if that comes before the next of them.
  func pairs(with writes: [WrittenRequests.Write]) -> [FramePair] {
    var index = 0
    return writes.indices.compactMap { number in
      let write = writes[number]
      while index < values.count, values[index].place < write.place { index += 1 }
      let end = number + 1 < writes.count ? writes[number + 1].place : nil
      let after = values[index...].prefix(2).prefix { value in end.map { value.place < $0 } ?? true }
      let before = index > 0 ? values[index - 1].bytes : nil
      let changed = after.prefix { write.time.duration(to: $0.time) < Self.lag }.first { $0.bytes != before }
      return (changed ?? after.first).map { FramePair(request: write.bytes, answer: $0.frame) }
    }
  }

  struct Agreement {
    /// Before the first request.
    var first: [UInt8]?
    var wrong = 0
    /// The values that requests have set, without repetition of the one before.
    var right: [[UInt8]] = []
  }

  /// How well the values are those that were set last.
  func agreement(with writes: [(write: WrittenRequests.Write, bytes: [UInt8]?)]) -> Agreement {
    var agreement = Agreement()
    var (index, last, present) = (0, [UInt8]?.none, [UInt8]?.none)
    for value in values {
      var mayLag = false
      while index < writes.count, writes[index].write.place < value.place {
        (last, present) = (present ?? agreement.first, writes[index].bytes)
        index += 1
        mayLag = writes[index - 1].write.time.duration(to: value.time) < Self.lag
      }
      if index == 0 {
        if let first = agreement.first, first != value.bytes { agreement.wrong += 1 }
        agreement.first = agreement.first ?? value.bytes
      } else if value.bytes == present {
        if agreement.right.last != value.bytes { agreement.right.append(value.bytes) }
      } else if value.bytes != last || !mayLag {
        agreement.wrong += 1
      }
    }
    return agreement
  }
}

// Fields that show what earlier requests have set.
extension FieldSources {
  /// A variable that requests have set.
  mutating func setting(_ id: MessageID, _ index: Int, _ place: MessageLayout.Place, _ model: inout Model)
    -> Origin?
  {
    guard let state = state(of: place, id, model), let type = state.setters.first?.conversion.type,
      !isEchoedElsewhere(id, index) || type == model.layouts[id]?.places[index].type
    else { return nil }
    let count = model.sent(id).count
    model.layouts[id]?.places[index].type = type
    let variable: Int
    if let known = states[state] {
      variable = known
    } else {
      variable = addVariable(names.unique(place.name, prefix: model[id].name), type.value(of: state.first))
      states[state] = variable
      for setter in state.setters {
        guard let layout = model.layouts[setter.request] else { continue }
        settings[setter.request, default: []].append(
          (.variable(variable), setter.conversion.expression(layout)))
      }
    }
    for (conversion, setters) in Dictionary(grouping: state.setters, by: \.conversion) {
      let names = setters.map { model[$0.request].name }.joined(separator: " or ")
      guard let layout = model.layouts[setters[0].request] else { continue }
      note(
        "\(place.name) of \(model[id].name) is \(conversion.words(layout, "the last \(names)"))", id, model,
        count)
    }
    return .expression(.variable(variable))
  }

  /// The state that a field shows; nil: nothing has set it.
  func state(of place: MessageLayout.Place, _ id: MessageID, _ model: Model) -> State? {
    let shown = ShownValues(of: place, id, model)
    guard (place.width ?? 0) > 0, let first = shown.values.first?.bytes,
      shown.values.contains(where: { $0.bytes != first }), shown.values.allSatisfy({ !$0.bytes.isEmpty })
    else { return nil }
    let candidates = candidates(for: place, shown, id, model)
    var (chosen, cost) = ([State.Setter](), 0)
    var best = shown.values.count
    while best > 0 {
      let known = Set(chosen.map(\.request))
      let next = candidates.filter { known.isDisjoint(with: $0.map(\.request)) }.map { setters in
        (setters: setters, agreement: agreement(of: chosen + setters, shown, model))
      }.min { ($0.agreement.wrong, $0.setters.cost) < ($1.agreement.wrong, $1.setters.cost) }
      guard let next, next.agreement.wrong < best else { return nil }
      (best, chosen, cost) = (next.agreement.wrong, chosen + next.setters, cost + next.setters.cost)
      guard best == 0 else { continue }
      let right = next.agreement.right
      let isSingle =
        next.agreement.first.map { [$0] != right } == true && chosen.allSatisfy(\.conversion.isWhole)
      guard Set(right).count > 1 || isSingle, right.weight >= cost else { return nil }
      return State(setters: chosen, first: next.agreement.first ?? first)
    }
    return nil
  }

  private func agreement(of setters: [State.Setter], _ shown: ShownValues, _ model: Model)
    -> ShownValues.Agreement
  {
    let writes = setters.flatMap { setter in
      let layout = model.layouts[setter.request]
      return (written.first { $0.id == setter.request }?.writes ?? []).map {
        (write: $0, bytes: setter.conversion.bytes(of: $0.bytes, layout))
      }
    }
    return shown.agreement(
      with: setters.count > 1 ? writes.sorted { $0.write.place < $1.write.place } : writes)
  }

  /// The kinds of requests, each alone and those that look alike together, that may set what the field shows.
  private func candidates(
    for place: MessageLayout.Place, _ shown: ShownValues, _ id: MessageID, _ model: Model
  ) -> [[State.Setter]] {
    let single = written.compactMap { requests -> [State.Setter]? in
      let pairs = shown.pairs(with: requests.writes)
      let first = shown.values.first?.bytes
      return place.conversion(of: pairs, model.layouts[requests.id], upTo: requests.reach, from: first).map {
        [State.Setter(request: requests.id, conversion: $0)]
      }
    }
    let alike = Dictionary(grouping: written.filter { $0.size != nil }) { [$0.id.stream, $0.size ?? 0] }
    return single
      + alike.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { _, all in
        let own = all.filter { requests in requests.lead(to: shown) }
        guard own.count > 1 else { return nil }
        let pairs = shown.pairs(with: own.flatMap(\.writes).sorted { $0.place < $1.place })
        let found = place.conversion(of: pairs, nil, upTo: own.map(\.reach).min() ?? 0)
        return found.map { found in own.map { State.Setter(request: $0.id, conversion: found) } }
      }
  }
}

extension [State.Setter] {
  /// What they must explain before they are no coincidence, in bits.
  fileprivate var cost: Int { Set(map(\.conversion)).reduce(0) { $0 + $1.cost } }
}
