import Bluetooth
import DeviceModel

extension Language {
  struct Action: LanguageObject {
    static let outline = Outline(
      "an action", Self(),
      oneOf: .keys([
        Variant("send", may: ["with", "to"]), Variant("send-pdu"), Variant("respond", may: ["with"]),
        Variant("refuse", may: ["handle"]),
        Variant("set"), Variant("enter"), Variant("start", oneOf: ["after", "every"], may: ["per"]),
        Variant("stop"),
        Variant("wait"), Variant("repeat", needs: ["do"], may: ["index"]), Variant("then"), Variant("hold"),
        Variant("release"), Variant("advertise"), Variant("disconnect", may: ["reason"]), Variant("close"),
        Variant("subscribe"), Variant("read"), Variant("ask-phy"), Variant("ask-data-length"),
        Variant("forget"), Variant("log"), Variant("perform", may: ["with"]),
        Variant("receive", may: ["from"]), Variant("set-setting", needs: ["value"]),
      ])
    ) {
      [
        $0.condition, $0.send, $0.sendPDU, $0.with, $0.to, $0.respond, $0.refuse, $0.handle, $0.set, $0.enter,
        $0.start,
        $0.after,
        $0.every, $0.owner, $0.stop, $0.wait, $0.count, $0.index, $0.repeated, $0.then, $0.otherwise, $0.hold,
        $0.release,
        $0.advertise, $0.disconnect, $0.reason, $0.close, $0.subscribe, $0.read, $0.askPHY, $0.askDataLength,
        $0.forget, $0.log,
        $0.perform, $0.receive, $0.from,
        $0.setSetting,
        $0.value,
      ]
    }

    static let words = [
      "disconnect", "reset", "restore-settings", "apply-baud", "apply-attributes", "bridge", "discover",
      "respond", "end",
    ]

    let condition = Key.optional("if", .text(.expression), "it runs only if this is true")
    let send = Key.optional("send", .message, "a message to send")
    let sendPDU = Key.optional(
      "send-pdu", .text(.bytes), "a PDU of ATT to send as it is: to the central of the event, or else to all")
    let with = Key.optional(
      "with", .fields, "the values of its fields, or of the parameters of shared actions")
    let to = Key.optional(
      "to", .text(.characteristicID),
      "a characteristic, also of the central, a channel, a layer, 'wire', or 'origin': where the event came from; by default that"
    )
    let respond = Key.optional("respond", .message, "the response to a read")
    let refuse = Key.optional("refuse", .text(.attError), "the ATT error that refuses a read or write")
    let handle = Key.optional(
      "handle", .text(.expression), "the handle that the error names; by default that of the request")
    let set = ListKey.optional("set", .map(.identifier, .text(.expression)), "settings and variables")
    let enter = Key.optional("enter", .text(.identifier), "a state to enter")
    let start = Key.optional("start", .text(.identifier), "a timer to start")
    let after = Key.optional("after", .text(.expression), "the time after which it runs out, once")
    let every = Key.optional("every", .text(.expression), "the time after which it runs out, repeatedly")
    let owner = Key.optional("per", .choice(["central"]), "each central has a timer of its own")
    let stop = Key.optional("stop", .text(.identifier), "a timer to stop")
    let wait = Key.optional("wait", .text(.expression), "the time until the next action")
    let count = Key.optional("repeat", .text(.expression), "how many times to run the actions of 'do'")
    let index = Key.optional("index", .text(.identifier), "the name of the count, from 0")
    let repeated = ListKey.optional("do", .actions, "the actions to repeat")
    let then = ListKey.optional("then", .actions, "actions that share one 'if'")
    let otherwise = ListKey.optional(
      "else", .actions, "actions that run in its place if 'if' is false; one of them may have an 'if' again")
    let hold = Key.optional("hold", .text(.characteristicID), "holds the bytes that arrive there")
    let release = Key.optional("release", .text(.characteristicID), "handles the bytes held there")
    let advertise = Key.optional(
      "advertise", .text(.expression), "true: starts, with the current values; false: stops")
    let disconnect = Key.optional(
      "disconnect",
      .choice(
        DeviceModel.Rule.CentralChoice.allCases.map(\.rawValue) + HCIError.reasonsToDisconnect.map(\.name)),
      "the connections to end: with the central of the event, or all; or, for all, the reason")
    let reason = Key.optional(
      "reason", .choice(HCIError.reasonsToDisconnect.map(\.name)), "the reason that the centrals see")
    let close = Key.optional(
      "close", .text(.identifier), "a channel to close: of the central of the event, or else of all")
    let subscribe = Key.optional(
      "subscribe", .text(.identifier), "a characteristic of the central to subscribe to")
    let read = Key.optional(
      "read", .text(.identifier), "a characteristic of the central to read: its value arrives as a frame")
    let askPHY = Key.optional(
      "ask-phy", .choice(PHY.words),
      "asks for this PHY in both directions: of the central of the event, or else of all")
    let askDataLength = Key.optional(
      "ask-data-length", .integer(27...251), "likewise, for packets of the link layer with so many bytes")
    let forget = Key.optional(
      "forget", .choice(DeviceModel.Rule.BondChoice.allCases.map(\.rawValue)),
      "the bonds to forget: with the central of the event, the oldest one, or all")
    let log = Key.optional("log", .text(.template), "a line for the log")
    let perform = Key.optional("perform", .text(.identifier), "actions of 'actions', by their name")
    let receive = Key.optional(
      "receive", .text(.expression), "bytes to handle as a frame that has arrived")
    let from = Key.optional(
      "from", .text(.characteristicID), "where it has arrived; by default where the event came from")
    let setSetting = Key.optional(
      "set-setting", .text(.expression), "the name of a setting to change, as a text")
    let value = Key.optional("value", .text(.expression), "its new value, as a text")
  }

