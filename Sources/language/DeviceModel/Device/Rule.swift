import Bluetooth

/// The device's reaction to an event.
package struct Rule: Sendable {
  /// The events that trigger it: any of these.
  package var triggers: [Trigger]
  /// The states in which it fires, by index; nil: all.
  package var states: Set<Int>?
  /// The states in which it fires and whose end ends its waits, by index; nil: it has none.
  package var lasting: Set<Int>?
  package var condition: Expression?
  /// In a rule for several messages: the fields that all of them have, in the order that its expressions use, by the
  /// message's index.
  package var commonFields: [Int: [Int]] = [:]
  package var steps: [Step]
  /// The index of each of its `repeat`s, by its name (nil: it has none), and each parameter that its actions give a value (nil).
  package var locals: [String?]
  /// The line of the file at which the rule begins.
  package var line: Int
  /// The name of its file, if that is not the definition's own.
  package var file: String?
  /// The rule's text.
  package var source = Source()

  /// The longest wait or timer, milliseconds: 30 days.
  package static let longestDuration: Int64 = 30 * 86_400_000

  package init(
    triggers: [Trigger], states: Set<Int>?, lasting: Set<Int>? = nil, condition: Expression?, steps: [Step],
    locals: [String?] = [], line: Int, file: String?, source: Source
  ) {
    (self.triggers, self.states, self.condition) = (triggers, states, condition)
    self.lasting = lasting
    (self.steps, self.locals) = (steps, locals)
    (self.line, self.file, self.source) = (line, file, source)
  }

  /// A place that receives and sends bytes.
  package enum Endpoint: Hashable, Sendable {
    case characteristic(Int)
    /// A credit-based channel, by index in ``PeripheralDefinition/channels``.
    case channel(Int)
    /// A characteristic of the central, by index in ``PeripheralDefinition/sought``.
    case sought(Int)
    /// A layer, by index in ``PeripheralDefinition/layers``.
    case layer(Int)
    /// The wire side.
    case wire
  }

  package enum Trigger: Hashable, Sendable {
    /// The device has started or has been reset.
    case started
    case connected
    /// A link has ended, in whatever way.
    case disconnected
    /// A link has ended without a goodbye. Rules for ``disconnected`` wait for this, too.
    case linkLost
    /// The link to a central has other parameters.
    case parametersChanged
    /// A central keeps the parameters of its link, although the device has asked for others.
    case parametersRefused
    case phyChanged
    case paired
    /// Both sides keep the keys.
    case bonded
    case pairingFailed
    /// The link to a central is encrypted, or better protected than before.
    case encrypted
    /// A central has not succeeded in encrypting the link with the keys of an earlier pairing.
    case encryptionFailed
    /// A set has another private address, which it advertises once the rule has ended or waits.
    case addressChanged
    /// A central has subscribed to this characteristic.
    case subscribed(Int)
    case unsubscribed(Int)
    /// A central has opened this channel.
    case opened(Int)
    case closed(Int)
    /// The device has looked for what it seeks, and a central has this.
    case found(Int)
    /// Likewise, and a central does not have this.
    case missing(Int)
    /// A central has refused to let the device read this, write it or subscribe to it.
    case refused(Int)
    /// A frame that matches this message has arrived there; nil: any frame.
    case received(message: Int?, from: Endpoint)
    /// A rule has sent this message into a layer, by index; nil: any.
    case sent(message: Int?, layer: Int)
    /// A central wants to read, or to write, this attribute.
    case read(AttributeReference)
    case written(AttributeReference)
    /// A central writes its Client Characteristic Configuration (2902) of this characteristic.
    case configured(Int)
    case timer(Int)
    case entered(Int)
    case left(Int)
    /// A person has operated this control, by index in ``PeripheralDefinition/controls``.
    case control(Int)
    /// A setting or a variable has been set from outside, not by a rule.
    case set(Slot)
    /// A setting or a variable has another value after the rules of an event than before.
    case changed(Slot)
  }

  /// An action with its own condition.
  package struct Step: Sendable {
    package var condition: Expression?
    package var action: Action
    /// What happens in its place if the condition is false.
    package var otherwise: [Step]

    package init(_ action: Action, if condition: Expression? = nil, else otherwise: [Step] = []) {
      self.action = action
      self.condition = condition
      self.otherwise = otherwise
    }
  }

  package enum Action: Sendable {
    case send(Content, to: Destination)
    /// Sends a PDU as it is to the event's central, or else to all.
    case sendPDU(ValueTemplate)
    /// The answer to a read; nil: where the response to a write or a subscription goes among the values.
    case respond(Content?)
    /// - Parameter handle: that which the error names; nil: the one of the request.
    case refuse(ATTError, handle: Expression? = nil)
    case set([(Slot, Expression)])
    /// Sets the setting with this name to the value of a text.
    case setNamed(Expression, value: Expression)
    /// Handles bytes as a frame that has arrived there; nil: where the event came from.
    case receive(Expression, from: Endpoint?)
    case enter(Int)
    /// Milliseconds.
    case start(timer: Int, Expression, repeats: Bool)
    case stop(timer: Int)
    /// Milliseconds; the following actions are performed after them.
    case wait(Expression)
    case `repeat`(Expression, index: Int, [Step])
    case group([Step])
    /// Shared actions with parameters.
    case perform(Performance)
    /// Sends the frame over the bridge, as without a rule.
    case bridge
    /// Ends the rule.
    case end
    case hold(Endpoint)
    case release(Endpoint)
    case advertise(Expression)
    case disconnect(CentralChoice, HCIError = .remoteUserTerminated)
    /// Closes this channel: that of the event's central, or else all.
    case close(Int)
    /// Looks for what the device seeks at the event's central, or else at all.
    case discover
    /// Subscribes to this, which the device seeks.
    case subscribe(Int)
    /// Reads this, which the device seeks: its value arrives as a frame.
    case readSought(Int)
    /// Asks the event's central, or else all, for another PHY or for longer packets on the link.
    case askLink(LinkChange)
    /// Forgets bonds, as a factory reset does.
    case forget(BondChoice)
    case reset
    case restoreSettings
    /// Applies the wire side's speed for the current values.
    case applyBaud
    /// Gives the device the attributes for the current settings, while centrals stay connected.
    case applyAttributes
    case log(ValueTemplate)
  }

  /// Shared actions and the values of their parameters, each of which is evaluated once, before the first action.
  package struct Performance: Sendable {
    /// Their name in the file.
    package var sharedName: String
    package var parameters: [String]
    /// One for each parameter, with their types.
    package var arguments: [Expression]
    package var types: [ValueType]
    /// The index of the first in ``Rule/locals``.
    package var first: Int
    package var steps: [Step]

    package init(
      _ sharedName: String, parameters: [String], arguments: [Expression], types: [ValueType], first: Int,
      _ steps: [Step]
    ) {
      (self.sharedName, self.parameters, self.arguments) = (sharedName, parameters, arguments)
      self.types = types
      (self.first, self.steps) = (first, steps)
    }
  }

  /// Which links to end.
  package enum CentralChoice: String, CaseIterable, Sendable {
    /// The one with the central of the event.
    case central
    case all
  }

  /// Which bonds to forget.
  package enum BondChoice: String, CaseIterable, Sendable {
    /// The one with the central of the event.
    case central
    /// The one that was made first; in a rule for a new bond, another than that.
    case oldest
    case all
  }

  /// Bytes that a rule computes.
  package enum Content: Sendable {
    /// A message by its index, with a source for each of its fields.
    case message(Int, [FieldSource])
    /// A template in the rule itself.
    case template(ValueTemplate)
  }

  package enum Destination: Hashable, Sendable {
    /// Where the event came from: its place, or the place for answers to it. For what goes out of a layer, the place outside of the
    /// layers whose bytes have caused it.
    case origin
    /// By notification, or by indication if the characteristic cannot notify.
    case endpoint(Endpoint)
  }

  /// The source of a message's field.
  package indirect enum FieldSource: Sendable {
    case value(Expression)
    /// The rows of a group.
    case rows([Row])
    /// As many rows as the expression gives, with these sources, which know the row's index as a repetition; a group
    /// may have so many `rows`.
    case repeated(Expression, index: Int, Row, rows: ClosedRange<Int>)
    /// All rows of a data table, with these of its columns.
    case table(Int, columns: [Int])
    /// No value: the optional part around the field is left out.
    case absent

    /// Whether it fills the field.
    package var isGiven: Bool {
      if case .absent = self { false } else { true }
    }
  }

  /// A row of a group.
  package struct Row: Sendable {
    /// The row is left out if it is false.
    package var condition: Expression?
    /// One for each column.
    package var cells: [FieldSource]

    package init(_ cells: [FieldSource], if condition: Expression? = nil) {
      (self.cells, self.condition) = (cells, condition)
    }
  }

  /// The target of `set`.
  package enum Slot: Hashable, Sendable {
    case setting(Int)
    case variable(Int)
  }

  /// The text in the file.
  package struct Source: Hashable, Sendable {
    package var event = ""
    package var condition: String?
    package var actions: [String] = []

    package init() {}
  }
}

