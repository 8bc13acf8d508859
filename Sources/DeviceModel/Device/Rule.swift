import Bluetooth

/// What the device does when something happens.
package struct Rule: Sendable {
  /// What it waits for: any of these.
  package var triggers: [Trigger]
  /// The states in which it fires, by index; nil: all.
  package var states: Set<Int>?
  package var condition: Expression?
  package var steps: [Step]
  /// How many `repeat`s stand in it.
  package var repetitionCount: Int
  /// Where the rule begins in its file.
  package var line: Int
  /// The name of its file, where that is not the definition's own.
  package var file: String?
  /// The rule as a person reads it.
  package var source = Source()

  /// The longest wait or timer, milliseconds: 30 days.
  package static let longestDuration: Int64 = 30 * 86_400_000

  package init(
    triggers: [Trigger], states: Set<Int>?, condition: Expression?, steps: [Step], repetitionCount: Int,
    line: Int, file: String?, source: Source
  ) {
    (self.triggers, self.states, self.condition) = (triggers, states, condition)
    (self.steps, self.repetitionCount) = (steps, repetitionCount)
    (self.line, self.file, self.source) = (line, file, source)
  }

  /// Where bytes come in, and where they go out.
  package enum Port: Hashable, Sendable {
    case characteristic(Int)
    /// The serial side.
    case wire
  }

  package enum Trigger: Hashable, Sendable {
    /// The device is on, or has been reset.
    case started
    case connected
    case disconnected
    /// A central has subscribed to this characteristic.
    case subscribed(Int)
    case unsubscribed(Int)
    /// A frame that is this message has arrived there; nil: any frame.
    case received(message: Int?, from: Port)
    /// A central wants to read, or to write, this characteristic.
    case read(Int)
    case written(Int)
    case timer(Int)
    case entered(Int)
    case left(Int)
  }

  /// An action with its own condition.
  package struct Step: Sendable {
    package var condition: Expression?
    package var action: Action

    package init(_ action: Action, if condition: Expression? = nil) {
      self.action = action
      self.condition = condition
    }
  }

  package enum Action: Sendable {
    case send(Content, to: Destination)
    /// The answer to a read.
    case respond(Content)
    case refuse(ATTError)
    case set([(Slot, Expression)])
    case enter(Int)
    /// Milliseconds.
    case start(timer: Int, Expression, repeats: Bool)
    case stop(timer: Int)
    /// Milliseconds; what follows is done later.
    case wait(Expression)
    case `repeat`(Expression, index: Int, [Step])
    case group([Step])
    /// The frame crosses the bridge, as if no rule had taken it.
    case bridge
    /// The rule is done.
    case end
    case hold(Port)
    case release(Port)
    case advertise(Expression)
    case disconnect
    case reset
    case restoreSettings
    /// The serial side takes the speed that it has with the values of now.
    case applyBaud
    case log(ValueTemplate)
  }

  /// Bytes that a rule makes.
  package enum Content: Sendable {
    /// A message by its index, with a source for each of its fields.
    case message(Int, [FieldSource])
    /// Written on the spot.
    case template(ValueTemplate)
  }

  package enum Destination: Hashable, Sendable {
    /// Where the event came from.
    /// Where the event came from, or where that wants its answers.
    case origin
    /// By notification, or by indication where that is all a characteristic has.
    case port(Port)
  }

  /// What fills a field of a message.
  package enum FieldSource: Sendable {
    case value(Expression)
    /// The rows of a group, each with an expression for each column.
    case rows([[Expression]])
    /// All rows of a data table, with these of its columns.
    case table(Int, columns: [Int])
    /// Nothing: the optional part that it stands in is left out.
    case absent

    /// Whether it fills the field.
    package var isGiven: Bool {
      if case .absent = self { false } else { true }
    }
  }

  /// What `set` changes.
  package enum Slot: Hashable, Sendable {
    case setting(Int)
    case variable(Int)
  }

  /// What stands in the file.
  package struct Source: Hashable, Sendable {
    package var event = ""
    package var condition: String?
    package var actions: [String] = []

    package init() {}
  }
}

extension Rule.Trigger {
  /// Where it waits for something that is received.
  package var port: Rule.Port? {
    if case .received(_, let port) = self { port } else { nil }
  }
}

extension Rule {
  /// All steps, those inside others too.
  package var allSteps: [Step] { steps.flatMap(\.withInner) }
}

extension Rule {
  /// Whether it waits for the serial side or sends to it.
  var usesWire: Bool {
    triggers.contains { if case .received(_, .wire) = $0 { true } else { false } }
      || allSteps.contains { if case .send(_, .port(.wire)) = $0.action { true } else { false } }
  }
}

extension Rule.Step {
  /// It and all steps inside it.
  package var withInner: [Rule.Step] { [self] + inner.flatMap(\.withInner) }

  /// Those just inside it.
  fileprivate var inner: [Rule.Step] {
    switch action {
    case .repeat(_, _, let steps), .group(let steps): steps
    default: []
    }
  }
}

extension Rule {
  /// The errors that it refuses with: those of its own steps come before those inside them.
  package var refusals: [ATTError] { Self.refusals(of: steps) }

  private static func refusals(of steps: [Step]) -> [ATTError] {
    steps.compactMap { if case .refuse(let error) = $0.action { error } else { nil } }
      + steps.flatMap { refusals(of: $0.inner) }
  }
}