  /// The values for the fields of a message.
  struct Fields {
    var entries: [Entry<Filling>]
    var place: SourceRange
  }

  /// The content of a field: a value, or the rows of a group.
  enum Filling {
    case value(Scalar)
    case rows([FieldRow], SourceRange)
    /// A message in another.
    case row(FieldRow)
    /// Computed rows, all from the same expressions.
    case repeated(Node<RepeatedRow>)
  }

  struct RepeatedRow: LanguageObject {
    static let outline = Outline("a repeated row", Self()) { [$0.count, $0.index, $0.row] }

    let count = Key.required("repeat", .text(.expression), "how many rows there are")
    let index = Key.optional("index", .text(.identifier), "the name of the row's index, from 0")
    let row = Key.required("row", .fieldRow, "the fields of each row")
  }

  struct FieldRow {
    enum Content {
      /// With the row's condition, under ``conditionName``.
      case cells([Entry<Filling>])
      /// The value of the only field.
      case value(Scalar)
    }

    var content: Content
    var range: SourceRange

    var cells: [Entry<Filling>] { if case .cells(let cells) = content { cells } else { [] } }

    static let conditionName = Action.outline.keys.condition.name
  }
}

extension Form where Value == [Node<Language.Action>] {
  /// One action or a list of them; some are a word.
  static var actions: Self { .oneOrMore(.either(Language.Action.words, Language.Action.self), atMost: 1000) }
}

extension Form where Value == Language.Fields {
  static var fields: Self {
    let entries = Form<[Entry<Language.Filling>]>.map(.identifier, .filling)
    return Self(shape: entries.shape) { node in
      entries.read(node).map { Language.Fields(entries: $0, place: node.startRange) }
    }
  }
}

extension Form where Value == Language.Filling {
  static var filling: Self {
    let row = Form<Language.FieldRow>.fieldRow
    let rows = Form<[Language.FieldRow]>.list(row.orValue, atMost: 4096)
    let shape = Shape.rows(rows.shape, row: row.shape) { Language.RepeatedRow.outline.shape }
    return Self(shape: .eitherText(.expression, shape)) { node in
      if let text = Scalar(node) { return .value(text) }
      guard case .mapping = node.content else { return rows.read(node).map { .rows($0, node.range) } }
      if node.isComputed(by: Language.RepeatedRow.outline.shape) { return .repeated(Node(node)) }
      return row.read(node).map { .row($0) }
    }
  }
}

extension Form where Value == Language.FieldRow {
  /// The fields of a row, which may have rows themselves.
  static var fieldRow: Self {
    Self(shape: .named("row") { cells.shape }) { node in
      cells.read(node).map { Language.FieldRow(content: .cells($0), range: node.range) }
    }
  }

  /// Or the value of its only field.
  fileprivate var orValue: Self {
    Self(shape: .eitherText(.expression, shape)) { node in
      Scalar(node).map { Language.FieldRow(content: .value($0), range: node.range) } ?? read(node)
    }
  }

  private static var cells: Form<[Entry<Language.Filling>]> { .map(.identifier, .filling) }
}

extension YAMLNode {
  /// Whether it is an object in place of rows: it has a key that the object requires.
  func isComputed(by object: ObjectShape) -> Bool {
    guard case .mapping(let entries) = content else { return false }
    return object.keys.contains { key in key.isRequired && entries.contains { $0.key.text == key.name } }
  }
}