extension Rule.Trigger {
  /// The place of a `receive` trigger.
  package var endpoint: Rule.Endpoint? {
    if case .received(_, let endpoint) = self { endpoint } else { nil }
  }

  /// The place of a `receive` trigger, or of a `send` trigger.
  package var place: Rule.Endpoint? {
    if case .sent(_, let layer) = self { .layer(layer) } else { endpoint }
  }

  /// The message that a `receive` or a `send` trigger waits for; nil: any, or it waits for something else.
  package var message: Int? {
    switch self {
    case .received(let message, _), .sent(let message, _): message
    default: nil
    }
  }
}

extension PeripheralDefinition {
  /// Whether a rule may refuse what a central writes to its Client Characteristic Configuration (2902) of a characteristic, or
  /// waits for it, or the device behind a relay answers it.
  package func decidesOnConfiguration(of characteristic: Int) -> Bool {
    isRelayed
      || rules.contains { rule in
        rule.triggers.contains(.configured(characteristic))
          || (rule.triggers.contains(.subscribed(characteristic))
            && (!rule.refusals.isEmpty || rule.placesResponse))
      }
  }

  /// Whether a rule says where the response to a subscription goes among the values.
  package func placesResponse(toSubscriptionOf characteristic: Int) -> Bool {
    !isRelayed
      && rules.contains { rule in
        (rule.triggers.contains(.configured(characteristic))
          || rule.triggers.contains(.subscribed(characteristic)))
          && rule.placesResponse
      }
  }
}

