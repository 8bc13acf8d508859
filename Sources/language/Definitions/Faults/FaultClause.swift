import DeviceModel

/// A part of a fault's text after its kind.
enum FaultClause: String, CaseIterable {
  /// `in`, `out`, `both ways`
  case direction
  /// `on serial`
  case place
  /// `message day-total`
  case message
  /// `10%`
  case chance
  /// `every 3rd`, `every 30s`
  case every
  /// `after 100 bytes`, `after 5s`
  case after
  /// `for 10s`
  case duration
  /// `while streaming`
  case state
  /// `once`, `3 times`
  case count
}

extension FaultClause {
  /// Recognizes a clause by its first word; a number needs the word after it.
  init?(_ word: String, before next: FaultWord?) {
    switch word {
    case "in", "out": self = .direction
    case "both" where next?.text == "ways": self = .direction
    case "on": self = .place
    case "message": self = .message
    case "every": self = .every
    case "after": self = .after
    case "for": self = .duration
    case "while": self = .state
    case "once", "twice": self = .count
    case _ where word.hasSuffix("%"): self = .chance
    case _ where IntegerText.parse(word) != nil && next?.text == "times": self = .count
    default: return nil
    }
  }

  /// The first words of all clauses.
  static let words = [
    "in", "out", "on", "message", "every", "after", "for", "while", "once", "twice", "times",
  ]

  /// The clause as a person writes it.
  var example: String {
    switch self {
    case .direction: "in, out or both ways"
    case .place: "on PLACE"
    case .message: "message NAME"
    case .chance: "NUMBER%"
    case .every: "every …"
    case .after: "after …"
    case .duration: "for DURATION"
    case .state: "while STATE"
    case .count: "once, twice or NUMBER times"
    }
  }

  /// Whether a fault of this kind can have it.
  func fits(_ kind: Fault.Kind) -> Bool {
    switch (kind.subject, self) {
    case (_, .after), (_, .state), (_, .count), (_, .every): true
    case (.moments, .duration): kind == .reboot
    case (_, .duration): true
    case (.values, _), (.moments, _): true
    case (.requests, .direction), (.confirmations, .direction), (.confirmations, .message): false
    case (.requests, _), (.confirmations, _): true
    case (.linkRequests, .chance): true
    case (.linkRequests, _), (.presence, _): false
    }
  }
}
