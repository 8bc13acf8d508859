import Bluetooth
import DeviceModel

/// The rules of a device as the engine performs them.
///
/// All steps are in one array, each followed by the steps inside it. They consist of numbers only: the places of expressions,
/// templates and the like in lists beside them. So a step is read without counting references. The text of the rules stays in
/// ``PeripheralDefinition/rules``, and so does what is rarely needed.
struct RuleProgram: Sendable {
  typealias Index = Int32

  struct Entry: Sendable {
    let steps: Range<Int>
    /// Among the expressions.
    let condition: Index?
    /// Where in `isActive` its states begin; nil: it fires in all.
    fileprivate let states: Index?
    /// How many ``Rule/locals`` it has.
    let locals: Index
    let placesResponse: Bool
    /// Whether it waits for several things, and may ask which of them it is.
    let asksOrigin: Bool
  }

  struct Step: Sendable {
    /// Among the expressions.
    fileprivate(set) var condition: Index?
    /// The step after it and those inside it.
    fileprivate(set) var end: Index
    fileprivate(set) var operation: Operation
  }

  /// As ``Rule/Action``. Expressions, templates and the like are indices.
  enum Operation: Sendable {
    case send(content: Index, to: Endpoint?)
    case sendPDU(template: Index)
    case respond(content: Index)
    case placeResponse
    case refuse(ATTError, handle: Index?)
    case set(assignments: Range<Index>)
    case setNamed(Index, value: Index)
    case receive(Index, from: Endpoint?)
    case enter(Index)
    case start(timer: Index, Index, repeats: Bool)
    case stop(timer: Index)
    case wait(Index)
    case `repeat`(Index, index: Index)
    /// The end of the steps in a `repeat`, the first of which it names.
    case again(index: Index, from: Index)
    /// The end of what happens if a condition is true: the rule goes on after the steps for the other case.
    case skip(to: Index)
    case group
    /// Gives the parameters from the first on the values of these expressions. The steps that use them follow.
    case bind(first: Index, expressions: Range<Index>)
    case bridge
    case end
    case hold(Endpoint)
    case release(Endpoint)
    case advertise(Index)
    case disconnect(Rule.CentralChoice, HCIError)
    case close(channel: Index)
    case discover
    case subscribe(Index)
    case readSought(Index)
    case askLink(Index)
    case forget(Rule.BondChoice)
    case reset
    case restoreSettings
    case applyBaud
    case applyAttributes
    case log(template: Index)
  }

  /// Bytes that a rule computes.
  enum Content: Sendable {
    case message(Index, sources: Range<Index>)
    case template(Index)
  }

  private(set) var rules: [Entry] = []
  private(set) var steps: [Step] = []
  private(set) var expressions: [Expression] = []
  private(set) var templates: [ValueTemplate] = []
  private(set) var contents: [Content] = []
  /// The sources of fields, message by message.
  private(set) var sources: [Rule.FieldSource] = []
  private(set) var assignments: [(slot: Rule.Slot, value: Index)] = []
  private(set) var linkChanges: [LinkChange] = []
  /// For each rule with states, whether it fires in each state of the device.
  private var isActive: [Bool] = []

  init(_ definition: PeripheralDefinition) {
    for rule in definition.rules {
      let first = steps.count
      let states = rule.states.map { states in
        isActive += definition.states.indices.map(states.contains)
        return Index(isActive.count - definition.states.count)
      }
      let condition = rule.condition.map { add($0) }
      for step in rule.steps { add(step) }
      rules.append(
        Entry(
          steps: first..<steps.count, condition: condition, states: states,
          locals: Index(rule.locals.count), placesResponse: rule.placesResponse,
          asksOrigin: rule.triggers.count > 1 && rule.triggers[0].endpoint == nil))
    }
  }

  func fires(rule: Int, in state: Int) -> Bool {
    rules[rule].states.map { isActive[Int($0) + state] } ?? true
  }
}

// MARK: Making the program