extension Rule {
  /// All steps, including those inside others.
  package var allSteps: [Step] { steps.flatMap(\.withInner) }
}

extension Rule {
  /// Whether it handles bytes from the wire side or sends bytes to it.
  var usesWire: Bool {
    triggers.contains { if case .received(_, .wire) = $0 { true } else { false } }
      || has { if case .send(_, .endpoint(.wire)) = $0 { true } else { false } }
  }
}

extension Rule.Step {
  /// It and all steps inside it.
  package var withInner: [Rule.Step] { [self] + inner.flatMap(\.withInner) }

  /// The steps directly inside it.
  fileprivate var inner: [Rule.Step] {
    switch action {
    case .repeat(_, _, let steps), .group(let steps): steps + otherwise
    case .perform(let performance): performance.steps + otherwise
    default: otherwise
    }
  }
}

extension Rule {
  /// The errors with which it refuses: those of its own steps precede those of the steps inside them.
  package var refusals: [ATTError] {
    Self.all(in: steps) { if case .refuse(let error, _) = $0 { error } else { nil } }
  }

  /// Whether an error of it names a handle, for each of ``refusals``.
  package var namesHandles: [Bool] {
    Self.all(in: steps) { if case .refuse(_, let handle) = $0 { handle != nil } else { nil } }
  }

  /// Whether it says where the response to its event goes among the values.
  package var placesResponse: Bool {
    has { if case .respond(nil) = $0 { true } else { false } }
  }

  /// The least time that it certainly waits before the response that it places, milliseconds.
  package var waitBeforeResponse: Int64 {
    guard placesResponse else { return 0 }
    var time: Int64 = 0
    for step in steps {
      switch step.action {
      case .respond(nil), .end: return time
      case .wait(.constant(.integer(let milliseconds))) where step.condition == nil: time += milliseconds
      default: break
      }
    }
    return time
  }

  /// Whether it forgets bonds.
  package var forgetsBonds: Bool {
    has { if case .forget = $0 { true } else { false } }
  }

  /// Whether it asks for another PHY or for longer packets.
  package var asksLink: Bool {
    has { if case .askLink = $0 { true } else { false } }
  }

  /// Whether it sends PDUs as they are.
  package var sendsPDUs: Bool {
    has { if case .sendPDU = $0 { true } else { false } }
  }

  /// Whether it changes the attributes while centrals are connected.
  package var appliesAttributes: Bool {
    has { if case .applyAttributes = $0 { true } else { false } }
  }

  /// The reasons for which it ends connections, other than Remote User Terminated Connection, in the same order.
  package var specialReasons: [HCIError] {
    Self.all(in: steps) { action in
      guard case .disconnect(_, let reason) = action, reason != .remoteUserTerminated else { return nil }
      return reason
    }
  }

  /// Whether a step has such an action, also one inside another.
  private func has(_ isMeant: (Action) -> Bool) -> Bool { Self.has(isMeant, in: steps) }

  private static func has(_ isMeant: (Action) -> Bool, in steps: [Step]) -> Bool {
    steps.contains { isMeant($0.action) || has(isMeant, in: $0.inner) }
  }

  private static func all<Part>(in steps: [Step], _ part: (Action) -> Part?) -> [Part] {
    steps.compactMap { part($0.action) } + steps.flatMap { all(in: $0.inner, part) }
  }
}
