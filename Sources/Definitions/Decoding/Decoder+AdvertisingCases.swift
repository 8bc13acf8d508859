import Bluetooth
import DeviceModel

extension DefinitionDecoder {
  /// Whether what is advertised has values, with the settings as they are at first, and then with others that decide
  /// over it. The first case without is enough.
  func checkAdvertisement(at node: YAMLNode) {
    for other in [ValueCase(context: definition.initialContext)] + definition.advertisingCases {
      let table = (try? definition.attributes(in: other.context)) ?? AttributeTable(services: [])
      do { _ = try definition.advertisement.resolved(in: other.context, with: table) } catch {
        return report(error, other.circumstance, at: node)
      }
    }
  }

  private func report(_ error: any Error, _ circumstance: String, at node: YAMLNode) {
    let place = (error as? AdvertisementValueError).flatMap { node[$0.key] } ?? node
    let text = error is AdvertisementValueError ? "\(error)" : "the advertisement has no bytes: \(error)"
    log.error(circumstance + text, at: place.startRange)
  }
}

extension AdvertisementValueError {
  fileprivate var key: String {
    switch self {
    case .txPower: "tx-power"
    case .interval: "interval"
    }
  }
}
