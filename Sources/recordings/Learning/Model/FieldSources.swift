import DeviceModel
import Framing

/// Where the fields of all messages of a model come from.
struct FieldSources: Sendable {
  /// By message and field.
  var origins: [MessageID: [Int: Origin]] = [:]
  /// By what the message answers, message and field.
  var echoes: [Cause: [MessageID: [Int: Expression]]] = [:]
  /// The fields of requests that answers have, as they are or changed.
  var echoed: [MessageID: Set<Int>] = [:]
  /// The variables that a request sets.
  var settings: [MessageID: [(Rule.Slot, Expression)]] = [:]
  private(set) var variables: [(name: String, first: Value)] = []
  private(set) var evidence: [Evidence] = []
  var names: ModelNames
  private var counters: [(counter: SharedCounter, variable: Int)] = []
  private let firstVariable: Int
  /// The variables of states, by what sets them.
  var states: [State: Int] = [:]
  let written: [WrittenRequests]

  /// - Parameter firstVariable: the index that the first of the variables will have.
  init(_ model: inout Model, _ names: inout ModelNames, firstVariable: Int) {
    (self.names, self.firstVariable) = (names, firstVariable)
    written = model.requests.map { WrittenRequests(of: $0, model) }
    let ids = model.sentMessages
    for counter in model.counters where ids.contains(counter.message) { add(counter, model) }
    for id in ids {
      let isOpen = openOffsets(of: id, model)
      var index = 0
      while index < model.layouts[id]?.places.count ?? 0 {
        if find(id, index, isOpen, &model) { index += 1 }
      }
      findChecksum(id, model)
    }
    names = self.names
  }

  /// Adds a variable, and returns its index.
  mutating func addVariable(_ name: String, _ first: Value) -> Int {
    variables.append((name, first))
    return firstVariable + variables.count - 1
  }
}

extension FieldSources {
  private mutating func add(_ counter: SharedCounter, _ model: Model) {
    guard let first = model.sent(counter.message).first.map(model.frame),
      let place = model.layouts[counter.message]?.places.first(where: {
        $0.position == .fromStart(counter.offset)
      })
    else { return }
    let name = names.unique(counter.field.name, prefix: model[counter.message].name)
    counters.append((counter, addVariable(name, place.type.value(of: place.bytes(in: first)))))
  }

  /// - Parameter isOpen: for each byte of the message, whether requests may determine it.
  /// - Returns: false if the field is now several fields.
  private mutating func find(_ id: MessageID, _ index: Int, _ isOpen: [Bool], _ model: inout Model) -> Bool {
    guard let place = model.layouts[id]?.places[index], place.checksum == nil else { return true }
    if isEchoed(id, index, place, &model) { return true }
    let origin = counter(id, place, model) ?? clock(place, id, model) ?? setting(id, index, place, &model)
    if case .some = origin {
      let type = model.layouts[id]?.places[index].type.plain ?? place.type
      model.layouts[id]?.places[index].type = type
    } else if echoes.values.allSatisfy({ $0[id]?[index] == nil }) {
      let pieces = pieces(of: place, id, isOpen, model)
      if !pieces.isEmpty {
        model.split(id, index, pieces)
        return false
      }
    }
    origins[id, default: [:]][index] = origin ?? .recorded
    return true
  }

  /// A checksum of recorded bytes is recorded with them.
  private mutating func findChecksum(_ id: MessageID, _ model: Model) {
    guard let places = model.layouts[id]?.places,
      let index = places.firstIndex(where: { $0.checksum != nil }), let checksum = places[index].checksum
    else { return }
    let isRecorded = places.indices.dropFirst(index + 1).allSatisfy { origins[id]?[$0] == .recorded }
    origins[id, default: [:]][index] = isRecorded ? .recorded : .checksum(checksum)
  }

  // MARK: Echoes

  /// Whether the field is computed from the request of all that the message answers.
  private mutating func isEchoed(
    _ id: MessageID, _ index: Int, _ place: MessageLayout.Place, _ model: inout Model
  ) -> Bool {
    var isAlways = !model.reports.contains { $0.messages.contains(id) }
    for reaction in model.reactions where reaction.steps.contains(where: { $0.message == id }) {
      let pairs = model.pairs(of: id, in: reaction)
      guard case .request(let request) = reaction.cause, let layout = model.layouts[request],
        let echo = echo(of: place, pairs, request, model)
      else {
        isAlways = false
        continue
      }
      // One field has one type.
      let type = model.layouts[id]?.places[index].type.plain
      guard echo.type == type || (type == place.type.plain && !isEchoedElsewhere(id, index)) else {
        isAlways = false
        continue
      }
      model.layouts[id]?.places[index].type = echo.type
      echoes[reaction.cause, default: [:]][id, default: [:]][index] = echo.expression(layout)
      if let field = echo.field(layout) { echoed[request, default: []].insert(field) }
      let verb = echo.source == .size ? "is" : "echoes"
      note(
        "\(place.name) of \(model[id].name) \(verb) \(echo.words(layout, model[request].name))", id, model,
        pairs.count)
    }
    return isAlways
  }

  func isEchoedElsewhere(_ id: MessageID, _ index: Int) -> Bool {
    echoes.values.contains { $0[id]?[index] != nil }
  }

  /// What computes the field from requests that have just come; nil: nothing does.
  func echo(of place: MessageLayout.Place, _ pairs: [FramePair], _ request: MessageID, _ model: Model)
    -> Conversion?
  {
    place.conversion(of: pairs, model.layouts[request], upTo: model.reach(of: request))
  }

  mutating func note(_ claim: String, _ id: MessageID, _ model: Model, _ agreeing: Int, of cases: Int? = nil)
  {
    evidence.append(
      Evidence(
        claim, at: "\(model.streams[id.stream].stream.id) ->", agreeing: agreeing, of: cases ?? agreeing))
  }

  // MARK: Counters and clocks

  private mutating func counter(_ id: MessageID, _ place: MessageLayout.Place, _ model: Model) -> Origin? {
    for (counter, variable) in counters where place.position == .fromStart(counter.offset) {
      guard counter.message.stream == id.stream, place.width == counter.field.width else { continue }
      if counter.message == id {
        let value = Expression.variable(variable)
        let next = counter.step < 0 ? value - -counter.step : value + counter.step
        return .counter(variable, next: next % counter.limit)
      }
      guard model.shows(id, counter) else { continue }
      let count = model.sent(id).count
      note(
        "\(place.name) of \(model[id].name) is that of the next \(model[counter.message].name)", id, model,
        count)
      return .expression(.variable(variable))
    }
    return nil
  }

  private func clock(_ place: MessageLayout.Place, _ id: MessageID, _ model: Model) -> Origin? {
    guard case .integer(let width, let order, false) = place.type else { return nil }
    let limit = Int64(1) << (8 * Int64(width))
    switch place.meaning {
    case .unixTime:
      let time = Expression.known(.unixTime)
      return .expression(width < 4 ? time % limit : time)
    case .clock(_, let rate):
      let readings = model.sent(id).map {
        ClockReading(
          time: Double($0.start.microseconds) - Double(model.timeline.start.microseconds),
          number: order.number(place.bytes(in: model.frame($0))))
      }
      return ClockReading.expression(for: readings, unitsPerSecond: Int64(rate.rounded()), limit: limit)
        .map { .expression($0) }
    default: return nil
    }
  }
}
