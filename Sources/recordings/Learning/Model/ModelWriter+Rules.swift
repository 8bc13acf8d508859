import Bluetooth
import DeviceModel
import Framing

extension ModelWriter {
  /// A delay that a link may have by itself.
  private static let shortest = Duration.milliseconds(10)

  mutating func addRules() {
    let timers = model.reports.map { report in
      definition.device.timers.append(name(report.message))
      return definition.device.timers.count - 1
    }
    let reports = Array(zip(model.reports, timers))
    var causes = model.reactions.map(\.cause) + model.reports.map(start)
    let asked = model.reports.flatMap(\.questions.keys)
    for id in model.requests where sources.settings[id] != nil || asked.contains(.request(id)) {
      causes.append(.request(id))
    }
    for cause in causes.distinct {
      guard let event = event(cause) else { continue }
      var started: [Rule.Step] = []
      for (report, timer) in reports where start(report) == cause {
        started += starting(report, timer: timer)
      }
      let steps = unknown(cause) + settings(cause) + reaction(to: cause) + report(askedBy: cause) + started
      guard !steps.isEmpty else { continue }
      definition.device.rules.append(Rule(on: event, numbering: steps))
    }
    for stream in model.explainedRequests.sorted() { takeAnyChecksum(in: model.streams[stream]) }
    for (report, timer) in reports { addRule(for: report, timer) }
    if !timers.isEmpty {
      definition.device.rules.append(Rule(on: .disconnected, timers.map { .stop(timer: $0) }))
    }
  }

  private func event(_ cause: Cause) -> Rule.Trigger? {
    switch cause {
    case .connection: return .connected
    case .subscription(let handle): return definition.characteristic(id(of: handle)).map { .subscribed($0) }
    case .request(let id):
      guard let message = messages[id], let place = endpoint(of: id) else { return nil }
      return .received(message: message, from: place)
    }
  }

  /// The characteristic of a message.
  private func endpoint(of id: MessageID) -> Rule.Endpoint? {
    definition.characteristic(model.streams[id.stream].stream.id).map { .characteristic($0) }
  }

  private func id(of handle: AttributeHandle) -> String {
    model.streams.first { $0.stream.handle == handle }?.stream.id ?? model.timeline.ids[handle] ?? ""
  }

  private func settings(_ cause: Cause) -> [Rule.Step] {
    guard case .request(let id) = cause, let settings = sources.settings[id] else { return [] }
    return [.init(.set(settings))]
  }

  /// A line of the log for a request of a kind that was never recorded.
  private func unknown(_ cause: Cause) -> [Rule.Step] {
    guard case .request(let id) = cause, let example = model.examples[id] else { return [] }
    return [.init(ReplayWriter.unknown("answered like \(name(example))"))]
  }

  /// Adds a rule that takes a request with another checksum, as some devices do, for the one with the right checksum.
  private mutating func takeAnyChecksum(in requests: StreamAnalysis) {
    guard let check = requests.check, requests.framing == nil,
      let place = definition.characteristic(requests.stream.id)
    else { return }
    let (frame, width) = (Expression.known(.frame), check.checksum.width)
    let end = Expression.call(.size, [frame]) - Int64(check.size)
    let covered = Expression.call(
      .slice, [frame, .number(check.start), check.start == 0 ? end : end - Int64(check.start)])
    let right = Expression.encoded(
      .integer(width, check.checksum.byteOrder, isSigned: false),
      .checksum(check.checksum, of: covered, after: nil))
    let request = Expression.call(.patch, [frame, end, right])
    let isWrong = Expression.binary(.notEqual, .call(.slice, [frame, end, .number(width)]), right)
    definition.device.rules.append(
      Rule(
        on: .received(message: nil, from: .characteristic(place)),
        if: .binary(
          .and, .binary(.greater, .call(.size, [frame]), .number(check.start + check.size)), isWrong),
        [ReplayWriter.unknown("answered like one with \(check.checksum)"), .receive(request, from: nil)]))
  }

