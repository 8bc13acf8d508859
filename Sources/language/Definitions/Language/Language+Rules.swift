extension Language {
  struct Rule: LanguageObject {
    static let outline = Outline(
      "a rule", Self(), merging: .inFront, orGroup: .init(key: "rules") { RuleGroup.outline.shape }
    ) {
      [$0.event, $0.states, $0.lasting, $0.condition, $0.actions]
    }

    let event = Key.required(
      "on",
      .either(
        [
          "start", "connect", "disconnect", "link-lost", "parameters", "parameters-refused", "phy", "paired",
          "bonded", "pairing-failed", "encrypted", "encryption-failed", "address",
        ], Event.self),
      "the event that it waits for")
    let states = ListKey.optional(
      "in", .oneOrMore(.text(.identifier)), "the state, or states, in which it fires")
    let lasting = ListKey.optional(
      "while", .oneOrMore(.text(.identifier)),
      "the state, or states, in which it fires; when the device leaves them, its waits end")
    let condition = Key.optional("if", .text(.expression), "it fires only when this is true")
    let actions = ListKey.required("do", .actions, "its actions, in order")
  }

  struct RuleGroup: LanguageObject {
    static let outline = Outline("a group of rules", Self()) {
      [$0.origins, $0.states, $0.lasting, $0.condition, $0.rules]
    }

    let origins = ListKey.optional(
      "from", .oneOrMore(.text(.characteristicID)),
      "where their messages arrive: a characteristic, a channel, a layer, 'wire', or a list of them")
    let states = ListKey.optional(
      "in", .oneOrMore(.text(.identifier)), "the state, or states, in which they fire")
    let lasting = ListKey.optional(
      "while", .oneOrMore(.text(.identifier)),
      "the state, or states, in which they fire; when the device leaves them, their waits end")
    let condition = Key.optional("if", .text(.expression), "they fire only when this is true")
    let rules = ListKey.required("rules", .rules, "the rules that have this in common")
  }

  /// An element of a list of rules.
  enum RuleItem {
    case rule(Node<Rule>)
    case group(Node<RuleGroup>)
  }

  struct Event: LanguageObject {
    static let outline = Outline(
      "an event", Self(),
      oneOf: .keys([
        Variant("receive", may: ["from"]), Variant("send", may: ["from"]), Variant("read"), Variant("write"),
        Variant("subscribe"),
        Variant("unsubscribe"), Variant("open"), Variant("close"), Variant("found"), Variant("missing"),
        Variant("refused"), Variant("timer"), Variant("enter"), Variant("leave"),
        Variant("control"), Variant("set"), Variant("change"),
      ])
    ) {
      [
        $0.receive, $0.send, $0.origins, $0.read, $0.write, $0.subscribe, $0.unsubscribe, $0.open, $0.close,
        $0.found,
        $0.missing, $0.refused, $0.timer, $0.enter, $0.leave, $0.control, $0.slot,
        $0.changed,
      ]
    }

    let receive = ListKey.optional(
      "receive", .oneOrMore(.message), "a message, or one of several, has arrived; 'any': any frame")
    let send = ListKey.optional(
      "send", .oneOrMore(.message),
      "a rule has sent a message, or one of several, into the layer 'from'; 'any': any message")
    let origins = ListKey.optional(
      "from", .oneOrMore(.text(.characteristicID)),
      "where it arrived: a characteristic, also of the central, a channel, a layer, 'wire', or a list of them"
    )
    let read = ListKey.optional(
      "read", .oneOrMore(.text(.attribute)),
      "a central reads this characteristic or descriptor; a list: one of them; 'any': any characteristic")
    let write = ListKey.optional(
      "write", .oneOrMore(.text(.attribute)),
      "a central writes this characteristic or descriptor, as in serial/2902")
    let subscribe = ListKey.optional(
      "subscribe", .oneOrMore(.text(.characteristicID)), "a central has subscribed to this characteristic")
    let unsubscribe = ListKey.optional(
      "unsubscribe", .oneOrMore(.text(.characteristicID)),
      "a central has unsubscribed from this characteristic")
    let open = ListKey.optional(
      "open", .oneOrMore(.text(.identifier)), "a central has opened this channel")
    let close = ListKey.optional(
      "close", .oneOrMore(.text(.identifier)), "this channel of a central has closed, in whatever way")
    let found = ListKey.optional(
      "found", .oneOrMore(.text(.identifier)), "the device has found this characteristic of a central")
    let missing = ListKey.optional(
      "missing", .oneOrMore(.text(.identifier)),
      "the device has looked for this characteristic of a central, and not found it")
    let refused = ListKey.optional(
      "refused", .oneOrMore(.text(.identifier)),
      "a central has refused a read of this characteristic, a write or a subscription")
    let timer = ListKey.optional("timer", .oneOrMore(.text(.identifier)), "a timer has run out")
    let enter = ListKey.optional(
      "enter", .oneOrMore(.text(.identifier)), "the device has entered this state")
    let leave = ListKey.optional("leave", .oneOrMore(.text(.identifier)), "the device has left this state")
    let control = ListKey.optional(
      "control", .oneOrMore(.text(.identifier)), "a person has operated this control")
    let slot = ListKey.optional(
      "set", .oneOrMore(.text(.identifier)),
      "this setting or variable has been set from outside, not by a rule")
    let changed = ListKey.optional(
      "change", .oneOrMore(.text(.identifier)),
      "this setting or variable has another value, also because of a rule")
  }
}

extension Form where Value == [Language.RuleItem] {
  static var rules: Self {
    let rule = Form<Node<Language.Rule>>.object(Language.Rule.self)
    let group = Form<Node<Language.RuleGroup>>.object(Language.RuleGroup.self)
    return .list(
      Form<Language.RuleItem>(shape: rule.shape) { node in
        Language.Rule.outline.shape.isGroup(node)
          ? group.read(node).map { .group($0) } : rule.read(node).map { .rule($0) }
      }, atMost: 2000)
  }
}
