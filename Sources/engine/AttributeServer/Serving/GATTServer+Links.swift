import Behavior
import Bluetooth
import Peripheral

// A transport's reports about the properties of a link.
extension GATTServer {
  /// The link to a central has other parameters, another PHY or other packets.
  package func linkChanged(_ central: Central, _ change: LinkChange) {
    if let parameters = change.parameters { recorder?.parametersChanged(of: central, to: parameters) }
    if self[central] != nil { host?.receive(.linkChanged(central, change)) }
  }

  /// The properties of a link that the transport has looked at: nothing has happened.
  package func measured(_ central: Central, _ change: LinkChange) { host?.linkMeasured(central, change) }

  /// A central keeps the parameters of its link, although the device has asked for others.
  package func parametersRefused(by central: Central, _ refusal: ParameterRefusal) {
    guard self[central] != nil else { return }
    host?.warn("\(central) \(refusal.sentence)")
    host?.receive(.parametersRefused(central, refusal))
  }
}

extension ParameterRefusal {
  /// What has happened, after the name of the central.
  fileprivate var sentence: String {
    switch self {
    case .rejected: "refuses the device's connection parameters"
    case .notUnderstood: "does not understand the device's request for other connection parameters"
    case .noAnswer: "did not answer the device's request for other connection parameters within 30 s"
    case .controller(let error): "keeps its connection parameters: \(error)"
    }
  }
}
