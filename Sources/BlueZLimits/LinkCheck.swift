import DeviceModel

/// Finds where BlueZ does not handle links as the definition asks.
struct LinkCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  var findings: [Finding] { parameters + notifications + reports + reasons + bonds }

  private var parameters: [Finding] {
    guard definition.link.preferred != nil else { return [] }
    let message =
      definition.link.askAfter == nil
      ? "BlueZ does not tell centrals which connection parameters the device prefers"
      : "BlueZ does not ask centrals for connection parameters"
    return [Finding(.note, message, at: .link(key: "parameters"), hint: "--on exact does")]
  }

  private var notifications: [Finding] {
    guard definition.link.multipleNotifications else { return [] }
    return [
      Finding(
        .note, "BlueZ decides which values it sends together", at: .link(key: "multiple-notifications"),
        hint: "--on exact sends the values of one event together")
    ]
  }

  private var reports: [Finding] {
    HumanInterfaceDevice.services(of: definition).map {
      Finding(
        .warning, HumanInterfaceDevice.remark, at: .service($0), hint: HumanInterfaceDevice.remedy)
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

  private var bonds: [Finding] {
    definition.rules.indices.filter { definition.rules[$0].forgetsBonds }.map {
      Finding(
        .note, "bluetoothd keeps the bonds, and this rule cannot forget them", at: .event(ofRule: $0),
        hint: "--on exact forgets them")
    }
  }
}