  // MARK: Reactions

  private mutating func reaction(to cause: Cause) -> [Rule.Step] {
    guard let reaction = model.reactions.first(where: { $0.cause == cause }) else { return [] }
    var (actions, names): ([Rule.Step], [String]) = ([], [])
    var steps = reaction.steps[...]
    defer { note(reaction, names) }
    while let step = steps.popFirst() {
      if step.delay >= Self.shortest { actions.append(.init(.wait(step.delay.rounded.expression))) }
      var joined = [step.message] + steps.prefix(while: \.isJoined).map(\.message)
      if joined.count > 1, joinedMessage(of: joined) == nil { joined = [step.message] }
      steps = steps.dropFirst(joined.count - 1)
      let same = steps.prefix { joined == [$0.message] && $0.delay < Self.shortest }.count
      steps = steps.dropFirst(same)
      let sending = sending(joined, by: cause)
      if let message = joinedMessage(of: joined) {
        names += Array(repeating: definition.device.messages[message].name, count: same + 1)
      }
      if same == 0 {
        actions += sending
      } else {
        actions.append(.init(.repeat(.number(same + 1), index: 0, sending)))
      }
    }
    return model.condition(for: reaction).map { [.init(.group(actions), if: $0)] } ?? actions
  }

  private mutating func note(_ reaction: Reaction, _ answers: [String]) {
    let answers = answers.joined(separator: ", ")
    let delay = reaction.steps.first?.delay.rounded.written ?? ""
    definition.evidence.append(
      Evidence(
        "\(name(of: reaction.cause)) leads to \(answers), usually after \(delay)",
        at: place(of: reaction.cause),
        agreeing: reaction.agreeing, of: reaction.cases))
  }

  private func name(of cause: Cause) -> String {
    switch cause {
    case .connection: "a connection"
    case .subscription(let handle): "a subscription to \(id(of: handle))"
    case .request(let id): name(id)
    }
  }

  private func place(of cause: Cause) -> String {
    switch cause {
    case .connection: "link"
    case .subscription(let handle): "\(id(of: handle)) ->"
    case .request(let id): "\(model.streams[id.stream].stream.id) <-"
    }
  }

  // MARK: Sending

  /// The actions that send messages in one value: the messages with their fields, then what changes for the next ones.
  ///
  /// - Parameter cause: nil: a timer.
  private mutating func sending(_ ids: [MessageID], by cause: Cause?) -> [Rule.Step] {
    guard let id = ids.first, let message = joinedMessage(of: ids), let place = endpoint(of: id) else {
      return []
    }
    let places = ids.flatMap { id in (model.layouts[id]?.places.indices ?? 0..<0).map { (id, $0) } }
    let sources = zip(definition.device.messages[message].fields, places).map { field, place in
      Rule.FieldSource.value(
        expression(place.0, place.1, by: cause) ?? .constant(.zero(of: field.valueType)))
    }
    // An answer goes where the request came from.
    var destination = Rule.Destination.endpoint(place)
    if case .request(let request) = cause, endpoint(of: request) == place,
      let event = event(.request(request))
    {
      destination = definition.device.destination(afterAnyOf: [event]) ?? destination
    }
    let send =
      pieces(of: id, by: cause, to: destination)
      ?? [Rule.Step(.send(.message(message, sources), to: destination))]
    return ids.flatMap { choice(of: $0, by: cause) } + send + ids.flatMap(changes)
  }

  /// Chooses the recorded values: those after the same requests, or those that answer the same request.
  private func choice(of id: MessageID, by cause: Cause?) -> [Rule.Step] {
    guard let cause, cause != .connection, let steps = steps[id] else { return [] }
    var changes: [(Rule.Slot, Expression)] = []
    if case .request(let request) = cause, let choice = choices[id]?[request] {
      changes = choice.changes(of: steps.variable, otherwise: steps.row)
    }
    if let place = placesOfAnswers[id] {
      let row = place.or(changes.first?.1 ?? steps.row) { $0 - 1 }
      changes = [(.variable(steps.variable), row)] + changes.dropFirst()
    }
    return changes.isEmpty ? [] : [.init(.set(changes))]
  }

