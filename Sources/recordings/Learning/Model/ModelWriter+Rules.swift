import Bluetooth
import DefinitionWriter
import Framing

extension ModelWriter {
  /// A delay that a link may have by itself.
  private static let shortest = Duration.milliseconds(100)

  mutating func addRules() {
    var causes = model.reactions.map(\.cause) + model.reports.map(start)
    causes += sources.settings.keys.sorted { ($0.stream, $0.message) < ($1.stream, $1.message) }.map(
      Cause.request)
    for cause in causes.unique {
      let actions =
        settings(cause) + reaction(to: cause) + model.reports.filter { start($0) == cause }.flatMap(starting)
      definition.rules.append(Self.rule(on: event(cause), actions))
    }
    for report in model.reports { addTimer(report) }
    addStops()
  }

  static func rule(on event: YAMLValue, _ actions: [YAMLValue]) -> YAMLValue {
    let action = actions.count == 1 ? actions[0] : .list(actions, .block)
    return .object([.init("on", event), .init("do", action)], .compact)
  }

  private func event(_ cause: Cause) -> YAMLValue {
    switch cause {
    case .connection: return .word("connect")
    case .subscription(let handle): return .object([.init("subscribe", .text(id(of: handle)))], .flow)
    case .request(let id):
      let place = YAMLValue.text(model.streams[id.stream].stream.id)
      return .object([.init("receive", .text(messages[id] ?? "")), .init("from", place)], .flow)
    }
  }

  private func id(of handle: AttributeHandle) -> String {
    model.streams.first { $0.stream.handle == handle }?.stream.id ?? model.timeline.ids[handle] ?? ""
  }

  private func settings(_ cause: Cause) -> [YAMLValue] {
    guard case .request(let id) = cause, let settings = sources.settings[id] else { return [] }
    let entries = settings.map { YAMLValue.Entry($0.name, .text($0.expression)) }
    return [.object([.init("set", .map(entries, .compact))], .compact)]
  }

  // MARK: Reactions

  private mutating func reaction(to cause: Cause) -> [YAMLValue] {
    guard let reaction = model.reactions.first(where: { $0.cause == cause }) else { return [] }
    note(reaction)
    var actions: [YAMLValue] = []
    var steps = reaction.steps[...]
    while let step = steps.popFirst() {
      if step.delay >= Self.shortest { actions.append(Self.wait(step.delay)) }
      let same = steps.prefix { $0.message == step.message && $0.delay < Self.shortest }.count
      steps = steps.dropFirst(same)
      let sending = sending(step.message, by: cause)
      actions +=
        same == 0
        ? sending
        : [.object([.init("repeat", .number(same + 1)), .init("do", .list(sending, .block))], .compact)]
    }
    return actions
  }

  private static func wait(_ time: Duration) -> YAMLValue {
    .object([.init("wait", .text(time.rounded.written))], .flow)
  }

  private mutating func note(_ reaction: Reaction) {
    let answers = reaction.steps.map { messages[$0.message] ?? "" }.joined(separator: ", ")
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
    case .request(let id): messages[id] ?? model[id].name
    }
  }

  private func place(of cause: Cause) -> String {
    switch cause {
    case .connection: "link"
    case .subscription(let handle): "\(id(of: handle)) ->"
    case .request(let id): "\(model.streams[id.stream].stream.id) <-"
    }
  }

  // MARK: Reports

  /// What starts a report; where the recording does not show it, a subscription.
  private func start(_ report: Report) -> Cause {
    report.start ?? .subscription(model.streams[report.message.stream].stream.handle)
  }

  private func timer(_ report: Report) -> String { messages[report.message] ?? "" }

  /// Whether the first report comes a period after its start.
  private static func isEven(_ report: Report) -> Bool {
    report.after * 5 >= report.every * 4 && report.after * 5 <= report.every * 6
  }

  private func starting(_ report: Report) -> [YAMLValue] {
    let time = Self.isEven(report) ? "every" : "after"
    let first = Self.isEven(report) ? report.every : report.after
    let start = [YAMLValue.Entry("start", .text(timer(report))), .init(time, .text(first.rounded.written))]
    return choice(of: report.message, by: report.start) + [.object(start, .flow)]
  }

  private mutating func addTimer(_ report: Report) {
    let again = [
      YAMLValue.Entry("start", .text(timer(report))), .init("after", .text(report.every.rounded.written)),
    ]
    let actions =
      (Self.isEven(report) ? [] : [YAMLValue.object(again, .flow)]) + sending(report.message, by: nil)
    definition.rules.append(Self.rule(on: .object([.init("timer", .text(timer(report)))], .flow), actions))
    let stream = model.streams[report.message.stream].stream
    definition.evidence.append(
      Evidence(
        "\(timer(report)) every \(report.every.rounded.written), from \(name(of: start(report))) on",
        at: "\(stream.id) ->",
        agreeing: report.agreeing, of: report.cases))
  }

  private mutating func addStops() {
    guard !model.reports.isEmpty else { return }
    let stops = model.reports.map { YAMLValue.object([.init("stop", .text(timer($0)))], .flow) }
    definition.rules.append(Self.rule(on: .word("disconnect"), stops))
  }
}

extension Duration {
  /// To 10 ms from 100 ms on, else to 1 ms.
  var rounded: Duration {
    let milliseconds = (wholeMicroseconds + 500) / 1000
    return .milliseconds(milliseconds < 100 ? max(1, milliseconds) : (milliseconds + 5) / 10 * 10)
  }
}
