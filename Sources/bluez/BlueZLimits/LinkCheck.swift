import DeviceModel

/// Finds where BlueZ does not handle links as the definition asks.
struct LinkCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  var findings: [Finding] {
    parameters + broadcasting + strangers + notifications + channels + sought + reports + events + reasons
      + bonds + changes + packets + questions
  }

  private var parameters: [Finding] {
    guard definition.link.preferred != nil else { return [] }
    let message =
      definition.link.askAfter == nil
      ? "BlueZ does not tell centrals which connection parameters the device prefers"
      : "BlueZ does not ask centrals for connection parameters"
    return [Finding(.note, message, at: .link(key: "parameters"), hint: "--on exact does")]
  }

  private var broadcasting: [Finding] {
    guard definition.link.whenFull == .scannable else { return [] }
    return [
      Finding(
        .note,
        "while centrals are connected, BlueZ advertises without the flag of a discoverable device, and answers scans only with a name",
        at: .link(key: "when-full"), hint: "--on exact advertises the same data")
    ]
  }

  private var strangers: [Finding] {
    guard definition.advertisement.accepted != nil else { return [] }
    return [
      Finding(
        .warning, "BlueZ lets every central connect", at: .link(key: "accept"),
        hint: "--on exact answers only these")
    ]
  }

  private var notifications: [Finding] {
    guard definition.link.multipleNotifications else { return [] }
    return [
      Finding(
        .note, "BlueZ decides which values it sends together", at: .link(key: "multiple-notifications"),
        hint: "--on exact sends the values of one event together")
    ]
  }

  private var channels: [Finding] {
    definition.channels.indices.map {
      Finding(
        .warning, "BlueZ does not let centrals open the channel", at: .channel($0),
        hint: "--on exact and --on loopback do")
    }
  }

  private var sought: [Finding] {
    if definition.sought.isEmpty { return [] }
    return [
      Finding(
        .warning, "BlueZ keeps the attributes of centrals to itself: all of this counts as missing",
        at: .sought(0),
        hint: "--on exact finds them")
    ]
  }

  private var reports: [Finding] {
    HumanInterfaceDevice.services(of: definition).map {
      Finding(
        .warning, HumanInterfaceDevice.remark, at: .service($0), hint: HumanInterfaceDevice.remedy)
    }
  }

  /// The rules that wait for something that BlueZ does not report.
  private var events: [Finding] {
    definition.rules.enumerated().compactMap { number, rule in
      guard let (gap, hint) = Self.gap(of: rule.triggers.first) else { return nil }
      return Finding(
        .warning, "the rule never fires: BlueZ \(gap)", at: .event(ofRule: number), hint: hint)
    }
  }

  private static func gap(of trigger: Rule.Trigger?) -> (gap: String, hint: String)? {
    switch trigger {
    case .linkLost: ("does not report why a link ended", "wait for 'disconnect', or use --on exact")
    case .addressChanged: ("gives the device the adapter's address, which stays", "--on exact changes it")
    case .parametersChanged: ("does not report the parameters of a link", "--on exact does")
    case .parametersRefused: ("does not ask centrals for connection parameters", "--on exact does")
    case .opened, .closed: ("does not let centrals open channels", "--on exact does")
    case .phyChanged: ("does not report the PHY of a link", "--on exact does")
    default: nil
    }
  }

  private var reasons: [Finding] {
    definition.rules.enumerated().flatMap { number, rule in
      rule.specialReasons.indices.map { index in
        Finding(
          .note, "BlueZ ends connections with Remote User Terminated Connection",
          at: .reason(index, ofRule: number), hint: "--on exact gives this reason")
      }
    }
  }

  private var changes: [Finding] {
    definition.rules.indices.filter { definition.rules[$0].appliesAttributes }.map {
      Finding(
        .note, "BlueZ gives all attributes other handles then, and ends all subscriptions",
        at: .event(ofRule: $0), hint: "--on exact changes only what has changed")
    }
  }

  private var questions: [Finding] {
    definition.rules.indices.filter { definition.rules[$0].asksLink }.map {
      Finding(
        .note, "BlueZ decides itself which PHY and which packets it asks for", at: .event(ofRule: $0),
        hint: "--on exact asks for these")
    }
  }

  private var packets: [Finding] {
    definition.rules.indices.filter { definition.rules[$0].sendsPDUs }.map {
      Finding(
        .warning, "BlueZ does not send the PDUs of this rule", at: .event(ofRule: $0), hint: "--on exact does"
      )
    }
  }

  private var bonds: [Finding] {
    definition.rules.indices.filter { definition.rules[$0].forgetsBonds }.map {
      Finding(
        .note, "bluetoothd keeps the bonds, and this rule cannot forget them", at: .event(ofRule: $0),
        hint: "--on exact forgets them")
    }
  }
}