  private func changes(after id: MessageID) -> [Rule.Step] {
    var changes: [(Rule.Slot, Expression)] = []
    for (_, origin) in (sources.origins[id] ?? [:]).sorted(by: { $0.key < $1.key }) {
      if case .counter(let variable, let next) = origin { changes.append((.variable(variable), next)) }
    }
    if let steps = steps[id], steps.count > 1 {
      changes.append((.variable(steps.variable), (steps.row + 1) % Int64(steps.count)))
    }
    return changes.isEmpty ? [] : [.init(.set(changes))]
  }

  // MARK: Reports

  /// What starts a report; where the recording does not show it, a subscription.
  private func start(_ report: Report) -> Cause {
    report.start ?? .subscription(model.streams[report.message.stream].stream.handle)
  }

  private mutating func starting(_ report: Report, timer: Int) -> [Rule.Step] {
    let time = report.isEven ? report.every : report.after
    let start = Rule.Action.start(timer: timer, time.rounded.expression, repeats: report.isEven)
    let runs = runs(report).map { [Rule.Step(.set([(.variable($0), .number(1))]))] } ?? []
    return choice(of: report.message, by: report.start) + [.init(start)] + runs
  }

  /// The variable that tells that a report has begun; nil: nothing depends on it.
  private mutating func runs(_ report: Report) -> Int? {
    guard !report.questions.isEmpty else { return nil }
    if let known = running[report.message] { return known }
    let name = names.unique("\(name(report.message))-runs")
    running[report.message] = definition.addVariable(name, isPerCentral: true)
    return running[report.message]
  }

  /// A report that has not begun comes once if it is asked for.
  private mutating func report(askedBy cause: Cause) -> [Rule.Step] {
    model.reports.flatMap { report -> [Rule.Step] in
      guard let delay = report.questions[cause], let runs = runs(report) else { return [] }
      let wait = delay < Self.shortest ? [] : [Rule.Step(.wait(delay.rounded.expression))]
      let steps = wait + sending([report.message], by: cause) + following(report)
      return [.init(.group(steps), if: .binary(.equal, .variable(runs), .number(0)))]
    }
  }

  /// What a report sends after its own message.
  private mutating func following(_ report: Report) -> [Rule.Step] {
    report.then.flatMap { step -> [Rule.Step] in
      let wait: [Rule.Step] =
        step.delay < Self.shortest ? [] : [.init(.wait(step.delay.rounded.expression))]
      return wait + sending([step.message], by: nil)
    }
  }

  private mutating func addRule(for report: Report, _ timer: Int) {
    let again = Rule.Action.start(timer: timer, report.every.rounded.expression, repeats: false)
    definition.device.rules.append(
      Rule(
        on: .timer(timer),
        numbering: (report.isEven ? [] : [.init(again)]) + sending([report.message], by: nil)
          + following(report)))
    definition.evidence.append(
      Evidence(
        "\(report.messages.map(name).joined(separator: ", ")) every \(report.every.rounded.written), from \(name(of: start(report))) on",
        at: "\(model.streams[report.message.stream].stream.id) ->",
        agreeing: report.agreeing, of: report.cases))
  }
}

extension Report {
  /// Whether the first one comes a period after its start.
  fileprivate var isEven: Bool { after * 5 >= every * 4 && after * 5 <= every * 6 }
}

extension Duration {
  /// To 10 ms from 100 ms on, else to 1 ms.
  fileprivate var rounded: Duration {
    let milliseconds = (wholeMicroseconds + 500) / 1000
    return .milliseconds(milliseconds < 100 ? max(1, milliseconds) : (milliseconds + 5) / 10 * 10)
  }

  /// Milliseconds.
  fileprivate var expression: Expression { .number(wholeMicroseconds / 1000) }
}
