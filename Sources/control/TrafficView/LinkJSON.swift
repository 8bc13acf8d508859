import Bluetooth

/// Formats the known properties of a link for programs.
extension JSONFormat {
  func fill(_ object: inout JSONObject, _ link: LinkDescription?) {
    guard let link else { return }
    object.set("private-address", link.privateAddress)
    fill(&object, link.addressKind)
    fill(&object, link.parameters)
  }

  func fill(_ object: inout JSONObject, _ kind: LinkAddress.Kind) {
    switch kind {
    case .public: object.set("address-type", word: "public")
    case .random: object.set("address-type", word: "random")
    }
  }

  func fill(_ object: inout JSONObject, _ reason: HCIError?) {
    guard let reason else { return }
    object.set("reason", reason.name)
    object.set("code", Int(reason.rawValue))
  }

  func fill(_ object: inout JSONObject, _ change: LinkChange) {
    fill(&object, change.parameters)
    if let phys = change.phys {
      object.set("tx-phy", phys.sent.description)
      object.set("rx-phy", phys.received.description)
    }
    if let sizes = change.packetSizes {
      object.set("tx-octets", Int(sizes.sent))
      object.set("rx-octets", Int(sizes.received))
    }
    if let rssi = change.rssi { object.set("rssi", Int(rssi)) }
  }

  private func fill(_ object: inout JSONObject, _ parameters: ConnectionParameters?) {
    guard let parameters else { return }
    object.set("interval-milliseconds", hundredths: parameters.intervalHundredths)
    object.set("latency", Int(parameters.latency))
    object.set("timeout-milliseconds", Int(parameters.supervisionTimeout) * 10)
  }
}