extension RuleProgram {
  private mutating func add(_ step: Rule.Step) {
    guard step.otherwise.isEmpty else { return addBoth(step) }
    let place = steps.count
    let condition = step.condition.map { add($0) }
    steps.append(Step(condition: condition, end: 0, operation: .end))
    steps[place].operation = operation(of: step.action)
    switch step.action {
    case .repeat(_, let index, let inner):
      for step in inner { add(step) }
      steps.append(
        Step(
          condition: nil, end: Index(steps.count + 1),
          operation: .again(index: Index(index), from: Index(place + 1))))
    case .group(let inner): for step in inner { add(step) }
    case .perform(let performance): for step in performance.steps { add(step) }
    default: break
    }
    steps[place].end = Index(steps.count)
  }

  /// A group with the action, then the steps for the other case.
  private mutating func addBoth(_ step: Rule.Step) {
    let place = steps.count
    add(Rule.Step(.group([Rule.Step(step.action)]), if: step.condition))
    let jump = steps.count
    steps.append(Step(condition: nil, end: 0, operation: .end))
    steps[place].end = Index(steps.count)
    for step in step.otherwise { add(step) }
    steps[jump].operation = .skip(to: Index(steps.count))
    steps[jump].end = Index(steps.count)
  }

  private mutating func operation(of action: Rule.Action) -> Operation {
    switch action {
    case .send(let content, .origin): .send(content: add(content), to: nil)
    case .send(let content, .endpoint(let endpoint)): .send(content: add(content), to: endpoint)
    case .sendPDU(let template): .sendPDU(template: add(template))
    case .respond(let content?): .respond(content: add(content))
    case .respond(nil): .placeResponse
    case .refuse(let error, let handle): .refuse(error, handle: handle.map { add($0) })
    case .set(let values): .set(assignments: add(values))
    case .setNamed(let name, let value): .setNamed(add(name), value: add(value))
    case .receive(let bytes, let endpoint): .receive(add(bytes), from: endpoint)
    case .enter(let state): .enter(Index(state))
    case .start(let timer, let duration, let repeats):
      .start(timer: Index(timer), add(duration), repeats: repeats)
    case .stop(let timer): .stop(timer: Index(timer))
    case .wait(let duration): .wait(add(duration))
    case .repeat(let count, let index, _): .repeat(add(count), index: Index(index))
    case .group: .group
    case .perform(let performance):
      .bind(
        first: Index(performance.first), expressions: Self.add(performance.arguments, to: &expressions))
    case .bridge: .bridge
    case .end: .end
    case .hold(let endpoint): .hold(endpoint)
    case .release(let endpoint): .release(endpoint)
    case .advertise(let condition): .advertise(add(condition))
    case .disconnect(let choice, let reason): .disconnect(choice, reason)
    case .close(let channel): .close(channel: Index(channel))
    case .discover: .discover
    case .subscribe(let sought): .subscribe(Index(sought))
    case .readSought(let sought): .readSought(Index(sought))
    case .askLink(let change): .askLink(Self.add(change, to: &linkChanges))
    case .forget(let choice): .forget(choice)
    case .reset: .reset
    case .restoreSettings: .restoreSettings
    case .applyBaud: .applyBaud
    case .applyAttributes: .applyAttributes
    case .log(let text): .log(template: add(text))
    }
  }

  private mutating func add(_ expression: Expression) -> Index { Self.add(expression, to: &expressions) }
  private mutating func add(_ template: ValueTemplate) -> Index { Self.add(template, to: &templates) }

  private mutating func add(_ content: Rule.Content) -> Index {
    let content: Content =
      switch content {
      case .message(let message, let fields):
        .message(Index(message), sources: Self.add(fields, to: &sources))
      case .template(let template): .template(add(template))
      }
    return Self.add(content, to: &contents)
  }

  private mutating func add(_ values: [(Rule.Slot, Expression)]) -> Range<Index> {
    let values = values.map { (slot: $0, value: add($1)) }
    return Self.add(values, to: &assignments)
  }

  private static func add<Element>(_ element: Element, to list: inout [Element]) -> Index {
    list.append(element)
    return Index(list.count - 1)
  }

  private static func add<Element>(_ elements: [Element], to list: inout [Element]) -> Range<Index> {
    list += elements
    return Index(list.count - elements.count)..<Index(list.count)
  }
}
